//! Errors of Abstract Play records.

use thiserror::Error;

use crate::game::Color;
use crate::notation::position::ParsePositionError;
use crate::notation::record::Record;

/// A text is not an Abstract Play record of this game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AbstractPlayError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(
        /// The message of the JSON parser, with line and column.
        String,
    ),
    /// The array of records is empty.
    #[error("the array has no record")]
    NoRecord,
    /// A value is missing or has the wrong type.
    #[error("{path} is {found}, not {wanted}")]
    Value {
        /// The path to it in the record.
        path: String,
        /// The value, or `missing`.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// The start is not a position text.
    #[error("header.pontifex.start: {0}")]
    Start(#[from] ParsePositionError),
    /// A move is in the place of the wrong side.
    #[error("{path} is in {}'s place, but it is {to_move}'s turn", !*to_move)]
    WrongTurn {
        /// The path to it in the record.
        path: String,
        /// The side to move.
        to_move: Color,
    },
    /// A round has a third move.
    #[error("{path} has no player: a round has two moves")]
    NoPlayer {
        /// The path to it in the record.
        path: String,
    },
    /// A move follows the end of the game.
    #[error("{path} comes after the game has ended with '{ending}'")]
    AfterEnd {
        /// The path to it in the record.
        path: String,
        /// The ending.
        ending: &'static str,
    },
    /// The game has more moves than [`Record::MAX_NODES`].
    #[error("{path} is one move too many: a game has {} at most", Record::MAX_NODES)]
    TooManyMoves {
        /// The path to it in the record.
        path: String,
    },
    /// A swap has no first move to follow.
    #[error("header says that the pie rule was invoked, but there is no first move to take over")]
    NothingToSwap,
}
