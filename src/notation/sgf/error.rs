//! Errors of SGF records.

use thiserror::Error;

use crate::game::Color;
use crate::notation::record::Record;
use crate::notation::text::Spot;

/// A text is not an SGF record of this game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{at}: {problem}")]
pub struct SgfError {
    /// The place in the text.
    pub at: Spot,
    /// What is wrong there.
    pub problem: SgfProblem,
}

/// What is wrong with an SGF record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SgfProblem {
    /// There is no game tree.
    #[error("no game begins here: '(;' is needed")]
    NoGame,
    /// The format does not allow what was found here.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// What is allowed here.
        wanted: &'static str,
        /// What was found.
        found: String,
    },
    /// A bracket or parenthesis is never closed.
    #[error("the '{open}' here is never closed")]
    Unclosed {
        /// The bracket or parenthesis.
        open: char,
    },
    /// The record is of another game.
    #[error("GM[{game}] is another game, GM[PonteDelDiavolo] is needed")]
    OtherGame {
        /// The value of GM.
        game: String,
    },
    /// A turn on Boardspace is not a move.
    #[error("the turn ends here with neither two tiles nor one bridge")]
    NoTurn,
    /// A turn on Boardspace is by the wrong player.
    #[error("it is P{to_move}'s turn")]
    WrongPlayer {
        /// The player to move: 0 began the game.
        to_move: usize,
    },
    /// A property has an invalid value.
    #[error("{property}[{found}] is not {wanted}")]
    Value {
        /// The property.
        property: String,
        /// Its value.
        found: String,
        /// What is allowed.
        wanted: &'static str,
    },
    /// A node has two moves.
    #[error("a node has one move, {property} is its second")]
    TwoMoves {
        /// The second move's property.
        property: String,
    },
    /// The board is set up in the middle of a game.
    #[error("{property} sets up the board, which is allowed only before the first move")]
    LateSetup {
        /// The property.
        property: String,
    },
    /// The game has more than [`Record::MAX_NODES`].
    #[error("this is one node too many: a game has {} at most", Record::MAX_NODES)]
    TooManyNodes,
    /// A move is by the wrong side.
    #[error("it is {to_move}'s turn: {} is needed", property_of(*to_move))]
    WrongTurn {
        /// The side to move.
        to_move: Color,
    },
}

/// The property for moves of a colour.
pub(super) fn property_of(color: Color) -> &'static str {
    match color {
        Color::White => "W",
        Color::Red => "B",
    }
}
