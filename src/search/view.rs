//! How an [`Analysis`] is read from the tree below one position: moves and first
//! points with their values and lines, and the ownership of cells and bridge sites at
//! the end of the game, estimated by sampling.
//!
//! The tree knows steps, people want moves. A move of two tiles stands in the tree twice, once
//! for each order, below different first tiles:
//!
//! ```text
//! root ──a──► after a ──b──┐
//!                          ├──► position after a,b
//! root ──b──► after b ──a──┘
//! ```
//!
//! Its visits are the sum over both last edges, its utility their weighted mean
//! ([`Statistics`]). Win rate and lead
//! are those of the common position, which has seen more: all that the search learnt there in
//! either order, or in an earlier search. Only a move visited once has no node yet; its numbers
//! come from its edge and from the node before it.
//!
//! The tree may be read while other threads search it. The numbers of one analysis may then
//! belong to slightly different moments, which `Analysis` evens out at the end.

use std::collections::BTreeMap;

use serde::Serialize;

use super::analysis::{Analysis, Candidate, DECIMALS, PointInfo, RootInfo, rounded};
use super::choice;
use super::params::Params;
use super::task::SearchTask;
use super::tree::Tree;
use super::tree::bounds::{Bounds, lead_for};
use super::tree::edge::Edge;
use super::tree::node::Node;
use crate::board::{Cell, Cells, Geometry, Site, Size};
use crate::eval::{Random, rollout};
use crate::game::{Color, Move, Position, Step, Value};

/// Standard errors from the mean to [`Candidate::lcb`]: a two-sided interval of 95 %. This is
/// what an analysis shows; the engine chooses by [`Params::confidence`].
const LCB_ERRORS: f32 = 1.96;

/// Turns of a principal variation, the candidate included. Chosen, to keep an analysis short.
const LONGEST_LINE: usize = 20;

/// Samples of an estimate of ownership. Chosen: a probability near ½ then has a standard error
/// of 2.5 %, half of it with four times the time.
const OWNERSHIP_SAMPLES: u32 = 400;

/// The tree below one position.
pub(super) struct TreeView<'a> {
    tree: &'a Tree,
    params: &'a Params,
    position: &'a Position,
}

