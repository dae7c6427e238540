//! Turns named by single points, for programs that know only single stones:
//! GoGui over GTP, and KataGo's clients over JSON.
//!
//! Two tiles are two points, and a bridge is its two ends. A turn is called by
//! the point of it that is played next. Points have the names of Go boards,
//! without a column I.

use thiserror::Error;

use crate::board::Cell;
use crate::engine::Candidate;
use crate::game::{IllegalMove, Move, Position};

/// Names turns by points: a turn is called by the point of it that is played
/// next.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointNames {
    /// The first point of the unfinished turn.
    begun: Option<Cell>,
    /// The points to name turns by if they have a choice; empty means all.
    preferred: Vec<Cell>,
}

impl PointNames {
    /// The names of turns; `begun` is the first point of an unfinished one.
    pub(crate) fn new(begun: Option<Cell>) -> PointNames {
        PointNames { begun, preferred: Vec::new() }
    }

    /// Whether the first point of the turn has been played.
    pub(crate) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Prefers points in the names.
    pub(crate) fn prefer(&mut self, points: impl IntoIterator<Item = Cell>) {
        self.preferred.extend(points);
    }

    /// The legal turns, or those that complete the unfinished turn.
    pub(crate) fn turns(&self, position: &Position) -> Vec<Move> {
        self.begun.map_or_else(|| position.moves(), |first| begun(position, first))
    }

    /// The point of `mv` to play next, or `None` for pass and swap.
    pub(crate) fn next(&self, mv: Move) -> Option<Cell> {
        let left = || points_of(mv).into_iter().flatten().filter(|&cell| self.begun != Some(cell));
        left().find(|cell| self.preferred.contains(cell)).or_else(|| left().next())
    }

    /// The name of `mv`.
    pub(crate) fn name(&self, mv: Move) -> String {
        name(self.next(mv))
    }

    /// The points of a line of turns, `pass` for pass and swap. `visits` are of
    /// its turns; those of the points are returned.
    pub(crate) fn line(&self, line: &[Move], visits: &[u64]) -> (Vec<String>, Vec<u64>) {
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
    pub(crate) fn merge(&self, candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
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

/// GoGui's columns: as usual in Go, there is no I.
const COLUMNS: [char; 12] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M'];

/// GoGui's name of a cell: `i1` is J1.
pub(crate) fn point(cell: Cell) -> String {
    format!("{}{}", COLUMNS[usize::from(cell.column())], cell.row() + 1)
}

/// A move, with GoGui's names of its points.
pub(crate) fn points(mv: Move) -> String {
    match mv {
        Move::Tiles(a, b) => format!("{},{}", point(a), point(b)),
        Move::Bridge(a, b) => format!("{}-{}", point(a), point(b)),
        Move::Pass | Move::Swap => mv.to_string(),
    }
}

/// The cell with the name `name` in GoGui, in either case.
pub(crate) fn cell(name: &str) -> Option<Cell> {
    let mut rest = name.chars();
    let letter = rest.next()?.to_ascii_uppercase();
    let column = COLUMNS.iter().position(|&column| column == letter)?;
    format!("{}{}", (b'a' + column as u8) as char, rest.as_str()).parse().ok()
}

/// The two points of a turn, or `None` for pass and swap.
pub(crate) fn points_of(mv: Move) -> Option<[Cell; 2]> {
    match mv {
        Move::Tiles(a, b) | Move::Bridge(a, b) => Some([a, b]),
        Move::Pass | Move::Swap => None,
    }
}

/// The turn that two points make: a bridge if the first is a tile of the side
/// to move, otherwise two tiles.
pub(crate) fn turn_of(position: &Position, first: Cell, second: Cell) -> Move {
    if position.tile_at(first) == Some(position.side()) {
        Move::bridge(first, second)
    } else {
        Move::tiles(first, second)
    }
}

/// The legal turns that begin with `first`.
pub(crate) fn begun(position: &Position, first: Cell) -> Vec<Move> {
    let is_end = position.tile_at(first).is_some();
    let begins = |mv: &Move| {
        points_of(*mv).is_some_and(|cells| cells.contains(&first))
            && matches!(mv, Move::Bridge(..)) == is_end
    };
    position.moves().into_iter().filter(begins).collect()
}

/// Why a turn cannot begin with a point. Points are named as GoGui names them.
#[derive(Clone, Debug, Error)]
pub(crate) enum IllegalPoint {
    /// The tile at the point has no site for a bridge.
    #[error("no bridge can be built from the tile at {}", point(*.0))]
    NoBridge(Cell),
    /// The turn could not be completed.
    #[error("no second tile could follow one at {}", point(*.0))]
    NoSecondTile(Cell),
    /// The rules forbid a tile there for another reason.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

/// Checks that a turn may begin with `cell`: a legal first tile, or a tile of
/// the side to move from which a bridge can be built.
pub(crate) fn check_first(position: &Position, cell: Cell) -> Result<(), IllegalPoint> {
    if position.tile_at(cell) == Some(position.side()) {
        let begins = position.bridge_steps().iter().any(|site| site.ends().contains(&cell));
        return begins.then_some(()).ok_or(IllegalPoint::NoBridge(cell));
    }
    position.check_first_tile(cell).map_err(|reason| match reason {
        IllegalMove::NoSecondTile { cell } => IllegalPoint::NoSecondTile(cell),
        reason => IllegalPoint::Move(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_skip_i() {
        for (cell, name) in [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("l12", "M12")] {
            let cell: Cell = cell.parse().unwrap();
            assert_eq!(point(cell), name);
            assert_eq!(super::cell(name), Some(cell));
            assert_eq!(super::cell(&name.to_lowercase()), Some(cell));
        }
        for name in ["", "A", "I1", "N1", "A0", "A13", "A01", "é1", "1A", "A1é"] {
            assert_eq!(super::cell(name), None, "{name}");
        }
        assert_eq!(points("h1,i2".parse().unwrap()), "H1,J2");
    }
}
