//! Sets of cells as bitboards.
//!
//! Almost every question about a position is answered by sets of cells, and so by shifts and logic
//! on three words. The layout keeps the shifts simple:
//!
//! ```text
//!   word 0            word 1            word 2
//!   a   b   c   d     e   f   g   h     i   j   k   l
//!
//!   one column, 16 bits:  r r r r r r r r r r r r . . . .
//!                         0 1 2 …             10 11   unused
//! ```
//!
//! - A neighbour in the column is one bit away and in the same word. A shift that leaves the column
//!   ends in its unused bits or in those of the preceding column, never on a cell of another
//!   column. Bridges shift by two rows at most, so four unused rows are enough.
//! - A neighbour in the row is 16 bits away, perhaps in the next word.
//!
//! The price is that shifts produce bits that are not cells: in the unused rows, or in rows and
//! columns that a small board does not have. The functions where this can happen say so. Intersect
//! their results with a set of cells before counting, listing or shifting them again.
//!
//! Functions with `#[inline(always)]` are called from code that is compiled again for AVX2 and for
//! AVX-512 (`eval/dispatch.rs`). Only functions inlined there use these instructions.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

use serde::{Serialize, Serializer};

use super::{Cell, Size};

/// A set of cells: 192 bits, with 16 bits for each column, of which the largest board uses 12.
///
/// ```
/// use pontifex::board::{Cell, Cells, Size};
///
/// let corner: Cell = "a1".parse()?;
/// let beside = Cells::from(corner).sides() & Cells::board(Size::STANDARD);
/// assert_eq!(beside.into_iter().map(|cell| cell.to_string()).collect::<Vec<_>>(), ["a2", "b1"]);
/// # Ok::<(), pontifex::board::ParseCellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cells([u64; 3]);

impl Cells {
    /// The empty set.
    pub const EMPTY: Cells = Cells([0; 3]);

    /// Every cell of a board.
    pub const fn board(size: Size) -> Cells {
        // `while`, since `for` is not allowed in a `const fn`.
        let mut cells = Cells::EMPTY;
        let mut column = 0;
        while column < size.get() {
            let mut row = 0;
            while row < size.get() {
                cells = cells.with(Cell::new(column, row));
                row += 1;
            }
            column += 1;
        }
        cells
    }

    /// The set with `cell` added.
    #[inline]
    #[must_use]
    pub const fn with(mut self, cell: Cell) -> Cells {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
        self
    }

    /// Whether `cell` is in the set.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Adds `cell`.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    /// Removes `cell`.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// The cells of a column, counted from 0, with a bit for each row: row 0 is the lowest bit.
    #[inline]
    pub const fn column(self, column: u8) -> u16 {
        (self.0[column as usize / 4] >> (column % 4 * 16)) as u16
    }

    /// The bits: the cell with index x is bit x % 64 of word x / 64.
    #[inline]
    pub(crate) const fn words(self) -> [u64; 3] {
        self.0
    }