/// The edge of a move's last step, for one order of its tiles.
#[derive(Clone, Copy)]
struct Source<'a> {
    edge: Edge<'a>,
    prior: f32,
    /// White's mean lead before the step: a move visited once has no node of
    /// its own yet.
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
    /// Combines the sources, at least one of which must have visits. The bounds are
    /// those of one and the same move.
    fn of<'s>(sources: impl IntoIterator<Item = &'s Source<'s>>) -> Statistics {
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

    /// The analysis so far, with first points if asked; `None` when the position is
    /// not in the tree.
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

    /// Ownership, estimated by following lines of the tree at random, steps in
    /// proportion to their visits, and playing them to the end.
    pub(super) fn ownership(&self, seed: u64) -> Ownership {
        self.estimate_ownership(seed, OWNERSHIP_SAMPLES)
    }

    /// [`TreeView::ownership`] after `mv`, with a quarter of the samples: there are many moves, and
    /// each only has to be compared with the others.
    pub(super) fn ownership_after(&self, mv: Move, seed: u64) -> Ownership {
        let mut after = *self.position;
        self.position.steps_of(mv).for_each(|step| after.make(step));
        TreeView { position: &after, ..*self }.estimate_ownership(seed, OWNERSHIP_SAMPLES / 4)
    }

    fn estimate_ownership(&self, seed: u64, samples: u32) -> Ownership {
        let mut random = Random::new(seed ^ self.position.hash());
        let geometry = self.position.geometry();
        Ownership::estimate(geometry, samples, &mut random, |random| self.sample(random))
    }

    /// The move that would be played if the search ended now.
    fn best(&self, root: Node<'a>) -> Option<Move> {
        let mover = self.position.side();
        let (step, edge) = choice::best_step(self.tree, root, mover, self.params);
        let edge = edge?;
        let Step::Tile(first) = step else { return step.whole_turn() };
        let half = root.child(self.tree.pool(), edge)?;
        match choice::best_step(self.tree, half, mover, self.params) {
            (Step::Tile(second), Some(_)) => Some(Move::tiles(first, second)),
            _ => None,
        }
    }

    /// All visited moves, sorted by proved bounds, then by visits.
    fn candidates(&self, root: Node<'a>) -> Vec<Candidate> {
        let pool = self.tree.pool();
        let mut sources: Vec<(Move, Source<'a>)> = Vec::new();
        for (index, edge) in root.edges(pool).enumerate() {
            let (step, prior) = root.step(index);
            let parent_lead = root.mean().lead;
            let Step::Tile(first) = step else {
                let source = Source { edge, prior, parent_lead };
                sources.extend(step.whole_turn().map(|mv| (mv, source)));
                continue;
            };
            let Some(half) = root.child(pool, edge) else { continue };
            let parent_lead = half.mean().lead;
            for (index, edge) in half.edges(pool).enumerate() {
                let (Step::Tile(second), share) = half.step(index) else { continue };
                let source = Source { edge, prior: prior * share, parent_lead };
                sources.push((Move::tiles(first, second), source));
            }
        }
        // Brings both orders of a move together.
        sources.sort_by_key(|&(mv, _)| mv);
        let is_seen = |sources: &&[(Move, Source<'a>)]| {
            sources.iter().any(|(_, source)| source.edge.visits() > 0)
        };
        let moves = sources.chunk_by(|a, b| a.0 == b.0).filter(is_seen);
        let mut candidates: Vec<Candidate> = moves
            .map(|sources| {
                let mv = sources[0].0;
                let statistics = Statistics::of(sources.iter().map(|(_, source)| source));
                let mut after = *self.position;
                self.position.steps_of(mv).for_each(|step| after.make(step));
                let mut turn = self.candidate(mv, &statistics, &after);
                self.extend(&mut turn, after);
                turn
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.rank(self.position.side()));
        candidates
    }

    /// The visited first points, sorted like moves; `turns` are the visited moves.
    fn points(&self, root: Node<'a>, turns: &[Candidate]) -> Vec<PointInfo> {
        let mut points = Vec::new();
        let mut of_bridges: BTreeMap<Cell, Vec<(&Candidate, Source<'a>)>> = BTreeMap::new();
        for (index, edge) in root.edges(self.tree.pool()).enumerate() {
            let (step, prior) = root.step(index);
            let source = Source { edge, prior, parent_lead: root.mean().lead };
            let turn_of = |step: Step| turns.iter().find(|turn| Some(turn.mv) == step.whole_turn());
            match step {
                _ if edge.visits() == 0 => {}
                Step::Tile(cell) => points.extend(self.first_tile(root, cell, source)),
                Step::Bridge(site) => {
                    let turn = turn_of(step).map(|turn| (turn, source));
                    site.ends()
                        .iter()
                        .for_each(|&end| of_bridges.entry(end).or_default().extend(turn));
                }
                Step::Pass | Step::Swap => {}
            }
        }
        let bridges = of_bridges.into_iter();
        points.extend(bridges.filter_map(|(cell, bridges)| self.bridge_end(cell, &bridges)));
        points.sort_by_key(|point| point.turn.rank(self.position.side()));
        points
    }

    /// A first tile with the numbers of its edge, and the best turn that begins with it.
    fn first_tile(&self, root: Node<'a>, cell: Cell, source: Source<'a>) -> Option<PointInfo> {
        let half = root.child(self.tree.pool(), source.edge)?;
        let mover = self.position.side();
        let Step::Tile(second) = choice::best_step(self.tree, half, mover, self.params).0 else {
            return None;
        };
        let mut after = *self.position;
        after.make(Step::Tile(cell));
        let statistics = Statistics::of([&source]);
        let mv = Move::tiles(cell, second);
        let mut turn = self.candidate(mv, &statistics, &after);
        turn.bounds = turn.bounds.and(half.bounds());
        turn.pv_visits = vec![self.visits(root, mv)];
        after.make(Step::Tile(second));
        self.extend(&mut turn, after);
        Some(PointInfo { cell, turn })
    }

    /// An end of bridges with the numbers of all their edges, and the most visited
    /// bridge.
    fn bridge_end(&self, cell: Cell, bridges: &[(&Candidate, Source<'a>)]) -> Option<PointInfo> {
        let mover = self.position.side();
        let (best, _) = bridges.iter().min_by_key(|(turn, _)| turn.rank(mover))?;
        if let [_] = bridges {
            return Some(PointInfo { cell, turn: (*best).clone() });
        }
        let statistics = Statistics::of(bridges.iter().map(|(_, source)| source));
        // By visits: what the mover would get on average if the search went on as it did.
        let weighted_mean = |of: fn(&Candidate) -> f64| {
            let sum: f64 = bridges.iter().map(|(turn, _)| turn.visits as f64 * of(turn)).sum();
            sum / f64::from(statistics.visits)
        };
        let (winrate, lead) = (weighted_mean(|turn| turn.winrate), weighted_mean(|turn| turn.lead));
        // The mover chooses among the bridges.
        let bounds = bridges.iter().map(|(turn, _)| turn.bounds.seen_by(mover));
        let bounds = bounds
            .reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) });
        let turn = Candidate {
            visits: statistics.visits as u64,
            winrate,
            lead,
            prior: statistics.prior.into(),
            lcb: lower_bound(winrate, statistics.error),
            bounds: bounds.unwrap_or(Bounds::UNKNOWN).seen_by(mover),
            ..(*best).clone()
        };
        Some(PointInfo { cell, turn })
    }

    /// A move or first tile without what follows it: `after` is the position behind it.
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

    /// Appends the best moves from `position` on to the principal variation of `turn`,
    /// as far as they have visits.
    fn extend(&self, turn: &mut Candidate, mut position: Position) {
        while turn.pv.len() < LONGEST_LINE && !position.is_over() {
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
            turn.pv.push(best);
            turn.pv_visits.push(count);
            let steps = position.steps_of(best);
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
            let edge = find(root, &|step| step.whole_turn() == Some(mv));
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
        while let Some(at) = node
            && !position.is_over()
        {
            let pool = self.tree.pool();
            // Visits may be added between this sum and the walk below. Then a step in front is a
            // little likelier; the walk always finds one if there was a visit.
            let total: u32 = at.edges(pool).map(Edge::visits).sum();
            let mut rest = random.below(total);
            let drawn = at.edges(pool).enumerate().find(|(_, edge)| {
                let is_drawn = rest < edge.visits();
                rest = rest.saturating_sub(edge.visits());
                is_drawn
            });
            let Some((index, edge)) = drawn else { break };
            position.make(at.step(index).0);
            node = at.child(pool, edge);
        }
        position
    }
}

/// Probabilities that a cell ends up in an island, and that a bridge site is
/// built on.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Chances"))]
#[serde(into = "Chances")]
pub struct Ownership {
    /// By `Cell::index`: the probabilities for White and Red, 0 to 1.
    cells: Vec<[f32; 2]>,
    /// The sites built on in any sample, with the probabilities for White and
    /// Red.
    bridges: Vec<(Site, [f32; 2])>,
    /// Standard deviation of the final score in points.
    score_deviation: f32,
}

/// Bridge sites listed in JSON, the most probable ones. Chosen, to keep the text short: a board
/// has hundreds of sites.
const MAX_LISTED_BRIDGES: usize = 100;

/// [`Ownership`] in JSON: the chance of every cell that has one, and the bridges.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
struct Chances {
    white: BTreeMap<Cell, f64>,
    red: BTreeMap<Cell, f64>,
    bridges: Vec<BridgeChances>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
struct BridgeChances {
    bridge: Site,
    white: f64,
    red: f64,
}

impl From<Ownership> for Chances {
    fn from(ownership: Ownership) -> Chances {
        let chance = |share: f64| rounded(share, DECIMALS);
        let [white, red] = Color::BOTH.map(|color| {
            let cells = Cells::board(Size::MAX).into_iter();
            let chances = cells.map(|cell| (cell, chance(ownership.of_cell(cell, color))));
            chances.filter(|&(_, chance)| chance > 0.0).collect()
        });
        let bridges = ownership.bridges().take(MAX_LISTED_BRIDGES).map(|(bridge, [white, red])| {
            BridgeChances { bridge, white: chance(white), red: chance(red) }
        });
        Chances { white, red, bridges: bridges.collect() }
    }
}

impl Ownership {
    /// The probability that `cell` ends up in an island of `color`, 0 to 1.
    pub fn of_cell(&self, cell: Cell, color: Color) -> f64 {
        f64::from(self.cells.get(cell.index()).map_or(0.0, |shares| shares[color.index()]))
    }

    /// The bridge sites built on in any sample, the most probable first, with
    /// the probabilities for White and Red.
    pub fn bridges(&self) -> impl Iterator<Item = (Site, [f64; 2])> {
        self.bridges.iter().map(|&(site, shares)| (site, shares.map(f64::from)))
    }

    /// The standard deviation of the final score, in points.
    pub fn score_deviation(&self) -> f64 {
        self.score_deviation.into()
    }

    /// By cell, the difference of the chances of `color` and its opponent, -1 to 1.
    pub fn cell_share(&self, cell: Cell, color: Color) -> f64 {
        self.of_cell(cell, color) - self.of_cell(cell, !color)
    }

    /// By bridge site, the same difference; the most probable sites first.
    pub fn bridge_shares(&self, color: Color) -> impl Iterator<Item = (Site, f64)> {
        let share = move |chances: [f64; 2]| chances[color.index()] - chances[(!color).index()];
        self.bridges().map(move |(site, chances)| (site, share(chances)))
    }

    /// Plays `samples` positions drawn by `draw` to the end and counts who owns
    /// what.
    pub(super) fn estimate(
        geometry: &Geometry,
        samples: u32,
        random: &mut Random,
        draw: impl Fn(&mut Random) -> Position,
    ) -> Ownership {
        let mut cells = vec![[0u32; 2]; Cell::TABLE];
        let mut built: Vec<(Site, [u32; 2])> =
            geometry.sites().iter().map(|site| (site, [0; 2])).collect();
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..samples {
            let mut end = draw(random);
            rollout(&mut end, u32::MAX, random);
            let points = Value::from(end.outcome()).points();
            (sum, squares) = (sum + points, squares + points * points);
            for color in Color::BOTH {
                for cell in end.islands(color) {
                    cells[cell.index()][color.index()] += 1;
                }
            }
            for (site, counts) in &mut built {
                if end.bridges().contains(*site)
                    && let Some(color) = end.tile_at(site.ends()[0])
                {
                    counts[color.index()] += 1;
                }
            }
        }
        let share = |counts: [u32; 2]| counts.map(|count| count as f32 / samples as f32);
        built.retain(|(_, counts)| counts.iter().sum::<u32>() > 0);
        built.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u32>()));
        let mean = sum / samples as f32;
        Ownership {
            // Rounding may make the variance slightly negative.
            score_deviation: (squares / samples as f32 - mean * mean).max(0.0).sqrt(),
            cells: cells.into_iter().map(share).collect(),
            bridges: built.into_iter().map(|(site, counts)| (site, share(counts))).collect(),
        }
    }
}
