//! How an [`Analysis`] is read from the tree below one position: moves and first points with their
//! values and principal variations, and positions drawn for [`Ownership`].
//!
//! The tree stores steps, but people want moves. A move of two tiles is in the tree twice, once for
//! each order of its tiles, below different first tiles:
//!
//! ```text
//! root ──a──► after a ──b──┐
//!                          ├──► position after a,b
//! root ──b──► after b ──a──┘
//! ```
//!
//! Its visits are the sum over both last edges, its utility their mean weighted by visits
//! ([`Statistics`]). Win rate and lead are those of the common position, which knows more: it has
//! the results of both orders and of earlier searches. A move visited once has no node yet; its
//! numbers come from its edge and from the node before it.
//!
//! The tree may be read while other threads search it. The numbers of one analysis may then belong
//! to slightly different moments, which `Analysis` evens out at the end.

use std::collections::BTreeMap;

use super::analysis::{Analysis, Candidate, PointInfo, RootInfo};
use super::choice;
use super::ownership::Ownership;
use super::params::Params;
use super::task::SearchTask;
use super::tree::Tree;
use super::tree::bounds::{Bounds, lead_for};
use super::tree::edge::Edge;
use super::tree::node::Node;
use crate::board::Cell;
use crate::eval::Random;
use crate::game::{Move, Position, Step};

/// Standard errors from the mean to [`Candidate::lcb`]: a two-sided interval of 95 %. This is what
/// an analysis shows; the engine chooses by [`Params::confidence`].
const LCB_ERRORS: f32 = 1.96;

/// Most moves in a principal variation, the candidate included. Not tuned: it keeps the output
/// short.
const MAX_PV_LENGTH: usize = 20;

/// Samples in an estimate of ownership. A probability near ½ then has a standard error of 2.5 %;
/// halving the error takes four times as many.
const OWNERSHIP_SAMPLES: u32 = 400;

/// The tree below one position.
pub(super) struct TreeView<'a> {
    tree: &'a Tree,
    params: &'a Params,
    position: &'a Position,
}

/// The edge of a move's last step, for one order of its tiles.
#[derive(Clone, Copy)]
struct LastStep<'a> {
    edge: Edge<'a>,
    prior: f32,
    /// White's mean lead before the step: a move visited once has no node of its own yet.
    parent_lead: f32,
}

/// The lower confidence bound of a win rate with this standard error.
fn lower_bound(winrate: f64, error: f32) -> f64 {
    (winrate - f64::from(LCB_ERRORS * error)).max(0.0)
}

/// Means over the sources of a move.
struct Statistics {
    visits: f32,
    /// The mover's mean utility.
    mean: f32,
    /// Standard error of `mean`.
    error: f32,
    /// White's mean lead before the last step.
    parent_lead: f32,
    prior: f32,
    bounds: Bounds,
}

impl Statistics {
    /// Combines the sources, at least one of which must have visits. The bounds are those of one
    /// and the same move.
    fn of<'s>(sources: impl IntoIterator<Item = &'s LastStep<'s>>) -> Statistics {
        let (mut visits, mut utility, mut squares, mut prior) = (0.0, 0.0, 0.0, 0.0);
        let (mut lead, mut bounds) = (0.0, Bounds::UNKNOWN);
        for source in sources {
            prior += source.prior;
            if source.edge.visits() == 0 {
                continue;
            }
            let (count, mean) = (source.edge.visits() as f32, source.edge.utility());
            visits += count;
            utility += count * mean;
            squares += count * (source.edge.variance() + mean * mean);
            lead += count * source.parent_lead;
            bounds = bounds.and(source.edge.bounds());
        }
        let mean = utility / visits;
        let error = ((squares / visits - mean * mean).max(0.0) / visits).sqrt();
        Statistics { visits, mean, error, parent_lead: lead / visits, prior, bounds }
    }
}

