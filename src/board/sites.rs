//! Bridge sites, pairs of cells that a bridge can join, and sets of them as
//! bitboards.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, Cells, CellsIter};

/// A place for a bridge: its smaller end and one of eight directions. A site has
/// the same value on every board size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(u16);

/// The directions of bridges, from the smaller end to the larger, in columns
/// and rows (docs/rules.md, "Bridges").
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 2), (1, -2), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];

/// The difference of the ends' [`Cell::index`]es, for each direction.
const STEPS: [u32; 8] = {
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
const SPANS: [&[i32]; 8] = [&[1], &[-1, 15], &[1, 17], &[15], &[16, 15], &[16], &[16, 17], &[17]];

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

text_in_json!(Site);

/// The text is not a bridge site.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a bridge, as in d4-f5")]
pub struct ParseSiteError(
    /// The text.
    pub String,
);

impl FromStr for Site {
    type Err = ParseSiteError;

    /// Parses `d4-f5`, the ends in either order.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ends = text.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let site = ends.and_then(|(a, b)| Site::between(a, b));
        site.ok_or_else(|| ParseSiteError(text.to_owned()))
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of bridge sites: for each direction, the smaller ends as [`Cells`].
///
/// The words are interleaved, with those of all directions side by side, so that
/// vector instructions handle all directions at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SiteSet([Lanes; 3]);

/// A word for each direction.
type Lanes = [u64; LANES];

const LANES: usize = DIRECTIONS.len();

/// The first and the second cell under a bridge: the distance in bits from the
/// smaller end up, or down. 64 means that there is none.
const FIRST: [u32; LANES] = spans(0, false);
const SECOND: [u32; LANES] = spans(1, false);
const SECOND_DOWN: [u32; LANES] = spans(1, true);

const fn spans(n: usize, down: bool) -> [u32; LANES] {
    let mut steps = [64; LANES];
    let mut lane = 0;
    while lane < LANES {
        // SPANS has a negative distance first.
        let cells = SPANS[lane];
        let n = if cells[0] < 0 { 1 - n } else { n };
        if n < cells.len() && (cells[n] < 0) == down {
            steps[lane] = cells[n].unsigned_abs();
        }
        lane += 1;
    }
    steps
}

/// At most two sites of one direction cover a cell.
const _: () = {
    let mut lane = 0;
    while lane < LANES {
        assert!(SECOND[lane] == 64 || SECOND_DOWN[lane] == 64);
        lane += 1;
    }
};

/// Saturating counters for each bit: the bits counted at least once, twice and
/// three times.
type Counts<const N: usize> = [[u64; N]; 3];

impl SiteSet {
    /// The empty set.
    pub const EMPTY: SiteSet = SiteSet([[0; LANES]; 3]);

    /// The smaller ends of the sites of one direction.
    #[inline(always)]
    fn plane(&self, direction: usize) -> Cells {
        let [a, b, c] = &self.0;
        Cells::from_words([a[direction], b[direction], c[direction]])
    }

    /// The sites of the set with both ends on `cells`.
    #[inline(always)]
    #[must_use]
    pub fn within(&self, cells: Cells) -> SiteSet {
        let mut set = *self;
        for ((lanes, low), high) in set.0.iter_mut().zip(cells.words()).zip(larger_ends(cells)) {
            for (lane, high) in lanes.iter_mut().zip(high) {
                *lane &= low & high;
            }
        }
        set
    }

    /// The cells that at least one, two and three sites of the set join to
    /// `from`.
    #[inline(always)]
    pub fn reach(&self, from: Cells) -> [Cells; 3] {
        let (up, down) = self.joined(from);
        let mut counts = [[0; 3]; 3];
        for word in 0..3 {
            let (mut one, mut two) = ([0; LANES], [0; LANES]);
            for lane in 0..LANES {
                one[lane] = up[word][lane] | down[word][lane];
                two[lane] = up[word][lane] & down[word][lane];
            }
            for (n, count) in total([one, two, [0; LANES]]).into_iter().enumerate() {
                counts[n][word] = count;
            }
        }
        counts.map(Cells::from_words)
    }

    /// The cells that sites of the set join to `from`.
    #[inline(always)]
    pub fn reached(&self, from: Cells) -> Cells {
        let (up, down) = self.joined(from);
        let mut cells = [0; 3];
        for word in 0..3 {
            for lane in 0..LANES {
                cells[word] |= up[word][lane] | down[word][lane];
            }
        }
        Cells::from_words(cells)
    }

    /// The larger ends of sites whose smaller ends are on `from`, and the
    /// smaller ends of sites whose larger ends are on `from`.
    #[inline(always)]
    fn joined(&self, from: Cells) -> ([Lanes; 3], [Lanes; 3]) {
        let (low, high) = (from.words(), larger_ends(from));
        let (mut up, mut down) = (self.0, self.0);
        for word in 0..3 {
            for lane in 0..LANES {
                up[word][lane] &= low[word];
                down[word][lane] &= high[word][lane];
            }
        }
        (moved_up(&up, STEPS), down)
    }

    /// The sites of the set that join a cell of `a` and a cell of `b`.
    #[inline(always)]
    #[must_use]
    pub fn between(&self, a: Cells, b: Cells) -> SiteSet {
        let (low_a, low_b) = (a.words(), b.words());
        let (high_a, high_b) = (larger_ends(a), larger_ends(b));
        let mut set = *self;
        for word in 0..3 {
            for lane in 0..LANES {
                set.0[word][lane] &=
                    low_a[word] & high_b[word][lane] | low_b[word] & high_a[word][lane];
            }
        }
        set
    }

    /// The cells under at least one and under at least two sites of the set.
    #[inline(always)]
    #[must_use]
    pub fn covered(&self) -> [Cells; 2] {
        let first = moved_up(&self.0, FIRST);
        let second = moved_up(&self.0, SECOND);
        let down = moved_down(&self.0, SECOND_DOWN);
        let mut counts = [[0; 3]; 2];
        for word in 0..3 {
            let (mut one, mut two) = ([0; LANES], [0; LANES]);
            for lane in 0..LANES {
                // The first cell under one bridge, the second under another.
                one[lane] = first[word][lane] | second[word][lane] | down[word][lane];
                two[lane] = first[word][lane] & (second[word][lane] | down[word][lane]);
            }
            let [one, two, _] = total([one, two, [0; LANES]]);
            (counts[0][word], counts[1][word]) = (one, two);
        }
        counts.map(Cells::from_words)
    }

    /// The number of sites in both sets.
    #[inline(always)]
    pub fn in_common(&self, other: &SiteSet) -> u32 {
        let words = self.0.as_flattened().iter().zip(other.0.as_flattened());
        words.map(|(&a, &b)| (a & b).count_ones()).sum()
    }

    /// Whether a site is in both sets.
    #[inline(always)]
    pub fn meets(&self, other: &SiteSet) -> bool {
        let words = self.0.as_flattened().iter().zip(other.0.as_flattened());
        words.fold(0, |all, (&a, &b)| all | (a & b)) != 0
    }

    /// Adds `site`.
    #[inline]
    pub fn insert(&mut self, site: Site) {
        let (direction, low) = place(site);
        self.0[low / 64][direction] |= 1 << (low % 64);
    }

    /// Removes every site of `other`.
    #[inline(always)]
    pub fn subtract(&mut self, other: &SiteSet) {
        for (word, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *word &= !other;
        }
    }

    /// Whether `site` is in the set.
    #[inline]
    pub fn contains(&self, site: Site) -> bool {
        let (direction, low) = place(site);
        self.0[low / 64][direction] >> (low % 64) & 1 != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.as_flattened().iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of sites.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.as_flattened().iter().map(|word| word.count_ones()).sum()
    }

    /// The `n`-th site in the order of [`SiteSet::iter`], counted from 0.
    #[inline(always)]
    pub fn nth(&self, mut n: u32) -> Option<Site> {
        for direction in 0..LANES {
            let plane = self.plane(direction);
            let count = plane.len();
            if n < count {
                let low = plane.nth(n)?;
                return Some(Site((direction * Cell::TABLE + low.index()) as u16));
            }
            n -= count;
        }
        None
    }

    /// The sites, by direction, then by smaller end.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Site> + use<'_> {
        SitesIter { set: self, next: 0, ends: Cells::EMPTY.into_iter() }
    }
}

/// Iterates over the sites of a set.
#[derive(Clone, Debug)]
struct SitesIter<'a> {
    set: &'a SiteSet,
    /// The direction after the current one.
    next: usize,
    /// The smaller ends left in the current direction.
    ends: CellsIter,
}

