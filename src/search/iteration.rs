use super::barrier::Barrier;
use super::bounds::Bounds;
use super::edge::{Counting, Edge};
use super::explore::Exploration;
use super::history::History;
use super::node::{Node, NotOpened, SearchValue};
use super::node_pool::NodePool;
use super::params::Params;
use super::root_moves::{RootMoves, list};
use super::select::{Choice, select};
use super::solver::{Solver, size_estimate};
use super::tree::{Tree, Workspace};

use crate::eval::{Evaluation, Evaluator, EvaluatorKind, Random, rollout};
use crate::game::{Color, Position, Value};

/// One thread's part of a search.
pub(super) struct Worker<'a> {
    tree: &'a Tree,
    params: &'a Params,
    evaluator: Evaluator,
    barrier: &'a Barrier,
    position: &'a Position,
    workspace: Workspace,
    random: Random,
    /// Solves what is nearly over.
    leaf: Solver,
    /// Whether it is the only worker in the tree.
    pub(super) counting: Counting,
    /// What disturbs the priors of the root, if anything does.
    pub(super) exploration: Option<&'a Exploration>,
    /// What may be looked at, if not everything.
    pub(super) root_moves: Option<&'a RootMoves>,
    path: Vec<PathEntry<'a>>,
    history: History,
}

/// Memory of each thread for solving leaves.
const LEAF_BYTES: usize = 1 << 18;

/// A node that an iteration left behind, and the step it took there.
struct PathEntry<'a> {
    node: Node<'a>,
    mover: Color,
    edge: Edge<'a>,
    /// Whether more has been proved of the position after the step than the
    /// node knew.
    is_news: bool,
}

