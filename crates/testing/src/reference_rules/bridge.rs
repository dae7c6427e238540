//! Shapes, spans and crossings of bridges (docs/rules.md, "Bridges").

use pontifex::board::Cell;

/// The two ends of a bridge.
pub type Bridge = (Cell, Cell);

/// The differences of two cells in columns and rows.
fn difference(a: Cell, b: Cell) -> (i32, i32) {
    let coordinate = |x: u8| i32::from(x);
    (coordinate(b.column()) - coordinate(a.column()), coordinate(b.row()) - coordinate(a.row()))
}

/// "Coordinates differ by (±2,0), (0,±2), (±2,±2), (±1,±2) or (±2,±1)".
pub fn is_bridge_shape((a, b): Bridge) -> bool {
    let (columns, rows) = difference(a, b);
    [(2, 0), (0, 2), (2, 2), (1, 2), (2, 1)].contains(&(columns.abs(), rows.abs()))
}

/// The cells under a bridge. The ends are corners of a block of cells; along a
/// side of the block that is three long only the middle counts.
pub fn spanned(bridge: Bridge) -> Vec<Cell> {
    let (a, b) = bridge;
    let middle = |one: u8, other: u8| {
        let (low, high) = (one.min(other), one.max(other));
        if high - low == 2 { low + 1..=low + 1 } else { low..=high }
    };
    let mut under = Vec::new();
    for column in middle(a.column(), b.column()) {
        for row in middle(a.row(), b.row()) {
            under.push(Cell::new(column, row));
        }
    }
    under
}

/// Whether the open segments between the ends of two bridges intersect.
///
/// The points of the segments are `a + t·ab` and `c + u·cd` with t and u between
/// 0 and 1. At the intersection, t and u are fractions over `ab × cd`.
pub fn cross((a, b): Bridge, (c, d): Bridge) -> bool {
    let product = |p: (i32, i32), q: (i32, i32)| p.0 * q.1 - p.1 * q.0;
    let (ab, cd, gap) = (difference(a, b), difference(c, d), difference(a, c));
    let below = product(ab, cd);
    if below != 0 {
        let inside = |above: i32| 0 < above * below && above.abs() < below.abs();
        return inside(product(gap, cd)) && inside(product(gap, ab));
    }
    if product(gap, ab) != 0 {
        return false; // Parallel lines.
    }
    // On one line: project c and d onto ab.
    let along = |p: (i32, i32)| p.0 * ab.0 + p.1 * ab.1;
    let (from, to) = (along(gap), along(difference(a, d)));
    from.min(to) < along(ab) && 0 < from.max(to)
}
