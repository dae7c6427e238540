//! The referee: plays one game between two engines.
//!
//! Illegal: a move that is unreadable or breaks a rule of the game loses at once.
//! Time forfeit: an answer later than the clock plus a margin loses.
//! Hang: no answer within a further `stall` loses, and the engine is killed.
//! Crash: the end of the process, a refused command or wrong framing loses.
//! Adjudication: none. Games end by the score or by `resign`.

pub(super) mod game;

pub use game::{GameEnd, GameTask, PlayedGame, play_game};
