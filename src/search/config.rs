use std::time::Duration;

use super::Params;
use crate::eval::{EvaluatorKind, WeightsSource};

/// What a search works with.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Threads that search one tree.
    pub threads: usize,
    /// Bound on the tree, in MiB.
    pub memory: usize,
    /// Seed of all that is random.
    pub seed: u64,
    /// What judges leaves and steps.
    pub evaluator: EvaluatorKind,
    /// The weights of all evaluators.
    pub weights: WeightsSource,
    /// The numbers that shape it.
    pub params: Params,
}

impl Config {
    /// Whether what was found of positions with either is worth the same to
    /// both.
    pub(super) fn judges_as(&self, other: &Config) -> bool {
        self.evaluator == other.evaluator
            && self.weights == other.weights
            && self.params == other.params
    }
}

/// When a search ends, whichever comes first; without any limit, when it is
/// told to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Time for the whole turn.
    pub time: Option<Duration>,
    /// Time after which a turn that is not in doubt should end.
    pub usual: Option<Duration>,
    /// Iterations for the whole turn.
    pub iterations: Option<u64>,
    /// What ends it before, if anything does.
    pub early: Early,
}

/// What ends a search before its limits, besides a proved result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Early {
    /// Nothing.
    #[default]
    Never,
    /// That only one step can be made.
    Forced,
    /// That, or that within the limits no other step can become the most
    /// visited: for time that is there for later turns. The choice may not go
    /// by visits alone, and what is found serves the next turn, so this costs
    /// strength (docs/strength.md).
    Decided,
}

impl Limits {
    /// So much of it.
    pub(super) fn share(&self, share: f64) -> Limits {
        Limits {
            time: self.time.map(|time| time.mul_f64(share)),
            usual: self.usual.map(|time| time.mul_f64(share)),
            iterations: self.iterations.map(|count| (count as f64 * share).ceil() as u64),
            ..*self
        }
    }

    /// What remains after `elapsed` and `iterations`.
    pub(super) fn less(&self, elapsed: Duration, iterations: u64) -> Limits {
        Limits {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            usual: self.usual.map(|time| time.saturating_sub(elapsed)),
            iterations: self.iterations.map(|count| count.saturating_sub(iterations)),
            ..*self
        }
    }
}
