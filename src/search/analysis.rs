//! What a search knows of the moves of a position: read from its tree, while
//! it runs or afterwards.

use std::time::Duration;

use super::edge::Edge;
use super::node::Node;
use super::ownership::Ownership;
use super::tree::Tree;
use super::{Bounds, Params, Report, choice};
use crate::game::{Color, Move, Position, Step, Value};

/// What a search thinks of a position and of its moves.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whose turn it is; all chances and leads are his.
    pub mover: Color,
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    pub lead: f64,
    /// What is proved of the result, from White's side.
    pub bounds: Bounds,
    /// Visits of the position, those of earlier searches among them.
    pub visits: u64,
    /// Iterations of this search; 0 while it runs.
    pub iterations: u64,
    /// How long it took; 0 while it runs.
    pub elapsed: Duration,
    /// The moves that were looked at, the best first: the one that would be
    /// played, then by what is proved and by visits.
    pub candidates: Vec<Candidate>,
    /// What becomes of cells and bridge sites, when that was asked for.
    pub ownership: Option<Ownership>,
}

/// A move, a whole turn, and what a search thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// How often it was tried; tiles laid in either order count.
    pub visits: u64,
    /// The mover's expected result after it, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// His expected lead in points.
    pub lead: f64,
    /// How likely it was held to be the best before it was looked at, 0 to 1.
    pub prior: f64,
    /// Lower bound of the win rate, by 1.96 standard errors.
    pub lcb: f64,
    /// What is proved of the result, from White's side.
    pub bounds: Bounds,
    /// The main line: the move and the most visited answers.
    pub line: Vec<Move>,
    /// How often each move of the line was tried.
    pub line_visits: Vec<u64>,
}

/// Standard errors from the mean to [`Candidate::lcb`].
const CONFIDENCE: f32 = 1.96;

/// Turns of a main line, the candidate among them.
const LONGEST_LINE: usize = 20;

/// A tree as it stands below one position.
pub(super) struct View<'a> {
    pub(super) tree: &'a Tree,
    pub(super) params: &'a Params,
    pub(super) position: &'a Position,
}

/// Visits of one move by one order of its tiles.
#[derive(Clone, Copy)]
struct Source<'a> {
    edge: Edge<'a>,
    prior: f32,
    /// What its node knows; a move seen once has no node of its own.
    parent_lead: f32,
}

impl Analysis {
    /// What the tree knows; `None` when the position is not in it.
    pub(super) fn of(view: &View<'_>) -> Option<Analysis> {
        let root = view.tree.find(view.position.hash())?;
        let mover = view.position.side();
        let mean = root.mean();
        let mut analysis = Analysis {
            mover,
            winrate: f64::from(mean.win),
            lead: signed(mean.lead, mover),
            bounds: root.bounds(),
            visits: u64::from(root.visits()),
            iterations: 0,
            elapsed: Duration::ZERO,
            candidates: view.candidates(root),
            ownership: None,
        };
        if let Some(value) = analysis.bounds.exact() {
            (analysis.winrate, analysis.lead) = known(value, mover);
        }
        analysis.count();
        if let Some(best) = view.best(root) {
            analysis.put_first(best);
        }
        Some(analysis)
    }

    /// What is known when nothing is in the tree any more.
    pub(super) fn bare(report: &Report, mover: Color) -> Analysis {
        Analysis {
            mover,
            winrate: report.winrate,
            lead: report.lead,
            bounds: at_least(report.bounds, mover),
            visits: report.iterations,
            iterations: report.iterations,
            elapsed: report.elapsed,
            candidates: Vec::new(),
            ownership: None,
        }
    }

    /// Adds how the search ended: its choice comes first, and what it found
    /// out for it is the position's.
    pub(super) fn settle(&mut self, report: &Report) {
        (self.iterations, self.elapsed) = (report.iterations, report.elapsed);
        if report.iterations > 0 {
            (self.winrate, self.lead) = (report.winrate, report.lead);
        }
        self.bounds = self.bounds.and(at_least(report.bounds, self.mover));
        if let Some(value) = self.bounds.exact() {
            (self.winrate, self.lead) = known(value, self.mover);
        }
        self.put_first(report.best);
        self.count();
        self.visits = self.visits.max(report.iterations);
        let most = at_most(self.bounds, self.mover);
        if let Some(best) = self.candidates.first_mut() {
            best.bounds = best.bounds.and(report.bounds).and(most);
            if let Some(value) = best.bounds.exact() {
                (best.winrate, best.lead) = known(value, self.mover);
                best.lcb = best.winrate;
            }
        }
    }

    /// Counts the visits of the second tile's search, which are not its own,
    /// as the position's.
    fn count(&mut self) {
        let tried = self.candidates.iter().map(|candidate| candidate.visits).sum();
        self.visits = self.visits.max(tried);
    }

    /// Puts `best` before all others, adding it when it was never looked at.
    fn put_first(&mut self, best: Move) {
        match self.candidates.iter().position(|candidate| candidate.mv == best) {
            Some(index) => self.candidates[..=index].rotate_right(1),
            None => self.candidates.insert(0, self.unseen(best)),
        }
    }

