//! Text to moves, positions and records, and back.

mod moves;

pub use moves::ParseMoveError;
