use super::params::Params;
use super::tree::{Edge, Node, Tree};
use crate::eval::{Random, playout};
use crate::game::{Color, Outcome, Ply, Position};

/// Visits after which all-moves-as-first values hardly move.
const SETTLED: u32 = 1024;

/// One in so many simulations still counts for them then.
const SETTLED_SHARE: u32 = 8;

/// One thread's part of a search.
pub(super) struct Worker<'a> {
    tree: &'a Tree,
    params: &'a Params,
    root: &'a Node,
    position: &'a Position,
    /// Whether other threads work on the tree.
    is_shared: bool,
    random: Random,
    /// The nodes left behind in this iteration, their movers, and the edges
    /// taken.
    path: Vec<(&'a Node, Color, &'a Edge)>,
    scratch: Vec<(Ply, f32)>,
}

impl<'a> Worker<'a> {
    /// A worker on the tree below `root`, the node of `position`.
    pub(super) fn new(
        tree: &'a Tree,
        params: &'a Params,
        root: &'a Node,
        position: &'a Position,
        is_shared: bool,
        seed: u64,
    ) -> Worker<'a> {
        let random = Random::new(seed);
        let (path, scratch) = (Vec::new(), Vec::new());
        Worker { tree, params, root, position, is_shared, random, path, scratch }
    }

    /// Selects a leaf, expands it if it has been visited before, plays it out
    /// and backs the result up.
    pub(super) fn iterate(&mut self) {
        let mut position = *self.position;
        let leaf = self.descend(&mut position);
        playout(&mut position, &mut self.random);
        self.back_up(leaf, &position);
    }

    /// Follows the best edges from the root to a node that has not been
    /// visited before, or where the game or the memory ends.
    fn descend(&mut self, position: &mut Position) -> &'a Node {
        self.path.clear();
        let mut node = self.root;
        let mut visits = node.enter();
        // The root is expanded at once, others on the second visit.
        while !position.is_over() && (visits > 0 || self.path.is_empty()) {
            let Some(edges) = self.tree.expand(node, position, &mut self.scratch) else { break };
            let mover = position.side();
            let known_only = self.tree.is_full();
            let Some(edge) = select(node, edges, mover, known_only, self.params) else { break };
            position.make(edge.ply);
            let Some(child) = self.tree.follow(edge, position, mover) else { break };
            edge.enter();
            self.path.push((node, mover, edge));
            node = child;
            visits = node.enter();
        }
        node
    }

    /// Credits the result of the finished game `end` to all nodes on the path
    /// and, all moves as first, to all edges whose ply was made in it.
    fn back_up(&self, leaf: &Node, end: &Position) {
        let white = result(end, self.params);
        leaf.reward(white);
        for &(node, mover, _) in &self.path {
            node.reward(white);
            // Every thread writes to the same few nodes near the root, which
            // costs most of what another thread brings; their values rest on
            // thousands of simulations, and a share of the further ones does.
            let visits = node.visits();
            if self.is_shared && visits > SETTLED && visits % SETTLED_SHARE != 0 {
                continue;
            }
            let reward = if mover == Color::White { white } else { 1.0 - white };
            let tiles = end.tiles(mover);
            for edge in node.edges().unwrap_or_default() {
                let made = match edge.ply {
                    Ply::Tile(cell) => tiles.contains(cell),
                    Ply::Bridge(site) => end.bridges().contains(site),
                    Ply::Pass | Ply::Swap => false,
                };
                if made {
                    edge.reward_amaf(reward);
                }
            }
        }
    }
}

/// The edge with the highest upper bound: PUCT over a value that moves from
/// all-moves-as-first to the edge's own as visits come in. With `known_only`,
/// when there is no memory for others, one of those that have a node.
fn select<'a>(
    node: &Node,
    edges: &'a [Edge],
    mover: Color,
    known_only: bool,
    params: &Params,
) -> Option<&'a Edge> {
    let parent_value = node.value_for(mover);
    let exploration = params.exploration * (node.visits() as f32).sqrt();
    let bound = |edge: &Edge| {
        let visits = edge.visits() as f32;
        let own = edge.child().and_then(Node::value);
        let (amaf_visits, amaf) = edge.amaf();
        let value = own.unwrap_or(parent_value - params.first_play_reduction);
        let trust = if amaf_visits == 0.0 {
            0.0
        } else {
            // Few simulations say little about the move, whoever made it.
            params.rave / (params.rave + visits) * amaf_visits / (amaf_visits + 20.0)
        };
        value + trust * (amaf - value) + exploration * edge.prior / (1.0 + visits)
    };
    let mut best: Option<(&Edge, f32)> = None;
    for edge in edges.iter().filter(|edge| !known_only || edge.child().is_some()) {
        let bound = bound(edge);
        if best.is_none_or(|(_, highest)| bound > highest) {
            best = Some((edge, bound));
        }
    }
    best.map(|(edge, _)| edge)
}

/// What a finished game is worth to White, 0 to 1: the result and a small
/// share for the margin, so that leads grow and defeats are kept close.
fn result(end: &Position, params: &Params) -> f32 {
    let won = match end.outcome() {
        Outcome::Draw => 0.5,
        outcome if outcome.winner() == Some(Color::White) => 1.0,
        Outcome::Win { .. } => 0.0,
    };
    let points = |color| f32::from(end.score(color).points);
    let margin = (points(Color::White) - points(Color::Red)) / params.margin_scale;
    let share = 0.5 + 0.5 * margin / (1.0 + margin.abs());
    won + params.margin_share * (share - won)
}
