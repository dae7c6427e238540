//! Bridge sites, pairs of cells that a bridge can join, and sets of them as bitboards.
//!
//! A 10×10 board has 576 sites, and at every step a search asks which of them a player can build
//! on. The answer must not take a loop over tiles and bridges.
//!
//! **A site is an end and a direction.** The smaller end represents the site; the larger one lies
//! in one of eight directions:
//!
//! ```text
//!   row +2    0 2 7      x  the smaller end
//!       +1    . . 6      n  the larger end in direction n
//!        0    x . 5
//!       -1    . . 4      0 and 5 are straight, 3 and 7 diagonal,
//!       -2    . 1 3      1, 2, 4 and 6 knight's jumps
//! ```
//!
//! So a [`SiteSet`] is eight bitboards of smaller ends. "Both ends on these cells" is an
//! intersection with the cells and with the cells shifted back along the direction.
//!
//! **Open sites.** Whether a bridge may be built depends on its ends and on what lies across it.
//! The second part only gets worse: a tile under a site or a bridge across it stays forever.
//! [`Position`](crate::game::Position) keeps the set of sites without such an obstacle. A tile
//! removes the sites that span its cell, and a bridge removes the sites that it crosses, its own
//! included. Both masks are tables in [`Geometry`](super::Geometry), so an update is one
//! subtraction. The ends are checked only on demand: [`SiteSet::within`] selects the sites that
//! join two tiles without a bridge.
//!
//! **Lanes.** The eight bitboards are interleaved: word 0 of all directions, then word 1, then
//! word 2. Eight words of 64 bits are one AVX-512 vector or two of AVX2, and the compiler turns the
//! loops over lanes into operations on whole vectors. To allow this, the loops have fixed bounds
//! and no branches, and the lanes differ only in the distance of a shift. With evaluation and
//! rollouts compiled for AVX2 and AVX-512 this made the search 1.14 times as fast
//! (docs/experiments.tsv, "speed-ups").
//!
//! Shifts rely on the unused rows of [`Cells`]: a shifted bit that leaves its column is not an end
//! of any site, and intersections remove it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cell, Cells, CellsIter};

/// A place for a bridge: its smaller end and one of eight directions. A site has the same value on
/// every board size: 192 times the direction, plus the index of the smaller end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(u16);

/// The directions of bridges, from the smaller end to the larger, in columns and rows
/// (docs/rules.md, "Bridges"). Their order is that of [`Site::index`], which files of self-play
/// contain: it must not change.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 2), (1, -2), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];

/// The difference of the ends' [`Cell::index`]es, for each direction. It is positive, because the
/// smaller end comes first.
const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut n = 0;
    while n < 8 {
        steps[n] = (DIRECTIONS[n].0 as i32 * 16 + DIRECTIONS[n].1 as i32) as u32;
        n += 1;
    }
    steps
};

/// The cells under a bridge, for each direction: differences of their [`Cell::index`]es to that of
/// the smaller end.
const SPANS: [&[i32]; 8] = [&[1], &[-1, 15], &[1, 17], &[15], &[16, 15], &[16], &[16, 17], &[17]];

impl Site {
    /// One more than the largest [`Site::index`]: the length of a table over sites.
    pub const TABLE: usize = DIRECTIONS.len() * Cell::TABLE;

    /// The site between two cells, in either order; `None` if no bridge has that shape.
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
    // Hidden for the same reason as `Cell::from_index`.
    #[doc(hidden)]
    #[inline]
    pub const fn from_index(index: u16) -> Site {
        debug_assert!((index as usize) < Self::TABLE);
        Site(index)
    }

    /// The direction, and the index of the smaller end.
    #[inline(always)]
    const fn direction_and_end(self) -> (usize, usize) {
        (self.index() / Cell::TABLE, self.index() % Cell::TABLE)
    }

    /// The two ends, the smaller cell first.
    #[inline]
    pub const fn ends(self) -> [Cell; 2] {
        let (direction, low) = self.direction_and_end();
        let high = low + STEPS[direction] as usize;
        [Cell::from_index(low as u8), Cell::from_index(high as u8)]
    }

