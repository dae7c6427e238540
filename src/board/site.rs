//! Bridge sites: pairs of cells that a bridge can join.

use std::fmt;

use super::{Cell, Cells};

/// The directions of bridges, from the smaller end to the larger, in columns
/// and rows (docs/rules.md, "Bridges").
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(0, 2), (1, -2), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];

/// The difference of the ends' [`Cell::index`]es, for each direction.
pub(super) const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut n = 0;
    while n < 8 {
        steps[n] = (DIRECTIONS[n].0 as i32 * 16 + DIRECTIONS[n].1 as i32) as u32;
        n += 1;
    }
    steps
};

/// The cells under a bridge, for each direction: differences of their
/// [`Cell::index`]es to that of the smaller end.
pub(super) const SPANS: [&[i32]; 8] =
    [&[1], &[-1, 15], &[1, 17], &[15], &[16, 15], &[16], &[16, 17], &[17]];

/// A place for a bridge: its smaller end and one of eight directions. A site has
/// the same value on every board size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub(super) u16);

impl Site {
    /// One more than the largest [`Site::index`]: the length of a table over
    /// sites.
    pub const TABLE: usize = DIRECTIONS.len() * Cell::TABLE;

    /// The site between two cells, in either order; `None` if no bridge has that
    /// shape.
    #[inline]
    pub fn between(a: Cell, b: Cell) -> Option<Site> {
        let (low, high) = (a.min(b), a.max(b));
        let columns = high.column() as i8 - low.column() as i8;
        let rows = high.row() as i8 - low.row() as i8;
        let direction = DIRECTIONS.iter().position(|&shape| shape == (columns, rows))?;
        Some(Site((direction * Cell::TABLE + low.index()) as u16))
    }

    /// The index of the site in tables of [`Site::TABLE`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The site with [`Site::index`] `index`, which must be that of a site.
    // As of `Cell::from_index`.
    #[doc(hidden)]
    #[inline]
    pub const fn from_index(index: u16) -> Site {
        debug_assert!((index as usize) < Self::TABLE);
        Site(index)
    }

    /// The two ends, the smaller cell first.
    #[inline]
    pub const fn ends(self) -> [Cell; 2] {
        let low = self.index() % Cell::TABLE;
        let high = low + STEPS[self.index() / Cell::TABLE] as usize;
        [Cell::from_index(low as u8), Cell::from_index(high as u8)]
    }

    /// The one or two cells under a bridge on this site.
    pub fn span(self) -> Cells {
        let [low, _] = self.ends();
        let (columns, rows) = DIRECTIONS[self.index() / Cell::TABLE];
        let at = |columns: i8, rows: i8| {
            let column = low.column() as i8 + columns;
            Cell::new(column as u8, (low.row() as i8 + rows) as u8)
        };
        match (columns, rows.abs()) {
            (1, _) => Cells::from(at(0, rows / 2)).with(at(1, rows / 2)),
            (_, 1) => Cells::from(at(1, 0)).with(at(1, rows)),
            _ => at(columns / 2, rows / 2).into(),
        }
    }

    /// Whether bridges on the two sites would cross: the open segments between
    /// their ends intersect.
    pub fn crosses(self, other: Site) -> bool {
        let [a, b] = self.ends();
        let [c, d] = other.ends();
        // The side of the line p-q on which r lies.
        let turn = |p: Cell, q: Cell, r: Cell| {
            let columns = |to: Cell| i32::from(to.column()) - i32::from(p.column());
            let rows = |to: Cell| i32::from(to.row()) - i32::from(p.row());
            (columns(q) * rows(r) - rows(q) * columns(r)).signum()
        };
        let (abc, abd) = (turn(a, b, c), turn(a, b, d));
        if abc == 0 && abd == 0 {
            // On one line, the order of cells is the order along the line.
            return a < d && c < b;
        }
        abc * abd < 0 && turn(c, d, a) * turn(c, d, b) < 0
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.ends();
        write!(f, "{a}-{b}")
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