impl<'a> Worker<'a> {
    /// A worker below the node of `position`.
    pub(super) fn new(
        tree: &'a Tree,
        params: &'a Params,
        evaluator: Evaluator,
        barrier: &'a Barrier,
        position: &'a Position,
        seed: u64,
    ) -> Worker<'a> {
        let (workspace, random, path) = (Workspace::default(), Random::new(seed), Vec::new());
        let (leaf, history) = (Solver::new(LEAF_BYTES), History::default());
        Worker {
            tree,
            params,
            evaluator,
            barrier,
            position,
            workspace,
            random,
            leaf,
            counting: Counting::Together,
            exploration: None,
            root_moves: None,
            path,
            history,
        }
    }

    /// Forgets where it has room in the tree, after that was made anew.
    pub(super) fn reset(&mut self) {
        self.workspace = Workspace::default();
    }

    /// Selects a leaf below `root`, the node of its position, evaluates it
    /// and backs the result up.
    pub(super) fn iterate(&mut self, root: Node<'a>) {
        let mut position = *self.position;
        // Disturbed priors are to stay so.
        if self.exploration.is_none() {
            self.study(root, &position);
        }
        let white = self.descend(root, &mut position);
        self.back_up(white);
    }

    /// Follows the best steps from the root to a position that has not been
    /// visited before, or where the game, the memory or the doubt ends, and
    /// returns what that is worth to White.
    fn descend(&mut self, root: Node<'a>, position: &mut Position) -> SearchValue {
        self.path.clear();
        let pool = self.tree.pool();
        let mut node = root;
        let mut value = 0.5;
        let mut may_open = true;
        loop {
            let mover = position.side();
            if let Some(value) = node.bounds().exact() {
                return self.params.exact(value);
            }
            let exploration = self.exploration.filter(|_| self.path.is_empty());
            let forced = exploration.map_or(0.0, |exploration| exploration.forced);
            match select(node, pool, mover, value, forced, may_open, self.params) {
                // Another thread has proved it just now, or opens the first
                // of its steps.
                None => return self.evaluate(position),
                Some(Choice::Open(index)) => {
                    let allocator = &mut self.workspace.allocator;
                    let edge = match node.open(pool, allocator, index) {
                        Ok(edge) => edge,
                        // Whoever has it may be held up for long.
                        Err(NotOpened::Taken) => {
                            may_open = false;
                            continue;
                        }
                        Err(NotOpened::NoMemory) => {
                            self.barrier.request();
                            return self.evaluate(position);
                        }
                    };
                    edge.enter(self.counting);
                    position.make(node.step(index).0);
                    let is_news = position.is_over();
                    self.path.push(PathEntry { node, mover, edge, is_news });
                    if !is_news {
                        return self.evaluate(position);
                    }
                    let value = Value::from(position.outcome());
                    edge.tighten(Bounds::of(value));
                    return self.params.exact(value);
                }
                Some(Choice::Edge(index, edge)) => {
                    value = edge.utility();
                    edge.enter(self.counting);
                    position.make(node.step(index).0);
                    self.path.push(PathEntry { node, mover, edge, is_news: false });
                    let Some(child) = self.follow(edge, position) else {
                        self.barrier.request();
                        return self.evaluate(position);
                    };
                    if edge.tighten(child.bounds())
                        && let Some(entry) = self.path.last_mut()
                    {
                        entry.is_news = true;
                    }
                    if position.side() != mover {
                        value = 1.0 - value;
                    }
                    node = child;
                    may_open = true;
                }
            }
        }
    }

    /// The node that `edge` leads to, where `position` is, after what is due
    /// there; `None` when there is no memory for it.
    fn follow(&mut self, edge: Edge<'a>, position: &Position) -> Option<Node<'a>> {
        let before = edge.child();
        let Worker { evaluator, history, root_moves, .. } = self;
        let plain = |position: &Position, steps: &mut Vec<_>| {
            list(evaluator, Evaluator::priors, *root_moves, position, steps);
            history.bend(position.side(), steps);
        };
        let child = match before {
            Some(address) => self.tree.current(address, &mut self.workspace)?,
            None if self.params.transpositions < 0.5 => {
                self.tree.add(position, &mut self.workspace, plain)?
            }
            None => self.tree.node(position, &mut self.workspace, plain)?,
        };
        if child.visits() == 0
            && child.bounds() == Bounds::UNKNOWN
            && size_estimate(position) <= self.params.leaf_size as u32
        {
            child.tighten(self.leaf.solve_leaf(position, self.params.leaf_nodes as u64));
        }
        self.study(child, position);
        if before != Some(child.address) {
            edge.set_child(before, child.address);
        }
        Some(child)
    }

    /// Refines the priors of `node`, where `position` is, when it was visited
    /// often enough. Each time its visits have doubled, refines them anew with
    /// what was learnt meanwhile, and learns from it.
    fn study(&mut self, node: Node<'a>, position: &Position) {
        let (params, visits, mover) = (self.params, node.visits(), position.side());
        let learns = History::is_due(visits, params);
        let refines = visits >= params.refine_after as u32 && !node.is_refined();
        if !(refines || learns) || node.bounds().exact().is_some() {
            return;
        }
        let Worker { evaluator, history, root_moves, .. } = self;
        let Workspace { steps, keys, .. } = &mut self.workspace;
        list(evaluator, Evaluator::refined_priors, *root_moves, position, steps);
        let unbent = learns.then(|| steps.clone());
        history.bend(mover, steps);
        node.refine(self.tree.pool(), steps, keys);
        if let Some(unbent) = unbent {
            history.learn(node, self.tree.pool(), mover, &unbent, params);
        }
    }

    /// What `position` is worth to White: a share of what is thought of it at
    /// once, the rest what comes of a rollout of some turns.
    fn evaluate(&mut self, position: &Position) -> SearchValue {
        let params = self.params;
        let value_of = |position: &Position, Evaluation { win, lead }: Evaluation| {
            let value_of = SearchValue { utility: params.utility(win, lead), win, lead };
            value_of.seen_by(position.side())
        };
        let (turns, share) = match self.evaluator.kind() {
            EvaluatorKind::Linear => {
                (params.rollout_turns_on(position.size()), params.static_share)
            }
            EvaluatorKind::Rollout => (u32::MAX, params.rollout_share),
        };
        let share = if turns == 0 { 1.0 } else { share as f32 };
        let at_once = (share > 0.0).then(|| value_of(position, self.evaluator.evaluate(position)));
        if turns == 0
            && let Some(at_once) = at_once
        {
            return at_once;
        }
        let mut end = *position;
        rollout(&mut end, turns, &mut self.random);
        let found = if end.is_over() {
            params.exact(end.outcome().into())
        } else {
            value_of(&end, self.evaluator.evaluate_end(&end))
        };
        let Some(at_once) = at_once else { return found };
        let mix = |a: f32, b: f32| a + share * (b - a);
        SearchValue {
            utility: mix(found.utility, at_once.utility),
            win: mix(found.win, at_once.win),
            lead: mix(found.lead, at_once.lead),
        }
    }

    /// Credits White's result to all nodes on the path, and works out what
    /// is proved of them.
    fn back_up(&mut self, mut white: SearchValue) {
        let pool = self.tree.pool();
        let mut is_news = false;
        for (number, entry) in self.path.iter().enumerate().rev() {
            entry.edge.reward(white.seen_by(entry.mover).utility, self.counting);
            if is_news || entry.is_news {
                let proved = proved_of(entry.node, pool, entry.mover);
                is_news = entry.node.tighten(proved);
                if is_news && let Some(before) = number.checked_sub(1) {
                    self.path[before].edge.tighten(entry.node.bounds());
                }
            }
            white = self.params.within(entry.node.bounds(), white);
            entry.node.reward(white.seen_by(entry.mover), white.lead, self.counting);
        }
    }
}

/// What follows for `node` from what is proved of its steps: `mover` gets at
/// least what the best of them gives him for sure, and at most what the best
/// may give him.
fn proved_of(node: Node<'_>, pool: &NodePool, mover: Color) -> Bounds {
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
