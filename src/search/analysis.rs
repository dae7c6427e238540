//! The result of an analysis.

use std::time::Duration;

use super::bounds::Bounds;
use super::ownership::Ownership;
use super::report::Report;
use super::value::exact_result;
use crate::game::{Color, Move};

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
