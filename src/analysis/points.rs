//! Turns named by single points, for programs that know only single stones:
//! GoGui over GTP, and KataGo's clients over JSON.
//!
//! Two tiles are two points, and a bridge is its two ends. Points have the names of
//! Go boards, without a column I. An analysis by points lists the points that may be
//! played next: a first point with the numbers of its own edge in the tree, a second
//! one with those of the turn that it completes.

use thiserror::Error;

use crate::board::{Cell, Cells};
use crate::engine::{Analysis, Candidate};
use crate::game::{IllegalMove, Move, Position};

/// An analysis by points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointView {
    /// The first point of the unfinished turn.
    begun: Option<Cell>,
    /// The only points to list, if any is given.
    allowed: Cells,
}

/// A point that may be played next, `None` for pass and swap, and the best turn that
/// plays it. `order` and the numbers are those of the point.
pub(crate) type PointEntry = (Option<Cell>, Candidate);

impl PointView {
    /// The view after the first point of a turn, or at its beginning.
    pub(crate) fn new(begun: Option<Cell>) -> PointView {
        PointView { begun, allowed: Cells::EMPTY }
    }

    /// Lists no other points than these.
    pub(crate) fn allow(&mut self, points: Cells) {
        self.allowed |= points;
    }

    /// Whether the first point of the turn has been played.
    pub(crate) fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// The legal turns, or those that complete the unfinished turn.
    pub(crate) fn turns(&self, position: &Position) -> Vec<Move> {
        self.begun.map_or_else(|| position.moves(), |first| turns_beginning_with(position, first))
    }

    /// The point of `mv` to play next, or `None` for pass and swap.
    pub(crate) fn next(&self, mv: Move) -> Option<Cell> {
        let left = || points_of(mv).into_iter().flatten().filter(|&cell| self.begun != Some(cell));
        left().find(|&cell| self.allowed.contains(cell)).or_else(|| left().next())
    }

    /// The points to play next, the best first: that of the turn which the engine would
    /// play, then by proofs and visits. The analysis must have listed its points.
    pub(crate) fn entries(&self, analysis: &Analysis) -> Vec<PointEntry> {
        let turns = || analysis.moves.iter().map(|turn| (self.next(turn.mv), turn));
        let mut entries: Vec<PointEntry> = if self.is_begun() {
            turns().map(|(point, turn)| (point, turn.clone())).collect()
        } else {
            let may_list = |cell| self.allowed.is_empty() || self.allowed.contains(cell);
            let points = analysis.points.iter().filter(|point| may_list(point.cell));
            let points = points.map(|point| (Some(point.cell), point.turn.clone()));
            let others = turns().filter(|(point, _)| point.is_none());
            points.chain(others.map(|(_, turn)| (None, turn.clone()))).collect()
        };
        entries.sort_by_key(|(_, entry)| entry.rank(analysis.to_move));
        if let Some((next, best)) = turns().next() {
            // The engine's own choice comes first, even where another point has more visits.
            match entries.iter().position(|&(point, _)| point == next) {
                Some(index) => entries[..=index].rotate_right(1),
                // Only the other order of the two tiles was searched.
                None => entries.insert(0, (next, analysis.unvisited(best.mv))),
            }
        }
        for (order, (_, entry)) in entries.iter_mut().enumerate() {
            entry.order = order;
        }
        entries
    }

    /// The names of the points of an entry's principal variation, `pass` for pass and
    /// swap, each with its visits.
    pub(crate) fn line(&self, (point, entry): &PointEntry) -> Vec<(String, u64)> {
        let mut line = vec![(name(*point), entry.visits)];
        for (index, (&mv, &visits)) in entry.pv.iter().zip(&entry.pv_visits).enumerate() {
            let is_played = |cell| index == 0 && (Some(cell) == self.begun || Some(cell) == *point);
            match points_of(mv) {
                Some(cells) => {
                    let left = cells.into_iter().filter(|&cell| !is_played(cell));
                    line.extend(left.map(|cell| (name(Some(cell)), visits)));
                }
                None if index == 0 => {}
                None => line.push((name(None), visits)),
            }
        }
        line
    }
}

/// The name of a point, or `pass`.
pub(crate) fn name(point_or_pass: Option<Cell>) -> String {
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
pub(crate) fn turns_beginning_with(position: &Position, first: Cell) -> Vec<Move> {
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
