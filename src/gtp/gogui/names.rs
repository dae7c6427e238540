//! Turns in reports, named by their points.

use super::point::point;
use super::points::points_of;
use super::turn::begun;
use crate::board::Cell;
use crate::engine::Candidate;
use crate::game::{Move, Position};
use crate::gtp::session::Session;

/// Names turns by points: a turn is called by the point of it that is played
/// next.
#[derive(Clone, Debug, Default)]
pub(in crate::gtp) struct PointNames {
    /// The first point of the unfinished turn.
    begun: Option<Cell>,
    /// The points to name turns by if they have a choice; empty means all.
    preferred: Vec<Cell>,
}

impl PointNames {
    /// The names in the state of a session.
    pub(in crate::gtp) fn of(session: &Session) -> PointNames {
        let waiting = session.points.waiting(session.engine.game());
        PointNames { begun: waiting.map(|waiting| waiting.first), preferred: Vec::new() }
    }

    /// Whether the first point of the turn has been played.
    pub(in crate::gtp) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Prefers points in the names.
    pub(in crate::gtp) fn prefer(&mut self, points: impl IntoIterator<Item = Cell>) {
        self.preferred.extend(points);
    }

    /// The legal turns, or those that complete the unfinished turn.
    pub(in crate::gtp) fn turns(&self, position: &Position) -> Vec<Move> {
        self.begun.map_or_else(|| position.moves(), |first| begun(position, first))
    }

    /// The point of `mv` to play next, or `None` for pass and swap.
    pub(in crate::gtp) fn next(&self, mv: Move) -> Option<Cell> {
        let left = || points_of(mv).into_iter().flatten().filter(|&cell| self.begun != Some(cell));
        left().find(|cell| self.preferred.contains(cell)).or_else(|| left().next())
    }

    /// The name of `mv`.
    pub(in crate::gtp) fn name(&self, mv: Move) -> String {
        name(self.next(mv))
    }

    /// The points of a line of turns, `pass` for pass and swap. `visits` are of
    /// its turns; those of the points are returned.
    pub(in crate::gtp) fn line(&self, line: &[Move], visits: &[u64]) -> (Vec<String>, Vec<u64>) {
        let (mut points, mut counts) = (Vec::new(), Vec::new());
        for (index, &mv) in line.iter().enumerate() {
            let begun = if index == 0 { self.begun } else { None };
            let first = if index == 0 { self.next(mv) } else { None };
            let mut cells: Vec<Option<Cell>> = match points_of(mv) {
                Some(cells) => cells.into_iter().map(Some).filter(|&cell| cell != begun).collect(),
                None => vec![None],
            };
            // The point that names the turn comes first.
            cells.sort_by_key(|&cell| cell != first);
            counts.extend(cells.iter().filter_map(|_| visits.get(index)));
            points.extend(cells.into_iter().map(name));
        }
        (points, counts)
    }

    /// Candidates with one entry for each name, in the order of their first
    /// turns. Visits and priors are added up; win rates and leads are averaged,
    /// weighted by visits; everything else is that of the first turn.
    pub(in crate::gtp) fn merge(
        &self,
        candidates: impl Iterator<Item = Candidate>,
    ) -> Vec<Candidate> {
        let mut merged: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let next = self.next(candidate.mv);
            let Some(known) = merged.iter_mut().find(|known| self.next(known.mv) == next) else {
                merged.push(candidate);
                continue;
            };
            let visits = known.visits + candidate.visits;
            let share = candidate.visits as f64 / visits.max(1) as f64;
            known.winrate += share * (candidate.winrate - known.winrate);
            known.lead += share * (candidate.lead - known.lead);
            known.prior += candidate.prior;
            known.visits = visits;
        }
        merged
    }
}

fn name(point_or_pass: Option<Cell>) -> String {
    point_or_pass.map_or("pass".to_owned(), point)
}
