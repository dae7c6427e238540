//! What an [`Analysis`] says, and how it is read from the tree below one position:
//! moves with their values and lines, and the ownership of cells and bridge sites at
//! the end of the game, estimated by sampling.

use std::time::Duration;

use super::choice;
use super::params::Params;
use super::task::SearchTask;
use super::tree::Tree;
use super::tree::bounds::{Bounds, exact_result, lead_for};
use super::tree::edge::Edge;
use super::tree::node::Node;
use super::turn::Report;
use crate::board::{Cell, Geometry, Site};
use crate::eval::{Random, rollout};
use crate::game::{Color, Move, Position, Step, Value};

/// What a search has found out about a position and its moves.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The side to move; win rates and leads are from its point of view.
    pub mover: Color,
    /// Expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead in points.
    pub lead: f64,
    /// Proved bounds on the result, from White's point of view.
    pub bounds: Bounds,
    /// Visits of the position, those of earlier searches included.
    pub visits: u64,
    /// Iterations of this search; 0 while it runs.
    pub iterations: u64,
    /// Duration of this search; 0 while it runs.
    pub elapsed: Duration,
    /// The visited moves: first the one to play, then sorted by proved bounds
    /// and visits.
    pub candidates: Vec<Candidate>,
    /// Ownership of cells and bridge sites, if requested.
    pub ownership: Option<Ownership>,
    /// Ownership after each of the best moves, if requested.
    pub moves_ownership: Vec<(Move, Ownership)>,
}

/// What a search has found out about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Visits, over both orders of its tiles.
    pub visits: u64,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    pub lead: f64,
    /// Prior probability of the move, 0 to 1.
    pub prior: f64,
    /// Lower confidence bound of the win rate: 1.96 standard errors below it.
    pub lcb: f64,
    /// Proved bounds on the result, from White's point of view.
    pub bounds: Bounds,
    /// The principal variation, beginning with the move.
    pub line: Vec<Move>,
    /// Visits of each move of the line.
    pub line_visits: Vec<u64>,
}

impl Analysis {
    /// An analysis from the report alone, for a position that is no longer in
    /// the tree.
    pub(super) fn from_report(report: &Report, mover: Color) -> Analysis {
        Analysis {
            mover,
            winrate: report.winrate,
            lead: report.lead,
            bounds: report.bounds.at_least(mover),
            visits: report.iterations,
            iterations: report.iterations,
            elapsed: report.elapsed,
            candidates: Vec::new(),
            ownership: None,
            moves_ownership: Vec::new(),
        }
    }

    /// Adds the search's final report: puts its choice first and takes over its
    /// results.
    pub(super) fn settle(&mut self, report: &Report) {
        (self.iterations, self.elapsed) = (report.iterations, report.elapsed);
        if report.iterations > 0 {
            (self.winrate, self.lead) = (report.winrate, report.lead);
        }
        self.bounds = self.bounds.and(report.bounds.at_least(self.mover));
        if let Some(value) = self.bounds.exact() {
            (self.winrate, self.lead) = exact_result(value, self.mover);
        }
        self.put_first(report.best);
        self.count_visits();
        self.visits = self.visits.max(report.iterations);
        let limit = self.bounds.at_most(self.mover);
        if let Some(best) = self.candidates.first_mut() {
            best.bounds = best.bounds.and(report.bounds).and(limit);
            if let Some(value) = best.bounds.exact() {
                (best.winrate, best.lead) = exact_result(value, self.mover);
                best.lcb = best.winrate;
            }
        }
    }

    /// Includes the visits of the second tile's search, which does not start
    /// at the root.
    pub(super) fn count_visits(&mut self) {
        let of_moves = self.candidates.iter().map(|candidate| candidate.visits).sum();
        self.visits = self.visits.max(of_moves);
    }

    /// Moves `best` to the front, adding it if it has no visits.
    pub(crate) fn put_first(&mut self, best: Move) {
        match self.candidates.iter().position(|candidate| candidate.mv == best) {
            Some(index) => self.candidates[..=index].rotate_right(1),
            None => self.candidates.insert(0, self.unvisited(best)),
        }
    }

    /// A move without visits: it has the win rate and lead of the position.
    fn unvisited(&self, mv: Move) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            winrate: self.winrate,
            lead: self.lead,
            prior: 0.0,
            lcb: 0.0,
            bounds: Bounds::UNKNOWN,
            line: vec![mv],
            line_visits: vec![0],
        }
    }
}

/// Standard errors from the mean to [`Candidate::lcb`].
const CONFIDENCE: f32 = 1.96;

/// Turns of a main line, the candidate included.
const LONGEST_LINE: usize = 20;

/// Samples of an estimate of ownership.
const SAMPLES: u32 = 400;

