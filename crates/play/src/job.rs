//! Jobs for engines, and what they report.

use pontifex::clock::{Clock, Limit};
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{Color, Move, Position};
use pontifex::notation::WonBy;

use super::terms::Level;

/// The number of a job in its session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JobId(pub(super) u64);

/// The purpose of a job. A session has at most one job in each lane; before it
/// starts another one, it cancels the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// Moves in the game.
    Game,
    /// Analyses and reviews.
    Study,
    /// Hints, and the judgement of a move that is tried again.
    Advice,
}

/// A job for an engine. Its host sends any number of [`Report`]s and exactly
/// one [`Report::Done`], also when the job is cancelled.
#[derive(Clone, Debug)]
pub enum Job {
    Turn(Box<EngineTurn>),
    Search(Box<Search>),
}

impl Job {
    pub fn lane(&self) -> Lane {
        match self {
            Job::Turn(_) => Lane::Game,
            Job::Search(search) => search.lane,
        }
    }
}

/// A position and the moves that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub start: Position,
    pub moves: Vec<Move>,
}

impl Line {
    /// The position after the moves.
    pub fn position(&self) -> Position {
        let mut position = self.start;
        for &mv in &self.moves {
            let _ = position.play(mv);
        }
        position
    }
}

/// Find an engine's move.
#[derive(Clone, Debug)]
pub struct EngineTurn {
    /// The engine's name.
    pub engine: String,
    /// The seat it plays for.
    pub seat: usize,
    pub line: Line,
    pub color: Color,
    /// The limit while no clock runs.
    pub level: Level,
    /// The limit of the clock, and what is left.
    pub clock: Option<(Limit, Clock)>,
}

/// Analyse a position with the built-in engine.
#[derive(Clone, Debug)]
pub struct Search {
    pub line: Line,
    /// `None` searches until the result is proved or the job is cancelled;
    /// the host may also end such a search early, to let others search.
    pub level: Option<Level>,
    pub request: AnalysisRequest,
    /// The lane: [`Lane::Study`] or [`Lane::Advice`].
    pub lane: Lane,
}

/// A report on a job.
#[derive(Clone, Debug)]
pub enum Report {
    /// The job waits for other searches.
    Queued,
    /// The search begins.
    Began,
    /// An interim result of a search.
    Progress(Box<Analysis>),
    /// The job has ended.
    Done(Outcome),
}

/// The result of a job.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The engine's move, the seconds it took, and the built-in engine's
    /// analysis.
    Move { mv: Move, seconds: f64, analysis: Option<Box<Analysis>> },
    /// The engine resigns.
    Resigned,
    /// The engine cannot play this game; the reason in one line.
    Unable(String),
    /// The engine failed and loses the game.
    Failed { by: WonBy, detail: String },
    /// The analysis of a [`Search`].
    Analysis(Box<Analysis>),
    /// No result: the job was cancelled, or there is nothing to search.
    Nothing,
}
