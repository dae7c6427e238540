//! The rules of the game: positions, legal moves, reasons why a move is illegal,
//! scores.
//!
//! A [`Position`] is always legal. Parsed and hand-made boards are [`Setup`]s
//! until they are validated. A turn is a [`Move`], where two tiles are one
//! unordered move; the search splits it into [`Step`]s, one for each tile.

mod check;
mod color;
mod illegal;
mod moves;
mod network;
mod placement;
mod position;
mod rules;
mod score;
mod setup;
mod turn;
mod value;
mod zobrist;

pub use color::Color;
pub use illegal::IllegalMove;
pub use moves::{MoveCounts, perft, perft_divide};
pub use position::{Position, Stage};
pub use rules::{ParseSupplyError, Rules, Supply};
pub use score::{Outcome, Score, Tiebreak, compare};
pub use setup::{Setup, SetupError, SetupStage};
pub use turn::{Move, Step};
pub use value::{ParseValueError, Value};
