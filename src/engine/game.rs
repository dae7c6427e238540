//! A game in progress: its moves and the position before each.

use thiserror::Error;

use crate::board::Cell;
use crate::game::{IllegalMove, Move, Position, Setup};
use crate::notation::{GameResult, Record, RecordedMove};

/// A start position, the moves since, and the position before each. Undo restores a stored
/// position: a game has only dozens of turns, and no rule needs an inverse.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    position: Position,
    history: Vec<(Position, Move)>,
}

/// Why turns cannot be taken back: fewer have been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{requested} turns to take back, {played} have been played")]
pub struct CannotUndo {
    /// Turns to take back.
    pub requested: usize,
    /// Turns played.
    pub played: usize,
}

/// Why a game cannot start from a position: it lies between the two tiles of a turn. Games consist
/// of whole turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the turn is unfinished: a second tile must follow the one on {first_tile}")]
pub struct UnfinishedTurn {
    /// The first tile of the turn.
    pub first_tile: Cell,
}

impl From<&Game> for Record {
    /// The game as a record: its start, its moves and, if it is over, its result. The caller adds
    /// the players and the date, as tags.
    fn from(game: &Game) -> Record {
        let mut record = Record::new(Setup::from(game.start()));
        record.moves = game.moves().map(RecordedMove::from).collect();
        let position = game.position();
        record.result = position.is_over().then(|| GameResult::Played(position.outcome()));
        record
    }
}

impl Game {
    /// A game that starts from `position`.
    ///
    /// # Errors
    /// [`UnfinishedTurn`] when the position lies between the two tiles of a turn. Positions from
    /// [`Position::play`] and from validated setups never do.
    pub fn new(position: Position) -> Result<Game, UnfinishedTurn> {
        match position.first_tile() {
            Some(first_tile) => Err(UnfinishedTurn { first_tile }),
            None => Ok(Game::at(&position)),
        }
    }

    /// A game that starts from `position`, which is at the start of a turn.
    // For callers who know that their position is at the start of a turn; all others use `new`.
    #[doc(hidden)]
    pub fn at(position: &Position) -> Game {
        debug_assert!(!position.is_half_turn(), "a game between the two tiles of a turn");
        Game { position: *position, history: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position it started from.
    pub fn start(&self) -> &Position {
        self.history.first().map_or(&self.position, |(position, _)| position)
    }

    /// The moves so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.history.iter().map(|&(_, mv)| mv)
    }

    /// Whether the players have exchanged colours: whoever played White at the start plays Red now.
    pub fn is_swapped(&self) -> bool {
        self.moves().any(|mv| mv == Move::Swap)
    }

    /// The number of moves made.
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether no move has been made.
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// Makes a move of the side to move.
    ///
    /// # Errors
    /// The rule it breaks; nothing changes then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = self.position;
        self.position.play(mv)?;
        self.history.push((before, mv));
        Ok(())
    }

    /// Takes back `turns` turns, all of them or none.
    ///
    /// # Errors
    /// [`CannotUndo`] when fewer have been played.
    pub fn undo(&mut self, turns: usize) -> Result<(), CannotUndo> {
        let played = self.history.len();
        let remaining = played.checked_sub(turns).ok_or(CannotUndo { requested: turns, played })?;
        // There is no entry if `turns` is 0.
        if let Some(&(position, _)) = self.history.get(remaining) {
            self.position = position;
            self.history.truncate(remaining);
        }
        Ok(())
    }
}
