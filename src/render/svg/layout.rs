//! Where the parts of a picture are.

use super::picture::Picture;
use crate::board::Cell;

/// The edge of a cell. All lengths are in units of the picture.
pub(super) const CELL: f64 = 48.0;

/// The margin around the board, which holds the coordinates.
pub(super) const MARGIN: f64 = 30.0;

/// The minimum width, which leaves room for the text below the board.
const MIN_WIDTH: f64 = 400.0;

/// The height of a title.
const TITLE: f64 = 34.0;

/// The height of the text below the board.
const FOOT: f64 = 88.0;

/// The number of candidates shown.
pub(super) const SHOWN: usize = 12;

/// The width of the list of candidates.
const WIDTH: f64 = 300.0;

/// The height of a row of the list.
pub(super) const ROW: f64 = 26.0;

/// The size of a picture and the places of its parts.
pub(super) struct Layout {
    /// Width and height.
    pub(super) size: [f64; 2],
    /// The upper left corner of the board.
    pub(super) board: [f64; 2],
    /// The number of cells along each edge of the board.
    pub(super) cells: u8,
    /// The upper left corner of the list of candidates.
    pub(super) list: [f64; 2],
    /// The upper left corner of the text below the board.
    pub(super) foot: [f64; 2],
}

impl Layout {
    /// The layout of a picture.
    pub(super) fn of(picture: &Picture<'_>) -> Layout {
        let cells = picture.position.size().get();
        let edge = CELL * f64::from(cells);
        let top = MARGIN + if picture.title.is_empty() { 0.0 } else { TITLE };
        let width = (edge + 2.0 * MARGIN).max(MIN_WIDTH);
        let left = (width - edge) / 2.0;
        let [list_width, list_height] = list_size(picture);
        let height = edge.max(list_height);
        Layout {
            size: [width + list_width, top + height + MARGIN + FOOT],
            board: [left, top],
            cells,
            list: [width, top],
            foot: [left.min(MARGIN), top + height + MARGIN + 10.0],
        }
    }

    /// The centre of a cell.
    pub(super) fn centre(&self, cell: Cell) -> [f64; 2] {
        let [left, top] = self.board;
        let column = f64::from(cell.column()) + 0.5;
        let row = f64::from(self.cells - 1 - cell.row()) + 0.5;
        [left + CELL * column, top + CELL * row]
    }
}

/// The width and height of the list of candidates.
fn list_size(picture: &Picture<'_>) -> [f64; 2] {
    match picture.candidates.len() {
        0 => [0.0, 0.0],
        n if n > SHOWN => [WIDTH, ROW * (SHOWN + 2) as f64],
        n => [WIDTH, ROW * (n + 1) as f64],
    }
}
