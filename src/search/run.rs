//! Runs iterations on all threads until a limit or a proof ends the search.
//!
//! `run` finds or makes the root's node and gives every thread a `Worker`. Each thread then repeats
//! the same loop:
//!
//! ```text
//!        ┌────────────────────────────────────────────────────────────┐
//!        ▼                                                            │
//! room needed? ── yes ──► wait at the barrier, one thread makes room ─┤
//!        │ no                                                         │
//! solver due? ─── yes ──► one slice of the exact solver (thread 0) ───┤
//!        │ no                                                         │
//! take a batch of iteration numbers, run it, report if due ───────────┘
//!        │ none left, or the search is over
//!        ▼
//! leave the barrier
//! ```
//!
//! Threads share the tree and a few counters, and no lock is taken in an iteration. The counters
//! are relaxed atomics: each is an independent number or flag, and none of them publishes other
//! data. The results are read after the threads have been joined, and the join orders everything.
//! The one address among them, that of the root, changes only at the barrier, whose mutex orders
//! it.
//!
//! A search ends at a limit of time or iterations, when it is stopped, or when the root's value is
//! proved. It ends early (`is_settled`) when the side to move has only one legal step, when no
//! other step can become the most visited, or when a turn on a clock has had the time it deserves.
//!
//! # Slices
//!
//! The caller of a search gets a [`Search`] and finishes it. A host with one thread, such as a
//! browser's worker, cannot block for the whole search: messages would wait. It sets
//! [`Limits::slice`](super::Limits::slice), advances the search slice by slice, and reads its
//! messages in between. The searches are therefore `async` functions, and a pause is a point where
//! they yield once; no runtime is involved. The whole state of a search lives in its suspended
//! functions, so a pause does not change the result.

use std::fmt;
use std::future::poll_fn;
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rayon::ThreadPool;

use super::barrier::Barrier;
use super::choice;
use super::exploration::Exploration;
use super::iteration::{Worker, list_steps};
use super::solver::{Budget, Solution, Solver, is_small_enough};
use super::task::{Early, SearchTask};
use super::tree::Workspace;
use super::tree::bounds::Bounds;
use super::tree::edge::CounterAccess;
use super::tree::node::Node;
use super::tree::pool::Address;
use crate::clock::Instant;
use crate::eval::{Evaluator, Random};
use crate::game::{Position, Value};

/// Iterations between two checks for an early end and for due reports: a bit less than a
/// millisecond on one thread. Set by judgement: a check walks over all edges of the root, so it is
/// not made after every iteration. With a much larger number short searches would never be checked.
const CHECK_INTERVAL: u64 = 64;

/// Iterations between two checks for the end of a slice. Set by judgement: a slice ends at most
/// three iterations late.
const CLOCK_INTERVAL: u64 = 4;

/// Iterations that one of several threads does in a row ([`Worker::iterate`]). With 8, two threads
/// make 1.93 times the iterations of one instead of 1.84, and lose nothing at equal iterations
/// (docs/strength.md). Larger batches write less often to shared memory, but let the thread work
/// longer with an outdated view of the nodes near the root.
const BATCH: u32 = 8;

/// Root visits that end any search. Edges count visits in 32 bits, those in progress included; half
/// of that range leaves room for all threads' visits in progress.
const MAX_VISITS: u32 = 1 << 31;

pub(super) struct SearchOutcome<'a> {
    pub(super) root: Node<'a>,
    /// Iterations of this search alone; the root's visits also count earlier ones.
    pub(super) iterations: u64,
    /// The exact value and a step that keeps it, if the ending was solved.
    pub(super) solution: Option<Solution>,
}

/// Searches on all threads of the task until a limit is reached or the result is proved. `None`
/// when the memory is too small for the root.
///
/// With one thread and an iteration limit, the outcome depends only on the position, the tree, the
/// configuration and the seed.
pub(super) async fn run<'a>(task: &SearchTask<'a>) -> Option<SearchOutcome<'a>> {
    let start = Instant::now();
    let run = Run::new(task, start, find_or_make_root(task)?.address);
    match task.threads {
        None => run.run_thread(0, task.limits.slice).await,
        Some(pool) => {
            pool.broadcast(|thread| {
                Search::new(run.run_thread(thread.index() as u64, None)).finish();
            });
        }
    }
    run.finish()
}

/// The root's node with refined priors; a new one with noise for training searches. Makes room in
/// the tree if necessary: it may be full of nodes of earlier turns.
fn find_or_make_root<'a>(task: &SearchTask<'a>) -> Option<Node<'a>> {
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
    // The noise must differ from position to position and still be repeatable.
    let mut random = Random::new(task.config.seed ^ task.position.hash());
    // `add`, not `find_or_add`: a node from earlier searches has neither noise nor the visits of
    // this search alone, from which training targets are made.
    task.tree.add(task.position, &mut Workspace::default(), |position, steps| {
        evaluator.refined_priors(position, steps);
        exploration.add_noise(steps, &mut random);
    })
}

