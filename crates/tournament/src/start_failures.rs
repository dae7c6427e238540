//! Which engines have failed to start since they last started.

use crate::engines::failure::{Failure, FailureKind};
use crate::journal::entry::Entry;
use crate::referee::game::{GameEnd, PlayedGame};
use crate::schedule::games::GameKey;

/// How many times in a row an engine may fail to start before the run is
/// abandoned.
const MAX_START_FAILURES: u32 = 3;

/// For each engine, its failed starts since the last successful one, and the
/// last failure.
pub(super) struct StartFailures<'n> {
    names: &'n [String],
    failed: Vec<(u32, Option<Box<Failure>>)>,
}

impl<'n> StartFailures<'n> {
    pub(super) fn new(names: &'n [String]) -> StartFailures<'n> {
        StartFailures { names, failed: vec![(0, None); names.len()] }
    }

    /// Counts a game. Returns the failure if there are too many.
    pub(super) fn count(&mut self, key: &GameKey, game: &PlayedGame) -> Option<Box<Failure>> {
        let failed = match &game.end {
            GameEnd::Failure { seat, failure } if failure.kind == FailureKind::Start => {
                Some((*seat, failure))
            }
            _ => None,
        };
        for (seat, engine) in key.seats().into_iter().enumerate() {
            match failed {
                Some((failed, failure)) if failed == seat => {
                    self.failed[engine].0 += 1;
                    self.failed[engine].1 = Some(failure.clone());
                    if self.failed[engine].0 >= MAX_START_FAILURES {
                        return Some(failure.clone());
                    }
                }
                // The other engine may not have been started.
                Some(_) => {}
                None => self.failed[engine] = (0, None),
            }
        }
        None
    }

    /// Whether an engine lost the game because it did not start, and has not
    /// started since.
    pub(super) fn is_open(&self, entry: &Entry) -> bool {
        let failure = entry.failure.as_ref().filter(|failure| failure.kind == FailureKind::Start);
        let has_failed = |(name, (count, _)): (&String, &(u32, _))| {
            *count > 0 && failure.is_some_and(|failure| failure.engine == *name)
        };
        self.names.iter().zip(&self.failed).any(has_failed)
    }

    /// The last failure of an engine that failed to start more than once and
    /// has not started since.
    pub(super) fn repeated(self) -> Option<Box<Failure>> {
        self.failed.into_iter().find(|(count, _)| *count > 1).and_then(|(_, failure)| failure)
    }
}
