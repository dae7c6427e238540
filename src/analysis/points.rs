//! Moves named by single points, for programs that know only single stones: GoGui over GTP, and
//! KataGo's clients over JSON.
//!
//! Two tiles are two points, and a bridge is its two ends. Points have the names of Go boards,
//! which skip the column I. An analysis by points lists the points that may be played next: a first
//! point with the numbers of its own edge in the tree, a second point with those of the move that
//! it completes.

use thiserror::Error;

use crate::board::{Cell, Cells};
use crate::engine::{Analysis, Candidate};
use crate::game::{IllegalMove, Move, Position};

/// An analysis by points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointView {
    /// The first point of an unfinished move.
    first_point: Option<Cell>,
    /// The only points to list; empty for all.
    allowed_points: Cells,
}

/// A point that may be played next.
pub(crate) struct PointEntry {
    /// `None` for pass and swap.
    pub(crate) point: Option<Cell>,
    /// The best move that plays the point. `order` and the numbers are those of the point.
    pub(crate) candidate: Candidate,
}

impl PointView {
    /// The view after the first point of a move, or at its beginning.
    pub(crate) fn new(first_point: Option<Cell>) -> PointView {
        PointView { first_point, allowed_points: Cells::EMPTY }
    }

    /// Lists no other points than these.
    pub(crate) fn allow(&mut self, points: Cells) {
        self.allowed_points |= points;
    }

    /// Whether the first point of a move has been played.
    pub(crate) fn is_mid_move(&self) -> bool {
        self.first_point.is_some()
    }

    /// The legal moves, or those that complete the unfinished move.
    pub(crate) fn moves(&self, position: &Position) -> Vec<Move> {
        self.first_point
            .map_or_else(|| position.moves(), |first| moves_beginning_with(position, first))
    }

    /// The point of `mv` to play next, or `None` for pass and swap.
    pub(crate) fn next_point(&self, mv: Move) -> Option<Cell> {
        let unplayed =
            || cells_of(mv).into_iter().flatten().filter(|&cell| self.first_point != Some(cell));
        unplayed().find(|&cell| self.allowed_points.contains(cell)).or_else(|| unplayed().next())
    }

    /// The points to play next, the best first: the point of the engine's choice, then the others
    /// by proofs and visits. The analysis must include its points.
    pub(crate) fn entries(&self, analysis: &Analysis) -> Vec<PointEntry> {
        let entry = |candidate: &Candidate| PointEntry {
            point: self.next_point(candidate.mv),
            candidate: candidate.clone(),
        };
        let mut entries: Vec<PointEntry> = if self.is_mid_move() {
            analysis.moves.iter().map(entry).collect()
        } else {
            let may_list =
                |cell| self.allowed_points.is_empty() || self.allowed_points.contains(cell);
            let points = analysis.points.iter().filter(|info| may_list(info.cell));
            let points = points
                .map(|info| PointEntry { point: Some(info.cell), candidate: info.best.clone() });
            let others = analysis.moves.iter().map(entry).filter(|entry| entry.point.is_none());
            points.chain(others).collect()
        };
        entries.sort_by_key(|entry| entry.candidate.sort_key(analysis.to_move));
        if let Some(best) = analysis.moves.first() {
            // The engine's choice comes first, even where another point has more visits.
            let point = self.next_point(best.mv);
            if let Some(index) = entries.iter().position(|entry| entry.point == point) {
                entries[..=index].rotate_right(1);
            } else {
                // Only the other order of the two tiles was searched.
                let candidate = analysis.unvisited(best.mv);
                entries.insert(0, PointEntry { point, candidate });
            }
        }
        for (order, entry) in entries.iter_mut().enumerate() {
            entry.candidate.order = order;
        }
        entries
    }

