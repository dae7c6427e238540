use std::fmt;

use super::{Cell, Cells};

/// The most bridge sites a board has: 880 on 12×12.
pub const MAX_SITES: usize = 880;

const WORDS: usize = MAX_SITES.div_ceil(64);

/// The number of a bridge site in its board size's
/// [`Geometry`](super::Geometry), below [`MAX_SITES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub(crate) u16);

impl Site {
    /// Where the site stands in tables of [`MAX_SITES`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Two cells a bridge may join, and the water under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BridgeSite {
    /// The ends, the smaller cell first.
    pub ends: [Cell; 2],
    /// The one or two cells under the bridge.
    pub span: Cells,
}

impl BridgeSite {
    /// The cells a bridge between `a` and `b` would span, or `None` when no
    /// bridge has that shape. RULES.md, "Bridges".
    pub fn span(a: Cell, b: Cell) -> Option<Cells> {
        let columns = b.column() as i8 - a.column() as i8;
        let rows = b.row() as i8 - a.row() as i8;
        let at = |column: i8, row: i8| {
            Cell::new((a.column() as i8 + column) as u8, (a.row() as i8 + row) as u8)
        };
        match (columns.abs(), rows.abs()) {
            (2, 0) | (0, 2) | (2, 2) => Some(at(columns / 2, rows / 2).into()),
            (1, 2) => Some(Cells::from(at(0, rows / 2)).with(at(columns, rows / 2))),
            (2, 1) => Some(Cells::from(at(columns / 2, 0)).with(at(columns / 2, rows))),
            _ => None,
        }
    }

    /// Whether bridges on the two sites would cross: whether the open
    /// segments between their ends meet.
    pub fn crosses(&self, other: &BridgeSite) -> bool {
        let [a, b] = self.ends;
        let [c, d] = other.ends;
        // Twice the signed area of a triangle: on which side of p-q lies r?
        let turn = |p: Cell, q: Cell, r: Cell| {
            let x = |cell: Cell| i32::from(cell.column());
            let y = |cell: Cell| i32::from(cell.row());
            ((x(q) - x(p)) * (y(r) - y(p)) - (y(q) - y(p)) * (x(r) - x(p))).signum()
        };
        let (abc, abd) = (turn(a, b, c), turn(a, b, d));
        if abc == 0 && abd == 0 {
            // On one line, where cell order is order along the line.
            return a < d && c < b;
        }
        abc * abd < 0 && turn(c, d, a) * turn(c, d, b) < 0
    }
}

impl fmt::Display for BridgeSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ends[0], self.ends[1])
    }
}

/// A set of bridge sites of one board size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SiteSet([u64; WORDS]);

impl SiteSet {
    /// No site.
    pub const EMPTY: SiteSet = SiteSet([0; WORDS]);

    /// Adds `site`.
    #[inline]
    pub const fn insert(&mut self, site: Site) {
        self.0[site.index() / 64] |= 1 << (site.index() % 64);
    }

    /// Whether `site` is in the set.
    #[inline]
    pub const fn contains(&self, site: Site) -> bool {
        self.0[site.index() / 64] >> (site.index() % 64) & 1 != 0
    }

    /// Takes away every site of `other`.
    #[inline]
    pub fn subtract(&mut self, other: &SiteSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    /// Adds every site of `other`.
    #[inline]
    pub fn union(&mut self, other: &SiteSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// The sites in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &SiteSet) -> SiteSet {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        both
    }

    /// Whether there is no site in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// How many sites there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The site with `n` smaller ones before it, if there are that many.
    #[inline]
    pub fn nth(&self, mut n: u32) -> Option<Site> {
        for (word, &bits) in self.0.iter().enumerate() {
            let count = bits.count_ones();
            if n < count {
                let mut bits = bits;
                for _ in 0..n {
                    bits &= bits - 1;
                }
                return Some(Site((word as u32 * 64 + bits.trailing_zeros()) as u16));
            }
            n -= count;
        }
        None
    }

    /// The sites, smallest first.
    #[inline]
    pub fn iter(&self) -> SiteSetIter<'_> {
        SiteSetIter { words: &self.0, word: 0, bits: self.0[0] }
    }
}

impl FromIterator<Site> for SiteSet {
    fn from_iter<I: IntoIterator<Item = Site>>(iter: I) -> Self {
        let mut set = SiteSet::EMPTY;
        iter.into_iter().for_each(|site| set.insert(site));
        set
    }
}

/// The sites of a set, smallest first.
#[derive(Clone, Debug)]
pub struct SiteSetIter<'a> {
    words: &'a [u64; WORDS],
    word: usize,
    bits: u64,
}

impl Iterator for SiteSetIter<'_> {
    type Item = Site;

    #[inline]
    fn next(&mut self) -> Option<Site> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.words.get(self.word)?;
        }
        let index = self.word as u32 * 64 + self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(Site(index as u16))
    }
}

impl<'a> IntoIterator for &'a SiteSet {
    type Item = Site;
    type IntoIter = SiteSetIter<'a>;

    #[inline]
    fn into_iter(self) -> SiteSetIter<'a> {
        self.iter()
    }
}

impl fmt::Debug for SiteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}