    /// The one or two cells under a bridge on this site.
    pub fn span(self) -> Cells {
        let [low, _] = self.ends();
        let (columns, rows) = DIRECTIONS[self.index() / Cell::TABLE];
        let cell_at = |columns: i8, rows: i8| {
            let column = low.column() as i8 + columns;
            Cell::new(column as u8, (low.row() as i8 + rows) as u8)
        };
        match (columns, rows.abs()) {
            (1, _) => Cells::from(cell_at(0, rows / 2)).with(cell_at(1, rows / 2)),
            (_, 1) => Cells::from(cell_at(1, 0)).with(cell_at(1, rows)),
            _ => cell_at(columns / 2, rows / 2).into(),
        }
    }

    /// Whether bridges on the two sites would cross: the open segments between their ends
    /// intersect.
    pub fn crosses(self, other: Site) -> bool {
        let [a, b] = self.ends();
        let [c, d] = other.ends();
        // The side of the line p-q on which r lies.
        let side = |p: Cell, q: Cell, r: Cell| {
            let columns = |to: Cell| i32::from(to.column()) - i32::from(p.column());
            let rows = |to: Cell| i32::from(to.row()) - i32::from(p.row());
            (columns(q) * rows(r) - rows(q) * columns(r)).signum()
        };
        let (abc, abd) = (side(a, b, c), side(a, b, d));
        if abc == 0 && abd == 0 {
            // On one line, the order of cells is the order along the line.
            return a < d && c < b;
        }
        // The ends of each bridge lie strictly on opposite sides of the other's line. Bridges that
        // only meet at an end give a zero and do not cross.
        abc * abd < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.ends();
        write!(f, "{a}-{b}")
    }
}

text_in_json!(Site);

/// The error for a text that is not a bridge site.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a bridge, as in d4-f5")]
pub struct ParseSiteError(
    /// The text that was given.
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
/// A set takes 192 bytes. The words of all directions lie side by side, so that vector instructions
/// handle all directions at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SiteSet([Lanes; 3]);

/// A word for each direction.
type Lanes = [u64; LANES];

const LANES: usize = DIRECTIONS.len();

// The first and the second cell under a bridge, for each direction: the distance in bits from the
// smaller end, upwards or downwards, or NO_CELL. Every direction spans a cell with a larger index than the smaller
// end, which counts as the first. So only second cells need a shift downwards.
/// The distance where there is no such cell. A shift by it leaves nothing, so the lane needs no
/// branch.
const NO_CELL: u32 = u64::BITS;
const FIRST: [u32; LANES] = span_steps(0, false);
const SECOND: [u32; LANES] = span_steps(1, false);
const SECOND_DOWN: [u32; LANES] = span_steps(1, true);

/// The distances of the first (`n` = 0) or the second spanned cells (`n` = 1), for the directions
/// where that cell lies downwards or upwards; [`NO_CELL`] for the others.
const fn span_steps(n: usize, down: bool) -> [u32; LANES] {
    let mut steps = [NO_CELL; LANES];
    let mut lane = 0;
    while lane < LANES {
        // A negative distance comes first in SPANS, but is the second cell here.
        let cells = SPANS[lane];
        let n = if cells[0] < 0 { 1 - n } else { n };
        if n < cells.len() && (cells[n] < 0) == down {
            steps[lane] = cells[n].unsigned_abs();
        }
        lane += 1;
    }
    steps
}

// At most two sites of one direction cover a cell, since no direction has a second cell both above
// and below. `covered` relies on it when it counts to two.
const _: () = {
    let mut lane = 0;
    while lane < LANES {
        assert!(SECOND[lane] == NO_CELL || SECOND_DOWN[lane] == NO_CELL);
        lane += 1;
    }
};

/// Saturating counters for each bit: the bits counted at least once, twice and three times. No
/// caller needs to tell more.
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
        let both_ends = set.0.iter_mut().zip(cells.words()).zip(smaller_ends(cells));
        for ((lanes, with_smaller_end), with_larger_end) in both_ends {
            for (lane, with_larger_end) in lanes.iter_mut().zip(with_larger_end) {
                *lane &= with_smaller_end & with_larger_end;
            }
        }
        set
    }

    /// The cells that at least one, two and three sites of the set join to `from`.
    #[inline(always)]
    pub fn reach_counts(&self, from: Cells) -> [Cells; 3] {
        let (up, down) = self.opposite_ends(from);
        let mut counts = [[0; 3]; 3];
        for word in 0..3 {
            let (mut one, mut two) = ([0; LANES], [0; LANES]);
            for lane in 0..LANES {
                one[lane] = up[word][lane] | down[word][lane];
                two[lane] = up[word][lane] & down[word][lane];
            }
            // A lane reaches a cell at most twice, from below and from above.
            for (n, count) in total([one, two, [0; LANES]]).into_iter().enumerate() {
                counts[n][word] = count;
            }
        }
        counts.map(Cells::from_words)
    }

    /// The cells that sites of the set join to `from`.
    #[inline(always)]
    pub fn reachable_from(&self, from: Cells) -> Cells {
        let (up, down) = self.opposite_ends(from);
        let mut cells = [0; 3];
        for word in 0..3 {
            for lane in 0..LANES {
                cells[word] |= up[word][lane] | down[word][lane];
            }
        }
        Cells::from_words(cells)
    }

    /// The larger ends of sites whose smaller ends are on `from`, and the smaller ends of sites
    /// whose larger ends are on `from`.
    #[inline(always)]
    fn opposite_ends(&self, from: Cells) -> ([Lanes; 3], [Lanes; 3]) {
        let (with_smaller_end, with_larger_end) = (from.words(), smaller_ends(from));
        let (mut up, mut down) = (self.0, self.0);
        for word in 0..3 {
            for lane in 0..LANES {
                up[word][lane] &= with_smaller_end[word];
                down[word][lane] &= with_larger_end[word][lane];
            }
        }
        (moved_up(&up, STEPS), down)
    }

    /// The sites of the set that join a cell of `a` and a cell of `b`, whichever of the two is the
    /// smaller end.
    #[inline(always)]
    #[must_use]
    pub fn between(&self, a: Cells, b: Cells) -> SiteSet {
        // The sites with the smaller end on the set, and those with the larger end on it.
        let (smaller_a, smaller_b) = (a.words(), b.words());
        let (larger_a, larger_b) = (smaller_ends(a), smaller_ends(b));
        let mut set = *self;
        for word in 0..3 {
            for lane in 0..LANES {
                set.0[word][lane] &=
                    smaller_a[word] & larger_b[word][lane] | smaller_b[word] & larger_a[word][lane];
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
                // A cell under two sites of a direction is the first cell of one and the second of the
                // other.
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
        // Not `any`: without an early exit the words are compared as vectors.
        words.fold(0, |all, (&a, &b)| all | (a & b)) != 0
    }

    /// Adds `site`.
    #[inline]
    pub fn insert(&mut self, site: Site) {
        let (direction, low) = site.direction_and_end();
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
        let (direction, low) = site.direction_and_end();
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
        SitesIter { set: self, next_direction: 0, ends: Cells::EMPTY.into_iter() }
    }
}

/// The iterator of [`SiteSet::iter`].
#[derive(Clone, Debug)]
struct SitesIter<'a> {
    set: &'a SiteSet,
    /// The direction after the current one.
    next_direction: usize,
    /// The smaller ends left in the current direction.
    ends: CellsIter,
}

