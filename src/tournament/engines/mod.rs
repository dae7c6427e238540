//! The engines of a tournament: processes that speak GTP, and the built-in one.

pub(in crate::tournament) mod builtin;
pub(in crate::tournament) mod client;
pub(in crate::tournament) mod failure;
pub(in crate::tournament) mod groups;
pub(in crate::tournament) mod opponent;
pub(in crate::tournament) mod player;
pub(in crate::tournament) mod process;
pub(in crate::tournament) mod remote;
pub(in crate::tournament) mod shell_words;
pub(in crate::tournament) mod spec;
pub(in crate::tournament) mod tail;

pub use failure::{Failure, FailureKind};
pub use groups::ProcessGroups;
pub use opponent::{Opponent, Question};
pub use player::Player;
pub use shell_words::WordsError;
pub use spec::{EngineCommand, EngineSpec, PathError, SpecError};
