//! The symmetries of the square board.

use super::{Cell, Size};

/// One of the eight symmetries of the square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8u8).map(|bits| Symmetry {
            transpose: bits & 4 != 0,
            mirror_columns: bits & 2 != 0,
            mirror_rows: bits & 1 != 0,
        })
    }

    /// The image of `cell` on a board of `size`.
    #[must_use]
    pub fn apply(self, cell: Cell, size: Size) -> Cell {
        let last = size.get() - 1;
        let flip = |x: u8, mirror: bool| if mirror { last - x } else { x };
        let column = flip(cell.column(), self.mirror_columns);
        let row = flip(cell.row(), self.mirror_rows);
        if self.transpose { Cell::new(row, column) } else { Cell::new(column, row) }
    }
}
