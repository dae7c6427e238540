//! The JSON game record of the site Abstract Play (schema `gamerecord`).
//!
//! `moves` are rounds, arrays of White's move and Red's; an entry is a text,
//! an object with `move` (and `result`, which is a comment when it is a
//! text), or `null` for a player who does not move in the round. A last entry
//! of `resign`, `timeout`, `draw` or `abandoned` ends a game early.
//!
//! A swap is not among the moves. The site exchanges the players instead, as
//! if the second had made the first move, and sets `pie-invoked` (elsewhere
//! `pied`) in the header: reading puts `swap` behind the first move, writing
//! takes it out again. So the first of `players` is who had White at the end.
//!
//! The site plays with unlimited supply and the pie rule, on 10×10 or by
//! variant on `8x8 board` or `12x12 board`; results are 1 for winning, 0 for
//! losing. What goes beyond that stands in our own part of the header,
//! `pontifex`: `supply`, `pie`, `start` (position text), `result`, `comment`.

mod read;
mod write;

use thiserror::Error;

use super::ParsePositionError;
use crate::game::Color;

pub use read::{read, read_all};
pub use write::{write, write_all};

/// What the site calls the game.
const GAME: &str = "Ponte del Diavolo";

/// Players whose names are not known: the schema wants one.
const NO_NAMES: [&str; 2] = ["White", "Red"];

/// The text is not an Abstract Play record of this game: what and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AbstractPlayError {
    /// Not JSON at all.
    #[error("not JSON: {0}")]
    Json(
        /// What the JSON reader says, line and column with it.
        String,
    ),
    /// An empty array where records should be.
    #[error("the array has no record")]
    NoRecord,
    /// Something missing or of a wrong kind.
    #[error("{path} is {found}, not {wanted}")]
    Value {
        /// Where in the record.
        path: String,
        /// What is there, or `missing`.
        found: String,
        /// What must be there.
        wanted: &'static str,
    },
    /// The start is no position text.
    #[error("header.pontifex.start: {0}")]
    Start(#[from] ParsePositionError),
    /// A move in the place of the player whose turn it is not.
    #[error("{path} is in {}'s place, but it is {to_move}'s turn", !*to_move)]
    WrongTurn {
        /// Where in the record.
        path: String,
        /// Whose turn it is.
        to_move: Color,
    },
    /// A third move in a round.
    #[error("{path} has no player: a round has two moves")]
    NoPlayer {
        /// Where in the record.
        path: String,
    },
    /// A move behind the end.
    #[error("{path} comes after the game has ended with '{ending}'")]
    AfterEnd {
        /// Where in the record.
        path: String,
        /// How it ended.
        ending: &'static str,
    },
    /// A swap without a first move.
    #[error("header says that the pie rule was invoked, but there is no first move to take over")]
    NothingToSwap,
}

/// An entry among the moves that ends the game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Resign,
    Timeout,
    Draw,
    Abandoned,
}

impl Ending {
    const ALL: [Ending; 4] = [Ending::Resign, Ending::Timeout, Ending::Draw, Ending::Abandoned];

    fn word(self) -> &'static str {
        match self {
            Ending::Resign => "resign",
            Ending::Timeout => "timeout",
            Ending::Draw => "draw",
            Ending::Abandoned => "abandoned",
        }
    }
}
