//! One iteration: select a leaf, expand it, evaluate it, back the result up.
//!
//! ```text
//! root ──step──► node ──step──► node ──step──► leaf        selection, expansion
//!                                                │         evaluation
//! root ◄──────── node ◄──────── node ◄──────── result      backup, with proved bounds
//! ```
//!
//! **Selection** follows in each node the step with the highest upper confidence bound ([`select`];
//! PUCT, Rosin 2011, in the form of `AlphaGo` Zero). The search works on steps, not on moves,
//! because a 10×10 position has thousands of pairs of tiles and at most a hundred single ones. A
//! move of two tiles is two edges in a row with the same side to move. A step is *opened*, that is,
//! given an edge, when it is first selected.
//!
//! **Expansion.** The position behind an edge gets a node on the edge's *second* visit, unless
//! another order of steps has already made one. A node needs a list of priors, the most expensive
//! part of an iteration, so the first visit makes none. Making it on the third visit was 1.23 times
//! as fast, and 93 Elo weaker at 0.4 s a move (docs/strength.md).
//!
//! **Evaluation** is the *leaf blend*: a quarter of it is the static evaluation of the leaf, three
//! quarters the evaluation at the end of a short rollout. The first sees structure, the second what
//! happens next; together they are far stronger than either alone (docs/strength.md). Both sets of
//! weights are fitted so that the blend predicts the result, so a change of the share or of the
//! length of the rollouts needs a new fit.
//!
//! **Backup** adds the result to every edge and node of the path.
//!
//! # Proofs
//!
//! Besides their means, nodes and edges carry proved bounds on the score. A finished game is exact,
//! the solver bounds small leaves, and a node's bounds follow from those of its edges
//! ([`bounds_from_edges`]). Selection skips edges that can no longer change the bounds of their
//! node. A result is clamped to the bounds of every node that it passes, so a loss that a proved
//! win rules out does not spoil the mean. This is the score-bounded search of Cazenave and
//! Saffidine (2010), which generalises the proved wins and losses of MCTS-solver. If all edges of a
//! node are settled, there is nothing to select, and the iteration ends.
//!
//! # Several threads
//!
//! Threads write to the tree without locks. A visit is counted on the edge when it begins and adds
//! its utility when it ends, so a visit in progress looks like a loss (*virtual loss*) and other
//! threads choose other paths.
//!
//! All threads pass the root, so they would all wait for the cache lines of its counters. A thread
//! therefore runs several iterations from one node further down, the last of the path with so many
//! visits that a few more hardly change the choices above it:
//!
//! ```text
//! root ──► node ──► base ──► … leaf      the first iteration
//!                   base ──► … leaf      7 more, results added up in the path
//! ```
//!
//! Afterwards the sums are added once to all nodes above the base. Until then the visits count as
//! in progress on the edges above it.

use rayon::ThreadPool;

use super::barrier::Barrier;
use super::exploration::{Exploration, needs_forced_visit};
use super::history::History;
use super::params::Params;
use super::solver::{Solver, size_estimate};
use super::task::{RootMoves, SearchTask};
use super::tree::bounds::{Bounds, SearchValue};
use super::tree::edge::{CounterAccess, Edge, Sums};
use super::tree::node::{Node, NotOpened};
use super::tree::pool::NodePool;
use super::tree::{Tree, Workspace};
use crate::eval::{Evaluation, Evaluator, EvaluatorKind, Random, rollout};
use crate::game::{Color, Position, Step, Value};

/// Memory of each thread's leaf solver, in bytes. Set by judgement: with 50 nodes a leaf, the
/// results of the last hundred leaves or more stay in the table.
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
    pub(super) counting: CounterAccess,
    /// [`REPEATED_VISITS`] for all threads.
    repeated_visits: u32,
    /// `None` unless it changes the search, so that plain searches do not pay for it.
    exploration: Option<&'a Exploration>,
    root_moves: Option<&'a RootMoves>,
    /// The nodes of the current iteration, from the root. Kept for its allocation.
    path: Vec<PathEntry<'a>>,
    /// Each thread has its own: adding the threads' histories up changed nothing at eight threads
    /// (-20 Elo [-62, +22]).
    history: History,
}

