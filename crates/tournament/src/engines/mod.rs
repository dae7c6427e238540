//! The engines of a tournament: the built-in one, and processes that speak
//! GTP.
//!
//! A [`Player`] owns one engine behind the trait `MatchEngine`. `GtpEngine`
//! implements it with a `GtpClient` (one command, one answer), which talks to
//! an `EngineProcess` (pipes and threads).

mod builtin;
pub(super) mod client;
pub(super) mod commands;
pub(super) mod failure;
mod gtp_engine;
pub(super) mod match_engine;
pub(super) mod player;
mod process;
pub(super) mod process_groups;
mod program;
mod shell_words;
pub(super) mod spec;
mod tail;

pub use failure::{Failure, FailureKind};
pub use player::{Player, Question};
pub use process_groups::ProcessGroups;
pub use program::PathError;
pub use shell_words::WordsError;
pub use spec::{EngineCommand, EngineSpec, SpecError};
