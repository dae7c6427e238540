//! One iteration: select a leaf, expand it, evaluate it, back the result up.
//!
//! Selection is PUCT with a bonus from the `history`; edges whose bounds settle
//! them are passed over. A leaf is a position that is over or proved, or one to
//! evaluate; its result goes back along the path as sums, so that one thread may
//! repeat a path without touching the tree each time. Proved bounds go up with the
//! result.

use rayon::ThreadPool;

use super::barrier::Barrier;
use super::exploration::{Exploration, is_short};
use super::history::History;
use super::params::Params;
use super::solver::{Solver, size_estimate};
use super::task::{RootMoves, SearchTask};
use super::tree::bounds::{Bounds, SearchValue};
use super::tree::edge::{Counting, Edge, Sums};
use super::tree::node::{Node, NotOpened};
use super::tree::pool::NodePool;
use super::tree::{Tree, Workspace};
use crate::eval::{Evaluation, Evaluator, EvaluatorKind, Random, rollout};
use crate::game::{Color, Position, Step, Value};

/// Memory of each thread's leaf solver, in bytes.
const LEAF_BYTES: usize = 1 << 18;

/// One thread of a search.
pub(super) struct Worker<'a> {
    tree: &'a Tree,
    params: &'a Params,
    evaluator: Evaluator,
    barrier: &'a Barrier,
    position: &'a Position,
    workspace: Workspace,
    random: Random,
    leaf_solver: Solver,
    /// Whether other workers write to the tree.
    pub(super) counting: Counting,
    /// [`REPEATED_VISITS`] for all threads.
    repeated_visits: u32,
    exploration: Option<&'a Exploration>,
    root_moves: Option<&'a RootMoves>,
    path: Vec<PathEntry<'a>>,
    history: History,
}

/// Visits, for each thread, that a node must have to be the same for several
/// iterations in a row. Fewer would be changed too much by visits in progress.
const REPEATED_VISITS: u32 = 1 << 9;

/// A node on the path of an iteration, and the step taken there.
struct PathEntry<'a> {
    node: Node<'a>,
    mover: Color,
    step: Step,
    edge: Edge<'a>,
    /// Whether the edge has bounds that the node has not used yet.
    has_new_bounds: bool,
    /// Results that are still to be added to the edge and the node.
    sums: Sums,
}

/// A step to follow.
struct Chosen<'a> {
    index: usize,
    edge: Edge<'a>,
    /// Whether this iteration opened the step.
    is_new: bool,
}

/// Where selection ended.
enum Leaf {
    /// A position with this exact value.
    Exact(Value),
    /// A position to evaluate.
    Open,
}

