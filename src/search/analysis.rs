//! What the search thinks of a position: [`Analysis`].
//!
//! # Numbers that agree
//!
//! Means, bounds and visits come from nodes and edges that other threads change meanwhile, and a
//! proof may be newer than a mean. `made_consistent` is therefore the last step of every analysis:
//! no move gains more than the position, a decided win rate is 0, ½ or 1, leads lie within the
//! bounds, and a lower confidence bound is no higher than its win rate. Without it a user could see
//! a lost move with a win rate of 0.3.
//!
//! # Single points
//!
//! GTP and some graphical interfaces name a move by one point. A first tile has the visits and the
//! mean of its own edge in the tree; both ends of a bridge have those of its edge, and the edges of
//! several bridges that share an end are added up.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ownership::Ownership;
use super::tree::bounds::Bounds;
use super::turn::SearchResult;
use crate::board::Cell;
use crate::game::{Color, Move, Position, Value};

/// What the engine thinks of a position. The lines of `ponte-analyze`, all JSON, tables, pictures,
/// the page and reviews are written from it; it is itself the JSON of `pontifex analyze`.
///
/// Win rates and leads are those of the side to move; proofs name a colour. A win rate is the
/// expected result from 0 (loss) to 1 (win), where a draw counts as half. A lead is in points. If
/// the result is proved, the win rate is 0, 0.5 or 1, and the lead lies within the proved bounds.
/// Numbers are rounded to six decimals, so that they are read back unchanged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Analysis {
    /// The position as text.
    pub position: String,
    /// The side to move.
    pub to_move: Color,
    /// The position as a whole.
    pub root: RootInfo,
    /// The visited moves: the engine's choice first, the others sorted by proved bounds, then by
    /// visits.
    pub moves: Vec<Candidate>,
    /// The first points of moves, if requested.
    #[serde(skip)]
    pub points: Vec<PointInfo>,
    /// Ownership of cells and bridge sites, if requested.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Ownership after each of the best moves, if requested.
    #[serde(skip)]
    pub moves_ownership: Vec<(Move, Ownership)>,
    /// Iterations of this search; 0 while it runs.
    #[serde(skip)]
    pub iterations: u64,
    /// Duration of this search; 0 while it runs.
    #[serde(skip)]
    pub elapsed: Duration,
}

/// What the engine thinks of a position as a whole.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RootInfo {
    /// Expected result, 0 to 1.
    pub winrate: f64,
    /// Expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Visits of the position, those of earlier searches included.
    pub visits: u64,
    /// What is proved about the result: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// What the engine thinks of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Visits, over both orders of its tiles.
    pub visits: u64,
    /// Expected result for the side to move, 0 to 1.
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Prior probability of the move, 0 to 1.
    pub prior: f64,
    /// The principal variation, beginning with the move.
    pub pv: Vec<Move>,
    /// Visits of each move of the principal variation.
    #[serde(skip)]
    pub pv_visits: Vec<u64>,
    /// Lower confidence bound of the win rate: 1.96 standard errors below it.
    pub lcb: f64,
    /// Rank, from 0.
    pub order: usize,
    /// What is proved about the result after it: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// What the engine thinks of the first point of a move: a first tile, or either end of a bridge.
#[derive(Clone, PartialEq, Debug)]
pub struct PointInfo {
    /// The point.
    pub cell: Cell,
    /// The best move that begins there. Its visits, win rate, lead, bound, prior and proof are
    /// those of the point's own edge in the tree. If several bridges end there, they are those of
    /// all of them together.
    pub best: Candidate,
}

impl Analysis {
    /// The analysis with its first `count` moves, without points and ownership after moves.
    #[must_use]
    pub fn with_moves(&self, count: usize) -> Analysis {
        let moves = self.moves.iter().take(count).cloned().collect();
        let (points, moves_ownership) = (Vec::new(), Vec::new());
        let (position, ownership) = (self.position.clone(), self.ownership.clone());
        Analysis { position, moves, points, ownership, moves_ownership, ..*self }
    }

