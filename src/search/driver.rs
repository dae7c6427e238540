//! Runs iterations on all threads until a limit or a proof ends the search.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::ThreadPool;

use super::barrier::Barrier;
use super::bounds::Bounds;
use super::early::{Favourite, is_settled};
use super::edge::Counting;
use super::ending::Ending;
use super::exploration::Exploration;
use super::iteration::Worker;
use super::node::Node;
use super::node_pool::Address;
use super::pause::{finish, pause};
use super::root_moves::list_steps;
use super::solver::Solution;
use super::task::SearchTask;
use super::tree::Workspace;
use crate::clock::Instant;
use crate::eval::{Evaluator, Random};

/// Iterations between two checks for an early end and for due reports.
const CHECK_INTERVAL: u64 = 64;

/// Iterations between two looks at the clock, to find the end of a slice.
const CLOCK_INTERVAL: u64 = 4;

/// Iterations that one of several threads does in a row.
const BATCH: u32 = 8;

/// Root visits that end any search: edges count visits in 32 bits.
const MAX_VISITS: u32 = 1 << 31;

/// The outcome of a search.
pub(super) struct Found<'a> {
    pub(super) root: Node<'a>,
    pub(super) iterations: u64,
    /// The exact value and a step that keeps it, if the ending was solved.
    pub(super) solution: Option<Solution>,
}

/// Searches on all threads of the task until a limit is reached or the result
/// is proved. `None` when the memory is too small for the root.
///
/// With one thread and an iteration limit, the outcome depends only on the
/// position, the tree, the configuration and the seed.
pub(super) async fn run<'a>(task: &SearchTask<'a>) -> Option<Found<'a>> {
    let start = Instant::now();
    let run = Run::new(task, start, enter(task)?.address);
    match task.threads {
        None => run.work(0, task.limits.slice).await,
        Some(pool) => {
            pool.broadcast(|thread| finish(run.work(thread.index() as u64, None)));
        }
    }
    run.finish()
}

/// The root's node with refined priors; a new one with noise for training
/// searches. Makes room in the tree if necessary.
fn enter<'a>(task: &SearchTask<'a>) -> Option<Node<'a>> {
    let evaluator = &task.evaluator();
    let root = || match task.exploration {
        Some(exploration) => noisy_root(task, exploration, evaluator),
        None => refined_root(task, evaluator),
    };
    root().or_else(|| {
        task.tree.make_room();
        root()
    })
}

/// A new node for the root, with noise in its priors.
fn noisy_root<'a>(
    task: &SearchTask<'a>,
    exploration: &Exploration,
    evaluator: &Evaluator,
) -> Option<Node<'a>> {
    let mut random = Random::new(task.config.seed ^ task.position.hash());
    task.tree.add(task.position, &mut Workspace::default(), |position, steps| {
        evaluator.refined_priors(position, steps);
        exploration.add_noise(steps, &mut random);
    })
}

/// The root's node from earlier searches, or a new one.
fn refined_root<'a>(task: &SearchTask<'a>, evaluator: &Evaluator) -> Option<Node<'a>> {
    let SearchTask { tree, position, root_moves, .. } = *task;
    let workspace = &mut Workspace::default();
    let root = tree.node(position, workspace, |position, steps| {
        list_steps(evaluator, Evaluator::priors, root_moves, position, steps);
    })?;
    if !root.is_refined() {
        let Workspace { steps, keys, .. } = workspace;
        list_steps(evaluator, Evaluator::refined_priors, root_moves, position, steps);
        root.refine(tree.pool(), steps, keys);
    }
    Some(root)
}

/// A running search, shared by its threads.
struct Run<'a> {
    task: SearchTask<'a>,
    start: Instant,
    threads: usize,
    /// Address of the root, which moves when the tree makes room.
    root: AtomicU32,
    /// Iterations begun.
    started: AtomicU64,
    done: AtomicBool,
    favourite: Favourite,
    solution: Mutex<Option<Solution>>,
    barrier: Barrier,
}