    /// A move of which no more is known than of the position.
    fn unseen(&self, mv: Move) -> Candidate {
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

impl<'a> View<'a> {
    /// The move that would be played if the search ended now.
    fn best(&self, root: Node<'a>) -> Option<Move> {
        let mover = self.position.side();
        let (step, edge) = choice::best(self.tree, root, mover, self.params);
        let edge = edge?;
        let Step::Tile(first) = step else { return Some(move_of(step)) };
        let half = root.child(self.tree.pool(), edge)?;
        match choice::best(self.tree, half, mover, self.params) {
            (Step::Tile(second), Some(_)) => Some(Move::tiles(first, second)),
            _ => None,
        }
    }

    /// All moves that were visited, by what is proved and by visits.
    fn candidates(&self, root: Node<'a>) -> Vec<Candidate> {
        let pool = self.tree.pool();
        let mut sources: Vec<(Move, Source<'a>)> = Vec::new();
        for (index, edge) in root.edges(pool).enumerate() {
            let (step, prior) = root.step(index);
            let parent_lead = root.mean().lead;
            let Step::Tile(first) = step else {
                sources.push((move_of(step), Source { edge, prior, parent_lead }));
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
        let mut after = *self.position;
        self.position.steps_of(mv).for_each(|step| after.make(step));
        let node = self.tree.find(after.hash()).filter(|node| node.visits() > 0);
        let (mut winrate, mut lead) = match node {
            Some(node) => (1.0 - f64::from(node.mean().win), signed(node.mean().lead, mover)),
            None => (f64::from(mean), signed(lead / visits, mover)),
        };
        let mut lcb = (winrate - f64::from(CONFIDENCE * error)).max(0.0);
        if let Some(value) = bounds.exact() {
            (winrate, lead) = known(value, mover);
            lcb = winrate;
        }
        let (mut line, mut line_visits) = (vec![mv], vec![visits as u64]);
        self.extend(&mut line, &mut line_visits, after);
        let prior = f64::from(prior);
        Candidate {
            mv,
            visits: visits as u64,
            winrate,
            lead,
            prior,
            lcb,
            bounds,
            line,
            line_visits,
        }
    }

    /// Follows the best moves from `position` on, as far as they were visited.
    fn extend(&self, line: &mut Vec<Move>, visits: &mut Vec<u64>, mut position: Position) {
        while line.len() < LONGEST_LINE && !position.is_over() {
            let Some(root) = self.tree.find(position.hash()) else { return };
            let below = View { position: &position, ..*self };
            let Some(best) = below.best(root).filter(|&mv| position.check(mv).is_ok()) else {
                return;
            };
            let tried = below.visits(root, best);
            if tried == 0 {
                return;
            }
            line.push(best);
            visits.push(tried);
            let steps = position.steps_of(best);
            steps.for_each(|step| position.make(step));
        }
    }

    /// How often `mv` was tried, by the order of its tiles that `best` goes.
    fn visits(&self, root: Node<'a>, mv: Move) -> u64 {
        let pool = self.tree.pool();
        let tried = |node: Node<'a>, wanted: &dyn Fn(Step) -> bool| {
            let mut edges = node.edges(pool).enumerate();
            edges.find(|&(index, _)| wanted(node.step(index).0)).map(|(_, edge)| edge)
        };
        let Move::Tiles(a, b) = mv else {
            return tried(root, &|step| move_of(step) == mv).map_or(0, |edge| edge.visits().into());
        };
        let orders = [(a, b), (b, a)].map(|(first, second)| {
            let first = tried(root, &|step| step == Step::Tile(first));
            let half = first.and_then(|edge| root.child(pool, edge));
            half.and_then(|half| tried(half, &|step| step == Step::Tile(second)))
                .map_or(0, |edge| u64::from(edge.visits()))
        });
        orders.iter().sum()
    }
}

/// The move a step makes that is a whole turn.
fn move_of(step: Step) -> Move {
    match step {
        Step::Bridge(site) => {
            let [a, b] = site.ends();
            Move::bridge(a, b)
        }
        Step::Swap => Move::Swap,
        Step::Pass | Step::Tile(_) => Move::Pass,
    }
}

/// What a move proves of the position before it: `mover` gets no less.
fn at_least(bounds: Bounds, mover: Color) -> Bounds {
    Bounds { lower: bounds.seen_by(mover).lower, upper: Value::MAX }.seen_by(mover)
}

/// What a position proves of its moves: `mover` gets no more by any.
fn at_most(bounds: Bounds, mover: Color) -> Bounds {
    Bounds { lower: Value::MIN, upper: bounds.seen_by(mover).upper }.seen_by(mover)
}

/// White's lead as `mover` sees it.
fn signed(lead: f32, mover: Color) -> f64 {
    f64::from(if mover == Color::White { lead } else { -lead })
}

/// Win rate and lead of a result that is known.
pub(super) fn known(value: Value, mover: Color) -> (f64, f64) {
    let value = value.seen_by(mover);
    (f64::from(value.white_share()), f64::from(value.points()))
}
