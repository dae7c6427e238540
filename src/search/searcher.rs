//! [`Searcher`]: threads, tree and solver, kept from search to search.
//!
//! What a search is asked is a [`Config`] (evaluator, threads, memory, seed) and
//! [`Limits`]; another thread ends it through a [`StopSignal`]. All of it goes to
//! the rest of the room as one `SearchTask`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::analysis::Report;
use super::iteration::RootMoves;
use super::opening::{config_at, search_opening, search_pie};
use super::params::Params;
use super::run::{Observer, finish};
use super::solver::Solver;
use super::training::Exploration;
use super::tree::Tree;
use super::tree::bounds::Bounds;
use super::{run, turn};
use crate::clock::Instant;
use crate::eval::{Evaluator, EvaluatorKind, WeightsSource};
use crate::game::{Color, Position, Stage};

/// The solver gets one part in this many of the memory, the tree the rest.
const SOLVER_SHARE: usize = 8;

/// Searches positions, and keeps threads and tree from search to search.
#[derive(Debug, Default)]
pub struct Searcher {
    thread_pool: Option<Arc<ThreadPool>>,
    pub(super) memory: Option<Memory>,
    /// The side to move in the last search, and its win rate.
    last: Option<(Color, f32)>,
    pub(super) pondering: Option<(Arc<StopSignal>, JoinHandle<()>)>,
}

/// The tree and the solver's table.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) bytes: usize,
    /// The configuration whose evaluations the tree holds.
    config: Config,
    pub(super) tree: Arc<Tree>,
    solver: Arc<Mutex<Solver>>,
}

impl Memory {
    fn new(bytes: usize, config: &Config) -> Memory {
        let solver = bytes / SOLVER_SHARE;
        Memory {
            bytes,
            config: config.clone(),
            tree: Arc::new(Tree::new(bytes - solver)),
            solver: Arc::new(Mutex::new(Solver::new(solver))),
        }
    }

    /// Empties tree and solver; `false` when a search still uses them.
    fn clear(&mut self) -> bool {
        let (tree, solver) = (Arc::get_mut(&mut self.tree), Arc::get_mut(&mut self.solver));
        let (Some(tree), Some(solver)) = (tree, solver) else { return false };
        tree.clear();
        solver.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        true
    }
}

