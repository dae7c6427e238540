//! GoGui's names of points.

use crate::board::Cell;
use crate::game::Move;

/// GoGui's columns: as usual in Go, there is no I.
const COLUMNS: [char; 12] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M'];

/// GoGui's name of a cell: `i1` is J1.
pub(crate) fn point(cell: Cell) -> String {
    format!("{}{}", COLUMNS[usize::from(cell.column())], cell.row() + 1)
}

/// A move, with GoGui's names of its points.
pub(in crate::gtp) fn points(mv: Move) -> String {
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
