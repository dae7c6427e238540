//! [`Searcher`]: threads, tree and solver, kept from search to search.
//!
//! Starting threads and allocating a tree takes as long as a short search, and the tree of one turn
//! contains much of the next. So a searcher keeps both, and a new search finds its root in the tree
//! of the previous one. The tree is emptied only when its numbers would be wrong: after a change of
//! evaluator, weights or parameters.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::opening::{config_for, search_opening, search_pie};
use super::run::Search;
use super::solver::Solver;
use super::task::{Config, Limits, SearchTask, StopSignal};
use super::tree::Tree;
use super::turn::SearchResult;
use super::{run, turn};
use crate::clock::Instant;
use crate::game::{Color, Position, Stage};

/// The memory is divided by this for the solver's share; the tree gets the rest. Set by judgement:
/// the tree grows in every search, the solver's table only in endings. With much less, long proofs
/// would lose their entries and take more nodes.
const SOLVER_DIVISOR: usize = 8;

/// Searches positions, and keeps threads and tree from search to search.
#[derive(Debug, Default)]
pub struct Searcher {
    /// `None` searches on the calling thread.
    thread_pool: Option<Arc<ThreadPool>>,
    /// Allocated by the first search.
    pub(super) memory: Option<Memory>,
    /// The side to move in the last search, and its win rate.
    last: Option<(Color, f32)>,
    /// The thread that ponders, and what stops it.
    pub(super) pondering: Option<(Arc<StopSignal>, JoinHandle<()>)>,
}

/// The tree and the solver's table.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) bytes: usize,
    /// The configuration whose evaluations the tree holds.
    config: Config,
    /// Shared with the thread that ponders.
    pub(super) tree: Arc<Tree>,
    solver: Arc<Mutex<Solver>>,
}

impl Memory {
    fn new(bytes: usize, config: &Config) -> Memory {
        let solver = bytes / SOLVER_DIVISOR;
        Memory {
            bytes,
            config: config.clone(),
            tree: Arc::new(Tree::new(bytes - solver)),
            solver: Arc::new(Mutex::new(Solver::new(solver))),
        }
    }

    /// Empties tree and solver, which costs next to nothing; `false` when a search still uses them.
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
    pub fn search<'a>(
        &'a mut self,
        position: &'a Position,
        config: &'a Config,
        limits: &'a Limits,
        stop: &'a StopSignal,
    ) -> Search<'a, SearchResult> {
        Search::new(async move {
            let start = Instant::now();
            // Before anything else: pondering uses the threads and writes to the tree.
            self.stop_pondering();
            self.prepare_threads(config.threads);
            let config = &config_for(position, config);
            let (tree, solver) = self.prepare_memory(config);
            // Time counts from the request: allocating the memory may have taken some.
            let limits = limits.remaining_after(start.elapsed(), 0);
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
        })
    }

    /// Searches `position` in the background until the next search or [`Searcher::stop_pondering`].
    /// Does nothing when the game is over or a swap is possible.
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
        let thread_stop = Arc::clone(&stop);
        let ponder = move || {
            let task = SearchTask {
                threads: pool.as_deref(),
                solver: Some(&solver),
                ..SearchTask::new(&position, &config, Limits::default(), &thread_stop, &tree)
            };
            Search::new(run::run(&task)).finish();
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

    /// Forgets earlier searches. Keeps the allocated memory, because allocating it again takes as
    /// long as a short search.
    pub fn clear(&mut self) {
        self.stop_pondering();
        self.last = None;
        // If another search still shares the memory, the next one gets memory of its own.
        let is_cleared = self.memory.as_mut().is_none_or(Memory::clear);
        if !is_cleared {
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

    /// The tree and the solver, emptied if `config` evaluates differently and reallocated if it has
    /// another memory limit.
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
        let current = self.thread_pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        if current != threads {
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
