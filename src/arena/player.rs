//! An engine that plays: a process or the built-in one.

use std::time::Duration;

use super::failure::Failure;
use super::groups::ProcessGroups;
use super::spec::EngineSpec;

/// An engine, started and ready to play.
///
/// After a failure it is ended, and the next game starts it anew. Dropped, it
/// is ended with all its children.
#[derive(Debug)]
pub struct Player {
    spec: EngineSpec,
    warnings: Vec<String>,
}

impl Player {
    /// How long an engine may take for a command that needs no thinking, and
    /// over its time for one that does, unless somebody says otherwise.
    pub const DEFAULT_STALL: Duration = Duration::from_secs(30);

    /// Starts an engine, which has `stall` to answer each of the first
    /// commands; its process is in `groups` while it runs.
    ///
    /// # Errors
    /// A [`Failure`] of the kind [`Start`](super::FailureKind::Start).
    pub fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
        stall: Duration,
    ) -> Result<Player, Failure> {
        let _ = (groups, stall);
        Ok(Player { spec: spec.clone(), warnings: Vec::new() })
    }

    /// The engine as it was asked for.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The engine's name in the match.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What could not be told to the engine because it does not know the
    /// command, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Ends the engine: asks it to quit, then kills what is left of it.
    pub fn quit(self) {}
}
