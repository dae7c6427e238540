use std::fmt;

use super::{Cell, Cells};

/// From the smaller end of a bridge to the larger, in columns and rows. Every
/// bridge shape of RULES.md has one of these eight directions.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 2), (1, -2), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];

/// How far apart the ends' [`Cell::index`]es are, for each direction.
const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut n = 0;
    while n < 8 {
        steps[n] = (DIRECTIONS[n].0 as i32 * 16 + DIRECTIONS[n].1 as i32) as u32;
        n += 1;
    }
    steps
};

/// How much further than the smaller end's the [`Cell::index`]es of the cells
/// under the bridge are, for each direction.
const SPANS: [&[i32]; 8] = [&[1], &[-1, 15], &[1, 17], &[15], &[16, 15], &[16], &[16, 17], &[17]];

/// Where a bridge can be: a smaller end and one of eight directions. The same
/// value on every board size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(u16);

impl Site {
    /// One more than the largest [`Site::index`]: the length of a table over
    /// sites.
    pub const TABLE: usize = DIRECTIONS.len() * Cell::TABLE;

    /// The site between two cells, in either order, if a bridge has that
    /// shape.
    #[inline]
    pub fn between(a: Cell, b: Cell) -> Option<Site> {
        let (low, high) = (a.min(b), a.max(b));
        let columns = high.column() as i8 - low.column() as i8;
        let rows = high.row() as i8 - low.row() as i8;
        let direction = DIRECTIONS.iter().position(|&shape| shape == (columns, rows))?;
        Some(Site((direction * Cell::TABLE + low.index()) as u16))
    }

    /// Where the site stands in tables of [`Site::TABLE`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The site with [`Site::index`] `index`, which must come from a site.
    #[inline]
    pub(crate) const fn from_index(index: u16) -> Site {
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

    /// The one or two cells under a bridge there. RULES.md, "Bridges".
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

    /// Whether bridges on the two sites would cross: whether the open
    /// segments between their ends meet.
    pub fn crosses(self, other: Site) -> bool {
        let [a, b] = self.ends();
        let [c, d] = other.ends();
        // Twice the signed area of a triangle: on which side of p-q lies r?
        let turn = |p: Cell, q: Cell, r: Cell| {
            let columns = |to: Cell| i32::from(to.column()) - i32::from(p.column());
            let rows = |to: Cell| i32::from(to.row()) - i32::from(p.row());
            (columns(q) * rows(r) - rows(q) * columns(r)).signum()
        };
        let (abc, abd) = (turn(a, b, c), turn(a, b, d));
        if abc == 0 && abd == 0 {
            // On one line, where cell order is order along the line.
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

/// A set of bridge sites: for each direction, the smaller ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SiteSet([Cells; DIRECTIONS.len()]);

impl SiteSet {
    /// For each direction, the smaller ends: site x is in plane x / 192.
    #[inline]
    pub(crate) fn planes(&self) -> &[Cells; DIRECTIONS.len()] {
        &self.0
    }

    /// No site.
    pub const EMPTY: SiteSet = SiteSet([Cells::EMPTY; DIRECTIONS.len()]);

    /// The sites of the set that end on two of `cells`.
    #[inline]
    #[must_use]
    pub fn within(&self, cells: Cells) -> SiteSet {
        let mut set = *self;
        for (plane, step) in set.0.iter_mut().zip(STEPS) {
            *plane = *plane & cells & cells.shifted_down(step);
        }
        set
    }

    /// How many sites of the set join `cell` and one of `others`.
    #[inline]
    pub fn within_reach(&self, cell: Cell, others: Cells) -> u32 {
        let mut count = 0;
        for (&plane, step) in self.0.iter().zip(STEPS) {
            let step = step as u8;
            let cell_at = |index: u8| Cell::from_index(index);
            if plane.contains(cell) {
                count += u32::from(others.contains(cell_at(cell.index() as u8 + step)));
            }
            if let Some(low) = (cell.index() as u8).checked_sub(step)
                && low & 15 < 12
            {
                count += u32::from(plane.contains(cell_at(low)) && others.contains(cell_at(low)));
            }
        }
        count
    }

    /// The cells that at least one, two and three sites of the set join to
    /// cells of `from`.
    #[inline]
    pub fn reach(&self, from: Cells) -> [Cells; 3] {
        let [mut one, mut two, mut three] = [Cells::EMPTY; 3];
        for (&plane, step) in self.0.iter().zip(STEPS) {
            for more in [(plane & from).shifted_up(step), plane & from.shifted_down(step)] {
                three |= two & more;
                two |= one & more;
                one |= more;
            }
        }
        [one, two, three]
    }

    /// The cells that sites of the set join to cells of `from`.
    #[inline]
    pub fn reached(&self, from: Cells) -> Cells {
        let joined = self.0.iter().zip(STEPS).map(|(&plane, step)| {
            (plane & from).shifted_up(step) | (plane & from.shifted_down(step))
        });
        joined.fold(Cells::EMPTY, |all, cells| all | cells)
    }

    /// The sites of the set with one end on `a` and the other on `b`.
    #[inline]
    #[must_use]
    pub fn between(&self, a: Cells, b: Cells) -> SiteSet {
        let mut set = *self;
        for (plane, step) in set.0.iter_mut().zip(STEPS) {
            *plane &= (a & b.shifted_down(step)) | (b & a.shifted_down(step));
        }
        set
    }

    /// The cells under one site of the set or more, and under two or more.
    #[inline]
    #[must_use]
    pub fn covered(&self) -> [Cells; 2] {
        let [mut one, mut two] = [Cells::EMPTY; 2];
        for (&plane, steps) in self.0.iter().zip(SPANS) {
            for &step in steps {
                let by = step.unsigned_abs();
                let more = if step < 0 { plane.shifted_down(by) } else { plane.shifted_up(by) };
                two |= one & more;
                one |= more;
            }
        }
        [one, two]
    }

    /// How many sites the sets have in common.
    #[inline]
    pub fn in_common(&self, other: &SiteSet) -> u32 {
        self.0.iter().zip(&other.0).map(|(&a, &b)| (a & b).len()).sum()
    }

    /// Whether the sets have a site in common.
    #[inline]
    pub fn meets(&self, other: &SiteSet) -> bool {
        let common = self.0.iter().zip(&other.0).map(|(&a, &b)| a & b);
        !common.fold(Cells::EMPTY, |all, plane| all | plane).is_empty()
    }

    /// Adds `site`.
    #[inline]
    pub fn insert(&mut self, site: Site) {
        let [low, _] = site.ends();
        self.0[site.index() / Cell::TABLE].insert(low);
    }

    /// Takes every site of `other` away.
    #[inline]
    pub fn subtract(&mut self, other: &SiteSet) {
        for (plane, other) in self.0.iter_mut().zip(other.0) {
            *plane -= other;
        }
    }

    /// Whether `site` is in the set.
    #[inline]
    pub fn contains(&self, site: Site) -> bool {
        let [low, _] = site.ends();
        self.0[site.index() / Cell::TABLE].contains(low)
    }

    /// Whether there is no site in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(Cells::EMPTY, |all, &plane| all | plane).is_empty()
    }

    /// How many sites there are.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|plane| plane.len()).sum()
    }

    /// The site with `n` smaller ones before it, if there are that many.
    #[inline(always)]
    pub fn nth(&self, mut n: u32) -> Option<Site> {
        for (direction, plane) in self.0.iter().enumerate() {
            let count = plane.len();
            if n < count {
                let low = plane.nth(n)?;
                return Some(Site((direction * Cell::TABLE + low.index()) as u16));
            }
            n -= count;
        }
        None
    }

    /// The sites, by direction, smallest end first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Site> + use<'_> {
        self.0.iter().enumerate().flat_map(|(direction, &plane)| {
            let base = direction * Cell::TABLE;
            plane.into_iter().map(move |low| Site((base + low.index()) as u16))
        })
    }
}

impl FromIterator<Site> for SiteSet {
    fn from_iter<I: IntoIterator<Item = Site>>(iter: I) -> Self {
        let mut set = SiteSet::EMPTY;
        iter.into_iter().for_each(|site| set.insert(site));
        set
    }
}

impl fmt::Debug for SiteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(text: &str) -> Site {
        let (a, b) = text.split_once('-').unwrap();
        Site::between(a.parse().unwrap(), b.parse().unwrap()).unwrap()
    }

