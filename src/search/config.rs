//! The configuration and the limits of a search.

use std::time::Duration;

use super::params::Params;
use crate::eval::{EvaluatorKind, WeightsSource};

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Threads that search one tree, at most [`Config::MAX_THREADS`]; more are
    /// not used.
    pub threads: usize,
    /// Memory for tree and solver, in MiB, at most [`Config::MAX_MEMORY`]; more
    /// is not used.
    pub memory: usize,
    /// Seed of the random generators.
    pub seed: u64,
    /// Evaluates leaves and gives steps their priors.
    pub evaluator: EvaluatorKind,
    /// The weights of the evaluators.
    pub weights: WeightsSource,
    /// Tunable constants.
    pub params: Params,
}

impl Config {
    /// The most threads of a search.
    pub const MAX_THREADS: usize = 1024;

    /// The most memory of a search in MiB: 1 TiB, or half of what a 32-bit
    /// machine can address.
    pub const MAX_MEMORY: usize = if usize::BITS < 64 { 2048 } else { 1 << 20 };

    /// The memory for tree and solver, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.memory.min(Config::MAX_MEMORY) << 20
    }

    /// Whether a tree made with one of the configurations is valid for the
    /// other.
    pub(super) fn evaluates_like(&self, other: &Config) -> bool {
        self.evaluator == other.evaluator
            && self.weights == other.weights
            && self.params == other.params
    }
}

/// When a search ends: at the first limit reached. Without limits it runs
/// until it is stopped or the result is proved.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Time for the whole turn.
    pub time: Option<Duration>,
    /// Time for a turn of average difficulty; clear turns take less, unclear
    /// ones more, up to `time`.
    pub usual: Option<Duration>,
    /// Iterations for the whole turn.
    pub iterations: Option<u64>,
    /// Conditions that end the search before its limits.
    pub early: Early,
    /// Time after which a search on the calling thread
    /// [pauses](super::pause), for hosts that have one thread only.
    pub slice: Option<Duration>,
}

/// Conditions, besides a proved result, that end a search before its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Early {
    /// None.
    #[default]
    Never,
    /// Only one step is legal.
    Forced,
    /// As `Forced`, or no other step can become the most visited one within
    /// the limits. Meant for clocks, where the time saved serves later turns.
    /// It costs strength, because the final choice also weighs values and the
    /// next turn reuses the tree (docs/strength.md).
    Decided,
}

impl Limits {
    /// A fraction of all limits; `share` is 0 to 1.
    pub(super) fn share(&self, share: f64) -> Limits {
        // `mul_f64` panics where the longest times are rounded up.
        let part = |time: Duration| {
            Duration::try_from_secs_f64(time.as_secs_f64() * share).unwrap_or(time)
        };
        Limits {
            time: self.time.map(part),
            usual: self.usual.map(part),
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

    /// Whether neither time nor iterations are limited.
    pub(super) fn is_endless(&self) -> bool {
        self.time.is_none() && self.iterations.is_none()
    }
}
