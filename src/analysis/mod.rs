//! What the engine thinks of a position as JSON, and the review of a game.

pub mod json;
pub mod review;