/// The root's node from earlier searches, or a new one.
fn refined_root<'a>(task: &SearchTask<'a>, evaluator: &Evaluator) -> Option<Node<'a>> {
    let SearchTask { tree, position, root_moves, .. } = *task;
    let workspace = &mut Workspace::default();
    let root = tree.find_or_add(position, workspace, |position, steps| {
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
    /// The address of the root, which changes when the tree makes room.
    root: AtomicU32,
    /// Iterations begun. A thread that ends a batch early gives the rest back.
    started: AtomicU64,
    /// Set by whichever thread first finds a reason to end the search.
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

    /// One thread's share of the search, with a pause after each slice. Thread 0 also runs the
    /// solver.
    async fn run_thread(&self, thread: u64, slice: Option<Duration>) {
        let mut worker = self.make_worker(thread);
        // Thread 0 holds the lock for the whole search; nobody else uses the solver meanwhile.
        let mut solver = self.task.solver.filter(|_| thread == 0).map(lock);
        let mut ending =
            solver.as_mut().and_then(|solver| EndingSolver::new(solver, self.task.position));
        while self.run_slice(&mut worker, ending.as_mut(), slice) {
            pause().await;
        }
        self.barrier.leave(|| self.make_room());
    }

    /// Works for a slice; `false` once the search is over.
    fn run_slice<'w>(
        &'w self,
        worker: &mut Worker<'w>,
        mut ending: Option<&mut EndingSolver<'_>>,
        slice: Option<Duration>,
    ) -> bool {
        let slice_end = slice.map(|slice| self.elapsed().saturating_add(slice));
        while !self.done.load(Relaxed) {
            // Between two iterations no thread holds a node, so nodes may be moved.
            if self.barrier.is_requested() {
                self.barrier.wait_if_requested(|| self.make_room());
                // The worker's allocator may point into the half that has been emptied.
                worker.reset();
                // The stop may have ended the search or moved the root.
                continue;
            }
            let Some(root) = self.root() else { break };
            let number = if let Some(ending) = &mut ending
                && ending.is_due(self.started.load(Relaxed))
            {
                self.advance_solver(ending, root);
                None
            } else {
                let Some(numbers) = self.begin_iterations() else { break };
                let count = (numbers.end - numbers.start) as u32;
                let may_continue = || !(self.done.load(Relaxed) || self.is_stopped());
                let completed = worker.iterate(root, count, may_continue);
                let end = numbers.start + u64::from(completed);
                if end < numbers.end {
                    // Another thread may have seen the limit reached and ended. That loses nothing:
                    // this thread takes the numbers again in its next batch.
                    self.started.fetch_sub(numbers.end - end, Relaxed);
                }
                self.after_iterations(root, numbers.start..end);
                Some(numbers.start)
            };
            if let Some(end) = slice_end
                && number.is_none_or(|number| number % CLOCK_INTERVAL == 0)
                && self.elapsed() >= end
            {
                return true;
            }
        }
        false
    }

    fn make_worker(&self, thread: u64) -> Worker<'_> {
        // The odd factor (2⁶⁴ divided by the golden ratio) spreads the thread numbers over all
        // bits. Thread 0 has the plain seed, like a search on one thread.
        let seed = self.task.config.seed
            ^ self.task.position.hash()
            ^ thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut worker = Worker::new(&self.task, &self.barrier, seed);
        worker.counting =
            if self.threads == 1 { CounterAccess::Exclusive } else { CounterAccess::Shared };
        worker
    }

    /// The root's node; `None` once the tree has lost it.
    fn root(&self) -> Option<Node<'a>> {
        let address = Address::from_bits(self.root.load(Relaxed))?;
        Some(Node::at(self.task.tree.pool(), address))
    }

    /// Makes room in the tree and moves the root. No thread may be in an iteration.
    fn make_room(&self) {
        let old = Address::from_bits(self.root.load(Relaxed));
        let tree = self.task.tree;
        tree.make_room();
        match old.and_then(|old| tree.current_node(old, &mut Workspace::default())) {
            Some(moved) => self.root.store(moved.address.bits(), Relaxed),
            // The root does not fit into an empty half: no search is possible.
            None => self.done.store(true, Relaxed),
        }
    }

    /// Gives the solver its next slice, and ends the search if it finds the solution.
    fn advance_solver(&self, ending: &mut EndingSolver<'_>, root: Node<'_>) {
        let stop = &mut || self.done.load(Relaxed) || self.is_over(root);
        if let Some(solution) = ending.advance(root, stop) {
            *lock(&self.solution) = Some(solution);
            self.done.store(true, Relaxed);
        }
    }

    /// The numbers of the next iterations, from 0; `None` at the limit.
    fn begin_iterations(&self) -> Option<Range<u64>> {
        // At least one iteration, so that even an exhausted limit leads to a move.
        let limit = self.task.limits.iterations.map_or(u64::MAX, |limit| limit.max(1));
        // A single thread gains nothing from batches, and single iterations are repeatable.
        let batch = if self.threads == 1 { 1 } else { u64::from(BATCH) };
        let batch_end = |started: u64| (started < limit).then(|| limit.min(started + batch));
        let started = self.started.fetch_update(Relaxed, Relaxed, batch_end).ok()?;
        Some(started..limit.min(started + batch))
    }

    /// Reports if that is due after these iterations, and ends the search if it is over or settled.
    fn after_iterations(&self, root: Node<'_>, numbers: Range<u64>) {
        let task = &self.task;
        // A batch need not hit a multiple of the interval, but it may cross one.
        let is_due = numbers.start / CHECK_INTERVAL != numbers.end / CHECK_INTERVAL;
        if is_due && let Some(observer) = task.observer {
            // Other nodes may have evicted the root from the table.
            task.tree.ensure_listed(root);
            observer.poll();
        }
        if self.is_over(root)
            || is_due && is_settled(task, root, self.elapsed(), numbers.end, &self.favourite)
        {
            self.done.store(true, Relaxed);
        }
    }

    /// Whether a limit is reached, the search is stopped or the result is proved.
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

    fn finish(self) -> Option<SearchOutcome<'a>> {
        let root = self.root()?;
        // Other nodes may have evicted the root from the table.
        self.task.tree.ensure_listed(root);
        let solution = self.solution.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(solution) = &solution {
            // The solver may have finished after the last iteration.
            root.tighten(Bounds::of(solution.value));
        }
        Some(SearchOutcome { root, iterations: self.started.into_inner(), solution })
    }
}