/// Visits per thread that a node must have before several iterations in a row start from it. With
/// 512 per thread, two threads lost nothing at equal iterations (+13 Elo [-21, +46]). 1024 for all
/// of eight threads together may have lost some (-36 [-83, +10]), so the number is per thread. A
/// smaller one would let visits in progress change the choices; a larger one would leave only nodes
/// near the root to start from.
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
struct ChosenStep<'a> {
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
            // Always correct; a search on one thread sets the faster one.
            counting: CounterAccess::Shared,
            repeated_visits: REPEATED_VISITS.saturating_mul(threads as u32),
            exploration: task.exploration.filter(|exploration| exploration.is_active()),
            root_moves: task.root_moves,
            path: Vec::new(),
            history: History::default(),
        }
    }

    /// Drops the worker's allocator, which is invalid once the tree has made room.
    pub(super) fn reset(&mut self) {
        self.workspace = Workspace::default();
    }

    /// Runs `count` iterations from `root`, the node of the task's position. When the memory is
    /// full, an iteration ends early, still counts, and requests a stop in which the tree makes
    /// room. Returns the number of iterations, which is smaller if a stop is requested or
    /// `may_continue` returns `false` after one of them.
    ///
    /// The iterations after the first start from the last of its nodes that has enough visits (see
    /// "Several threads" at the top of this file).
    pub(super) fn iterate(
        &mut self,
        root: Node<'a>,
        count: u32,
        may_continue: impl Fn() -> bool,
    ) -> u32 {
        self.path.clear();
        // With exploration, the root keeps its noisy priors.
        self.run_one(root, *self.position, self.exploration.is_none());
        if count == 1 || self.path.is_empty() {
            return 1;
        }
        let has_enough = |entry: &PathEntry<'_>| entry.node.visits() >= self.repeated_visits;
        // The number of entries above the base. Only the beginning of the path counts: with
        // transpositions a node below may have more visits than the one above it.
        let base_depth = self.path.iter().take_while(|entry| has_enough(entry)).count().max(1) - 1;
        let base = self.path[base_depth].node;
        self.path.truncate(base_depth);
        let mut position = *self.position;
        for entry in &mut self.path {
            position.make(entry.step);
            // Begun at once for all repetitions, and cancelled if there are fewer.
            entry.edge.begin_visits(count - 1, self.counting);
            entry.sums = Sums::default();
        }
        let mut completed = 1;
        while completed < count && !self.barrier.is_requested() && may_continue() {
            self.run_one(base, position, self.exploration.is_none() || base_depth > 0);
            self.path.truncate(base_depth);
            completed += 1;
        }
        self.flush_sums(count - completed);
        completed
    }

    /// One iteration from `node`, the node of `position` and the last of the path.
    fn run_one(&mut self, node: Node<'a>, mut position: Position, refines: bool) {
        if refines {
            self.refine(node, &position);
        }
        let base_depth = self.path.len();
        let result = match self.descend(node, &mut position) {
            Leaf::Exact(value) => self.params.exact(value),
            Leaf::Open => self.evaluate(&position),
        };
        self.back_up(result, base_depth);
    }

    /// Adds the sums of the path to the tree and cancels `unused` visits.
    fn flush_sums(&mut self, unused: u32) {
        let mut position = *self.position;
        for index in 0..self.path.len() {
            let PathEntry { node, step, edge, ref sums, .. } = self.path[index];
            edge.add_results(sums, self.counting);
            if unused > 0 {
                edge.cancel_visits(unused);
            }
            let before = node.add_results(sums, self.counting);
            // Several visits at once may skip the power of two at which the history learns and the
            // node is refined, so both happen if one was reached or skipped.
            let doublings = (before + sums.visits).ilog2();
            if sums.visits > 0 && doublings > before.max(1).ilog2() {
                self.refine_after(node, &position, 1 << doublings);
            }
            position.make(step);
        }
    }

    /// Selection: follows the best steps from `node` to a leaf, which it leaves in `position`, and
    /// extends `path`.
    fn descend(&mut self, mut node: Node<'a>, position: &mut Position) -> Leaf {
        // What the parent expects of `node`, for the mover there; unknown at the root.
        let mut first_value = 0.5;
        loop {
            if let Some(value) = node.bounds().exact() {
                return Leaf::Exact(value);
            }
            let mover = position.side();
            let Some(chosen) = self.choose(node, mover, first_value) else { return Leaf::Open };
            let ChosenStep { index, edge, is_new } = chosen;
            if !is_new {
                first_value = edge.utility();
            }
            // Before the step is evaluated, so that other threads see the visit in progress.
            edge.begin_visits(1, self.counting);
            let step = node.step(index).0;
            position.make(step);
            let sums = Sums::default();
            self.path.push(PathEntry { node, mover, step, edge, has_new_bounds: false, sums });
            if is_new {
                return self.first_visit(edge, position);
            }
            let Some(child) = self.expand(edge, position) else {
                // The leaf is evaluated without a node: an iteration that has begun counts, and its
                // visits must not stay in progress.
                self.barrier.request();
                return Leaf::Open;
            };
            // Another path may have proved something about a shared child.
            if edge.tighten(child.bounds()) {
                self.mark_new_bounds();
            }
            // After a first tile the same player moves again.
            if position.side() != mover {
                first_value = 1.0 - first_value;
            }
            node = child;
        }
    }

    /// The step to follow in `node`, opened if it was not. `None` when the iteration must end here:
    /// no step can change the node's bounds, another thread is opening the first step, or the
    /// memory is full.
    fn choose(&mut self, node: Node<'a>, mover: Color, first_value: f32) -> Option<ChosenStep<'a>> {
        let pool = self.tree.pool();
        let at_root = self.path.is_empty();
        let exploration = self.exploration.filter(|_| at_root);
        let forced = exploration.map_or(0.0, |exploration| exploration.forced);
        let mut selection = Selection { mover, first_value, forced, may_open: true };
        loop {
            let index = match select(node, pool, self.params, selection)? {
                NextStep::Edge(index, edge) => {
                    return Some(ChosenStep { index, edge, is_new: false });
                }
                NextStep::Open(index) => index,
            };
            match node.open(pool, &mut self.workspace.allocator, index) {
                Ok(edge) => return Some(ChosenStep { index, edge, is_new: true }),
                // No waiting: the other thread may be suspended for long. If no other step is open,
                // `select` finds none and the iteration ends.
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

    /// Expansion: returns the node behind `edge`, which is made on the edge's second visit. Solves
    /// small endings and refines priors when due. `None` when the memory is full.
    fn expand(&mut self, edge: Edge<'a>, position: &Position) -> Option<Node<'a>> {
        let old_address = edge.child();
        let Worker { evaluator, history, root_moves, .. } = self;
        let list = |position: &Position, steps: &mut Vec<_>| {
            list_steps(evaluator, Evaluator::priors, *root_moves, position, steps);
            history.correct(position.side(), steps);
        };
        let child = match old_address {
            Some(address) => self.tree.current_node(address, &mut self.workspace)?,
            None if self.params.transpositions => {
                self.tree.find_or_add(position, &mut self.workspace, list)?
            }
            None => self.tree.add(position, &mut self.workspace, list)?,
        };
        // Only when the node is new. Two threads may solve it at the same time, which is harmless.
        if child.visits() == 0
            && child.bounds() == Bounds::UNKNOWN
            && size_estimate(position) <= self.params.leaf_size as u32
        {
            let bounds = self.leaf_solver.solve_leaf(position, self.params.leaf_nodes as u64);
            child.tighten(bounds);
        }
        self.refine(child, position);
        // After all writes to the child: storing its address publishes them.
        if old_address != Some(child.address) {
            edge.set_child(old_address, child.address);
        }
        Some(child)
    }

    /// Refines the priors of `node` once it has enough visits. Whenever its visits have doubled,
    /// corrects the priors again with what the history has learnt meanwhile, and lets the history
    /// learn from the node.
    fn refine(&mut self, node: Node<'a>, position: &Position) {
        self.refine_after(node, position, node.visits());
    }

    /// [`Self::refine`] for a node that has reached `visits`.
    fn refine_after(&mut self, node: Node<'a>, position: &Position, visits: u32) {
        let (params, mover) = (self.params, position.side());
        let learns = History::is_due(visits, params);
        let refines = visits >= params.refine_after as u32 && !node.is_refined();
        // A solved node is never selected from again.
        if !(refines || learns) || node.bounds().exact().is_some() {
            return;
        }
        let Worker { evaluator, history, root_moves, .. } = self;
        let Workspace { steps, keys, .. } = &mut self.workspace;
        list_steps(evaluator, Evaluator::refined_priors, *root_moves, position, steps);
        // The history learns the error of the prior alone. Priors that it has corrected itself
        // would hide that error from it.
        let uncorrected = learns.then(|| steps.clone());
        history.correct(mover, steps);
        node.refine(self.tree.pool(), steps, keys);
        if let Some(uncorrected) = uncorrected {
            history.learn(node, self.tree.pool(), mover, &uncorrected, params);
        }
    }

    /// Evaluation: White's value of `position`, a blend of its static evaluation and the evaluation
    /// of the end of a rollout.
    fn evaluate(&mut self, position: &Position) -> SearchValue {
        let params = self.params;
        let (turns, static_share) = match self.evaluator.kind() {
            EvaluatorKind::Linear => {
                (params.rollout_turns_on(position.size()), params.static_share)
            }
            EvaluatorKind::Rollout => (u32::MAX, params.rollout_share),
        };
        // Without rollouts there is only the leaf's evaluation, whatever its share.
        let share = if turns == 0 { 1.0 } else { static_share as f32 };
        let leaf_value =
            (share > 0.0).then(|| self.white_value(position, self.evaluator.evaluate(position)));
        if turns == 0
            && let Some(leaf_value) = leaf_value
        {
            return leaf_value;
        }
        let mut end = *position;
        rollout(&mut end, turns, &mut self.random);
        // A finished game needs no estimate.
        let end_value = if end.is_over() {
            params.exact(end.outcome().into())
        } else {
            self.white_value(&end, self.evaluator.evaluate_end(&end))
        };
        let Some(leaf_value) = leaf_value else { return end_value };
        let blend = |end: f32, leaf: f32| end + share * (leaf - end);
        SearchValue {
            utility: blend(end_value.utility, leaf_value.utility),
            win: blend(end_value.win, leaf_value.win),
            lead: blend(end_value.lead, leaf_value.lead),
        }
    }

    /// White's value for an evaluation of `position` by its side to move.
    fn white_value(&self, position: &Position, evaluation: Evaluation) -> SearchValue {
        let Evaluation { win, lead } = evaluation;
        let value = SearchValue { utility: self.params.utility(win, lead), win, lead };
        value.seen_by(position.side())
    }

    /// Backup: adds White's result to all edges and nodes of the path, from the leaf to the root;
    /// in entries above `base_depth`, only to their sums. New bounds travel up as long as they
    /// tighten the node above, and every node clamps the result to its bounds.
    fn back_up(&mut self, mut result: SearchValue, base_depth: usize) {
        let pool = self.tree.pool();
        let mut has_new_bounds = false;
        for depth in (0..self.path.len()).rev() {
            let PathEntry { node, mover, edge, has_new_bounds: edge_has_new_bounds, .. } =
                self.path[depth];
            // Only where an edge has new bounds: combining the bounds of all edges on every path
            // would cost as much as selection.
            if has_new_bounds || edge_has_new_bounds {
                self.path[depth].has_new_bounds = false;
                let proved = bounds_from_edges(node, pool, mover);
                has_new_bounds = node.tighten(proved);
                if has_new_bounds && let Some(above) = depth.checked_sub(1) {
                    self.path[above].edge.tighten(node.bounds());
                }
            }
            // The edge gets the result from below, the node the clamped result.
            let clamped = self.params.clamp(result, node.bounds());
            let sums = &mut self.path[depth].sums;
            sums.add(result, clamped, mover);
            if depth >= base_depth {
                edge.add_results(sums, self.counting);
                node.add_results(sums, self.counting);
            }
            result = clamped;
        }
    }
}

/// The bounds of `node` that follow from those of its steps: the mover gets at least the best lower
/// bound and at most the best upper bound, which is unknown while a step is unopened.
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
pub(super) enum NextStep<'a> {
    /// An opened step: its index and its edge.
    Edge(usize, Edge<'a>),
    /// The index of the next step to open: the unopened one with the highest prior.
    Open(usize),
}

/// Steps that progressive widening always permits. Set by judgement together with
/// [`Params::widening`]: 4 + 2√n, +48 Elo [-20, +116]. It is also the number of edges that are
/// stored in the node itself.
const MIN_WIDTH: f32 = 4.0;

/// The settings of a selection in one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    pub(super) mover: Color,
    /// The value of unopened steps while the node has no visits: what its parent expects of it.
    pub(super) first_value: f32,
    /// The factor of forced visits ([`needs_forced_visit`]); 0 is none.
    pub(super) forced: f32,
    /// Whether a step may be opened.
    pub(super) may_open: bool,
}

/// The step with the highest upper confidence bound (PUCT) among those that can still change the
/// node's bounds; `None` when there is no such step. The bound of a step with utility Q, prior P
/// and n visits, in a node with N, is Q + `exploration`·P·√N/(1 + n).
///
/// Unopened steps share one value (first-play urgency), so only the one with the highest prior
/// competes. A step short of forced visits goes first.
///
/// With progressive widening a node of n visits opens at most 4 + `widening`·√n steps. The limit
/// concentrates the visits on the likeliest steps, even while the values of the opened ones fall.
#[inline(never)]
pub(super) fn select<'a>(
    node: Node<'a>,
    pool: &'a NodePool,
    params: &Params,
    selection: Selection,
) -> Option<NextStep<'a>> {
    let Selection { mover, first_value, forced, may_open } = selection;
    let total = node.visits();
    let exploration = params.exploration as f32 * (total.max(1) as f32).sqrt();
    let floor = node.bounds().seen_by(mover).lower;
    // Other threads change the numbers meanwhile. A mean may then mix two moments, but the next
    // selection sees better ones.
    let mut best = None;
    let mut highest = f32::NEG_INFINITY;
    let mut opened_prior = 0.0;
    let mut opened = 0;
    for block in node.blocks(pool) {
        for (edge, index) in block.iter().map(Edge).zip(opened..) {
            let (visits, prior) = (edge.visits(), edge.prior());
            opened_prior += prior;
            let settled = || edge.has_bounds() && is_settled(edge, mover, floor);
            if forced > 0.0
                && visits > 0
                && needs_forced_visit(visits, prior, total, forced)
                && !settled()
            {
                return Some(NextStep::Edge(index, edge));
            }
            // NaN while unvisited, between the opening of a step by another thread and its first
            // visit. Every comparison with NaN is false, so it is not selected.
            let bound = edge.utility() + exploration * prior / (1 + visits) as f32;
            // The bounds are read last and rarely: few edges exceed the highest bound so far.
            if bound > highest && !settled() {
                (best, highest) = (Some(NextStep::Edge(index, edge)), bound);
            }
        }
        opened += block.len();
    }
    let widening = params.widening as f32;
    let is_wide = widening > 0.0 && opened as f32 >= MIN_WIDTH + widening * (total as f32).sqrt();
    // If all opened steps are settled, the proof of the node needs another one.
    if may_open && opened < node.len() && !(is_wide && best.is_some()) {
        let (_, prior) = node.step(opened);
        let value = if total == 0 { first_value } else { node.mean().utility };
        // The more of the prior has been opened, the less is left to hope for.
        let value = value - params.first_play_reduction as f32 * opened_prior.sqrt();
        let bound = value + exploration * prior;
        if bound > highest {
            best = Some(NextStep::Open(opened));
        }
    }
    best
}

/// Whether the step is solved, or cannot gain more than `floor`, of which the mover is sure
/// already. Visits to it cannot change the node's bounds.
fn is_settled(edge: Edge<'_>, mover: Color, floor: Value) -> bool {
    let bounds = edge.bounds().seen_by(mover);
    bounds.exact().is_some() || bounds.upper <= floor
}

/// Lists the steps of a position with their priors.
type Priors = fn(&Evaluator, &Position, &mut Vec<(Step, f32)>);

/// Fills `steps` with the steps of `position` that `root_moves` allows, with priors that sum to 1.
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