    /// The analysis of `mv`, if it is among the moves.
    pub fn find(&self, mv: Move) -> Option<&Candidate> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }

    /// The best move and what follows; empty without a move.
    pub fn pv(&self) -> &[Move] {
        self.moves.first().map_or(&[], |best| &best.pv)
    }

    /// White's expected result, 0 to 1, and lead in points.
    pub fn whites(&self) -> (f64, f64) {
        let RootInfo { winrate, lead, .. } = self.root;
        match self.to_move {
            Color::White => (winrate, lead),
            Color::Red => (1.0 - winrate, -lead),
        }
    }

    /// An analysis of `position` without moves.
    pub fn of_root(position: &Position, root: RootInfo) -> Analysis {
        Analysis {
            position: position.to_string(),
            to_move: position.side(),
            root,
            moves: Vec::new(),
            points: Vec::new(),
            ownership: None,
            moves_ownership: Vec::new(),
            iterations: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// An analysis from the result of the search alone, for a position that is no longer in the
    /// tree.
    pub(super) fn from_result(result: &SearchResult, position: &Position) -> Analysis {
        let root = RootInfo {
            winrate: result.winrate,
            lead: result.lead,
            visits: result.iterations,
            bounds: result.bounds.at_least(position.side()),
        };
        let SearchResult { iterations, elapsed, .. } = *result;
        Analysis { iterations, elapsed, ..Analysis::of_root(position, root) }
    }

    /// Adds the result of the finished search: puts its choice first and takes over its numbers,
    /// which are those of the last step's search and may include a proof.
    pub(super) fn add_result(&mut self, result: &SearchResult) {
        (self.iterations, self.elapsed) = (result.iterations, result.elapsed);
        if result.iterations > 0 {
            (self.root.winrate, self.root.lead) = (result.winrate, result.lead);
        }
        self.root.bounds = self.root.bounds.and(result.bounds.at_least(self.to_move));
        self.put_first(result.best);
        if let Some(best) = self.moves.first_mut() {
            best.bounds = best.bounds.and(result.bounds);
            // A small tree may have lost the root while the second tile was searched, and with it
            // the visits of the move.
            best.visits = best.visits.max(result.visits);
            best.pv_visits[0] = best.visits;
        }
        self.count_visits();
        self.root.visits = self.root.visits.max(result.iterations);
    }

    /// Makes the numbers agree with each other and with what is proved: the last step before the
    /// analysis leaves the search.
    pub(super) fn made_consistent(mut self) -> Analysis {
        let mover = self.to_move;
        let RootInfo { winrate, lead, bounds, .. } = &mut self.root;
        agree(mover, *bounds, winrate, lead);
        // No move gains more than what is proved for the position.
        let limit = bounds.at_most(mover);
        let points = self.points.iter_mut().map(|point| &mut point.best);
        for candidate in self.moves.iter_mut().chain(points) {
            if candidate.mv != Move::Swap {
                candidate.bounds = candidate.bounds.and(limit);
            }
            let Candidate { bounds, winrate, lead, .. } = candidate;
            agree(mover, *bounds, winrate, lead);
            let lcb = if bounds.is_decided() { *winrate } else { candidate.lcb };
            candidate.lcb = rounded(lcb.min(*winrate), DECIMALS);
            candidate.prior = rounded(candidate.prior, DECIMALS);
        }
        self.renumber();
        self
    }

    /// Includes the visits of the second tile's search, which does not start at the root.
    pub(super) fn count_visits(&mut self) {
        let move_visits = self.moves.iter().map(|candidate| candidate.visits).sum();
        self.root.visits = self.root.visits.max(move_visits);
    }

    /// Moves `best` to the front, adding it if it has no visits.
    pub(crate) fn put_first(&mut self, best: Move) {
        match self.moves.iter().position(|candidate| candidate.mv == best) {
            Some(index) => self.moves[..=index].rotate_right(1),
            None => self.moves.insert(0, self.unvisited(best)),
        }
        self.renumber();
    }

    fn renumber(&mut self) {
        for (order, candidate) in self.moves.iter_mut().enumerate() {
            candidate.order = order;
        }
    }

    /// A move without visits: it has the win rate and lead of the position.
    pub fn unvisited(&self, mv: Move) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            winrate: self.root.winrate,
            lead: self.root.lead,
            prior: 0.0,
            pv: vec![mv],
            pv_visits: vec![0],
            lcb: 0.0,
            order: 0,
            bounds: Bounds::UNKNOWN,
        }
    }
}

impl Candidate {
    /// A key that sorts the best first: by what `mover` is proved to get, then by visits.
    pub(crate) fn sort_key(&self, mover: Color) -> impl Ord + use<> {
        let bounds = self.bounds.seen_by(mover);
        let proved = (bounds.lower.max(Value::DRAW), bounds.upper.min(Value::DRAW));
        std::cmp::Reverse((proved, self.visits))
    }
}

/// Makes a win rate and a lead of `mover` agree with what is proved.
pub(crate) fn agree(mover: Color, bounds: Bounds, winrate: &mut f64, lead: &mut f64) {
    if bounds.is_decided() {
        *winrate = bounds.winner().map_or(0.5, |winner| f64::from(u8::from(winner == mover)));
    }
    let Bounds { lower, upper } = bounds.seen_by(mover);
    *lead = lead.clamp(lower.points().into(), upper.points().into());
    (*winrate, *lead) = (rounded(*winrate, DECIMALS), rounded(*lead, DECIMALS));
}

/// Decimals of the numbers in an analysis: finer than the error of any search, and few enough that
/// the text is read back as the same number.
pub(crate) const DECIMALS: i32 = 6;

/// Rounds to at most `decimals` digits after the decimal point. The result is never -0.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    // Adding 0 turns -0 into 0.
    (number * scale).round() / scale + 0.0
}