impl Searcher {
    /// Searches `position`, the start of a turn of a game that is not over.
    pub fn search(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Report {
        finish(self.search_async(position, config, limits, stop))
    }

    /// As [`Searcher::search`], with a [pause](finish) after each
    /// [`Limits::slice`].
    pub async fn search_async(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Report {
        let start = Instant::now();
        self.stop_pondering();
        self.prepare_threads(config.threads);
        let config = &config_at(position, config);
        let (tree, solver) = self.prepare_memory(config);
        let limits = limits.less(start.elapsed(), 0);
        let task = SearchTask {
            threads: self.threads(),
            expected: self.expected(position),
            solver: Some(&solver),
            ..SearchTask::new(position, config, limits, stop, &tree)
        };
        let mut report = match position.stage() {
            Stage::Opening if position.rules().pie => search_opening(task).await,
            Stage::Pie => search_pie(task).await,
            _ => turn::search(task).await,
        };
        report.tree_bytes = tree.bytes();
        self.remember(position, report.winrate);
        report
    }

    /// Searches `position` in the background until the next search or
    /// [`Searcher::stop_pondering`]. Does nothing when the game is over or a
    /// swap is possible.
    pub fn ponder(&mut self, position: &Position, config: &Config) {
        self.stop_pondering();
        if position.is_over() || position.may_swap() {
            return;
        }
        self.prepare_threads(config.threads);
        let (tree, solver) = self.prepare_memory(config);
        let stop = Arc::new(StopSignal::default());
        let pool = self.thread_pool.clone();
        let (position, config) = (*position, config.clone());
        let stop_here = Arc::clone(&stop);
        let ponder = move || {
            let task = SearchTask {
                threads: pool.as_deref(),
                solver: Some(&solver),
                ..SearchTask::new(&position, &config, Limits::default(), &stop_here, &tree)
            };
            finish(run::run(&task));
        };
        // If no thread can be started, the engine does not ponder.
        self.pondering = thread::Builder::new().spawn(ponder).ok().map(|thread| (stop, thread));
    }

    /// Stops pondering and waits for its threads.
    pub fn stop_pondering(&mut self) {
        if let Some((stop, thread)) = self.pondering.take() {
            stop.request();
            let _ = thread.join();
        }
    }

    /// Forgets earlier searches. Keeps the allocated memory, because
    /// allocating it anew takes as long as a short search.
    pub fn clear(&mut self) {
        self.stop_pondering();
        self.last = None;
        let cleared = self.memory.as_mut().is_none_or(Memory::clear);
        if !cleared {
            self.memory = None;
        }
    }

    /// The threads to search with; `None` is the calling thread.
    pub(super) fn threads(&self) -> Option<&ThreadPool> {
        self.thread_pool.as_deref()
    }

    /// The win rate of the side to move in its last search.
    pub(super) fn expected(&self, position: &Position) -> Option<f32> {
        self.last.filter(|last| last.0 == position.side()).map(|last| last.1)
    }

    /// Remembers the win rate of the side to move for the next search.
    pub(super) fn remember(&mut self, position: &Position, winrate: f64) {
        self.last = Some((position.side(), winrate as f32));
    }

    /// Tree and solver, emptied when `config` evaluates differently and
    /// allocated anew when it has another memory limit.
    pub(super) fn prepare_memory(&mut self, config: &Config) -> (Arc<Tree>, Arc<Mutex<Solver>>) {
        let bytes = config.memory_bytes();
        if self.memory.as_ref().is_some_and(|memory| memory.bytes != bytes) {
            // Free the old memory before allocating the new.
            self.memory = None;
        }
        if self.memory.as_ref().is_some_and(|memory| !memory.config.evaluates_like(config)) {
            self.clear();
        }
        let memory = self.memory.get_or_insert_with(|| Memory::new(bytes, config));
        memory.config.clone_from(config);
        (Arc::clone(&memory.tree), Arc::clone(&memory.solver))
    }

    /// Makes a thread pool of this size, or none for one thread.
    pub(super) fn prepare_threads(&mut self, threads: usize) {
        let threads = threads.clamp(1, Config::MAX_THREADS);
        let running = self.thread_pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        if running != threads {
            // If the pool cannot be built, the calling thread searches alone.
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            self.thread_pool = if threads > 1 { builder.build().ok().map(Arc::new) } else { None };
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.stop_pondering();
    }
}

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
    /// [pauses](finish), for hosts that have one thread only.
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

/// Stops running searches from other threads.
#[derive(Debug, Default)]
pub struct StopSignal {
    requests: AtomicUsize,
    left: OnceLock<Instant>,
}

impl StopSignal {
    /// Time that searches with an iteration limit may still take after the
    /// input has ended, so that piped commands get the same answers as typed
    /// ones.
    const GRACE: Duration = Duration::from_secs(1);

    /// Stops the running search and all that start before
    /// [`StopSignal::answered`]. Requests are counted.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Release);
    }

    /// Takes one request back.
    pub fn answered(&self) {
        self.requests.fetch_sub(1, Ordering::Release);
    }

    /// The input has ended: stops searches with a time limit or none now,
    /// those with an iteration limit after a grace period of one second.
    pub fn leave(&self) {
        let _ = self.left.set(Instant::now());
    }

    /// Whether a search must end; `fixed_iterations` is whether only
    /// iterations limit it.
    pub fn is_set(&self, fixed_iterations: bool) -> bool {
        let is_late = |left: &Instant| !fixed_iterations || left.elapsed() > Self::GRACE;
        self.requests.load(Ordering::Acquire) > 0 || self.left.get().is_some_and(is_late)
    }
}

/// One search. [`SearchTask::new`] gives a plain one on the calling thread.
#[derive(Clone, Copy)]
pub(super) struct SearchTask<'a> {
    pub(super) position: &'a Position,
    pub(super) config: &'a Config,
    pub(super) limits: Limits,
    pub(super) stop: &'a StopSignal,
    pub(super) tree: &'a Tree,
    /// The threads to search with; `None` is the calling thread.
    pub(super) threads: Option<&'a ThreadPool>,
    /// Win rate of the side to move in its previous search.
    pub(super) expected: Option<f32>,
    /// Solves endings beside the search. Absent when moves are left out.
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
    /// A search on the calling thread, without solver, observer or
    /// restrictions.
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
        stop.leave();
        let in_grace = !stop.is_set(true);
        assert!(in_grace || stop.left.get().unwrap().elapsed() > StopSignal::GRACE);
        assert!(stop.is_set(false));

        let stop = StopSignal::default();
        stop.left.set(Instant::now().checked_sub(2 * StopSignal::GRACE).unwrap()).unwrap();
        stop.leave();
        assert!(stop.is_set(true), "no second grace period");
    }

    #[test]
    fn a_request_holds_until_it_is_answered() {
        let stop = StopSignal::default();
        stop.request();
        assert!(stop.is_set(true) && stop.is_set(false));
        stop.answered();
        assert!(!stop.is_set(true) && !stop.is_set(false));
    }
}