/// Locks the mutex, ignoring poisoning: the panic of a thread reaches the caller anyway when the
/// pool joins its threads.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most visited step of the root, shared by all threads. If two threads write at the same time,
/// the estimate of the stability is off until the next check, which does no harm.
#[derive(Debug, Default)]
pub(super) struct Favourite {
    /// Its index among the root's edges.
    index: AtomicUsize,
    /// The iteration at which it became the most visited.
    since: AtomicU64,
}

impl Favourite {
    /// Share of the iterations, 0 to 1, since the favourite of `root` last changed.
    fn stability(&self, task: &SearchTask<'_>, root: Node<'_>, iterations: u64) -> f64 {
        let edges = root.edges(task.tree.pool()).enumerate();
        let index = edges.max_by_key(|(_, edge)| edge.visits()).map_or(0, |(index, _)| index);
        if self.index.swap(index, Relaxed) != index {
            self.since.store(iterations, Relaxed);
        }
        let since = self.since.load(Relaxed).min(iterations);
        (iterations - since) as f64 / iterations as f64
    }
}

/// Whether the search of `root` should end now, before its limits.
pub(super) fn is_settled(
    task: &SearchTask<'_>,
    root: Node<'_>,
    elapsed: Duration,
    iterations: u64,
    favourite: &Favourite,
) -> bool {
    let early = task.limits.early;
    // Searching a forced step improves the tree for later turns and costs time now.
    if early != Early::Never && root.len() == 1
        || early == Early::Decided && is_decided(task, root, elapsed, iterations)
    {
        return true;
    }
    let Some(usual) = task.limits.usual else { return false };
    let factor = time_factor(task, root, iterations, favourite);
    elapsed.as_secs_f64() >= usual.as_secs_f64() * factor
}

/// The time this turn deserves, as a factor of the usual time: more when the favourite is new or
/// the win rate has fallen since the last search, less when the favourite is stable. At least 0.1.
///
/// The constants were chosen, not fitted. The factor is 0.7 for a favourite that has been one from
/// the beginning, and 1.6 for a new one. It is doubled after the win rate has fallen by 0.2 or
/// more, and multiplied by 0.8 after it has risen by 0.04 or more.
/// [`Params::doubt`](super::Params::doubt) scales the distance from 1.
fn time_factor(
    task: &SearchTask<'_>,
    root: Node<'_>,
    iterations: u64,
    favourite: &Favourite,
) -> f64 {
    let stability = favourite.stability(task, root, iterations);
    let fall = task.expected.map_or(0.0, |expected| expected - root.mean().win);
    let factor = (1.6 - 0.9 * stability) * (1.0 + 5.0 * f64::from(fall.clamp(-0.04, 0.2)));
    (1.0 + task.config.params.doubt * (factor - 1.0)).max(0.1)
}

