//! The engine: a game, its options, its clocks and the search.
//!
//! Every front end is a thin shell around [`Engine`] and does not reach past it into the search.
//!
//! ```text
//!   gtp   json   play   match   review
//!     └─────┴──────┼──────┴───────┘
//!                Engine ── options: what users can set, by name (PARAMS)
//!                  │    ── game: the moves and the position before each
//!                  │    ── clocks: one for each colour
//!     a level chooses, or a Searcher searches within the limits of clock and options
//! ```
//!
//! There are two kinds of thinking. [`Engine::genmove`] plays a game: it is on the clock, may
//! ponder, resign or be a [`Level`]. [`Engine::analyze`] looks at the position: at full strength,
//! without a clock, and it changes nothing in the game.
//!
//! Long operations return a [`Search`], which a browser advances in slices and everybody else
//! finishes at once.

#[doc(hidden)]
pub mod bench;
mod game;
mod level;
mod options;

pub use game::{CannotUndo, Game, UnfinishedTurn};
pub use level::{Level, LevelText};
pub use options::{Options, PARAMS, Param, ParamError, ParamKind, ParamUse, find_param};

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::board::Size;
use crate::clock::{Clock, Instant};
pub use crate::clock::{Seconds, TimeControl};
use crate::eval::Evaluator;
use crate::game::{Color, IllegalMove, Move, Position, Step};
pub use crate::search::{
    Analysis, AnalysisRequest, Bounds, Candidate, Ownership, PointInfo, RootInfo, Search,
    SearchResult, StopSignal, rounded,
};
use crate::search::{Config, Early, Limits, Searcher, Updates};
pub(crate) use crate::search::{DECIMALS, agree};

/// A game, its options, its clocks and a search.
///
/// ```
/// use pontifex::engine::{Answer, Engine, Options, StopSignal};
/// use pontifex::game::Color;
///
/// let mut engine = Engine::new(Options { playouts: 100, ..Options::default() });
/// let Answer::Move(opening) = engine.genmove(Color::White, &StopSignal::default())? else {
///     unreachable!("resigning is off by default");
/// };
/// assert_eq!(engine.game().moves().collect::<Vec<_>>(), [opening]);
/// # Ok::<(), pontifex::game::IllegalMove>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    /// The options, shared with snapshots like the game: each is copied when it changes.
    options: Arc<Options>,
    game: Arc<Game>,
    clocks: [Clock; 2],
    searcher: Searcher,
}

/// Iterations of the analysis that accompanies a level's move. Set by judgement: a level should
/// answer at once, and the numbers are only displayed.
const REPORT_ITERATIONS: u64 = 400;

/// The state of an engine without its search tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    options: Arc<Options>,
    game: Arc<Game>,
    clocks: [Clock; 2],
}

/// What the engine does in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The engine makes this move.
    Move(Move),
    /// The engine resigns.
    Resign,
}

/// Why a position cannot be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NothingToAnalyze {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The request leaves no legal move.
    #[error("none of the moves to be considered is legal")]
    NoMoveLeft,
}

