//! Parallel Monte Carlo tree search over plies.

mod clock;
mod stop;

pub use clock::{Clock, TimeControl};
pub use stop::StopSignal;

use std::time::{Duration, Instant};

use crate::eval::EvaluatorKind;
use crate::game::{Move, Position};

/// What a search works with.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Threads that search one tree.
    pub threads: usize,
    /// Bound on the tree, in MiB.
    pub memory: usize,
    /// Seed of all that is random.
    pub seed: u64,
    /// What evaluates the leaves of the tree.
    pub evaluator: EvaluatorKind,
}

/// When a search ends, whichever comes first; without any limit, when it is
/// told to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Time for the whole turn.
    pub time: Option<Duration>,
    /// Iterations for the whole turn.
    pub iterations: Option<u64>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to make.
    pub best: Move,
    /// The mover's expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// How long it took.
    pub elapsed: Duration,
}

/// A search and what it keeps between moves.
#[derive(Debug, Default)]
pub struct Searcher {}

impl Searcher {
    /// Forgets everything.
    pub fn clear(&mut self) {}

    /// Searches `position`, in which the game is not over.
    pub fn search(
        &mut self,
        position: &Position,
        _config: &Config,
        _limits: &Limits,
        _stop: &StopSignal,
    ) -> Report {
        let start = Instant::now();
        Report { best: position.moves()[0], winrate: 0.5, elapsed: start.elapsed() }
    }
}
