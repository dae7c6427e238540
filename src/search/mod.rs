//! Parallel Monte Carlo tree search over steps.
//!
//! All threads share one tree (`tree`): nodes (`node`) in a bounded pool
//! (`pool`), one for a position however it is reached (`table`). An iteration
//! (`iteration`) selects a leaf by PUCT (`select`), evaluates it and backs the
//! result and what is proved (`bounds`) up; what it finds of a step bends the
//! step's prior in other nodes (`history`). The driver (`driver`) runs
//! iterations until a limit; [`Searcher`] makes a turn of it (`choice`), or
//! looks at one step with noise at the root (`explore`, `forced`) for games that
//! are learnt from, or tells what it thinks of every move (`request`, `analysis`,
//! `ownership`).

mod analysis;
mod analyze;
mod barrier;
mod book;
mod bounds;
mod choice;
mod config;
mod driver;
mod edge;
mod ending;
mod explore;
mod forced;
mod history;
mod iteration;
mod node;
mod node_pool;
mod opening;
mod ownership;
mod params;
mod root_moves;
mod select;
pub mod solver;
mod stop;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod watch;

pub use analysis::{Analysis, Candidate};
pub use analyze::AnalysisRequest;
pub use bounds::Bounds;
pub use config::{Config, Early, Limits};
pub use explore::{Below, Exploration, Explored};
pub use ownership::Ownership;
pub use params::{Params, ParseParamsError};
pub use stop::StopSignal;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use self::driver::{Found, Run};
use self::edge::Edge;
use self::root_moves::RootMoves;
use self::solver::{Budget, Solver};
use self::tree::Tree;
use self::watch::Watch;
use crate::game::{Color, Move, Position, Stage, Step, Value};

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to make.
    pub best: Move,
    /// The mover's expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The mover's expected lead in points.
    pub lead: f64,
    /// What is proved of the result.
    pub bounds: Bounds,
    /// Iterations run.
    pub iterations: u64,
    /// Positions added to the tree.
    pub nodes: usize,
    /// Bytes the tree takes in the end.
    pub tree_bytes: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// A search and what it keeps between moves: its threads and its tree.
#[derive(Debug, Default)]
pub struct Searcher {
    thread_pool: Option<Arc<ThreadPool>>,
    memory: Option<Memory>,
    /// Who was last to move, and his winning chance.
    last: Option<(Color, f32)>,
    pondering: Option<(Arc<StopSignal>, JoinHandle<()>)>,
}

/// What earlier searches found.
#[derive(Debug)]
struct Memory {
    bytes: usize,
    /// What judged the positions of the tree.
    config: Config,
    tree: Arc<Tree>,
    solver: Arc<Mutex<Solver>>,
}

impl Memory {
    /// Forgets everything; `false` when somebody else still has it.
    fn clear(&mut self) -> bool {
        let (tree, solver) = (Arc::get_mut(&mut self.tree), Arc::get_mut(&mut self.solver));
        let (Some(tree), Some(solver)) = (tree, solver) else { return false };
        tree.clear();
        solver.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        true
    }
}

/// What is to be searched, and how.
#[derive(Clone, Copy)]
struct Task<'a> {
    position: &'a Position,
    config: &'a Config,
    limits: Limits,
    stop: &'a StopSignal,
    expected: Option<f32>,
    tree: &'a Tree,
    /// What solves endings beside the search, unless moves are left out.
    solver: Option<&'a Mutex<Solver>>,
    watch: Option<&'a Watch<'a>>,
    root_moves: Option<&'a RootMoves>,
    /// What is proved of the position already.
    proved: Bounds,
}

impl<'a> Task<'a> {
    /// A search with nothing beside it that nobody watches.
    fn new(
        position: &'a Position,
        config: &'a Config,
        limits: Limits,
        stop: &'a StopSignal,
        tree: &'a Tree,
    ) -> Task<'a> {
        let (expected, solver, watch, root_moves) = (None, None, None, None);
        let proved = Bounds::UNKNOWN;
        Task { position, config, limits, stop, expected, tree, solver, watch, root_moves, proved }
    }
}