impl Iterator for SitesIter<'_> {
    type Item = Site;

    #[inline(always)]
    fn next(&mut self) -> Option<Site> {
        loop {
            if let Some(low) = self.ends.next() {
                let direction = self.next - 1;
                return Some(Site((direction * Cell::TABLE + low.index()) as u16));
            }
            if self.next == LANES {
                return None;
            }
            self.ends = self.set.plane(self.next).into_iter();
            self.next += 1;
        }
    }
}

/// The direction of a site and the index of its smaller end.
#[inline(always)]
const fn place(site: Site) -> (usize, usize) {
    (site.index() / Cell::TABLE, site.index() % Cell::TABLE)
}

/// For each direction, the smaller ends of the sites whose larger ends are
/// `cells`.
#[inline(always)]
fn larger_ends(cells: Cells) -> [Lanes; 3] {
    moved_down(&cells.words().map(|word| [word; LANES]), STEPS)
}

/// Shifts each direction's bits up by its number of `steps`; 64 clears them.
#[inline(always)]
fn moved_up(cells: &[Lanes; 3], steps: [u32; LANES]) -> [Lanes; 3] {
    let mut moved = [[0; LANES]; 3];
    for word in 0..3 {
        for lane in 0..LANES {
            moved[word][lane] = cells[word][lane].unbounded_shl(steps[lane]);
            if word > 0 && steps[lane] < 64 {
                moved[word][lane] |= cells[word - 1][lane] >> (64 - steps[lane]);
            }
        }
    }
    moved
}