impl<'a> TreeView<'a> {
    /// The tree below the position of `task`.
    pub(super) fn of(task: &SearchTask<'a>) -> TreeView<'a> {
        let SearchTask { tree, position, config, .. } = *task;
        TreeView { tree, params: &config.params, position }
    }

    /// The analysis so far, with first points if asked; `None` when the position is not in the
    /// tree.
    pub(super) fn analysis(&self, with_points: bool) -> Option<Analysis> {
        let root = self.tree.find(self.position.hash())?;
        let mover = self.position.side();
        let mean = root.mean();
        let info = RootInfo {
            winrate: mean.win.into(),
            lead: lead_for(mean.lead, mover).into(),
            visits: root.visits().into(),
            bounds: root.bounds(),
        };
        let mut analysis = Analysis::of_root(self.position, info);
        analysis.moves = self.candidates(root);
        if with_points {
            analysis.points = self.points(root, &analysis.moves);
        }
        analysis.count_visits();
        if let Some(best) = self.best(root) {
            analysis.put_first(best);
        }
        Some(analysis)
    }

    /// Ownership, estimated by following lines of the tree at random, steps in proportion to their
    /// visits, and playing them to the end.
    pub(super) fn ownership(&self, seed: u64) -> Ownership {
        self.estimate_ownership(seed, OWNERSHIP_SAMPLES)
    }

    /// [`TreeView::ownership`] after `mv`, with a quarter of the samples: there are many moves, and
    /// each only has to be compared with the others.
    pub(super) fn ownership_after(&self, mv: Move, seed: u64) -> Ownership {
        let after = self.position.after_legal_move(mv);
        TreeView { position: &after, ..*self }.estimate_ownership(seed, OWNERSHIP_SAMPLES / 4)
    }

    fn estimate_ownership(&self, seed: u64, samples: u32) -> Ownership {
        let mut random = Random::new(seed ^ self.position.hash());
        let geometry = self.position.geometry();
        Ownership::estimate(geometry, samples, &mut random, |random| self.sample(random))
    }

    /// The move that the engine would play if the search ended now.
    fn best(&self, root: Node<'a>) -> Option<Move> {
        let mover = self.position.side();
        let (step, edge) = choice::best_step(self.tree, root, mover, self.params);
        let edge = edge?;
        let Step::Tile(first) = step else { return step.as_move() };
        let half = root.child(self.tree.pool(), edge)?;
        match choice::best_step(self.tree, half, mover, self.params) {
            (Step::Tile(second), Some(_)) => Some(Move::tiles(first, second)),
            _ => None,
        }
    }

    /// All visited moves, sorted by proved bounds, then by visits.
    fn candidates(&self, root: Node<'a>) -> Vec<Candidate> {
        let pool = self.tree.pool();
        let mut sources: Vec<(Move, LastStep<'a>)> = Vec::new();
        for (index, edge) in root.edges(pool).enumerate() {
            let (step, prior) = root.step(index);
            let parent_lead = root.mean().lead;
            let Step::Tile(first) = step else {
                let source = LastStep { edge, prior, parent_lead };
                sources.extend(step.as_move().map(|mv| (mv, source)));
                continue;
            };
            let Some(half) = root.child(pool, edge) else { continue };
            let parent_lead = half.mean().lead;
            for (index, edge) in half.edges(pool).enumerate() {
                let (Step::Tile(second), share) = half.step(index) else { continue };
                let source = LastStep { edge, prior: prior * share, parent_lead };
                sources.push((Move::tiles(first, second), source));
            }
        }
        // Brings both orders of a move together.
        sources.sort_by_key(|&(mv, _)| mv);
        let is_visited = |sources: &&[(Move, LastStep<'a>)]| {
            sources.iter().any(|(_, source)| source.edge.visits() > 0)
        };
        let moves = sources.chunk_by(|a, b| a.0 == b.0).filter(is_visited);
        let mut candidates: Vec<Candidate> = moves
            .map(|sources| {
                let mv = sources[0].0;
                let statistics = Statistics::of(sources.iter().map(|(_, source)| source));
                let after = self.position.after_legal_move(mv);
                let mut candidate = self.candidate(mv, &statistics, &after);
                self.extend(&mut candidate, after);
                candidate
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.sort_key(self.position.side()));
        candidates
    }

    /// The visited first points, sorted as moves are. `moves` are the visited moves.
    fn points(&self, root: Node<'a>, moves: &[Candidate]) -> Vec<PointInfo> {
        let mut points = Vec::new();
        let mut bridges_at: BTreeMap<Cell, Vec<(&Candidate, LastStep<'a>)>> = BTreeMap::new();
        for (index, edge) in root.edges(self.tree.pool()).enumerate() {
            if edge.visits() == 0 {
                continue;
            }
            let (step, prior) = root.step(index);
            let source = LastStep { edge, prior, parent_lead: root.mean().lead };
            match step {
                Step::Tile(cell) => points.extend(self.first_tile(root, cell, source)),
                Step::Bridge(site) => {
                    let bridge = moves.iter().find(|bridge| Some(bridge.mv) == step.as_move());
                    for end in site.ends() {
                        let bridge = bridge.map(|bridge| (bridge, source));
                        bridges_at.entry(end).or_default().extend(bridge);
                    }
                }
                Step::Pass | Step::Swap => {}
            }
        }
        let bridges_at = bridges_at.into_iter();
        points.extend(bridges_at.filter_map(|(cell, bridges)| self.bridge_end(cell, &bridges)));
        points.sort_by_key(|point| point.best.sort_key(self.position.side()));
        points
    }

    /// A first tile with the numbers of its edge, and the best move that begins with it.
    fn first_tile(&self, root: Node<'a>, cell: Cell, source: LastStep<'a>) -> Option<PointInfo> {
        let half = root.child(self.tree.pool(), source.edge)?;
        let mover = self.position.side();
        let Step::Tile(second) = choice::best_step(self.tree, half, mover, self.params).0 else {
            return None;
        };
        let mut after = *self.position;
        after.make(Step::Tile(cell));
        let statistics = Statistics::of([&source]);
        let mv = Move::tiles(cell, second);
        let mut best = self.candidate(mv, &statistics, &after);
        best.bounds = best.bounds.and(half.bounds());
        best.pv_visits = vec![self.visits(root, mv)];
        after.make(Step::Tile(second));
        self.extend(&mut best, after);
        Some(PointInfo { cell, best })
    }

    /// An end of bridges with the numbers of all their edges, and the most visited bridge.
    fn bridge_end(&self, cell: Cell, bridges: &[(&Candidate, LastStep<'a>)]) -> Option<PointInfo> {
        let mover = self.position.side();
        let (favourite, _) = bridges.iter().min_by_key(|(bridge, _)| bridge.sort_key(mover))?;
        if let [_] = bridges {
            return Some(PointInfo { cell, best: (*favourite).clone() });
        }
        let statistics = Statistics::of(bridges.iter().map(|(_, source)| source));
        // By visits: what the mover would get on average if the search went on as it did.
        let weighted_mean = |field: fn(&Candidate) -> f64| {
            let weighted = bridges.iter().map(|(bridge, _)| bridge.visits as f64 * field(bridge));
            weighted.sum::<f64>() / f64::from(statistics.visits)
        };
        let winrate = weighted_mean(|bridge| bridge.winrate);
        let lead = weighted_mean(|bridge| bridge.lead);
        // The mover chooses among the bridges.
        let bounds = bridges.iter().map(|(bridge, _)| bridge.bounds.seen_by(mover));
        let bounds = bounds
            .reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) });
        let best = Candidate {
            visits: statistics.visits as u64,
            winrate,
            lead,
            prior: statistics.prior.into(),
            lcb: lower_bound(winrate, statistics.error),
            bounds: bounds.unwrap_or(Bounds::UNKNOWN).seen_by(mover),
            ..(*favourite).clone()
        };
        Some(PointInfo { cell, best })
    }

    /// A move or first tile, whose principal variation is only itself so far. `after` is the
    /// position after it.
    fn candidate(&self, mv: Move, statistics: &Statistics, after: &Position) -> Candidate {
        let mover = self.position.side();
        let &Statistics { visits, mean, error, parent_lead, prior, bounds } = statistics;
        let node = self.tree.find(after.hash()).filter(|node| node.visits() > 0);
        let (winrate, lead) = match node.map(Node::mean) {
            Some(mean) if after.side() == mover => (mean.win, mean.lead),
            Some(mean) => (1.0 - mean.win, mean.lead),
            None => (mean, parent_lead),
        };
        let winrate = f64::from(winrate);
        Candidate {
            mv,
            visits: visits as u64,
            winrate,
            lead: lead_for(lead, mover).into(),
            prior: prior.into(),
            pv: vec![mv],
            pv_visits: vec![visits as u64],
            lcb: lower_bound(winrate, error),
            order: 0,
            bounds,
        }
    }

    /// Extends the principal variation of `candidate` by the best moves from `position` on, as long
    /// as they have visits.
    fn extend(&self, candidate: &mut Candidate, mut position: Position) {
        while candidate.pv.len() < MAX_PV_LENGTH && !position.is_over() {
            let Some(root) = self.tree.find(position.hash()) else { return };
            let below = TreeView { position: &position, ..*self };
            // The check guards against a node of another position with the same hash.
            let Some(best) = below.best(root).filter(|&mv| position.check(mv).is_ok()) else {
                return;
            };
            let count = below.visits(root, best);
            if count == 0 {
                return;
            }
            candidate.pv.push(best);
            candidate.pv_visits.push(count);
            let steps = best.steps();
            steps.for_each(|step| position.make(step));
        }
    }

    /// The visits of `mv`, over both orders of its tiles.
    fn visits(&self, root: Node<'a>, mv: Move) -> u64 {
        let pool = self.tree.pool();
        let find = |node: Node<'a>, is_wanted: &dyn Fn(Step) -> bool| {
            let mut edges = node.edges(pool).enumerate();
            edges.find(|&(index, _)| is_wanted(node.step(index).0)).map(|(_, edge)| edge)
        };
        let Move::Tiles(a, b) = mv else {
            let edge = find(root, &|step| step.as_move() == Some(mv));
            return edge.map_or(0, |edge| edge.visits().into());
        };
        let orders = [(a, b), (b, a)].map(|(first, second)| {
            let first = find(root, &|step| step == Step::Tile(first));
            let half = first.and_then(|edge| root.child(pool, edge));
            half.and_then(|half| find(half, &|step| step == Step::Tile(second)))
                .map_or(0, |edge| u64::from(edge.visits()))
        });
        orders.iter().sum()
    }

    /// The end of a random line of the tree: the first position without a visited step.
    fn sample(&self, random: &mut Random) -> Position {
        let mut position = *self.position;
        let mut node = self.tree.find(position.hash());
        while let Some(current) = node
            && !position.is_over()
        {
            let pool = self.tree.pool();
            // Visits may be added between this sum and the walk below. Then a step in front is a
            // little likelier; the walk always finds one if there was a visit.
            let total: u32 = current.edges(pool).map(Edge::visits).sum();
            let mut rest = random.below(total);
            let drawn = current.edges(pool).enumerate().find(|(_, edge)| {
                let is_drawn = rest < edge.visits();
                rest = rest.saturating_sub(edge.visits());
                is_drawn
            });
            let Some((index, edge)) = drawn else { break };
            position.make(current.step(index).0);
            node = current.child(pool, edge);
        }
        position
    }
}