/// Of the memory, the solver has one part in so many.
const SOLVER_SHARE: usize = 8;

/// Positions the solver may look at to find a step that keeps what is proved.
const KEEP_NODES: u64 = 1 << 9;

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
        self.stop_pondering();
        self.prepare_threads(config.threads);
        let config = &opening::config_at(position, config);
        let (tree, solver) = self.prepare_memory(config);
        let limits = limits.less(start.elapsed(), 0);
        let (expected, solver) = (self.expected(position), Some(&*solver));
        let task = Task { expected, solver, ..Task::new(position, config, limits, stop, &tree) };
        let mut report = match position.stage() {
            Stage::Opening if position.rules().pie => self.search_opening(task),
            Stage::Pie => self.search_pie(task),
            _ => self.search_turn(task),
        };
        report.tree_bytes = tree.bytes();
        self.last = Some((position.side(), report.winrate as f32));
        report
    }

    /// Searches `position` on the threads of the last search, until the next
    /// one or until [`Searcher::stop_pondering`].
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
        let heard = Arc::clone(&stop);
        let think = move || {
            let limits = Limits::default();
            let (tree, stop) = (&*tree, &*heard);
            let run = Run {
                tree,
                config: &config,
                position: &position,
                limits: &limits,
                stop,
                expected: None,
                solver: Some(&solver),
                exploration: None,
                watch: None,
                root_moves: None,
            };
            run.run(pool.as_deref());
        };
        // Without a thread for it there is no pondering.
        self.pondering = thread::Builder::new().spawn(think).ok().map(|thread| (stop, thread));
    }

    /// Ends the search in the opponent's time, if one is running.
    pub fn stop_pondering(&mut self) {
        if let Some((stop, thread)) = self.pondering.take() {
            stop.request();
            let _ = thread.join();
        }
    }

    /// Forgets what earlier searches found. Their memory is kept for the next
    /// one: to get it from the system costs as much as a short search.
    pub fn clear(&mut self) {
        self.stop_pondering();
        self.last = None;
        let cleared = self.memory.as_mut().is_none_or(Memory::clear);
        if !cleared {
            self.memory = None;
        }
    }

    /// Searches a turn step by step: the second tile continues the tree of the
    /// first.
    fn search_turn(&self, task: Task<'_>) -> Report {
        let start = Instant::now();
        let before = task.tree.nodes();
        let mut position = *task.position;
        let mover = position.side();
        let share = task.config.params.first_step_share;
        let (step, mut report) = self.search_step(task, share);
        let searched = Instant::now();
        if let Some(watch) = task.watch {
            watch.remember();
        }
        // What is told in the end takes as long again.
        let reporter = searched.elapsed();
        position.make(step);
        report.best = match step {
            Step::Tile(first) => {
                let limits = task.limits.less(start.elapsed() + reporter, report.iterations);
                // What is proved of a turn is proved of the position after its first step.
                let proved = report.bounds;
                let half = Task { position: &position, limits, proved, ..task };
                let (step, second) = self.search_step(half, 1.0);
                report = Report { iterations: report.iterations + second.iterations, ..second };
                match step {
                    Step::Tile(second) => Move::tiles(first, second),
                    _ => Move::Pass,
                }
            }
            Step::Bridge(site) => {
                let [a, b] = site.ends();
                Move::bridge(a, b)
            }
            Step::Pass => Move::Pass,
            Step::Swap => Move::Swap,
        };
        debug_assert!(position.side() != mover || position.is_half_turn() || position.is_over());
        report.nodes = task.tree.nodes() - before;
        report.elapsed = start.elapsed();
        report
    }

    /// The best step of the position, found in this share of the limits.
    fn search_step(&self, task: Task<'_>, share: f64) -> (Step, Report) {
        let mover = task.position.side();
        let run = Run {
            tree: task.tree,
            config: task.config,
            position: task.position,
            limits: &task.limits.share(share),
            stop: task.stop,
            expected: task.expected,
            solver: task.solver,
            exploration: None,
            watch: task.watch,
            root_moves: task.root_moves,
        };
        let Some(Found { root, iterations, solution }) = run.run(self.thread_pool.as_deref())
        else {
            return (first_legal_step(task.position), Report::new(Move::Pass));
        };
        let (mut step, edge) = choice::best(task.tree, root, mover, &task.config.params);
        let mut bounds = edge.map_or(Bounds::UNKNOWN, Edge::bounds);
        if let Some(solution) = solution {
            bounds = Bounds::of(solution.value);
            step = solution.best.unwrap_or(step);
        } else if let Some((kept, proved)) = keep(root.bounds().and(task.proved), bounds, task) {
            (step, bounds) = (kept, proved);
        }
        let mut report = Report { bounds, iterations, ..Report::new(Move::Pass) };
        let mean = root.mean();
        if let Some(value) = bounds.exact() {
            // Solved at once, the root may have no visit.
            (report.winrate, report.lead) = analysis::known(value, mover);
        } else if root.visits() > 0 {
            let lead = if mover == Color::White { mean.lead } else { -mean.lead };
            (report.winrate, report.lead) = (f64::from(mean.win), f64::from(lead));
        }
        (step, report)
    }

    /// The winning chance of who moves, as his last search saw it.
    fn expected(&self, position: &Position) -> Option<f32> {
        self.last.filter(|last| last.0 == position.side()).map(|last| last.1)
    }

    /// The tree and the solver as the last search left them, or empty ones.
    fn prepare_memory(&mut self, config: &Config) -> (Arc<Tree>, Arc<Mutex<Solver>>) {
        let bytes = config.memory << 20;
        if self.memory.as_ref().is_some_and(|memory| memory.bytes != bytes) {
            // Before there is another.
            self.memory = None;
        }
        if self.memory.as_ref().is_some_and(|memory| !memory.config.judges_as(config)) {
            self.clear();
        }
        let memory = self.memory.get_or_insert_with(|| {
            let solver = bytes / SOLVER_SHARE;
            Memory {
                bytes,
                config: config.clone(),
                tree: Arc::new(Tree::new(bytes - solver)),
                solver: Arc::new(Mutex::new(Solver::new(solver))),
            }
        });
        memory.config.clone_from(config);
        (Arc::clone(&memory.tree), Arc::clone(&memory.solver))
    }

    /// Has a pool for `threads`, or none for one thread.
    fn prepare_threads(&mut self, threads: usize) {
        let running = self.thread_pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        if running != threads {
            // Without a pool the search runs on the calling thread.
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

impl Report {
    /// A report of no search at all.
    fn new(best: Move) -> Report {
        Report {
            best,
            winrate: 0.5,
            lead: 0.0,
            bounds: Bounds::UNKNOWN,
            iterations: 0,
            nodes: 0,
            tree_bytes: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// A step that keeps what is proved, if that is a draw or better and `known`,
/// of the step that would be chosen, is less; and what is proved.
fn keep(root: Bounds, known: Bounds, task: Task<'_>) -> Option<(Step, Bounds)> {
    let mover = task.position.side();
    let lower = root.seen_by(mover).lower;
    if lower < Value::DRAW || lower <= known.seen_by(mover).lower {
        return None;
    }
    let mut solver = task.solver?.lock().unwrap_or_else(PoisonError::into_inner);
    let mut budget = Budget { nodes: KEEP_NODES, stop: &mut || false };
    let step = solver.best_step(task.position, lower.seen_by(mover), &mut budget)?;
    Some((step, Bounds { lower, upper: Value::MAX }.seen_by(mover)))
}

/// Some legal step, when there is no memory for any search.
fn first_legal_step(position: &Position) -> Step {
    let tile = position.tile_steps().first().map(Step::Tile);
    let bridge = || position.bridge_steps().iter().next().map(Step::Bridge);
    tile.or_else(bridge).unwrap_or(Step::Pass)
}
