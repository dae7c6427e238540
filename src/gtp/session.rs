//! The state of a session: the engine, the single-point mode, and what the conversation has
//! switched on.
//!
//! **Panics.** A fault in one command must not end a game, perhaps in the middle of a tournament.
//! So every command runs inside [`Session::restore_on_panic`]: a panic becomes the error
//! `internal error: ...`, and the game, the options and the clocks are what they were before the
//! command. The search tree is discarded, since the panic may have left it half changed. The
//! snapshot is cheap: options and game are shared with it until they change. This needs
//! `panic = "unwind"` in the build profile.
//!
//! **Single points.** The engine's game holds whole moves only. While a controller plays point by
//! point, the first point of a move waits in [`PointMode`] and is dropped as soon as the game
//! changes in another way. [`super::single_points`] has the rules of this mode.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::error::CommandError;
use crate::analysis::points::cells_of;
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
    /// Ends any search. The reader thread requests it for `stop` and `# interrupt`.
    pub(super) stop: Arc<StopSignal>,
    /// The signal requested while input lines wait, since any input ends an analysis. `None` if no
    /// input is read while a request runs.
    pub(super) input: Option<Arc<StopSignal>>,
    pub(super) point_mode: PointMode,
    /// Whether searches draw on GoGui's board while they run.
    pub(super) draws_live: bool,
    /// The repairs made to the file just loaded, one line each. `run` prints and logs them after
    /// the answer.
    pub(super) warnings: Vec<String>,
    /// Whether `quit` has been answered.
    pub(super) is_over: bool,
}

impl Session {
    /// Creates a session with a new game by the rules of `options`.
    pub fn new(options: Options) -> Session {
        Session {
            engine: Engine::new(options),
            stop: Arc::default(),
            input: None,
            point_mode: PointMode::default(),
            draws_live: false,
            warnings: Vec::new(),
            is_over: false,
        }
    }

    /// The engine, with the game and the options of this session.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, for changes that bypass the session's commands. The single-point mode forgets all
    /// points: that of an unfinished move, and the order of those that were played.
    pub fn engine_mut(&mut self) -> &mut Engine {
        self.point_mode.forget();
        &mut self.engine
    }

    /// Switches single-point moves, as GoGui sends them, on or off.
    pub fn set_single_points(&mut self, on: bool) {
        self.point_mode.set(on);
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

    /// Runs a command. A panic becomes [`CommandError::Internal`], and the state before the command
    /// is restored.
    pub(super) fn restore_on_panic<T>(
        &mut self,
        command: impl FnOnce(&mut Session) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let (engine, point_mode) = (self.engine.snapshot(), self.point_mode.clone());
        // The assertion holds: the fields that a panic may leave half changed are restored below.
        // The others are flags and lines of text, each valid by itself.
        catch_unwind(AssertUnwindSafe(|| command(self))).unwrap_or_else(|panic| {
            self.engine.restore(engine);
            self.point_mode = point_mode;
            // `panic!` carries a `&str` if its message has no arguments, else a `String`.
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(CommandError::Internal(text.unwrap_or("a panic without a message").to_owned()))
        })
    }
}

/// State of the single-point mode: whether it is on, and the first point of an unfinished move.
#[derive(Clone, Debug, Default)]
pub(super) struct PointMode {
    is_on: bool,
    waiting_point: Option<WaitingPoint>,
    /// For each move played point by point, the number of moves before it and its first point.
    /// `undo` needs it: a move does not record the order of its points. Entries after an undone
    /// move are removed when it is played anew.
    firsts: Vec<(usize, Cell)>,
}

/// The first point of an unfinished move.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitingPoint {
    /// The number of moves before it, and the hash of the position. If the game changes in another
    /// way, by a whole move or an undo, they differ and the point is dropped.
    turns: usize,
    hash: u64,
    pub(super) first_point: Cell,
    /// The whole move, if the engine began it. Its second point needs no search.
    pub(super) planned_move: Option<Move>,
}

impl PointMode {
    /// Switches single points on or off.
    pub(super) fn set(&mut self, on: bool) {
        self.is_on = on;
        self.waiting_point = None;
    }

    /// Forgets all points, for a new game.
    pub(super) fn forget(&mut self) {
        self.waiting_point = None;
        self.firsts.clear();
    }

    /// Whether moves are single points.
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The first point of an unfinished move, if the game has not changed since it was played.
    pub(super) fn waiting_point(&self, game: &Game) -> Option<WaitingPoint> {
        let is_current =
            |w: &WaitingPoint| w.turns == game.len() && w.hash == game.position().hash();
        self.waiting_point.filter(is_current)
    }

    /// Records the first point of a move.
    pub(super) fn begin_move(
        &mut self,
        game: &Game,
        first_point: Cell,
        planned_move: Option<Move>,
    ) {
        let (turns, hash) = (game.len(), game.position().hash());
        self.waiting_point = Some(WaitingPoint { turns, hash, first_point, planned_move });
    }

    /// Drops the first point of the unfinished move.
    pub(super) fn clear_waiting(&mut self) {
        self.waiting_point = None;
    }

    /// Records that the move that began with `waiting` has been played.
    pub(super) fn complete(&mut self, waiting: WaitingPoint) {
        self.waiting_point = None;
        self.firsts.retain(|&(turns, _)| turns < waiting.turns);
        self.firsts.push((waiting.turns, waiting.first_point));
    }

    /// The first point of `mv`, which was played after `turns` moves; `None` for a pass or a swap.
    /// A move that was not played point by point counts as played in the order of its cells.
    pub(super) fn first_of(&self, turns: usize, mv: Move) -> Option<Cell> {
        let [a, b] = cells_of(mv)?;
        // Only an entry with the larger cell matters: without one, the smaller cell was first.
        let is_reversed = self.firsts.contains(&(turns, b));
        Some(if is_reversed { b } else { a })
    }
}