/// Why [`Engine::genmove_analyze`] failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CannotAnalyze {
    /// The request names a colour whose turn it is not.
    #[error(transparent)]
    Turn(#[from] IllegalMove),
    /// There is nothing to analyse.
    #[error(transparent)]
    Nothing(#[from] NothingToAnalyze),
}

impl Engine {
    /// An engine before its first game.
    pub fn new(options: Options) -> Engine {
        Engine {
            game: Arc::new(Game::at(&Position::new(options.rules))),
            clocks: [Clock::new(TimeControl::None); 2],
            searcher: Searcher::default(),
            options: Arc::new(options),
        }
    }

    /// The options. Rules apply from the next [`Engine::clear_board`] or [`Engine::set_position`].
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Mutable options; [`PARAMS`] changes them by name. Ends pondering.
    pub fn options_mut(&mut self) -> &mut Options {
        self.searcher.stop_pondering();
        Arc::make_mut(&mut self.options)
    }

    /// The game so far, from its start to the current position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Starts a game under the options' rules.
    pub fn clear_board(&mut self) {
        self.set_game(Game::at(&Position::new(self.options.rules)));
    }

    /// Changes the board size and starts a game.
    pub fn set_size(&mut self, size: Size) {
        Arc::make_mut(&mut self.options).rules.size = size;
        self.clear_board();
    }

    /// Starts a game from `position`; its size becomes the options'.
    ///
    /// # Errors
    /// [`UnfinishedTurn`]; the engine is then unchanged.
    pub fn set_position(&mut self, position: Position) -> Result<(), UnfinishedTurn> {
        Game::new(position).map(|game| self.set_game(game))
    }

    /// Continues `game`; its size becomes the options'.
    pub fn set_game(&mut self, game: Game) {
        Arc::make_mut(&mut self.options).rules.size = game.position().size();
        self.game = Arc::new(game);
        self.searcher.clear();
        // A new game begins with full clocks of the same kind.
        self.clocks = self.clocks.map(|clock| Clock::new(clock.control()));
    }

    /// Forgets earlier searches: the next one finds what a new engine would find.
    pub fn clear_cache(&mut self) {
        self.searcher.clear();
    }

    /// The current state, for [`Engine::restore`]. It costs nothing until the engine changes.
    pub fn snapshot(&self) -> Snapshot {
        let (options, game) = (Arc::clone(&self.options), Arc::clone(&self.game));
        Snapshot { options, game, clocks: self.clocks }
    }

    /// Restores an earlier state and clears the search tree, which may belong to another game.
    pub fn restore(&mut self, before: Snapshot) {
        let Snapshot { options, game, clocks } = before;
        *self = Engine { options, game, clocks, searcher: Searcher::default() };
    }

    /// Makes `color`'s move.
    ///
    /// # Errors
    /// The rule it breaks; the game is then unchanged.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.position().check_turn(color)?;
        self.make(mv)
    }

    /// Makes a move and ends pondering. In a swap the players exchange colours and take their
    /// clocks with them.
    fn make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        Arc::make_mut(&mut self.game).play(mv)?;
        self.searcher.stop_pondering();
        if mv == Move::Swap {
            self.clocks.swap(0, 1);
        }
        Ok(())
    }

    /// Makes moves of alternating sides, all of them or none.
    ///
    /// # Errors
    /// The index of the first illegal move, and the rule it breaks.
    pub fn play_all(&mut self, moves: &[Move]) -> Result<(), (usize, IllegalMove)> {
        let before = self.game.len();
        for (number, &mv) in moves.iter().enumerate() {
            if let Err(reason) = self.make(mv) {
                let _ = self.undo(self.game.len() - before);
                return Err((number, reason));
            }
        }
        Ok(())
    }

    /// Takes back `turns` turns, all of them or none.
    ///
    /// # Errors
    /// [`CannotUndo`] when fewer have been played.
    pub fn undo(&mut self, turns: usize) -> Result<(), CannotUndo> {
        let before = self.game.is_swapped();
        Arc::make_mut(&mut self.game).undo(turns)?;
        self.searcher.stop_pondering();
        if before != self.game.is_swapped() {
            self.clocks.swap(0, 1);
        }
        Ok(())
    }

    /// Sets the time control of both players and resets their clocks.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks = [Clock::new(control); 2];
    }

    /// Sets a clock to what GTP's `time_left` says; see [`Clock::set_time_left`].
    pub fn set_time_left(&mut self, color: Color, time: Seconds, moves: u32) {
        self.clocks[color.index()].set_time_left(time, moves);
    }

    /// Searches for `color`'s move without making it or using up time.
    ///
    /// # Errors
    /// When it is not `color`'s turn.
    pub fn choose_move<'a>(
        &'a mut self,
        color: Color,
        stop: &'a StopSignal,
    ) -> Search<'a, Result<Answer, IllegalMove>> {
        Search::new(async move { self.answer(color, stop).await.map(|(answer, _)| answer) })
    }

    /// The answer to `color`'s turn, and how long the search took.
    async fn answer(
        &mut self,
        color: Color,
        stop: &StopSignal,
    ) -> Result<(Answer, Duration), IllegalMove> {
        let start = Instant::now();
        self.position().check_turn(color)?;
        let limits = self.move_limits(color);
        let (position, config) = (self.game.position(), &self.options.search);
        if let Some(level) = self.options.level {
            let mv = level.choose(position, config.seed, &limits, stop).await;
            return Ok((Answer::Move(mv), start.elapsed()));
        }
        let report = self.searcher.search(position, config, &limits, stop).await;
        Ok((self.answer_with(report.best, report.winrate), start.elapsed()))
    }

    /// The limits of `color`'s turn in a game. A number of iterations is always used up; time is
    /// saved where later turns can use it.
    fn move_limits(&self, color: Color) -> Limits {
        // `Forced` ends a turn without a choice at once. `Decided` also stops as soon as the
        // favourite cannot be overtaken, which makes sense only if the clock keeps unused time.
        let clock = &self.clocks[color.index()];
        let mut limits = self.options.limits(clock, self.position());
        let is_timed = self.options.time.is_some() || clock.control() != TimeControl::None;
        if self.options.level.is_some() && !is_timed {
            // A level takes as long as it needs, on a slow machine, too.
            limits.time = None;
        }
        let early = match limits.iterations {
            Some(_) => Early::Never,
            None if clock.can_save_time() => Early::Decided,
            None => Early::Forced,
        };
        Limits { early, ..limits }
    }

    /// The best move, or resignation.
    fn answer_with(&self, best: Move, winrate: f64) -> Answer {
        if winrate < self.options.resign { Answer::Resign } else { Answer::Move(best) }
    }

    /// Searches the current position without a clock; `None` when the game is over.
    pub fn search(&mut self, stop: &StopSignal) -> Option<SearchResult> {
        let position = self.game.position();
        let limits = self.options.limits(&Clock::new(TimeControl::None), position);
        let config = &self.options.search;
        (!position.is_over())
            .then(|| self.searcher.search(position, config, &limits, stop).finish())
    }

    /// The next steps at `position` with their prior probabilities, which add up to 1. A swap is
    /// never among them.
    pub fn priors(&self, position: &Position) -> Vec<(Step, f32)> {
        let Config { evaluator, weights, .. } = &self.options.search;
        let mut steps = Vec::new();
        Evaluator::new(*evaluator, weights).priors(position, &mut steps);
        steps
    }

    /// Analyses the current position without a clock: within the limits of the options or, if
    /// `endless`, until `stop` is set or the result is proved. `report` is called while the search
    /// runs. The first candidate is the move that [`Engine::genmove`] plays if both are limited
    /// only by iterations or only by time.
    ///
    /// # Errors
    /// See [`NothingToAnalyze`].
    pub fn analyze<'a>(
        &'a mut self,
        request: &'a AnalysisRequest,
        endless: bool,
        stop: &'a StopSignal,
        report: &'a mut (dyn FnMut(&Analysis) + Send),
    ) -> Search<'a, Result<Analysis, NothingToAnalyze>> {
        Search::new(async move {
            let position = self.game.position();
            if position.is_over() {
                return Err(NothingToAnalyze::Over);
            }
            if !request.permits_any(position) {
                return Err(NothingToAnalyze::NoMoveLeft);
            }
            let limits = if endless {
                Limits { slice: self.options.slice, ..Limits::default() }
            } else {
                self.options.limits(&Clock::new(TimeControl::None), position)
            };
            let config = &self.options.search;
            let updates = Updates { request, send: report };
            Ok(self.searcher.analyze(position, config, &limits, stop, updates).await)
        })
    }

    /// Analyses `color`'s turn within the limits of a game and plays the best move; `report` is
    /// called while the search runs. A level plays its own move if the request permits it,
    /// accompanied by a short analysis at full strength.
    ///
    /// # Errors
    /// When it is not `color`'s turn, or the request leaves no legal move.
    pub fn genmove_analyze<'a>(
        &'a mut self,
        color: Color,
        request: &'a AnalysisRequest,
        stop: &'a StopSignal,
        report: &'a mut (dyn FnMut(&Analysis) + Send),
    ) -> Search<'a, Result<(Answer, Analysis), CannotAnalyze>> {
        Search::new(async move {
            self.position().check_turn(color)?;
            if !request.permits_any(self.position()) {
                return Err(NothingToAnalyze::NoMoveLeft.into());
            }
            let start = Instant::now();
            let mut limits = self.move_limits(color);
            let position = self.game.position();
            let config = &self.options.search;
            let level = self.options.level;
            let level_move = match level {
                Some(level) => Some(level.choose(position, config.seed, &limits, stop).await),
                None => None,
            };
            // The analysis gets what the level has left of the turn's time.
            if level.is_some() {
                limits.iterations = Some(REPORT_ITERATIONS);
                limits.time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
            }
            let updates = Updates { request, send: report };
            let mut analysis =
                self.searcher.analyze(position, config, &limits, stop, updates).await;
            if let Some(mv) = level_move.filter(|&mv| request.permits(mv)) {
                analysis.put_first(mv);
            }
            let best = analysis.moves.first().map_or(Move::Pass, |best| best.mv);
            // A level never resigns.
            let answer = match level {
                Some(_) => Answer::Move(best),
                None => self.answer_with(best, analysis.root.winrate),
            };
            // The last report takes time, too.
            self.carry_out(color, answer, start.elapsed())?;
            Ok((answer, analysis))
        })
    }

    /// Searches for `color`'s move and plays it.
    ///
    /// # Errors
    /// When it is not `color`'s turn.
    pub fn genmove(&mut self, color: Color, stop: &StopSignal) -> Result<Answer, IllegalMove> {
        let (answer, elapsed) = Search::new(self.answer(color, stop)).finish()?;
        self.carry_out(color, answer, elapsed)?;
        Ok(answer)
    }

    /// Takes the time off `color`'s clock and plays the answer.
    fn carry_out(
        &mut self,
        color: Color,
        answer: Answer,
        elapsed: Duration,
    ) -> Result<(), IllegalMove> {
        self.clocks[color.index()].spend(elapsed.into());
        if let Answer::Move(mv) = answer {
            self.make(mv)?;
            if self.options.ponder && self.options.level.is_none() {
                self.searcher.ponder(self.game.position(), &self.options.search);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_engine() -> Engine {
        let mut engine = Engine::new(Options { playouts: 1, ..Options::default() });
        engine.set_size(Size::MIN);
        engine.set_time_control(TimeControl::Absolute(Seconds::whole(60)));
        engine
    }

    #[test]
    fn players_take_their_clocks_along_in_a_swap() {
        let mut engine = test_engine();
        engine.play(Color::White, "a1,c2".parse().unwrap()).unwrap();
        engine.set_time_left(Color::White, Seconds::whole(10), 0);
        let [opener, other] = engine.clocks;
        assert_ne!(opener, other);
        engine.play(Color::Red, Move::Swap).unwrap();
        assert_eq!(engine.clocks, [other, opener]);
        engine.undo(1).unwrap();
        assert_eq!(engine.clocks, [opener, other]);
        let moves = [Move::Swap, "a1,a2".parse().unwrap()];
        assert!(engine.play_all(&moves).is_err());
        assert_eq!(engine.clocks, [opener, other]);
    }

    #[test]
    fn a_snapshot_copies_nothing_until_the_engine_changes() {
        let mut engine = test_engine();
        let before = engine.snapshot();
        engine.choose_move(Color::White, &StopSignal::default()).finish().unwrap();
        assert!(Arc::ptr_eq(&engine.game, &before.game));
        assert!(Arc::ptr_eq(&engine.options, &before.options));
        engine.play(Color::White, "a1,c2".parse().unwrap()).unwrap();
        engine.options_mut().playouts = 7;
        assert!(before.game.is_empty() && before.options.playouts == 1);
        engine.restore(before.clone());
        assert_eq!(engine.snapshot(), before);
    }

    #[test]
    fn only_a_move_that_is_played_takes_time() {
        let mut engine = test_engine();
        let before = engine.clocks;
        engine.choose_move(Color::White, &StopSignal::default()).finish().unwrap();
        assert_eq!(engine.clocks, before);
        engine.genmove(Color::White, &StopSignal::default()).unwrap();
        assert_ne!(engine.clocks, before);
    }
}
