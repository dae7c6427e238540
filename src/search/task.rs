//! The input of a search: a [`Config`] (evaluator, threads, memory, seed), [`Limits`], a
//! [`StopSignal`] with which another thread ends it, and for analyses an [`AnalysisRequest`]. The
//! other modules get all of it as one `SearchTask`.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use rayon::ThreadPool;

use super::exploration::Exploration;
use super::params::Params;
use super::solver::Solver;
use super::tree::Tree;
use super::tree::bounds::Bounds;
use crate::clock::Instant;
use crate::eval::{Evaluator, EvaluatorKind, WeightsSource};
use crate::game::{Move, Position, Step};

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Threads that search one tree, at most [`Config::MAX_THREADS`]; more are not used.
    pub threads: usize,
    /// Memory for tree and solver, in MiB, at most [`Config::MAX_MEMORY`]; more is not used.
    pub memory: usize,
    /// Seed of the random generators: rollouts, noise, first placements. On one thread and with an
    /// iteration limit, the same seed gives the same search.
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

    /// The most memory of a search in MiB: 1 TiB, or half of what a 32-bit machine can address.
    pub const MAX_MEMORY: usize = if usize::BITS < 64 { 2048 } else { 1 << 20 };

    /// [`Config::memory`] in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.memory.min(Config::MAX_MEMORY) << 20
    }

    /// Whether a tree made with one of the configurations is valid for the other. Threads, memory
    /// and seed do not matter: they leave the numbers in the nodes valid.
    pub(super) fn evaluates_like(&self, other: &Config) -> bool {
        self.evaluator == other.evaluator
            && self.weights == other.weights
            && self.params == other.params
    }
}

/// When a search ends: at the first limit reached. Without limits it runs until it is stopped or
/// the result is proved.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Time for the whole turn.
    pub time: Option<Duration>,
    /// Time for a turn of average difficulty; clear turns take less, unclear ones more, up to
    /// `time`.
    pub usual: Option<Duration>,
    /// Iterations for the whole turn.
    pub iterations: Option<u64>,
    /// Conditions that end the search before its limits.
    pub early: Early,
    /// Time after which a search on the calling thread pauses, for hosts that have one thread only
    /// and [advance](super::Search::advance) it.
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
    /// As `Forced`, or no other step can become the most visited one within the limits. Meant for
    /// clocks, where the time saved serves later turns. It costs strength, because the final choice
    /// also weighs values and the next turn reuses the tree (docs/strength.md).
    Decided,
}

impl Limits {
    /// A fraction of all limits; `share` is 0 to 1.
    pub(super) fn scaled(&self, share: f64) -> Limits {
        // `mul_f64` panics where the longest times are rounded up.
        let scale = |time: Duration| {
            Duration::try_from_secs_f64(time.as_secs_f64() * share).unwrap_or(time)
        };
        Limits {
            time: self.time.map(scale),
            usual: self.usual.map(scale),
            iterations: self.iterations.map(|count| (count as f64 * share).ceil() as u64),
            ..*self
        }
    }

    /// What remains after `elapsed` and `iterations`.
    pub(super) fn remaining_after(&self, elapsed: Duration, iterations: u64) -> Limits {
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

/// Stops running searches from other threads.
#[derive(Debug, Default)]
pub struct StopSignal {
    /// Requests not yet answered. A count, not a flag: two commands may arrive during one search,
    /// and the answer to the first must not take the second back.
    requests: AtomicUsize,
    /// When the input ended.
    input_end: OnceLock<Instant>,
}

impl StopSignal {
    /// Time that searches with an iteration limit may still take after the input has ended, so that
    /// piped commands get the same answers as typed ones. Set by judgement: enough for short
    /// scripts, and an engine whose user is gone soon ends.
    const GRACE: Duration = Duration::from_secs(1);

    /// Stops the running search and all that start before [`StopSignal::withdraw`]. Requests are
    /// counted.
    pub fn request(&self) {
        // Release, and acquire in `is_set`: whoever sees the request also sees what led to it.
        self.requests.fetch_add(1, Ordering::Release);
    }

    /// Takes one request back, after its command has been answered.
    pub fn withdraw(&self) {
        self.requests.fetch_sub(1, Ordering::Release);
    }

    /// The input has ended: stops searches with a time limit or none now, those with an iteration
    /// limit after a grace period of one second.
    pub fn end_input(&self) {
        let _ = self.input_end.set(Instant::now());
    }

    /// Whether a search must end; `fixed_iterations` is whether only iterations limit it.
    pub fn is_set(&self, fixed_iterations: bool) -> bool {
        let is_late = |end: &Instant| !fixed_iterations || end.elapsed() > Self::GRACE;
        self.requests.load(Ordering::Acquire) > 0 || self.input_end.get().is_some_and(is_late)
    }
}

/// What an analysis should cover.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisRequest {
    /// Moves to leave out.
    pub avoid: Vec<Move>,
    /// The only moves to consider; empty means all.
    pub allow: Vec<Move>,
    /// Whether to estimate the ownership of cells and bridge sites.
    pub ownership: bool,
    /// Whether to estimate it after each of the best moves, too, when the search ends.
    pub moves_ownership: bool,
    /// Whether to list first points, too, not only moves.
    pub points: bool,
    /// Time between updates while the search runs; `None` means no updates.
    pub interval: Option<Duration>,
}

impl AnalysisRequest {
    /// Whether some moves are left out.
    pub fn is_restricted(&self) -> bool {
        !self.avoid.is_empty() || !self.allow.is_empty()
    }