    /// The set of which `words` are the [`Cells::words`].
    #[inline]
    pub(super) const fn from_words(words: [u64; 3]) -> Cells {
        Cells(words)
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The number of cells.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The smallest cell; `None` if the set is empty.
    #[inline]
    pub fn first(self) -> Option<Cell> {
        self.into_iter().next()
    }

    /// The `n`-th cell in order, counted from 0; `None` if there are no more than `n`.
    #[inline(always)]
    pub fn nth(self, n: u32) -> Option<Cell> {
        let [a, b, c] = self.0.map(u64::count_ones);
        if n >= a + b + c {
            return None;
        }
        // Branchless: rollouts draw random cells, so branches would be mispredicted.
        let word = u32::from(n >= a) + u32::from(n >= a + b);
        let preceding = if n >= a { a } else { 0 } + if n >= a + b { b } else { 0 };
        let index = word * 64 + select(self.0[word as usize], n - preceding);
        Some(Cell::from_index(index as u8))
    }

    /// The cells of the set that are larger than `cell`.
    #[must_use]
    pub fn after(self, cell: Cell) -> Cells {
        let mut cells = self;
        let word = cell.index() / 64;
        cells.0[..word].fill(0);
        // Two shifts, since one by 64 for the last bit of a word would overflow.
        cells.0[word] &= (!0 << (cell.index() % 64)) << 1;
        cells
    }

    /// All bits shifted down by `step`, 1 to 63: index x is in the result if index x + `step` is in
    /// the set.
    ///
    /// The result can have bits that are not cells.
    #[inline]
    #[must_use]
    const fn shifted_down(self, step: u32) -> Cells {
        let [a, b, c] = self.0;
        let up = 64 - step;
        Cells([a >> step | b << up, b >> step | c << up, c >> step])
    }

    /// All bits shifted up by `step`, 1 to 63.
    ///
    /// The result can have bits that are not cells.
    #[inline]
    #[must_use]
    const fn shifted_up(self, step: u32) -> Cells {
        let [a, b, c] = self.0;
        let down = 64 - step;
        Cells([a << step, b << step | a >> down, c << step | b >> down])
    }

    /// The lower left cells of all 2×2 squares within the set.
    #[inline]
    #[must_use]
    pub const fn squares(self) -> Cells {
        let [a, b, c] = self.shifted_down(1).0;
        let pairs = Cells([self.0[0] & a, self.0[1] & b, self.0[2] & c]);
        let [a, b, c] = pairs.shifted_down(16).0;
        Cells([pairs.0[0] & a, pairs.0[1] & b, pairs.0[2] & c])
    }

    /// The cells of the 2×2 squares whose lower left cells are in the set.
    #[inline]
    #[must_use]
    pub fn square_cells(self) -> Cells {
        let pairs = self | self.shifted_up(1);
        pairs | pairs.shifted_up(16)
    }

    /// The cells of the set that have no cell of it to their left or below: at least one of each
    /// connected group.
    #[inline]
    #[must_use]
    pub fn lower_left(self) -> Cells {
        self - self.shifted_up(1) - self.shifted_up(16)
    }

    /// The cells with at least one, two and three cells of the set beside them.
    ///
    /// The result can have bits that are not cells.
    #[inline]
    #[must_use]
    pub fn beside(self) -> [Cells; 3] {
        // Four one-bit numbers are added for all cells at once, first two pairs and then their
        // sums. Four neighbours count as three.
        let (a, b) = (self.shifted_up(1), self.shifted_down(1));
        let (c, d) = (self.shifted_up(16), self.shifted_down(16));
        let (ab, cd) = (a & b, c & d);
        let (a, c) = (a | b, c | d);
        [a | c, ab | cd | (a & c), (ab & c) | (cd & a)]
    }

    /// The cells of the set whose four side neighbours are all in it.
    #[inline]
    #[must_use]
    pub fn inner(self) -> Cells {
        let columns = self.shifted_up(16) & self.shifted_down(16);
        self & self.shifted_up(1) & self.shifted_down(1) & columns
    }

    /// The cells that touch a cell of the set by a side.
    ///
    /// The result can have bits that are not cells: intersect it with a set of cells first.
    #[inline]
    #[must_use]
    pub const fn sides(self) -> Cells {
        let [a, b, c] = self.0;
        Cells([
            a << 1 | a >> 1 | a << 16 | a >> 16 | b << 48,
            b << 1 | b >> 1 | b << 16 | a >> 48 | b >> 16 | c << 48,
            c << 1 | c >> 1 | c << 16 | b >> 48 | c >> 16,
        ])
    }

    /// The set and the cells that touch it by a side or a corner.
    ///
    /// The result can have bits that are not cells: intersect it with a set of cells first.
    #[inline]
    #[must_use]
    pub const fn halo(self) -> Cells {
        let a = self.0[0] | self.0[0] << 1 | self.0[0] >> 1;
        let b = self.0[1] | self.0[1] << 1 | self.0[1] >> 1;
        let c = self.0[2] | self.0[2] << 1 | self.0[2] >> 1;
        Cells([
            a | a << 16 | a >> 16 | b << 48,
            b | b << 16 | a >> 48 | b >> 16 | c << 48,
            c | c << 16 | b >> 48 | c >> 16,
        ])
    }

    /// The set and the cells of `within` that touch it by a side.
    #[inline]
    #[must_use]
    pub const fn grown(self, within: Cells) -> Cells {
        // Word by word, since operators are not allowed in a `const fn`.
        let [a, b, c] = self.sides().0;
        Cells([
            self.0[0] | a & within.0[0],
            self.0[1] | b & within.0[1],
            self.0[2] | c & within.0[2],
        ])
    }

    /// `seeds` and the cells of the set that are connected to them by sides. Each round reaches one
    /// step further, so a group of four takes at most four rounds.
    #[inline]
    #[must_use]
    pub fn flood(self, seeds: Cells) -> Cells {
        let mut reached = seeds;
        loop {
            let next = reached | (reached.sides() & self);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The position of the `n`-th set bit, counted from 0; there must be one.
///
/// Broadword selection: prefix sums of bytes give the byte, a table gives the bit (Vigna,
/// "Broadword implementation of rank/select queries", 2008).
#[inline(always)]
fn select(bits: u64, n: u32) -> u32 {
    const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = EACH_BYTE << 7;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(EACH_BYTE);
    // The high bit of each byte whose prefix sum is at most n.
    let passed = (((u64::from(n) * EACH_BYTE) | HIGH_BITS) - sums) & HIGH_BITS;
    let byte = ((passed >> 7).wrapping_mul(EACH_BYTE) >> 56) as u32 * 8;
    let preceding = (sums << 8 >> byte) as u32 & 0xff;
    let rest = (bits >> byte) as usize & 0xff;
    // The index is at most 7 anyway; the mask lets the compiler omit the bounds check.
    byte + u32::from(SELECT_IN_BYTE[rest][((n - preceding) & 7) as usize])
}

/// For each byte, the positions of its set bits, lowest first.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl From<Cell> for Cells {
    #[inline]
    fn from(cell: Cell) -> Self {
        Cells::EMPTY.with(cell)
    }
}

impl Serialize for Cells {
    /// Serializes the set as a list of cells, in their order.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(iter: I) -> Self {
        iter.into_iter().fold(Cells::EMPTY, Cells::with)
    }
}

macro_rules! wordwise {
    ($trait:ident, $method:ident, $word:expr) => {
        impl $trait for Cells {
            type Output = Cells;

            #[inline]
            fn $method(self, other: Cells) -> Cells {
                let word: fn(u64, u64) -> u64 = $word;
                Cells([
                    word(self.0[0], other.0[0]),
                    word(self.0[1], other.0[1]),
                    word(self.0[2], other.0[2]),
                ])
            }
        }
    };
}

wordwise!(BitAnd, bitand, |a, b| a & b);
wordwise!(BitOr, bitor, |a, b| a | b);
wordwise!(BitXor, bitxor, |a, b| a ^ b);
wordwise!(Sub, sub, |a, b| a & !b);

impl BitAndAssign for Cells {
    #[inline]
    fn bitand_assign(&mut self, other: Cells) {
        *self = *self & other;
    }
}

impl BitOrAssign for Cells {
    #[inline]
    fn bitor_assign(&mut self, other: Cells) {
        *self = *self | other;
    }
}

impl SubAssign for Cells {
    #[inline]
    fn sub_assign(&mut self, other: Cells) {
        *self = *self - other;
    }
}

impl Not for Cells {
    type Output = Cells;

    /// Flips every bit, including those that are not cells.
    #[inline]
    fn not(self) -> Cells {
        Cells([!self.0[0], !self.0[1], !self.0[2]])
    }
}

/// Iterates over the cells of a set, smallest first.
#[derive(Clone, Debug)]
pub struct CellsIter(Cells);

impl Iterator for CellsIter {
    type Item = Cell;

    /// Most sets have few cells, so there is one branch per cell and none per word.
    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        let [a, b, c] = self.0.0;
        if a | b | c == 0 {
            return None;
        }
        let (bits, base) = if a != 0 {
            (a, 0)
        } else if b != 0 {
            (b, 64)
        } else {
            (c, 128)
        };
        let rest_a = a & a.wrapping_sub(1);
        let rest_b = if a == 0 { b & b.wrapping_sub(1) } else { b };
        let rest_c = if a | b == 0 { c & c.wrapping_sub(1) } else { c };
        self.0 = Cells([rest_a, rest_b, rest_c]);
        Some(Cell::from_index((base + bits.trailing_zeros()) as u8))
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = CellsIter;

    #[inline]
    fn into_iter(self) -> CellsIter {
        CellsIter(self)
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Bits that are not cells have no name.
        f.debug_set().entries(*self & Cells::board(Size::MAX)).finish()
    }
}
