//! The contract between a session and its host: events go in, effects come out, and engines work in
//! jobs.
//!
//! A session only decides. Whatever takes time or touches the world is an [`Effect`], which the
//! host performs, or a [`Job`], which an engine works on while the session continues:
//!
//! ```text
//!   Event::Request ─► Session ─► Effect::Start(7, job) ─► host ─► engine
//!                                                                    │
//!   Event::Job(7, Queued | Began | Progress ... Done) ◄──────────────┘
//! ```
//!
//! - The host performs effects in their order, and all of them before the next event. So no event
//!   finds the host in a state that the session has already left behind.
//! - A [`JobId`] is never used twice in a session. The session forgets a job when it cancels it,
//!   and ignores reports with an id that it has forgotten. So a job may end while its cancellation
//!   is under way, and no move of an abandoned search is ever played.
//! - Every job ends with exactly one [`Report::Done`], a cancelled one too, because the next job of
//!   its [`Lane`] waits for the engine.

use super::message::{Message, Request};
use super::saved::SavedSession;
use super::terms::Strength;
use pontifex::clock::{Clock, Limit};
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{Color, Move, Position};
use pontifex::notation::WonBy;

/// The number of a page in its session. Hosts give each connection a new one.
pub type Page = u32;

/// An input of a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A page's request. The effects contain exactly one [`Effect::Reply`].
    Request(Page, Box<Request>),
    /// A page has left.
    Left(Page),
    /// The number of pages that show the session has changed. Without any, no turn and no analysis
    /// starts.
    Pages(usize),
    /// A report of a job that [`Effect::Start`] started.
    Job(JobId, Report),
    /// Time has passed; see [`Session::alarm`](super::Session::alarm).
    Tick,
    /// The session, or a game that was replaced, could not be saved; the reason in one line. The
    /// host retries until it can report [`Event::Saved`].
    NotSaved(String),
    /// Everything that could not be saved is saved now.
    Saved,
    /// The session ends. Its last effects cancel its jobs and save it.
    Close,
}

/// An action of the host. Effects are performed in their order.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a message to all pages and to those that join later, until a newer one of its kind
    /// replaces it. The message `state` goes through
    /// [`Session::as_saved`](super::Session::as_saved) first.
    Broadcast(MessageKind, Message),
    /// Do not send the last message of this kind to further pages.
    Withdraw(MessageKind),
    /// Answer the page whose request was handled.
    Reply(Reply),
    /// Save the session before any later effect, so that no page sees what could be lost.
    Save(Box<SavedSession>),
    /// Save a game that is being replaced, as a session of its own.
    Keep(Box<SavedSession>),
    /// Start a job once the earlier job of its lane has ended.
    Start(JobId, Job),
    /// End a job; its result is not needed, but the host reports its end.
    Cancel(JobId),
    /// End a job's search with the best move so far.
    Hurry(JobId),
}

/// The answer to a page.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The message `state` that the effect before has broadcast. It goes through
    /// [`Session::as_saved`](super::Session::as_saved), too. To the page that loaded a record it
    /// also says what was mended.
    State(Message),
    /// A message for this page only.
    Message(Message),
}

/// The kinds of broadcast messages, in the order in which they are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// The table.
    State,
    /// An error that does not answer a request.
    Notice,
    /// The clocks.
    Clock,
    /// The thinking engine's analysis.
    Thinking,
    /// The analysis of the current position.
    Analysis,
    /// The review.
    Review,
    /// A hint, or the judgement of a move that was tried again.
    Advice,
}

impl MessageKind {
    /// The number of kinds.
    pub const COUNT: usize = 7;
}

/// The number of a job in its session. No number is used twice, so a late report cannot be taken
/// for that of another job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JobId(pub(super) u64);

/// The purpose of a job. A session has at most one job in each lane; before it starts another one,
/// it cancels the first. The jobs of a lane share an engine and thus its search tree; jobs of
/// different lanes may run at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// Moves in the game.
    Game,
    /// Analyses and reviews.
    Study,
    /// Hints, and the judgement of a move that is tried again.
    Advice,
}

/// A job for an engine. Its host sends any number of [`Report`]s and exactly one [`Report::Done`],
/// even when the job is cancelled.
#[derive(Clone, Debug)]
pub enum Job {
    /// An engine's move in the game; the engine may be a foreign one.
    Turn(Box<EngineTurn>),
    /// An analysis by the built-in engine.
    Search(Box<Search>),
}

impl Job {
    /// The lane in which it runs.
    pub fn lane(&self) -> Lane {
        match self {
            Job::Turn(_) => Lane::Game,
            Job::Search(search) => search.lane,
        }
    }
}

/// A start position and the moves from it. An engine gets the moves, not only the position they
/// lead to, so that it can keep its search tree and foreign engines can follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub start: Position,
    pub moves: Vec<Move>,
}

impl Line {
    /// The position after the moves, all of which are played again. That is for jobs; a request
    /// takes the position from the game tree.
    pub fn position(&self) -> Position {
        let mut position = self.start;
        for &mv in &self.moves {
            #[cfg(test)]
            super::tree::MOVES_MADE.with(|made| made.set(made.get() + 1));
            // The moves come from the game tree, which has only legal ones.
            let _ = position.play(mv);
        }
        position
    }
}

/// The job to find an engine's move.
#[derive(Clone, Debug)]
pub struct EngineTurn {
    /// The engine's name.
    pub engine: String,
    /// The seat it plays for: 0 if its player opened as White, else 1. Unlike the colour it stays
    /// the same after a swap.
    pub seat: usize,
    pub line: Line,
    /// The side to move at the end of `line`.
    pub color: Color,
    /// The limit of the turn.
    pub strength: Strength,
    /// The time control and what the engine's clock has left; `None` in a game without clocks.
    pub clock: Option<(Limit, Clock)>,
}

/// The job to analyse a position with the built-in engine.
#[derive(Clone, Debug)]
pub struct Search {
    pub line: Line,
    /// `None` searches until the result is proved or the job is cancelled; the host may also end
    /// such a search early, to let others search.
    pub strength: Option<Strength>,
    pub request: AnalysisRequest,
    /// The lane: [`Lane::Study`] or [`Lane::Advice`].
    pub lane: Lane,
}

/// A host's report on a job.
#[derive(Clone, Debug)]
pub enum Report {
    /// The job waits for other searches.
    Queued,
    /// The search begins. A clock starts only now: nobody pays for the time in a queue.
    Began,
    /// An interim result of a search.
    Progress(Box<Analysis>),
    /// The job has ended.
    Done(Outcome),
}

/// The result of a job.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The engine's move, the seconds it took, and the built-in engine's analysis.
    Move { mv: Move, seconds: f64, analysis: Option<Box<Analysis>> },
    /// The engine resigns.
    Resigned,
    /// The engine cannot play this game; the reason in one line.
    Unable(String),
    /// The engine failed and loses the game.
    Failed { by: WonBy, detail: String },
    /// The job panicked; the reason in one line. A turn loses the game.
    Panicked(String),
    /// The analysis of a [`Search`].
    Analysis(Box<Analysis>),
    /// No result: the job was cancelled, or there is nothing to search.
    Nothing,
}