impl Iterator for SitesIter<'_> {
    type Item = Site;

    #[inline(always)]
    fn next(&mut self) -> Option<Site> {
        loop {
            if let Some(low) = self.ends.next() {
                let direction = self.next_direction - 1;
                return Some(Site((direction * Cell::TABLE + low.index()) as u16));
            }
            if self.next_direction == LANES {
                return None;
            }
            self.ends = self.set.plane(self.next_direction).into_iter();
            self.next_direction += 1;
        }
    }
}

/// For each direction, the smaller ends of the sites whose larger ends are `larger_ends`.
#[inline(always)]
fn smaller_ends(larger_ends: Cells) -> [Lanes; 3] {
    moved_down(&larger_ends.words().map(|word| [word; LANES]), STEPS)
}

/// Shifts each direction's bits up by its number of `steps`, with a carry from word to word; 64
/// clears them. `unbounded_shl` allows 64, where `<<` would panic.
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

/// Adds the counters of all lanes as a tree: 8 to 4 to 2 to 1, so that the additions of one round
/// are independent.
#[inline(always)]
fn total(counts: Counts<LANES>) -> [u64; 3] {
    let counts: Counts<4> = fold_halves(&counts);
    let counts: Counts<2> = fold_halves(&counts);
    let [[one], [two], [three]]: Counts<1> = fold_halves(&counts);
    [one, two, three]
}

/// Adds the counters of the upper half of the lanes to those of the lower.
#[inline(always)]
fn fold_halves<const N: usize, const HALF: usize>(counts: &Counts<N>) -> Counts<HALF> {
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
