use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::barrier::Barrier;
use super::bounds::Bounds;
use super::edge::Counting;
use super::ending::Ending;
use super::explore::Exploration;
use super::iteration::Worker;
use super::node::Node;
use super::node_pool::Address;
use super::root_moves::{RootMoves, list};
use super::solver::{Solution, Solver};
use super::tree::{Tree, Workspace};
use super::watch::Watch;
use super::{Config, Early, Limits, StopSignal, choice};
use crate::eval::{Evaluator, Random};
use crate::game::Position;

/// How many iterations a thread makes between two looks at whether it is worth
/// going on.
const LOOK: u64 = 64;

/// Visits of the root after which a search without another limit ends: a
/// edge counts in 32 bits.
const MOST_VISITS: u32 = 1 << 31;

/// The search of one position.
pub(super) struct Run<'a> {
    pub(super) tree: &'a Tree,
    pub(super) config: &'a Config,
    pub(super) position: &'a Position,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a StopSignal,
    /// The mover's winning chance as his last search saw it.
    pub(super) expected: Option<f32>,
    /// What solves endings beside the search, if anything does.
    pub(super) solver: Option<&'a Mutex<Solver>>,
    /// What disturbs a search that games are learnt from.
    pub(super) exploration: Option<&'a Exploration>,
    /// Who wants to hear of it while it runs.
    pub(super) watch: Option<&'a Watch<'a>>,
    /// What may be looked at, if not everything.
    pub(super) root_moves: Option<&'a RootMoves>,
}

/// What a run found.
pub(super) struct Found<'a> {
    pub(super) root: Node<'a>,
    pub(super) iterations: u64,
    /// The exact value and a step that keeps it, when the ending was solved.
    pub(super) solution: Option<Solution>,
}

/// Which step of the root is most visited, and since which iteration.
#[derive(Debug, Default)]
struct Favourite {
    index: AtomicUsize,
    since: AtomicU64,
}