/// The tree below one position.
pub(super) struct View<'a> {
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
    /// Combines the sources, at least one of which must have visits.
    fn of(sources: &[(Move, Source<'_>)]) -> Statistics {
        let (mut visits, mut utility, mut squares, mut prior) = (0.0, 0.0, 0.0, 0.0);
        let (mut lead, mut bounds) = (0.0, Bounds::UNKNOWN);
        for (_, source) in sources {
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

impl<'a> View<'a> {
    /// The tree below the position of `task`.
    pub(super) fn of(task: &SearchTask<'a>) -> View<'a> {
        let SearchTask { tree, position, config, .. } = *task;
        View { tree, params: &config.params, position }
    }

    /// The analysis so far; `None` when the position is not in the tree.
    pub(super) fn analysis(&self) -> Option<Analysis> {
        let root = self.tree.find(self.position.hash())?;
        let mover = self.position.side();
        let mean = root.mean();
        let mut analysis = Analysis {
            mover,
            winrate: f64::from(mean.win),
            lead: f64::from(lead_for(mean.lead, mover)),
            bounds: root.bounds(),
            visits: u64::from(root.visits()),
            iterations: 0,
            elapsed: Duration::ZERO,
            candidates: self.candidates(root),
            ownership: None,
            moves_ownership: Vec::new(),
        };
        if let Some(value) = analysis.bounds.exact() {
            (analysis.winrate, analysis.lead) = exact_result(value, mover);
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
        self.sampled(seed, SAMPLES)
    }

    /// [`View::ownership`] after `mv`, with fewer samples.
    pub(super) fn ownership_after(&self, mv: Move, seed: u64) -> Ownership {
        let mut after = *self.position;
        self.position.steps_of(mv).for_each(|step| after.make(step));
        View { position: &after, ..*self }.sampled(seed, SAMPLES / 4)
    }

    fn sampled(&self, seed: u64, samples: u32) -> Ownership {
        let mut random = Random::new(seed ^ self.position.hash());
        let geometry = self.position.geometry();
        Ownership::estimate(geometry, samples, &mut random, |random| self.sample(random))
    }

    /// The move that would be played if the search ended now.
    fn best(&self, root: Node<'a>) -> Option<Move> {
        let mover = self.position.side();
        let (step, edge) = choice::best(self.tree, root, mover, self.params);
        let edge = edge?;
        let Step::Tile(first) = step else { return step.whole_turn() };
        let half = root.child(self.tree.pool(), edge)?;
        match choice::best(self.tree, half, mover, self.params) {
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
        sources.sort_by_key(|&(mv, _)| mv);
        let is_seen = |sources: &&[(Move, Source<'a>)]| {
            sources.iter().any(|(_, source)| source.edge.visits() > 0)
        };
        let moves = sources.chunk_by(|a, b| a.0 == b.0).filter(is_seen);
        let mut candidates: Vec<Candidate> = moves.map(|sources| self.candidate(sources)).collect();
        let mover = self.position.side();
        let rank = |candidate: &Candidate| {
            let bounds = candidate.bounds.seen_by(mover);
            (bounds.lower.max(Value::DRAW), bounds.upper.min(Value::DRAW), candidate.visits)
        };
        candidates.sort_by_key(|candidate| std::cmp::Reverse(rank(candidate)));
        candidates
    }

    /// A move, from its one or two sources.
    fn candidate(&self, sources: &[(Move, Source<'a>)]) -> Candidate {
        let mover = self.position.side();
        let mv = sources[0].0;
        let Statistics { visits, mean, error, parent_lead, prior, bounds } =
            Statistics::of(sources);
        let mut after = *self.position;
        self.position.steps_of(mv).for_each(|step| after.make(step));
        let node = self.tree.find(after.hash()).filter(|node| node.visits() > 0);
        let (mut winrate, mut lead) = match node {
            Some(node) => {
                (1.0 - f64::from(node.mean().win), f64::from(lead_for(node.mean().lead, mover)))
            }
            None => (f64::from(mean), f64::from(lead_for(parent_lead, mover))),
        };
        let mut lcb = (winrate - f64::from(CONFIDENCE * error)).max(0.0);
        if let Some(value) = bounds.exact() {
            (winrate, lead) = exact_result(value, mover);
            lcb = winrate;
        }
        let visits = visits as u64;
        let (mut line, mut line_visits) = (vec![mv], vec![visits]);
        self.extend(&mut line, &mut line_visits, after);
        let prior = f64::from(prior);
        Candidate { mv, visits, winrate, lead, prior, lcb, bounds, line, line_visits }
    }

    /// Appends the best moves from `position` on to `line`, as far as they have
    /// visits.
    fn extend(&self, line: &mut Vec<Move>, visits: &mut Vec<u64>, mut position: Position) {
        while line.len() < LONGEST_LINE && !position.is_over() {
            let Some(root) = self.tree.find(position.hash()) else { return };
            let below = View { position: &position, ..*self };
            let Some(best) = below.best(root).filter(|&mv| position.check(mv).is_ok()) else {
                return;
            };
            let count = below.visits(root, best);
            if count == 0 {
                return;
            }
            line.push(best);
            visits.push(count);
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

    /// The end of a random line of the tree.
    fn sample(&self, random: &mut Random) -> Position {
        let mut position = *self.position;
        let mut node = self.tree.find(position.hash());
        while let Some(at) = node
            && !position.is_over()
        {
            let pool = self.tree.pool();
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
#[derive(Clone, PartialEq, Debug)]
pub struct Ownership {
    /// By `Cell::index`: the probabilities for White and Red, 0 to 1.
    cells: Vec<[f32; 2]>,
    /// The sites built on in any sample, with the probabilities for White and
    /// Red.
    bridges: Vec<(Site, [f32; 2])>,
    /// Standard deviation of the final score in points.
    score_deviation: f32,
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
            score_deviation: (squares / samples as f32 - mean * mean).max(0.0).sqrt(),
            cells: cells.into_iter().map(share).collect(),
            bridges: built.into_iter().map(|(site, counts)| (site, share(counts))).collect(),
        }
    }
}