impl<'a> Worker<'a> {
    /// A worker that searches below the task's position.
    pub(super) fn new(task: &SearchTask<'a>, barrier: &'a Barrier, seed: u64) -> Worker<'a> {
        let threads = task.threads.map_or(1, ThreadPool::current_num_threads);
        Worker {
            tree: task.tree,
            params: &task.config.params,
            evaluator: task.evaluator(),
            barrier,
            position: task.position,
            workspace: Workspace::default(),
            random: Random::new(seed),
            leaf_solver: Solver::new(LEAF_BYTES),
            counting: Counting::Together,
            repeated_visits: REPEATED_VISITS.saturating_mul(threads as u32),
            exploration: task.exploration.filter(|exploration| exploration.is_active()),
            root_moves: task.root_moves,
            path: Vec::new(),
            history: History::default(),
        }
    }

    /// Drops the worker's allocator, which is invalid once the tree has made
    /// room.
    pub(super) fn reset(&mut self) {
        self.workspace = Workspace::default();
    }

    /// Runs `count` iterations from `root`, the node of the task's position. When
    /// the memory is full, an iteration ends early, still counts, and requests a
    /// stop in which the tree makes room. Returns the number of iterations, which
    /// is smaller when a stop is requested or `goes_on` says no after one of them.
    ///
    /// Threads that write to the same memory wait for each other, most of all at
    /// the root. So after the first iteration the others go on from the last of
    /// its nodes that has enough visits, and the results for the nodes above
    /// are added once, at the end.
    pub(super) fn iterate(
        &mut self,
        root: Node<'a>,
        count: u32,
        goes_on: impl Fn() -> bool,
    ) -> u32 {
        self.path.clear();
        // With exploration, the root keeps its noisy priors.
        self.run(root, *self.position, self.exploration.is_none());
        if count == 1 || self.path.is_empty() {
            return 1;
        }
        let often = |entry: &PathEntry<'_>| entry.node.visits() >= self.repeated_visits;
        let shared = self.path.iter().take_while(|entry| often(entry)).count().max(1) - 1;
        let base = self.path[shared].node;
        self.path.truncate(shared);
        let mut position = *self.position;
        for entry in &mut self.path {
            position.make(entry.step);
            entry.edge.enter(count - 1, self.counting);
            entry.sums = Sums::default();
        }
        let mut done = 1;
        while done < count && !self.barrier.is_requested() && goes_on() {
            self.run(base, position, self.exploration.is_none() || shared > 0);
            self.path.truncate(shared);
            done += 1;
        }
        self.settle(count - done);
        done
    }

    /// One iteration from `node`, the node of `position` and the last of the
    /// path.
    fn run(&mut self, node: Node<'a>, mut position: Position, refines: bool) {
        if refines {
            self.refine(node, &position);
        }
        let shared = self.path.len();
        let result = match self.descend(node, &mut position) {
            Leaf::Exact(value) => self.params.exact(value),
            Leaf::Open => self.evaluate(&position),
        };
        self.back_up(result, shared);
    }

    /// Adds the sums of the path to the tree; takes `unused` visits back.
    fn settle(&mut self, unused: u32) {
        let mut position = *self.position;
        for index in 0..self.path.len() {
            let PathEntry { node, step, edge, ref sums, .. } = self.path[index];
            edge.reward(sums, self.counting);
            if unused > 0 {
                edge.leave(unused);
            }
            let before = node.reward(sums, self.counting);
            // The visits may have passed the number at which the node is refined.
            let doubled = (before + sums.visits).ilog2();
            if sums.visits > 0 && doubled > before.max(1).ilog2() {
                self.refine_after(node, &position, 1 << doubled);
            }
            position.make(step);
        }
    }

    /// Selection: follows the best steps from `node` to a leaf, extends `path` and
    /// leaves the leaf in `position`.
    fn descend(&mut self, mut node: Node<'a>, position: &mut Position) -> Leaf {
        // What the parent expects of `node`, for the mover there.
        let mut first_value = 0.5;
        loop {
            if let Some(value) = node.bounds().exact() {
                return Leaf::Exact(value);
            }
            let mover = position.side();
            let Some(chosen) = self.choose(node, mover, first_value) else { return Leaf::Open };
            let Chosen { index, edge, is_new } = chosen;
            if !is_new {
                first_value = edge.utility();
            }
            edge.enter(1, self.counting);
            let step = node.step(index).0;
            position.make(step);
            let sums = Sums::default();
            self.path.push(PathEntry { node, mover, step, edge, has_new_bounds: false, sums });
            if is_new {
                return self.first_visit(edge, position);
            }
            let Some(child) = self.expand(edge, position) else {
                self.barrier.request();
                return Leaf::Open;
            };
            if edge.tighten(child.bounds()) {
                self.mark_new_bounds();
            }
            if position.side() != mover {
                first_value = 1.0 - first_value;
            }
            node = child;
        }
    }

    /// The step to follow in `node`, opened if it was not. `None` when the
    /// iteration must end here: no step can change the node's bounds, another
    /// thread is opening the first step, or the memory is full.
    fn choose(&mut self, node: Node<'a>, mover: Color, first_value: f32) -> Option<Chosen<'a>> {
        let pool = self.tree.pool();
        let at_root = self.path.is_empty();
        let exploration = self.exploration.filter(|_| at_root);
        let forced = exploration.map_or(0.0, |exploration| exploration.forced);
        let mut selection = Selection { mover, first_value, forced, may_open: true };
        loop {
            let index = match select(node, pool, self.params, selection)? {
                Choice::Edge(index, edge) => return Some(Chosen { index, edge, is_new: false }),
                Choice::Open(index) => index,
            };
            match node.open(pool, &mut self.workspace.allocator, index) {
                Ok(edge) => return Some(Chosen { index, edge, is_new: true }),
                // The thread that has it may be suspended for long.
                Err(NotOpened::Taken) => selection.may_open = false,
                Err(NotOpened::NoMemory) => {
                    self.barrier.request();
                    return None;
                }
            }
        }
    }

    /// The leaf behind `edge`, which has just been opened.
    fn first_visit(&mut self, edge: Edge<'a>, position: &Position) -> Leaf {
        if !position.is_over() {
            return Leaf::Open;
        }
        let value = Value::from(position.outcome());
        edge.tighten(Bounds::of(value));
        self.mark_new_bounds();
        Leaf::Exact(value)
    }

    /// Notes that the last edge of the path has new bounds.
    fn mark_new_bounds(&mut self) {
        if let Some(entry) = self.path.last_mut() {
            entry.has_new_bounds = true;
        }
    }

    /// Expansion: the node behind `edge`, made on the edge's second visit.
    /// Solves small endings and refines priors when due. `None` when the
    /// memory is full.
    fn expand(&mut self, edge: Edge<'a>, position: &Position) -> Option<Node<'a>> {
        let before = edge.child();
        let Worker { evaluator, history, root_moves, .. } = self;
        let list = |position: &Position, steps: &mut Vec<_>| {
            list_steps(evaluator, Evaluator::priors, *root_moves, position, steps);
            history.correct(position.side(), steps);
        };
        let child = match before {
            Some(address) => self.tree.current(address, &mut self.workspace)?,
            None if self.params.transpositions => {
                self.tree.node(position, &mut self.workspace, list)?
            }
            None => self.tree.add(position, &mut self.workspace, list)?,
        };
        if child.visits() == 0
            && child.bounds() == Bounds::UNKNOWN
            && size_estimate(position) <= self.params.leaf_size as u32
        {
            let bounds = self.leaf_solver.solve_leaf(position, self.params.leaf_nodes as u64);
            child.tighten(bounds);
        }
        self.refine(child, position);
        if before != Some(child.address) {
            edge.set_child(before, child.address);
        }
        Some(child)
    }

    /// Refines the priors of `node` once it has enough visits. Whenever its
    /// visits have doubled, corrects the priors again with what the history
    /// has learnt meanwhile, and lets the history learn from the node.
    fn refine(&mut self, node: Node<'a>, position: &Position) {
        self.refine_after(node, position, node.visits());
    }

    /// [`Self::refine`] for a node that has reached `visits`.
    fn refine_after(&mut self, node: Node<'a>, position: &Position, visits: u32) {
        let (params, mover) = (self.params, position.side());
        let learns = History::is_due(visits, params);
        let refines = visits >= params.refine_after as u32 && !node.is_refined();
        if !(refines || learns) || node.bounds().exact().is_some() {
            return;
        }
        let Worker { evaluator, history, root_moves, .. } = self;
        let Workspace { steps, keys, .. } = &mut self.workspace;
        list_steps(evaluator, Evaluator::refined_priors, *root_moves, position, steps);
        let uncorrected = learns.then(|| steps.clone());
        history.correct(mover, steps);
        node.refine(self.tree.pool(), steps, keys);
        if let Some(uncorrected) = uncorrected {
            history.learn(node, self.tree.pool(), mover, &uncorrected, params);
        }
    }

    /// Evaluation: White's value of `position`, a blend of its static
    /// evaluation and the evaluation of the end of a rollout.
    fn evaluate(&mut self, position: &Position) -> SearchValue {
        let params = self.params;
        let (turns, static_share) = match self.evaluator.kind() {
            EvaluatorKind::Linear => {
                (params.rollout_turns_on(position.size()), params.static_share)
            }
            EvaluatorKind::Rollout => (u32::MAX, params.rollout_share),
        };
        let share = if turns == 0 { 1.0 } else { static_share as f32 };
        let at_leaf =
            (share > 0.0).then(|| self.white_value(position, self.evaluator.evaluate(position)));
        if turns == 0
            && let Some(at_leaf) = at_leaf
        {
            return at_leaf;
        }
        let mut end = *position;
        rollout(&mut end, turns, &mut self.random);
        let at_end = if end.is_over() {
            params.exact(end.outcome().into())
        } else {
            self.white_value(&end, self.evaluator.evaluate_end(&end))
        };
        let Some(at_leaf) = at_leaf else { return at_end };
        let blend = |end: f32, leaf: f32| end + share * (leaf - end);
        SearchValue {
            utility: blend(at_end.utility, at_leaf.utility),
            win: blend(at_end.win, at_leaf.win),
            lead: blend(at_end.lead, at_leaf.lead),
        }
    }

    /// White's value for an evaluation of `position` by its side to move.
    fn white_value(&self, position: &Position, evaluation: Evaluation) -> SearchValue {
        let Evaluation { win, lead } = evaluation;
        let value = SearchValue { utility: self.params.utility(win, lead), win, lead };
        value.seen_by(position.side())
    }

    /// Backup: adds White's result to all edges and nodes of the path, from the
    /// leaf to the root; to the sums alone in the first `shared` entries. New
    /// bounds travel up as long as they tighten the node above, and every node
    /// clamps the result to its bounds.
    fn back_up(&mut self, mut result: SearchValue, shared: usize) {
        let pool = self.tree.pool();
        let mut has_new_bounds = false;
        for depth in (0..self.path.len()).rev() {
            let PathEntry { node, mover, edge, has_new_bounds: is_marked, .. } = self.path[depth];
            if has_new_bounds || is_marked {
                self.path[depth].has_new_bounds = false;
                let proved = bounds_from_edges(node, pool, mover);
                has_new_bounds = node.tighten(proved);
                if has_new_bounds && let Some(above) = depth.checked_sub(1) {
                    self.path[above].edge.tighten(node.bounds());
                }
            }
            let clamped = self.params.clamp(result, node.bounds());
            let sums = &mut self.path[depth].sums;
            sums.add(result, clamped, mover);
            if depth >= shared {
                edge.reward(sums, self.counting);
                node.reward(sums, self.counting);
            }
            result = clamped;
        }
    }
}

/// The bounds that the bounds of its steps imply for `node`: the mover gets
/// at least the best lower bound and at most the best upper bound.
fn bounds_from_edges(node: Node<'_>, pool: &NodePool, mover: Color) -> Bounds {
    let mut proved = Bounds::of(Value::MIN);
    let mut opened = 0;
    for edge in node.edges(pool) {
        let bounds = edge.bounds().seen_by(mover);
        proved.lower = proved.lower.max(bounds.lower);
        proved.upper = proved.upper.max(bounds.upper);
        opened += 1;
    }
    if opened < node.len() {
        proved.upper = Value::MAX;
    }
    proved.seen_by(mover)
}

/// The step to follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice<'a> {
    /// An opened step: its index and its edge.
    Edge(usize, Edge<'a>),
    /// The index of the next step to open: the unopened one with the highest
    /// prior.
    Open(usize),
}

/// How to select in one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    pub(super) mover: Color,
    /// The value of unopened steps while the node has no visits: what its
    /// parent expects of it.
    pub(super) first_value: f32,
    /// The factor of forced visits ([`is_short`]); 0 is none.
    pub(super) forced: f32,
    /// Whether a step may be opened.
    pub(super) may_open: bool,
}

