//! Smart Game Format FF\[4\] with `GM[PonteDelDiavolo]`.
//!
//! | property | says |
//! |---|---|
//! | `W[d4,e6]` `B[d4-f5]` | White's move, Red's move, in the notation of the game; `B[swap]` |
//! | `C` | comment on the move, or on the game in the first node |
//! | `SZ[10]` | board; 10 when missing |
//! | `SUPPLY[standard]` | `standard`, `unlimited` or `40,15`: tiles a colour, bridges |
//! | `PIE[on]` | `on` or `off` |
//! | `PW` `PB` | who had White, who had Red, at the end: after a swap the player who swapped has White |
//! | `EV` `RO` `PC` `DT` | event, round, place, date |
//! | `RE[B+3]` | as `final_score`, with `B` for Red; `W+R`, `W+T`, `W+F`, `Void` as SGF has them |
//! | `AW[d4][e6]` `AB[a1]` | White's and Red's tiles of a set-up board |
//! | `BRIDGE[d4-e6]` | its bridges |
//! | `PL[B]` | who moves first on it; White when missing, unless the first move is Red's |
//! | `STATE[last]` | `pie`: Red may swap; `last`: Red's last turn; `over` |
//!
//! `SUPPLY`, `PIE`, `BRIDGE` and `STATE` are ours. Variations are read and
//! written with their moves and comments; of several, the first is the main
//! line. The rest of SGF is read past.
//!
//! Boardspace's games are read as well, in the form the site gives them: see
//! `boardspace.rs`. They are not written.

mod boardspace;
mod read;
mod tree;
mod write;

use thiserror::Error;

use super::Spot;
use crate::game::Color;

pub use read::{read, read_all};
pub(in crate::notation) use tree::begins;
pub use write::{Note, write, write_annotated};

/// The text is not an SGF record of this game: what and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{at}: {problem}")]
pub struct SgfError {
    /// Where.
    pub at: Spot,
    /// What.
    pub problem: SgfProblem,
}

/// What is wrong with an SGF record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SgfProblem {
    /// No game tree.
    #[error("no game begins here: '(;' is needed")]
    NoGame,
    /// Something else than the format has in this place.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// What may stand here.
        wanted: &'static str,
        /// What does.
        found: String,
    },
    /// A bracket or parenthesis that nothing closes.
    #[error("nothing closes the '{open}' here")]
    Unclosed {
        /// Which.
        open: char,
    },
    /// A record of another game.
    #[error("GM[{game}] is another game, GM[PonteDelDiavolo] is read")]
    OtherGame {
        /// The value of GM.
        game: String,
    },
    /// A turn on Boardspace that is no move.
    #[error("the turn ends here with neither two tiles nor one bridge")]
    NoTurn,
    /// A turn on Boardspace of the player whose turn it is not.
    #[error("it is P{to_move}'s turn")]
    WrongPlayer {
        /// Whose turn it is: 0 began, 1 had the second move.
        to_move: usize,
    },
    /// A value that its property cannot have.
    #[error("{property}[{found}] is not {wanted}")]
    Value {
        /// The property.
        property: String,
        /// Its value.
        found: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// Two moves in one node.
    #[error("a node has one move, {property} is its second")]
    TwoMoves {
        /// The second move's property.
        property: String,
    },
    /// A board set up in the middle of a game.
    #[error("{property} sets up the board, which is read before the first move only")]
    LateSetup {
        /// The property.
        property: String,
    },
    /// A move of the player whose turn it is not.
    #[error("it is {to_move}'s turn: {} is needed", property_of(*to_move))]
    WrongTurn {
        /// Whose turn it is.
        to_move: Color,
    },
}

/// The property of a colour's moves.
fn property_of(color: Color) -> &'static str {
    match color {
        Color::White => "W",
        Color::Red => "B",
    }
}
