//! The engines of a tournament: the built-in one, and processes that speak
//! GTP.
//!
//! A [`Player`] owns one engine behind the trait `MatchEngine` (`match_engine`). `GtpEngine`
//! implements it with a `GtpClient` (one command, one answer), which talks to
//! an `EngineProcess` (pipes and threads).

pub(super) mod failure;
pub(super) mod gtp;
pub(super) mod match_engine;
pub(super) mod player;
mod process;
pub(super) mod process_groups;
pub(super) mod spec;

pub use failure::{Failure, FailureKind};
pub use player::{Player, Question};
pub use process_groups::ProcessGroups;
pub use spec::{EngineCommand, EngineSpec, ProgramError, ProgramProblem, SpecError};