/// Whether no other step can become the most visited within the limits.
fn is_decided(task: &SearchTask<'_>, root: Node<'_>, elapsed: Duration, iterations: u64) -> bool {
    let by_count = task.limits.iterations.map(|limit| limit.saturating_sub(iterations));
    let by_time = task.limits.time.map(|time| {
        // The lower limit only guards against a division by zero.
        let rate = iterations as f64 / elapsed.as_secs_f64().max(1e-6);
        (rate * time.saturating_sub(elapsed).as_secs_f64()) as u64
    });
    let remaining = match (by_count, by_time) {
        (Some(a), Some(b)) => a.min(b),
        (Some(remaining), None) | (None, Some(remaining)) => remaining,
        (None, None) => return false,
    };
    let lead = choice::visit_lead(task.tree, root, task.position);
    lead as f64 > remaining as f64 * task.config.params.decide
}

/// Solver nodes per slice: five to ten milliseconds, at 0.4 to 0.9 million nodes a second
/// (docs/solved.md). Set by judgement: every slice starts again at the root and finds its way back
/// through the table, so much shorter slices would repeat much work. Much longer ones would keep
/// thread 0 from its iterations for long; a stop is never late, because the solver checks for it
/// itself.
const SOLVER_SLICE: u64 = 1 << 12;

/// Solver nodes that count as one iteration when solver and iterations share the time. Set by
/// judgement as a rough measure of their cost. With more, the solver would get more than its half.
const NODES_PER_ITERATION: u64 = 4;

/// The solver beside a search. Its share of the work, counted in nodes, equals that of all
/// iterations together: half of the time with one thread, all of one thread's time with several.
pub(super) struct EndingSolver<'a> {
    solver: &'a mut Solver,
    position: &'a Position,
    bounds: Bounds,
    /// Iterations after which the next slice is due.
    next_due: u64,
}

impl<'a> EndingSolver<'a> {
    /// `None` when the ending is too large to solve.
    pub(super) fn new(solver: &'a mut Solver, position: &'a Position) -> Option<EndingSolver<'a>> {
        is_small_enough(position).then_some(EndingSolver {
            solver,
            position,
            bounds: Bounds::UNKNOWN,
            next_due: 0,
        })
    }

    /// Whether a slice is due after `iterations` of all threads.
    pub(super) fn is_due(&self, iterations: u64) -> bool {
        iterations >= self.next_due
    }

    /// Runs one slice. Adds the bounds proved so far to `root` and returns the solution once it is
    /// found.
    pub(super) fn advance(
        &mut self,
        root: Node<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Solution> {
        self.next_due += SOLVER_SLICE / NODES_PER_ITERATION;
        // The current score is the best first guess. Later slices begin with the draw, because the
        // winner matters more than the margin.
        let guess = if self.bounds == Bounds::UNKNOWN {
            Value::from(self.position.outcome())
        } else {
            self.bounds.lower.max(Value::DRAW).min(self.bounds.upper)
        };
        let mut budget = Budget { nodes: SOLVER_SLICE, stop };
        let solution =
            self.solver.solve_exactly(self.position, guess, &mut self.bounds, &mut budget);
        root.tighten(self.bounds);
        solution
    }
}

/// Returns to the caller of `poll` once.
pub(super) async fn pause() {
    let mut has_paused = false;
    poll_fn(|context| {
        if has_paused {
            return Poll::Ready(());
        }
        has_paused = true;
        // Nothing else will wake this future, should a real runtime poll it.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A search that can be paused. It does nothing until it is advanced or finished; a search that is
/// dropped has no result.
#[must_use = "a search does nothing until it is advanced or finished"]
pub struct Search<'a, T>(Pin<Box<dyn Future<Output = T> + 'a>>);

impl<'a, T> Search<'a, T> {
    /// A search that runs `future`, which may await other searches.
    pub fn new(future: impl Future<Output = T> + 'a) -> Search<'a, T> {
        Search(Box::pin(future))
    }

    /// Searches one slice: returns `None` at the next pause, or the result at the end. Without a
    /// slice in its limits, and on several threads, the slice is the whole search.
    ///
    /// # Panics
    /// If the search has already ended.
    pub fn advance(&mut self) -> Option<T> {
        match self.0.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        }
    }

    /// Searches to the end and blocks the calling thread meanwhile; pauses are ignored.
    pub fn finish(mut self) -> T {
        loop {
            if let Some(result) = self.advance() {
                return result;
            }
        }
    }
}

impl<T> Future for Search<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        self.0.as_mut().poll(context)
    }
}

impl<T> fmt::Debug for Search<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}
