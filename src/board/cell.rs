//! The square board: its cells, its sizes and its symmetries.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A cell of the board, `a1` in the lower left corner.
///
/// The value is `16 * column + row` on every board size. Cells are ordered as in the notation: by
/// column, then by row. No row uses the values 12 to 15; see [`Cells`](super::Cells) for the
/// purpose of these gaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// The error for a text that is not a cell of any board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a cell: a column letter a..l and a row 1..12, as in d4")]
pub struct ParseCellError(
    /// The text that was given.
    pub String,
);

impl Cell {
    /// The length of a table over cells: more than the largest [`Cell::index`]. 12 columns of 16,
    /// of which four in each column stay unused.
    pub const TABLE: usize = 192;

    /// The cell in `column` and `row`, both counted from 0.
    ///
    /// # Panics
    /// If either is 12 or more.
    pub const fn new(column: u8, row: u8) -> Cell {
        assert!(column < Size::MAX.get() && row < Size::MAX.get());
        Cell(column << 4 | row)
    }

    /// The cell with [`Cell::index`] `index`, which must be that of a cell.
    // For packed data: search edges, the solver's table, self-play files. Library users have no use
    // for indices.
    #[doc(hidden)]
    #[inline]
    pub const fn from_index(index: u8) -> Cell {
        debug_assert!(index & 15 < 12 && (index as usize) < Self::TABLE);
        Cell(index)
    }

    /// The column, counted from 0 at the left.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 >> 4
    }

    /// The row, counted from 0 at the bottom.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 & 15
    }

    /// The index of the cell in tables of [`Cell::TABLE`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether a board of `size` has this cell.
    #[inline]
    pub const fn is_on(self, size: Size) -> bool {
        self.column() < size.get() && self.row() < size.get()
    }

    /// The cell `columns` to the right and `rows` up, if `size` has it.
    pub fn offset(self, columns: i8, rows: i8, size: Size) -> Option<Cell> {
        let column = self.column() as i8 + columns;
        let row = self.row() as i8 + rows;
        let is_within = |x: i8| x >= 0 && x < size.get() as i8;
        (is_within(column) && is_within(row)).then(|| Cell::new(column as u8, row as u8))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

text_in_json!(Cell);

impl FromStr for Cell {
    type Err = ParseCellError;

    /// Parses `d4` or `D4`. Leading zeros and signs are errors.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseCellError(text.to_owned());
        let mut chars = text.chars();
        let column = match chars.next().map(|c| c.to_ascii_lowercase()) {
            Some(c @ 'a'..='l') => c as u8 - b'a',
            _ => return Err(error()),
        };
        let digits = chars.as_str();
        // `parse` alone would accept `+4` and `04`, and a cell has one name.
        let is_plain = digits.len() <= 2
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        match digits.parse::<u8>() {
            Ok(row @ 1..=12) if is_plain => Ok(Cell::new(column, row - 1)),
            _ => Err(error()),
        }
    }
}

/// The edge length of a square board, 4 to 12 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(try_from = "u64")]
pub struct Size(u8);

/// The error for a number that is not a board size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("board size {0} is outside 4..12")]
pub struct SizeError(
    /// The number that was given.
    pub u64,
);

impl Size {
    /// The smallest board of the rules (docs/rules.md, "Board and supply").
    pub const MIN: Size = Size(4);
    /// The largest board, which is also the larger of the two published ones. [`Cell`] has room for
    /// 16 rows, but bitboards rely on four of them being free.
    pub const MAX: Size = Size(12);
    /// The published board.
    pub const STANDARD: Size = Size(10);

    /// The size with edges of `n` cells.
    ///
    /// # Errors
    /// [`SizeError`] if `n` is outside 4..=12.
    pub const fn new(n: u64) -> Result<Size, SizeError> {
        if n < Self::MIN.0 as u64 || n > Self::MAX.0 as u64 {
            return Err(SizeError(n));
        }
        Ok(Size(n as u8))
    }

    /// The edge length in cells.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The cells of a board in the order of texts and clients: row by row from the top, each row
    /// from the left.
    pub fn rows(self) -> impl Iterator<Item = Cell> {
        let rows = (0..self.get()).rev();
        rows.flat_map(move |row| (0..self.get()).map(move |column| Cell::new(column, row)))
    }

    /// All sizes, smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Size> {
        (Self::MIN.0..=Self::MAX.0).map(Size)
    }
}

impl TryFrom<u64> for Size {
    type Error = SizeError;

    fn try_from(size: u64) -> Result<Size, SizeError> {
        Size::new(size)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One of the eight symmetries of the square: mirrored or not in columns and in rows, and then
/// perhaps transposed. The rules do not change under any of them.
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