    /// The names of the points of an entry's principal variation, `pass` for pass and swap, each
    /// with its visits.
    pub(crate) fn line(&self, entry: &PointEntry) -> Vec<(String, u64)> {
        let PointEntry { point, candidate } = entry;
        let mut line = vec![(go_name_or_pass(*point), candidate.visits)];
        for (index, (&mv, &visits)) in candidate.pv.iter().zip(&candidate.pv_visits).enumerate() {
            let is_played =
                |cell| index == 0 && (Some(cell) == self.first_point || Some(cell) == *point);
            match cells_of(mv) {
                Some(cells) => {
                    let unplayed = cells.into_iter().filter(|&cell| !is_played(cell));
                    line.extend(unplayed.map(|cell| (go_name(cell), visits)));
                }
                None if index == 0 => {}
                None => line.push((go_name_or_pass(None), visits)),
            }
        }
        line
    }
}

/// The name of a point, or `pass`.
fn go_name_or_pass(point: Option<Cell>) -> String {
    point.map_or("pass".to_owned(), go_name)
}

/// The columns of a Go board, which skip the I.
const COLUMNS: [char; 12] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M'];

/// The name of a cell on a Go board: `i1` is J1.
pub(crate) fn go_name(cell: Cell) -> String {
    format!("{}{}", COLUMNS[usize::from(cell.column())], cell.row() + 1)
}

/// A move with the names of its cells on a Go board, as in `D4,E6`.
pub(crate) fn go_text(mv: Move) -> String {
    match mv {
        Move::Tiles(a, b) => format!("{},{}", go_name(a), go_name(b)),
        Move::Bridge(a, b) => format!("{}-{}", go_name(a), go_name(b)),
        Move::Pass | Move::Swap => mv.to_string(),
    }
}

/// The cell that `name` names on a Go board, in upper or lower case.
pub(crate) fn parse_go_name(name: &str) -> Option<Cell> {
    let mut rest = name.chars();
    let letter = rest.next()?.to_ascii_uppercase();
    let column = COLUMNS.iter().position(|&column| column == letter)?;
    format!("{}{}", (b'a' + column as u8) as char, rest.as_str()).parse().ok()
}

/// The two cells of a move, or `None` for pass and swap.
pub(crate) fn cells_of(mv: Move) -> Option<[Cell; 2]> {
    match mv {
        Move::Tiles(a, b) | Move::Bridge(a, b) => Some([a, b]),
        Move::Pass | Move::Swap => None,
    }
}

/// The move that two points make: a bridge if the first is a tile of the side to move, otherwise
/// two tiles.
pub(crate) fn move_of(position: &Position, first: Cell, second: Cell) -> Move {
    if position.tile_at(first) == Some(position.side()) {
        Move::bridge(first, second)
    } else {
        Move::tiles(first, second)
    }
}

/// The legal moves that begin with `first`.
pub(crate) fn moves_beginning_with(position: &Position, first: Cell) -> Vec<Move> {
    let is_bridge_end = position.tile_at(first).is_some();
    let begins = |mv: &Move| {
        cells_of(*mv).is_some_and(|cells| cells.contains(&first))
            && matches!(mv, Move::Bridge(..)) == is_bridge_end
    };
    position.moves().into_iter().filter(begins).collect()
}

/// Why a move cannot begin with a point. The points have their names on a Go board.
#[derive(Clone, Debug, Error)]
pub(crate) enum IllegalPoint {
    /// The tile at the point has no site for a bridge.
    #[error("no bridge can be built from the tile at {}", go_name(*.0))]
    NoBridge(Cell),
    /// No second tile could complete the move.
    #[error("no second tile could follow one at {}", go_name(*.0))]
    NoSecondTile(Cell),
    /// The rules forbid a tile there for another reason.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

/// Checks that a move may begin with `cell`: a legal first tile, or a tile of the side to move from
/// which a bridge can be built.
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
            assert_eq!(go_name(cell), name);
            assert_eq!(parse_go_name(name), Some(cell));
            assert_eq!(parse_go_name(&name.to_lowercase()), Some(cell));
        }
        for name in ["", "A", "I1", "N1", "A0", "A13", "A01", "é1", "1A", "A1é"] {
            assert_eq!(parse_go_name(name), None, "{name}");
        }
        assert_eq!(go_text("h1,i2".parse().unwrap()), "H1,J2");
    }
}
