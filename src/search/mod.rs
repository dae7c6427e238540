//! Parallel Monte Carlo tree search over plies.
//!
//! All threads share one tree (`tree`), in which a position has one node
//! however it is reached. An iteration (`iteration`) selects a leaf by PUCT,
//! plays it out and backs the result up; the driver (`driver`) runs iterations
//! until a limit; [`Searcher`] makes a turn of it.

mod book;
mod clock;
mod driver;
mod iteration;
mod opening;
mod params;
pub mod solver;
mod stop;
mod tree;

pub use clock::{Clock, TimeControl};
pub use stop::StopSignal;

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use self::params::Params;
use self::tree::{Edge, Node, Tree};
use crate::eval::EvaluatorKind;
use crate::game::{Move, Ply, Position, Stage};

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

impl Limits {
    /// So much of it.
    fn share(&self, share: f64) -> Limits {
        Limits {
            time: self.time.map(|time| time.mul_f64(share)),
            iterations: self.iterations.map(|count| (count as f64 * share).ceil() as u64),
        }
    }

    /// What remains after `elapsed` and `iterations`.
    fn less(&self, elapsed: Duration, iterations: u64) -> Limits {
        Limits {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            iterations: self.iterations.map(|count| count.saturating_sub(iterations)),
        }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to make.
    pub best: Move,
    /// The mover's expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Iterations run.
    pub iterations: u64,
    /// Positions in the tree in the end.
    pub nodes: usize,
    /// Bytes the tree took in the end.
    pub tree_bytes: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// A search and what it keeps between moves: its threads.
#[derive(Debug, Default)]
pub struct Searcher {
    pool: Option<ThreadPool>,
    params: Params,
    freeing: Mutex<Option<JoinHandle<()>>>,
}

impl Searcher {
    /// Searches `position`, a whole turn in which the game is not over.
    pub fn search(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Report {
        let start = Instant::now();
        self.prepare_threads(config.threads);
        let limits = limits.less(start.elapsed(), 0);
        match position.stage() {
            Stage::Opening if position.rules().pie => {
                self.search_opening(position, config, &limits, stop)
            }
            Stage::Pie => self.search_pie(position, config, &limits, stop),
            _ => self.search_turn(position, config, &limits, stop),
        }
    }

    /// Searches a turn ply by ply: the second tile continues the tree of the
    /// first.
    fn search_turn(
        &self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Report {
        let start = Instant::now();
        self.wait_for_memory();
        let tree = Tree::new(config.memory << 20);
        let mut report = Report {
            best: Move::Pass,
            winrate: 0.5,
            iterations: 0,
            nodes: 0,
            tree_bytes: 0,
            elapsed: Duration::ZERO,
        };
        let mut position = *position;
        let mover = position.side();
        let mut first_tile = None;
        loop {
            let share = if first_tile.is_none() { self.params.first_ply_share } else { 1.0 };
            let limits = limits.less(start.elapsed(), report.iterations).share(share);
            let (ply, winrate, iterations) =
                self.search_ply(&tree, &position, config, &limits, stop);
            report.iterations += iterations;
            report.winrate = winrate;
            position.make(ply);
            report.best = match (ply, first_tile) {
                (Ply::Tile(first), None) => {
                    first_tile = Some(first);
                    continue;
                }
                (Ply::Tile(second), Some(first)) => Move::tiles(first, second),
                (Ply::Bridge(site), _) => {
                    let [a, b] = site.ends();
                    Move::bridge(a, b)
                }
                (Ply::Pass, _) => Move::Pass,
                (Ply::Swap, _) => Move::Swap,
            };
            break;
        }
        debug_assert!(position.side() != mover || position.is_over());
        report.nodes = tree.len();
        report.tree_bytes = tree.bytes();
        self.free(tree);
        report.elapsed = start.elapsed();
        report
    }

    /// The best ply of `position`, the mover's expected result and how many
    /// iterations it took.
    fn search_ply(
        &self,
        tree: &Tree,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
    ) -> (Ply, f64, u64) {
        let mover = position.side();
        let fallback = || first_legal_ply(position);
        let Some(root) = tree.node(position, !mover) else { return (fallback(), 0.5, 0) };
        let Some(edges) = tree.expand(&root, position, &mut Vec::new()) else {
            return (fallback(), 0.5, 0);
        };
        let mut iterations = 0;
        if edges.len() > 1 {
            let pool = self.pool.as_ref();
            let params = &self.params;
            iterations =
                driver::run(pool, tree, params, &root, position, config.seed, limits, stop);
        }
        let best =
            edges.iter().reduce(|best, edge| if is_better(edge, best) { edge } else { best });
        let ply = best.map_or_else(fallback, |edge| edge.ply);
        let value = best.and_then(|edge| edge.child()?.value());
        (ply, f64::from(value.unwrap_or_else(|| root.value_for(mover))), iterations)
    }

    /// Frees a tree without letting anybody wait for it: that takes up to a
    /// second for the largest. The next search begins when it is done, so that
    /// there are never two.
    fn free(&self, tree: Tree) {
        let freeing = thread::Builder::new().spawn(move || drop(tree));
        *self.freeing.lock().unwrap_or_else(PoisonError::into_inner) = freeing.ok();
    }

    fn wait_for_memory(&self) {
        let freeing = self.freeing.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = freeing.map(JoinHandle::join);
    }

    /// Has a pool for `threads`, or none for one thread.
    fn prepare_threads(&mut self, threads: usize) {
        let running = self.pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        if running != threads {
            // Without a pool the search runs on the calling thread.
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            self.pool = if threads > 1 { builder.build().ok() } else { None };
        }
    }
}

/// Whether `edge` is the better final choice: more visits, then the better
/// value, then the better prior.
fn is_better(edge: &Edge, than: &Edge) -> bool {
    let rank = |edge: &Edge| {
        let value = edge.child().and_then(Node::value).unwrap_or(0.0);
        (edge.visits(), value, edge.prior)
    };
    rank(edge) > rank(than)
}

/// Some legal ply, when there is no memory for any search.
fn first_legal_ply(position: &Position) -> Ply {
    let tile = position.tile_plies().first().map(Ply::Tile);
    let bridge = || position.bridge_plies().iter().next().map(Ply::Bridge);
    tile.or_else(bridge).unwrap_or(Ply::Pass)
}
