//! The engines of a tournament: the built-in one, and processes that speak GTP.
//!
//! Each layer uses the one below it, and turns its errors into its own:
//!
//! ```text
//! Player              one engine of the tournament, restarted after a failure
//!   MatchEngine       the interface of a game to its engines: prepare, play, move
//!     BuiltinEngine   ... answered by a search in this process
//!     GtpEngine       ... translated to GTP commands
//!       GtpClient     one command, one answer, one deadline
//!         EngineProcess   pipes that never block, lines with their arrival times
//!           ProcessGroups   no process outlives the program
//! ```

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
