//! The state of a session: the engine, the single-point mode, and what the
//! conversation has switched on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::error::CommandError;
use crate::analysis::points::points_of;
use crate::board::Cell;
use crate::engine::{AnalysisRequest, Answer, CannotAnalyze, Engine, Game, Options, StopSignal};
use crate::game::{Color, Move};

/// A GTP session: an engine and the state of the conversation with it.
///
/// ```
/// use pontifex::engine::Options;
/// use pontifex::gtp::Session;
///
/// let mut session = Session::new(Options::default());
/// assert_eq!(session.answer_line(b"1 play w d4,e6").as_deref(), Some("=1\n\n"));
/// assert_eq!(
///     session.answer_line(b"2 play w a1,b1").as_deref(),
///     Some("?2 illegal move: it is red's turn\n\n")
/// );
/// assert_eq!(session.answer_line(b"# a comment"), None);
/// ```
#[derive(Debug)]
pub struct Session {
    pub(super) engine: Engine,
    pub(super) stop: Arc<StopSignal>,
    /// Requested while input lines wait, since any input ends an analysis.
    /// `None` if no input is read while a request runs.
    pub(super) input: Option<Arc<StopSignal>>,
    /// State of the single-point mode.
    pub(super) points: Points,
    /// Whether searches draw on GoGui's board while they run.
    pub(super) draws_live: bool,
    /// What had to be mended in the last file, for the log, one line each.
    pub(super) warnings: Vec<String>,
    /// Whether `quit` has been answered.
    pub(super) is_over: bool,
}

impl Session {
    /// Creates a session with a new game.
    pub fn new(options: Options) -> Session {
        Session {
            engine: Engine::new(options),
            stop: Arc::default(),
            input: None,
            points: Points::default(),
            draws_live: false,
            warnings: Vec::new(),
            is_over: false,
        }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to be changed beside the session's own requests. A turn that
    /// was entered by half in the single-point mode is forgotten.
    pub fn engine_mut(&mut self) -> &mut Engine {
        self.points.forget();
        &mut self.engine
    }

    /// Switches single-point moves, as GoGui sends them, on or off.
    pub fn set_points(&mut self, on: bool) {
        self.points.set(on);
    }

    /// The signal that stops a running search.
    pub fn stop_signal(&self) -> Arc<StopSignal> {
        Arc::clone(&self.stop)
    }

    /// Whether `quit` has been answered.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Searches and plays one of the moves that `request` permits.
    pub(super) fn genmove(
        &mut self,
        color: Color,
        request: &AnalysisRequest,
    ) -> Result<Answer, CannotAnalyze> {
        if self.draws_live || request.is_restricted() {
            return self.genmove_drawn(color, request);
        }
        Ok(self.engine.genmove(color, &self.stop)?)
    }

    /// Runs a command. A panic becomes [`CommandError::Internal`], and the
    /// state before the command is restored.
    pub(super) fn restoring<T>(
        &mut self,
        command: impl FnOnce(&mut Session) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let (engine, points) = (self.engine.snapshot(), self.points.clone());
        catch_unwind(AssertUnwindSafe(|| command(self))).unwrap_or_else(|panic| {
            self.engine.restore(engine);
            self.points = points;
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(CommandError::Internal(text.unwrap_or("a panic without a message").to_owned()))
        })
    }
}

/// State of the single-point mode: whether it is on, and the first point of an
/// unfinished turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    is_on: bool,
    waiting: Option<Waiting>,
    /// For each turn played point by point, the number of turns before it and
    /// its first point. `undo` needs it: a move does not record the order of
    /// its points.
    firsts: Vec<(usize, Cell)>,
}

/// The first point of an unfinished turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// The number of turns before it, and the hash of the position. If the
    /// game changes in another way, the point is dropped.
    turns: usize,
    hash: u64,
    /// The point.
    pub(super) first: Cell,
    /// The whole turn, if the engine began it.
    pub(super) planned: Option<Move>,
}

impl Points {
    /// Switches single points on or off.
    pub(super) fn set(&mut self, on: bool) {
        self.is_on = on;
        self.waiting = None;
    }

    /// Forgets all points, for a new game.
    pub(super) fn forget(&mut self) {
        self.waiting = None;
        self.firsts.clear();
    }

    /// Whether moves are single points.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The first point of an unfinished turn, if the game has not changed
    /// since it was played.
    pub(super) fn waiting(&self, game: &Game) -> Option<Waiting> {
        let here = |w: &Waiting| w.turns == game.len() && w.hash == game.position().hash();
        self.waiting.filter(here)
    }

    /// Records the first point of a turn.
    pub(super) fn wait(&mut self, game: &Game, first: Cell, planned: Option<Move>) {
        let (turns, hash) = (game.len(), game.position().hash());
        self.waiting = Some(Waiting { turns, hash, first, planned });
    }

    /// Removes the first point of the unfinished turn.
    pub(super) fn clear_waiting(&mut self) {
        self.waiting = None;
    }

    /// Records that the turn that began with `waiting` has been played.
    pub(super) fn complete(&mut self, waiting: Waiting) {
        self.waiting = None;
        self.firsts.retain(|&(turns, _)| turns < waiting.turns);
        self.firsts.push((waiting.turns, waiting.first));
    }

    /// The first point of `mv`, which was played after `turns` turns.
    pub(super) fn first_of(&self, turns: usize, mv: Move) -> Option<Cell> {
        let [a, b] = points_of(mv)?;
        let known = self.firsts.contains(&(turns, b));
        Some(if known { b } else { a })
    }
}
