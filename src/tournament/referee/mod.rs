//! The referee: plays one game between two engines.

pub(in crate::tournament) mod game;

pub use game::{GameEnd, GameTask, PlayedGame, play_game};