impl<'a> Run<'a> {
    /// Runs iterations on all threads of the pool (on this one without a
    /// pool) until a limit is reached or nothing is in doubt any more.
    /// `None` when there is no memory even for the root.
    ///
    /// With one thread and an iteration limit the outcome depends on nothing
    /// but the position, the tree and the seed.
    pub(super) fn run(&self, pool: Option<&ThreadPool>) -> Option<Found<'a>> {
        let start = Instant::now();
        let tree = self.tree;
        let root = AtomicU32::new(self.enter()?.address.bits());
        let started = AtomicU64::new(0);
        let done = AtomicBool::new(false);
        let favourite = Favourite::default();
        let solution = Mutex::new(None);
        let threads = pool.map_or(1, ThreadPool::current_num_threads);
        let barrier = Barrier::new(threads);
        let make_room = || {
            let old = Address::from_bits(root.load(Relaxed));
            tree.make_room();
            let moved = old.and_then(|old| tree.current(old, &mut Workspace::default()));
            match moved {
                Some(moved) => root.store(moved.address.bits(), Relaxed),
                None => done.store(true, Relaxed),
            }
        };
        let work = |thread: u64| {
            let seed = self.config.seed
                ^ self.position.hash()
                ^ thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (params, evaluator) = (&self.config.params, self.evaluator());
            let mut worker = Worker::new(tree, params, evaluator, &barrier, self.position, seed);
            worker.counting = if threads == 1 { Counting::Alone } else { Counting::Together };
            worker.root_moves = self.root_moves;
            worker.exploration = self.exploration.filter(|exploration| exploration.disturbs());
            let mut solver = self.solver.filter(|_| thread == 0).map(lock);
            let mut ending = solver.as_mut().and_then(|solver| Ending::new(solver, self.position));
            while !done.load(Relaxed) {
                if barrier.is_requested() {
                    barrier.meet(make_room);
                    worker.reset();
                    continue;
                }
                let Some(root) = Address::from_bits(root.load(Relaxed)) else { break };
                let root = Node::at(tree.pool(), root);
                if let Some(ending) = &mut ending
                    && ending.is_due(started.load(Relaxed))
                {
                    let stop = &mut || done.load(Relaxed) || self.is_over(root, start.elapsed());
                    if let Some(found) = ending.go_on(root, stop) {
                        *lock(&solution) = Some(found);
                        done.store(true, Relaxed);
                    }
                    continue;
                }
                let number = started.fetch_add(1, Relaxed);
                if self.limits.iterations.is_some_and(|limit| number >= limit.max(1)) {
                    started.fetch_sub(1, Relaxed);
                    break;
                }
                worker.iterate(root);
                let look = number % LOOK == LOOK - 1;
                if look && let Some(watch) = self.watch {
                    // Others may have taken its place in the table.
                    self.tree.keep(root);
                    watch.look();
                }
                if self.is_over(root, start.elapsed())
                    || look && self.is_settled(root, start.elapsed(), number + 1, &favourite)
                {
                    done.store(true, Relaxed);
                }
            }
            barrier.leave(make_room);
        };
        match pool {
            None => work(0),
            Some(pool) => {
                pool.broadcast(|thread| work(thread.index() as u64));
            }
        }
        let root = Node::at(tree.pool(), Address::from_bits(root.into_inner())?);
        // What others found since may have taken its place in the table.
        tree.keep(root);
        let solution = solution.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(solution) = &solution {
            root.tighten(Bounds::of(solution.value));
        }
        Some(Found { root, iterations: started.into_inner(), solution })
    }

    /// The root's node, a new one where there is to be noise. Its priors are
    /// refined from the start.
    fn enter(&self) -> Option<Node<'a>> {
        let mut evaluator = self.evaluator();
        let mut enter = || {
            let (tree, position, root_moves) = (self.tree, self.position, self.root_moves);
            let workspace = &mut Workspace::default();
            if let Some(exploration) = self.exploration {
                let mut random = Random::new(self.config.seed ^ position.hash());
                return tree.add(position, workspace, |position, steps| {
                    evaluator.refined_priors(position, steps);
                    exploration.disturb(steps, &mut random);
                });
            }
            let root = tree.node(position, workspace, |position, steps| {
                list(&mut evaluator, Evaluator::priors, root_moves, position, steps);
            })?;
            if !root.is_refined() {
                let Workspace { steps, keys, .. } = workspace;
                list(&mut evaluator, Evaluator::refined_priors, root_moves, position, steps);
                root.refine(tree.pool(), steps, keys);
            }
            Some(root)
        };
        enter().or_else(|| {
            self.tree.make_room();
            enter()
        })
    }

    fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.config.evaluator, &self.config.weights)
    }

    /// Whether a limit is reached or nothing is in doubt any more.
    fn is_over(&self, root: Node<'_>, elapsed: Duration) -> bool {
        let limits = self.limits;
        limits.time.is_some_and(|time| elapsed >= time)
            || self.stop.is_set(limits.time.is_none() && limits.iterations.is_some())
            || root.bounds().exact().is_some()
            || root.visits() >= MOST_VISITS
    }

    /// Whether it would be a waste to go on to the limits.
    fn is_settled(
        &self,
        root: Node<'_>,
        elapsed: Duration,
        iterations: u64,
        favourite: &Favourite,
    ) -> bool {
        let early = self.limits.early;
        if early != Early::Never && root.len() == 1
            || early == Early::Decided && self.is_decided(root, elapsed, iterations)
        {
            return true;
        }
        let Some(usual) = self.limits.usual else { return false };
        elapsed >= usual.mul_f64(self.doubt(root, iterations, favourite))
    }

    /// How much of the usual time the turn deserves: more when the favourite
    /// is a new one or the chances are worse than they seemed, less when
    /// nothing has happened for long.
    fn doubt(&self, root: Node<'_>, iterations: u64, favourite: &Favourite) -> f64 {
        let edges = root.edges(self.tree.pool()).enumerate();
        let index = edges.max_by_key(|(_, edge)| edge.visits()).map_or(0, |(index, _)| index);
        if favourite.index.swap(index, Relaxed) != index {
            favourite.since.store(iterations, Relaxed);
        }
        let since = favourite.since.load(Relaxed).min(iterations);
        let settled = (iterations - since) as f64 / iterations as f64;
        let fall = self.expected.map_or(0.0, |expected| expected - root.mean().win);
        let doubt = (1.6 - 0.9 * settled) * (1.0 + 5.0 * f64::from(fall.clamp(-0.04, 0.2)));
        (1.0 + self.config.params.doubt * (doubt - 1.0)).max(0.1)
    }

    /// Whether no other step can become the most visited within the limits.
    fn is_decided(&self, root: Node<'_>, elapsed: Duration, iterations: u64) -> bool {
        let by_count = self.limits.iterations.map(|limit| limit.saturating_sub(iterations));
        let by_time = self.limits.time.map(|time| {
            let rate = iterations as f64 / elapsed.as_secs_f64().max(1e-6);
            (rate * time.saturating_sub(elapsed).as_secs_f64()) as u64
        });
        let left = match (by_count, by_time) {
            (Some(a), Some(b)) => a.min(b),
            (Some(left), None) | (None, Some(left)) => left,
            (None, None) => return false,
        };
        let lead = choice::lead(self.tree, root, self.position);
        lead as f64 > left as f64 * self.config.params.decide
    }
}

/// The lock, whatever became of who had it before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