/// Shifts each direction's bits down by its number of `steps`; 64 clears them.
#[inline(always)]
fn moved_down(cells: &[Lanes; 3], steps: [u32; LANES]) -> [Lanes; 3] {
    let mut moved = [[0; LANES]; 3];
    for word in 0..3 {
        for lane in 0..LANES {
            moved[word][lane] = cells[word][lane].unbounded_shr(steps[lane]);
            if word < 2 && steps[lane] < 64 {
                moved[word][lane] |= cells[word + 1][lane] << (64 - steps[lane]);
            }
        }
    }
    moved
}

/// The sum of the counters of all lanes.
#[inline(always)]
fn total(counts: Counts<LANES>) -> [u64; 3] {
    let counts: Counts<4> = halved(&counts);
    let counts: Counts<2> = halved(&counts);
    let [[one], [two], [three]]: Counts<1> = halved(&counts);
    [one, two, three]
}

/// Adds the counters of the upper half of the lanes to those of the lower.
#[inline(always)]
fn halved<const N: usize, const HALF: usize>(counts: &Counts<N>) -> Counts<HALF> {
    let [one, two, three] = counts;
    let mut sums = [[0; HALF]; 3];
    for a in 0..HALF {
        let b = a + HALF;
        sums[0][a] = one[a] | one[b];
        sums[1][a] = two[a] | two[b] | one[a] & one[b];
        sums[2][a] = three[a] | three[b] | one[a] & two[b] | two[a] & one[b];
    }
    sums
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