    /// The same request for all moves.
    pub(super) fn unrestricted(&self) -> AnalysisRequest {
        AnalysisRequest { avoid: Vec::new(), allow: Vec::new(), ..self.clone() }
    }

    /// Whether `mv` may be considered.
    pub fn permits(&self, mv: Move) -> bool {
        (self.allow.is_empty() || self.allow.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether any legal move of `position` may be considered.
    pub fn permits_any(&self, position: &Position) -> bool {
        if self.allow.is_empty() {
            return self.avoid.is_empty() || position.moves().iter().any(|&mv| self.permits(mv));
        }
        self.allow.iter().any(|&mv| self.permits(mv) && position.check(mv).is_ok())
    }
}

/// The steps of the moves to consider, by the hash of the position: the root, and the positions
/// after a first tile. Other positions are not restricted.
#[derive(Debug, Default)]
pub(super) struct RootMoves(HashMap<u64, HashSet<Step>>);

impl RootMoves {
    /// `None` when the request considers all legal moves, or none of them.
    pub(super) fn of(position: &Position, request: &AnalysisRequest) -> Option<RootMoves> {
        if !request.is_restricted() || !request.permits_any(position) {
            return None;
        }
        let mut root_moves = RootMoves::default();
        let mut allow = |position: &Position, step: Step| {
            root_moves.0.entry(position.hash()).or_default().insert(step);
        };
        for mv in position.moves().into_iter().filter(|&mv| request.permits(mv)) {
            let Move::Tiles(a, b) = mv else {
                mv.steps().for_each(|step| allow(position, step));
                continue;
            };
            for (first, second) in [(a, b), (b, a)] {
                let mut half = *position;
                half.make(Step::Tile(first));
                allow(position, Step::Tile(first));
                allow(&half, Step::Tile(second));
            }
        }
        Some(root_moves)
    }

    /// Removes all other steps of `position` and normalises the remaining priors to sum to 1.
    pub(super) fn retain(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        let Some(allowed) = self.0.get(&position.hash()) else { return };
        steps.retain(|(step, _)| allowed.contains(step));
        let sum: f32 = steps.iter().map(|(_, prior)| prior).sum();
        for (_, prior) in steps {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }
}

/// Callbacks of a running search.
pub(super) struct Observer<'a> {
    /// Time between two calls of `report`.
    pub(super) interval: Duration,
    /// When `report` was last called.
    pub(super) last_report: Mutex<Instant>,
    /// Reports the state of the search.
    pub(super) report: &'a (dyn Fn() + Sync),
    /// Saves the state after the search of a turn's first step: the search of the second may evict
    /// it from the tree.
    pub(super) save: &'a (dyn Fn() + Sync),
}

impl Observer<'_> {
    /// Reports if the interval has passed. Any thread may call this; only one reports.
    pub(super) fn poll(&self) {
        // If the lock is taken, another thread is reporting.
        let Ok(mut last_report) = self.last_report.try_lock() else { return };
        if last_report.elapsed() >= self.interval {
            (self.report)();
            *last_report = Instant::now();
        }
    }
}

/// One search, with everything it borrows. [`SearchTask::new`] makes a plain one on the calling
/// thread; others are copies with some fields replaced.
#[derive(Clone, Copy)]
pub(super) struct SearchTask<'a> {
    pub(super) position: &'a Position,
    pub(super) config: &'a Config,
    pub(super) limits: Limits,
    pub(super) stop: &'a StopSignal,
    pub(super) tree: &'a Tree,
    /// The threads to search with; `None` is the calling thread.
    pub(super) threads: Option<&'a ThreadPool>,
    /// Win rate, 0 to 1, of the side to move in its previous search.
    pub(super) expected: Option<f32>,
    /// Solves endings beside the search. `None` when moves are left out.
    pub(super) solver: Option<&'a Mutex<Solver>>,
    /// Noise and forced visits at the root.
    pub(super) exploration: Option<&'a Exploration>,
    pub(super) observer: Option<&'a Observer<'a>>,
    /// The moves to consider; `None` is all.
    pub(super) root_moves: Option<&'a RootMoves>,
    /// Bounds proved before this search.
    pub(super) proved: Bounds,
}

impl<'a> SearchTask<'a> {
    /// A search on the calling thread, without solver, observer or restrictions.
    pub(super) fn new(
        position: &'a Position,
        config: &'a Config,
        limits: Limits,
        stop: &'a StopSignal,
        tree: &'a Tree,
    ) -> SearchTask<'a> {
        SearchTask {
            position,
            config,
            limits,
            stop,
            tree,
            threads: None,
            expected: None,
            solver: None,
            exploration: None,
            observer: None,
            root_moves: None,
            proved: Bounds::UNKNOWN,
        }
    }

    /// A new evaluator for one thread of the search.
    pub(super) fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.config.evaluator, &self.config.weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_input_ends_fixed_iterations_get_one_grace_period() {
        let stop = StopSignal::default();
        assert!(!stop.is_set(true) && !stop.is_set(false));
        stop.end_input();
        let in_grace = !stop.is_set(true);
        assert!(in_grace || stop.input_end.get().unwrap().elapsed() > StopSignal::GRACE);
        assert!(stop.is_set(false));

        let stop = StopSignal::default();
        stop.input_end.set(Instant::now().checked_sub(2 * StopSignal::GRACE).unwrap()).unwrap();
        stop.end_input();
        assert!(stop.is_set(true), "no second grace period");
    }

    #[test]
    fn a_request_holds_until_it_is_answered() {
        let stop = StopSignal::default();
        stop.request();
        assert!(stop.is_set(true) && stop.is_set(false));
        stop.withdraw();
        assert!(!stop.is_set(true) && !stop.is_set(false));
    }
}
