//! The rules: what a position is, what is legal and why not, who has won.
//!
//! [`Position`] is always legal; text and hand-made boards enter as a
//! [`Setup`] and become positions by validation only. A turn is a [`Move`]
//! (two tiles at once, unordered); the search splits it into [`Step`]s (first
//! tile, second tile). `reference` is the same rules once more, slow and
//! obvious, for tests.

mod check;
mod color;
mod illegal;
mod moves;
mod network;
mod placement;
mod position;
// Public for the test binary alone; nothing in the program may use it.
#[doc(hidden)]
pub mod reference;
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