    #[test]
    fn spans_as_in_the_rules() {
        let cells = |text: &str| text.split(',').map(|c| c.parse::<Cell>().unwrap()).collect();
        for (bridge, span) in [
            ("d4-e6", "d5,e5"),
            ("d4-f5", "e4,e5"),
            ("d4-f4", "e4"),
            ("f2-d4", "e3"),
            ("d4-d6", "d5"),
            ("e2-d4", "d3,e3"),
            ("f3-d4", "e3,e4"),
        ] {
            assert_eq!(site(bridge).span(), cells(span), "{bridge}");
        }
        for other in ["d4", "d5", "e5", "g4", "g5", "a1"] {
            assert_eq!(Site::between("d4".parse().unwrap(), other.parse().unwrap()), None);
        }
    }

    /// By the definitions, site by site.
    #[test]
    fn cells_under_and_ends_of_sets() {
        let mut random = crate::eval::Random::new(7);
        for size in crate::board::Size::all() {
            let geometry = crate::board::Geometry::of(size);
            for _ in 0..50 {
                let mut half = || {
                    let all = geometry.board().into_iter();
                    all.filter(|_| random.chance(128)).collect::<Cells>()
                };
                let (a, b, c) = (half(), half(), half());
                let all = geometry.sites().iter();
                let set: SiteSet = all.filter(|site| c.contains(site.ends()[0])).collect();
                let joins = |site: &Site| {
                    let [low, high] = site.ends();
                    a.contains(low) && b.contains(high) || b.contains(low) && a.contains(high)
                };
                assert_eq!(set.between(a, b), set.iter().filter(joins).collect());
                let under = |n: usize| {
                    let over = |cell: Cell| set.iter().filter(|s| s.span().contains(cell)).count();
                    let cells = geometry.board().into_iter();
                    cells.filter(|&cell| over(cell) >= n).collect::<Cells>()
                };
                assert_eq!(set.covered(), [under(1), under(2)]);
            }
        }
    }

    #[test]
    fn crossings() {
        // The first pair shares no spanned cell, the field's usual mistake.
        for (a, b) in [
            ("c3-e5", "c6-e4"),
            ("c3-e5", "e3-c5"),
            ("c3-d5", "d3-c5"),
            ("a1-c1", "b1-d1"),
            ("a1-c2", "a2-c1"),
        ] {
            assert!(site(a).crosses(site(b)), "{a} {b}");
            assert!(site(b).crosses(site(a)), "{b} {a}");
        }
        for (a, b) in [
            ("d4-e6", "e4-f6"),
            ("c3-e5", "e5-g7"),
            ("c3-e3", "c4-e4"),
            ("a1-c3", "c1-d3"),
            ("a1-c1", "c1-e1"),
        ] {
            assert!(!site(a).crosses(site(b)), "{a} {b}");
        }
    }
}