impl<'a> Run<'a> {
    fn new(task: &SearchTask<'a>, start: Instant, root: Address) -> Run<'a> {
        let threads = task.threads.map_or(1, ThreadPool::current_num_threads);
        Run {
            task: *task,
            start,
            threads,
            root: AtomicU32::new(root.bits()),
            started: AtomicU64::new(0),
            done: AtomicBool::new(false),
            favourite: Favourite::default(),
            solution: Mutex::new(None),
            barrier: Barrier::new(threads),
        }
    }

    /// One thread's share of the search, with a pause after each slice. Thread 0
    /// also runs the solver.
    async fn work(&self, thread: u64, slice: Option<Duration>) {
        let mut worker = self.worker(thread);
        let mut solver = self.task.solver.filter(|_| thread == 0).map(lock);
        let mut ending = solver.as_mut().and_then(|solver| Ending::new(solver, self.task.position));
        while self.advance(&mut worker, ending.as_mut(), slice) {
            pause().await;
        }
        self.barrier.leave(|| self.make_room());
    }

    /// Works for a slice; `false` once the search is over.
    fn advance<'w>(
        &'w self,
        worker: &mut Worker<'w>,
        mut ending: Option<&mut Ending<'_>>,
        slice: Option<Duration>,
    ) -> bool {
        let slice = slice.map(|slice| self.elapsed().saturating_add(slice));
        while !self.done.load(Relaxed) {
            if self.barrier.is_requested() {
                self.barrier.meet(|| self.make_room());
                worker.reset();
                continue;
            }
            let Some(root) = self.root() else { break };
            let number = if let Some(ending) = &mut ending
                && ending.is_due(self.started.load(Relaxed))
            {
                self.solve(ending, root);
                None
            } else {
                let Some(numbers) = self.begin_iterations() else { break };
                let count = (numbers.end - numbers.start) as u32;
                let goes_on = || !(self.done.load(Relaxed) || self.is_stopped());
                let done = worker.iterate(root, count, goes_on);
                let end = numbers.start + u64::from(done);
                if end < numbers.end {
                    self.started.fetch_sub(numbers.end - end, Relaxed);
                }
                self.check(root, numbers.start..end);
                Some(numbers.start)
            };
            if let Some(end) = slice
                && number.is_none_or(|number| number % CLOCK_INTERVAL == 0)
                && self.elapsed() >= end
            {
                return true;
            }
        }
        false
    }

    fn worker(&self, thread: u64) -> Worker<'_> {
        let seed = self.task.config.seed
            ^ self.task.position.hash()
            ^ thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut worker = Worker::new(&self.task, &self.barrier, seed);
        worker.counting = if self.threads == 1 { Counting::Alone } else { Counting::Together };
        worker
    }

    /// The root's node; `None` once the tree has lost it.
    fn root(&self) -> Option<Node<'a>> {
        let address = Address::from_bits(self.root.load(Relaxed))?;
        Some(Node::at(self.task.tree.pool(), address))
    }

    /// Makes room in the tree and moves the root. No thread may be in an
    /// iteration.
    fn make_room(&self) {
        let old = Address::from_bits(self.root.load(Relaxed));
        let tree = self.task.tree;
        tree.make_room();
        match old.and_then(|old| tree.current(old, &mut Workspace::default())) {
            Some(moved) => self.root.store(moved.address.bits(), Relaxed),
            None => self.done.store(true, Relaxed),
        }
    }

    /// Gives the solver its next slice, and ends the search if it finishes.
    fn solve(&self, ending: &mut Ending<'_>, root: Node<'_>) {
        let stop = &mut || self.done.load(Relaxed) || self.is_over(root);
        if let Some(found) = ending.advance(root, stop) {
            *lock(&self.solution) = Some(found);
            self.done.store(true, Relaxed);
        }
    }

    /// The numbers of the next iterations, from 0; `None` at the limit.
    fn begin_iterations(&self) -> Option<Range<u64>> {
        let limit = self.task.limits.iterations.map_or(u64::MAX, |limit| limit.max(1));
        let batch = if self.threads == 1 { 1 } else { u64::from(BATCH) };
        let end = |started: u64| (started < limit).then(|| limit.min(started + batch));
        let started = self.started.fetch_update(Relaxed, Relaxed, end).ok()?;
        Some(started..limit.min(started + batch))
    }

    /// After these iterations: reports if due, and ends the search if it is over
    /// or settled.
    fn check(&self, root: Node<'_>, numbers: Range<u64>) {
        let task = &self.task;
        let is_due = numbers.start / CHECK_INTERVAL != numbers.end / CHECK_INTERVAL;
        if is_due && let Some(observer) = task.observer {
            // Other nodes may have evicted it from the table.
            task.tree.keep(root);
            observer.poll();
        }
        if self.is_over(root)
            || is_due && is_settled(task, root, self.elapsed(), numbers.end, &self.favourite)
        {
            self.done.store(true, Relaxed);
        }
    }

    /// Whether a limit is reached, the search is stopped or the result is
    /// proved.
    fn is_over(&self, root: Node<'_>) -> bool {
        self.is_stopped() || root.bounds().exact().is_some() || root.visits() >= MAX_VISITS
    }

    /// Whether the time is up or a stop was requested.
    fn is_stopped(&self) -> bool {
        let limits = &self.task.limits;
        limits.time.is_some_and(|time| self.elapsed() >= time)
            || self.task.stop.is_set(limits.time.is_none() && limits.iterations.is_some())
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn finish(self) -> Option<Found<'a>> {
        let root = self.root()?;
        // Other nodes may have evicted it from the table.
        self.task.tree.keep(root);
        let solution = self.solution.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(solution) = &solution {
            root.tighten(Bounds::of(solution.value));
        }
        Some(Found { root, iterations: self.started.into_inner(), solution })
    }
}

/// Locks the mutex, ignoring poisoning.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
