//! The rules of the game: positions, legal moves, reasons why a move is illegal, scores.
//!
//! A [`Position`] is legal, as long as [`Position::make`] gets legal steps only. Parsed and
//! hand-made boards are [`Setup`]s until they are validated. In a turn, a player makes a [`Move`]:
//! two tiles are one move, in either order. The search splits it into [`Step`]s, one for each tile.

mod color;
mod illegal;
mod moves;
mod position;
mod score;
mod setup;
mod tiles;
mod zobrist;

pub use color::Color;
pub use illegal::IllegalMove;
pub use moves::{Move, MoveCounts, Step, perft, perft_divide};
pub use position::{Position, Stage};
pub use score::{Network, Outcome, ParseValueError, Score, Tiebreak, Value, compare};
pub use setup::{ParseSupplyError, Rules, Setup, SetupError, SetupStage, Supply};
