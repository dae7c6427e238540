//! The referee: plays one game between two engines.
//!
//! An engine that fails loses at once and is ended. What counts as a failure,
//! by [`FailureKind`](super::engines::FailureKind):
//!
//! - `Illegal`: a move that is unreadable or breaks a rule of the game.
//! - `Timeout`: an answer later than the clock plus a margin, legal or not.
//! - `Stall`: no answer within a further `stall`.
//! - `Start`, `Crash`, `Refusal`, `Framing`: no start, the end of the process, a
//!   refused command, or an answer that violates GTP.
//!
//! There is no adjudication. Games end by the score or by `resign`.

pub(super) mod game;

pub use game::{GameEnd, GameTask, PlayedGame, play_game};