/// The step with the highest upper confidence bound (PUCT) among those that
/// can still change the node's bounds; `None` when there is no such step. The
/// bound of a step with utility Q, prior P and n visits, in a node with N, is
/// Q + `exploration`·P·√N/(1 + n).
///
/// Unopened steps share one value (first-play urgency), so only the one with
/// the highest prior competes. A step short of forced visits goes first.
#[inline(never)]
pub(super) fn select<'a>(
    node: Node<'a>,
    pool: &'a NodePool,
    params: &Params,
    selection: Selection,
) -> Option<Choice<'a>> {
    let Selection { mover, first_value, forced, may_open } = selection;
    let total = node.visits();
    let exploration = params.exploration as f32 * (total.max(1) as f32).sqrt();
    let floor = node.bounds().seen_by(mover).lower;
    let mut best = None;
    let mut highest = f32::NEG_INFINITY;
    let mut opened_prior = 0.0;
    let mut opened = 0;
    for block in node.blocks(pool) {
        for (edge, index) in block.iter().map(Edge).zip(opened..) {
            let (visits, prior) = (edge.visits(), edge.prior());
            opened_prior += prior;
            let is_settled = || edge.has_bounds() && is_settled(edge, mover, floor);
            if forced > 0.0 && visits > 0 && is_short(visits, prior, total, forced) && !is_settled()
            {
                return Some(Choice::Edge(index, edge));
            }
            // NaN while unvisited; every comparison with NaN is false.
            let bound = edge.utility() + exploration * prior / (1 + visits) as f32;
            if bound > highest && !is_settled() {
                (best, highest) = (Some(Choice::Edge(index, edge)), bound);
            }
        }
        opened += block.len();
    }
    let widening = params.widening as f32;
    let is_wide = widening > 0.0 && opened as f32 >= 4.0 + widening * (total as f32).sqrt();
    if may_open && opened < node.len() && !(is_wide && best.is_some()) {
        let (_, prior) = node.step(opened);
        let value = if total == 0 { first_value } else { node.mean().utility };
        let value = value - params.first_play_reduction as f32 * opened_prior.sqrt();
        let bound = value + exploration * prior;
        if bound > highest {
            best = Some(Choice::Open(opened));
        }
    }
    best
}

/// Whether the step is solved, or cannot gain more than `floor`, which the
/// mover already has for sure.
fn is_settled(edge: Edge<'_>, mover: Color, floor: Value) -> bool {
    let bounds = edge.bounds().seen_by(mover);
    bounds.exact().is_some() || bounds.upper <= floor
}

/// Lists the steps of a position with their priors.
type Priors = fn(&Evaluator, &Position, &mut Vec<(Step, f32)>);

/// Fills `steps` with the steps of `position` that `root_moves` allows, with
/// priors that sum to 1.
pub(super) fn list_steps(
    evaluator: &Evaluator,
    priors: Priors,
    root_moves: Option<&RootMoves>,
    position: &Position,
    steps: &mut Vec<(Step, f32)>,
) {
    priors(evaluator, position, steps);
    if let Some(root_moves) = root_moves {
        root_moves.retain(position, steps);
    }
}
