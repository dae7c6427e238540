//! One game, its options and the search: all that a front end needs.
//!
//! `gtp`, `review`, `arena` and `web` are thin shells around [`Engine`]; none
//! of them reaches past it into the search.

mod game;
mod options;
mod params;

pub use game::{CannotUndo, Game};
pub use options::Options;
pub use params::{PARAMS, Param, ParamError, ParamKind, find_param};

use std::time::Duration;

use crate::board::Size;
use crate::game::{Color, IllegalMove, Move, Position};
use crate::search::{Clock, Limits, Searcher};
pub use crate::search::{Report, StopSignal, TimeControl};

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
    options: Options,
    game: Game,
    clocks: [Clock; 2],
    searcher: Searcher,
}

/// All of an engine but what its search remembers.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    options: Options,
    game: Game,
    clocks: [Clock; 2],
}

/// What the engine wants to do in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Make this move.
    Move(Move),
    /// Give up.
    Resign,
}

impl Engine {
    /// An engine before its first game.
    pub fn new(options: Options) -> Engine {
        Engine {
            game: Game::new(Position::new(options.rules)),
            clocks: [Clock::new(TimeControl::None); 2],
            searcher: Searcher::default(),
            options,
        }
    }

    /// The options as they are set; those of the rules apply from the next
    /// [`Engine::clear_board`] or [`Engine::set_position`].
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The options, to be changed; see [`PARAMS`] for changing them by name.
    pub fn options_mut(&mut self) -> &mut Options {
        self.searcher.stop_pondering();
        &mut self.options
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position as it stands.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Starts a game under the options' rules.
    pub fn clear_board(&mut self) {
        self.set_position(Position::new(self.options.rules));
    }

    /// Changes the board size and starts a game.
    pub fn set_size(&mut self, size: Size) {
        self.options.rules.size = size;
        self.clear_board();
    }

    /// Starts a game from `position`; its size becomes the options'.
    pub fn set_position(&mut self, position: Position) {
        self.set_game(Game::new(position));
    }

    /// Takes up `game` where it stands; its size becomes the options'.
    pub fn set_game(&mut self, game: Game) {
        self.options.rules.size = game.position().size();
        self.game = game;
        self.searcher.clear();
        self.clocks = self.clocks.map(|clock| Clock::new(clock.control()));
    }

    /// The engine as it is now, for [`Engine::restore`].
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { options: self.options.clone(), game: self.game.clone(), clocks: self.clocks }
    }

    /// Goes back to how it was; the search forgets everything.
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

    /// Makes a move; with a swap the players change seats and take their
    /// clocks with them. The opponent's time is over.
    fn make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        self.searcher.stop_pondering();
        if mv == Move::Swap {
            self.clocks.swap(0, 1);
        }
        Ok(())
    }

    /// Makes moves of whoever is to move, all of them or none.
    ///
    /// # Errors
    /// Which move (counted from 0) breaks which rule.
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
        let swapped = |game: &Game| game.moves().any(|mv| mv == Move::Swap);
        let before = swapped(&self.game);
        self.game.undo(turns)?;
        self.searcher.stop_pondering();
        if before != swapped(&self.game) {
            self.clocks.swap(0, 1);
        }
        Ok(())
    }

    /// Sets the time control of both players and starts their clocks anew.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks = [Clock::new(control); 2];
    }

    /// Sets what is left on a clock: seconds, and moves left in the period
    /// (0 in main time).
    pub fn set_time_left(&mut self, color: Color, seconds: f64, moves: u32) {
        self.clocks[color.index()].set_left(seconds, moves);
    }

    /// Thinks about `color`'s turn without playing; the clock stands still.
    ///
    /// # Errors
    /// When it is not `color`'s turn.
    pub fn think(&mut self, color: Color, stop: &StopSignal) -> Result<Answer, IllegalMove> {
        self.answer(color, stop).map(|(answer, _)| answer)
    }

    /// What to do in `color`'s turn, and how long it took to find out.
    fn answer(
        &mut self,
        color: Color,
        stop: &StopSignal,
    ) -> Result<(Answer, Duration), IllegalMove> {
        self.position().check_turn(color)?;
        let limits = self.options.limits(&self.clocks[color.index()], self.position());
        let limits = Limits { decide: true, ..limits };
        let config = &self.options.search;
        let report = self.searcher.search(self.game.position(), config, &limits, stop);
        let resigns = report.winrate < self.options.resign;
        let answer = if resigns { Answer::Resign } else { Answer::Move(report.best) };
        Ok((answer, report.elapsed))
    }

    /// Searches the position as it stands, without a clock; `None` when the
    /// game is over.
    pub fn search(&mut self, stop: &StopSignal) -> Option<Report> {
        let position = self.game.position();
        let limits = self.options.limits(&Clock::new(TimeControl::None), position);
        let config = &self.options.search;
        (!position.is_over()).then(|| self.searcher.search(position, config, &limits, stop))
    }

    /// Thinks about `color`'s turn and plays it.
    ///
    /// # Errors
    /// When it is not `color`'s turn.
    pub fn genmove(&mut self, color: Color, stop: &StopSignal) -> Result<Answer, IllegalMove> {
        let (answer, elapsed) = self.answer(color, stop)?;
        self.clocks[color.index()].spend(elapsed);
        if let Answer::Move(mv) = answer {
            self.make(mv)?;
            if self.options.ponder {
                self.searcher.ponder(self.game.position(), &self.options.search);
            }
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        let mut engine = Engine::new(Options { playouts: 1, ..Options::default() });
        engine.set_size(Size::MIN);
        engine.set_time_control(TimeControl::Absolute(60.0));
        engine
    }

    #[test]
    fn players_take_their_clocks_along_in_a_swap() {
        let mut engine = engine();
        engine.play(Color::White, "a1,c2".parse().unwrap()).unwrap();
        engine.set_time_left(Color::White, 10.0, 0);
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
    fn only_a_move_that_is_played_takes_time() {
        let mut engine = engine();
        let before = engine.clocks;
        engine.think(Color::White, &StopSignal::default()).unwrap();
        assert_eq!(engine.clocks, before);
        engine.genmove(Color::White, &StopSignal::default()).unwrap();
        assert_ne!(engine.clocks, before);
    }
}
