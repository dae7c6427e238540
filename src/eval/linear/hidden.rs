//! A small hidden layer of rectified units between the features of a tile and its logit, for
//! interactions of features. Its output is added to the linear sum.
//!
//! A linear prior adds up what speaks for a cell; it cannot say that a cell beside a sandbank is
//! good *unless* an island touches it. 32 units with a rectifier can. The layer costs as much as
//! all linear sums of a position, so only nodes that are visited again get it
//! (`search::Params::refine_after`, the row "hidden layer in the prior" of `docs/strength.md`).
//!
//! Nearly all of the time goes into the first product. Three things make it quick:
//!
//! - Features are binary, so the product is a sum of rows of weights, one for each feature that a
//!   tile has ([`FeatureList`]). A tile has about thirty of several hundred.
//! - The features of all tiles are planes, that is sets of cells. One transposition of bits turns
//!   "which cells have feature n" into "which features has cell c" for 64 cells at once.
//! - Weights are 16-bit integers. The sums of 32 units are two vectors of AVX2, and integers give
//!   the same sums in any order and on any processor.
//!
//! Features of the surroundings depend on the distance alone: [`CLASSES`] gives the eight images of
//! an offset under symmetry the same row.

use super::logits::WEIGHT_SCALE;
use super::step_features::{EDGE_AT, KERNEL_AT, OFFSETS, REACH, StepFeatures, TILE};
use super::tile_features::{JOINED, PLANES};
use crate::board::{Cell, Cells, Size};
#[cfg(target_arch = "x86_64")]
use crate::eval::dispatch::InstructionSet;
use crate::eval::dispatch::Instructions;

/// Units of the layer. 32 numbers of 16 bits are two AVX2 vectors; the layer was only tried with
/// this width (`docs/experiments.tsv`, topic `prior`). Doubling it doubles its time.
pub const UNITS: usize = 32;

/// A number for each unit, in units of 1/[`WEIGHT_SCALE`].
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([i16; UNITS]);

/// The input weights: for each feature of a tile, what it adds to the units.
#[derive(Clone)]
pub(super) struct Hidden([Row; ROWS]);

/// Rows that a byte can index: 247 are features, the others are zero. A byte as index needs no
/// check of bounds, and the list of a tile's features stays small.
const ROWS: usize = 256;

/// The biases and output weights of the units, for one kind of step at one phase.
#[derive(Clone)]
pub(super) struct HiddenUnits {
    bias: Row,
    output: Row,
}

/// The layer prepared for one position.
pub(super) struct Layer<'a> {
    hidden: &'a Hidden,
    units: &'a HiddenUnits,
    edge_classes: &'a [u8; Cell::TABLE],
    /// For each legal tile, which of the first [`JOINED`] planes contains it.
    joined: [u8; Cell::TABLE],
    /// For each cell, the other planes that contain it, as bits.
    marks: [[u64; 64]; Cell::TABLE / 64],
    /// The cells of the sources. A cell can be in two sources at most: the first tile of a turn is
    /// also a tile, and a cell can complete groups of both colours. A new source that breaks this
    /// needs a third set here.
    sources: [Sources; 2],
}

/// Cells of sources, and for each cell the first row of its source.
#[derive(Clone, Copy)]
struct Sources {
    cells: Cells,
    rows: [u8; Cell::TABLE],
}

/// Columns within reach of a cell, its own among them.
const COLUMNS: usize = 2 * REACH + 1;

/// For each row, the cells within reach of a cell on it, without the cell itself. Bit 0 is row 1 of
/// the column [`REACH`] to the left, and a column has 16 bits. Seven columns of 16 bits are the
/// reason for 128 bits.
const WINDOWS: [u128; 16] = {
    let mut windows = [0; 16];
    let mut row = 0;
    while row < Size::MAX.get() as usize {
        let rows = ((1u128 << (row + REACH + 1)) - 1) & !((1 << row.saturating_sub(REACH)) - 1);
        let mut column = 0;
        while column < COLUMNS {
            windows[row] |= rows << (16 * column);
            column += 1;
        }
        windows[row] &= !(1 << (16 * REACH + row));
        row += 1;
    }
    windows
};

/// The index in [`OFFSETS`] of each cell in a window. The cell's index in this table is its bit in
/// the window, minus the row of the window's centre, plus [`REACH`].
const CLASSES: [u8; 128] = {
    let mut classes = [0; 128];
    let mut class = 0;
    while class < OFFSETS.len() {
        let (a, b) = OFFSETS[class];
        let mut symmetry = 0;
        while symmetry < 8 {
            let (columns, rows) = if symmetry & 1 == 0 { (a, b) } else { (b, a) };
            let column = if symmetry & 2 == 0 { REACH + columns } else { REACH - columns };
            let row = if symmetry & 4 == 0 { REACH + rows } else { REACH - rows };
            classes[16 * column + row] = class as u8;
            symmetry += 1;
        }
        class += 1;
    }
    classes
};

impl Row {
    /// Weights in units of 1/[`WEIGHT_SCALE`], clamped to -`highest`..=`highest`.
    fn new(weights: impl Fn(usize) -> f32, highest: f32) -> Row {
        let number = |n| (weights(n) * WEIGHT_SCALE).round().clamp(-highest, highest) as i16;
        Row(std::array::from_fn(number))
    }

    /// Saturating, like the vector code. Fitted weights never saturate; others still give the same
    /// sums on every processor, since the order is fixed.
    #[inline(always)]
    fn add(&mut self, other: &Row) {
        let (a, b) = (self.0, other.0);
        self.0 = std::array::from_fn(|n| a[n].saturating_add(b[n]));
    }
}

impl Hidden {
    /// A layer with these weights of each feature for each unit.
    pub(super) fn new(weights: &[[f32; UNITS]]) -> Hidden {
        // 8192 is 32 as a logit; fitted weights stay below 5. Several such weights saturate a sum.
        let row = |n: usize| match weights.get(n) {
            Some(weights) => Row::new(|unit| weights[unit], 8192.0),
            None => Row([0; UNITS]),
        };
        Hidden(std::array::from_fn(row))
    }

    /// Prepares the layer for the legal tiles of `step`; `edge_classes` has the class of each cell.
    #[inline(always)]
    pub(super) fn layer<'a>(
        &'a self,
        step: &StepFeatures,
        edge_classes: &'a [u8; Cell::TABLE],
        units: &'a HiddenUnits,
    ) -> Layer<'a> {
        let mut joined = [0; Cell::TABLE];
        for (n, cells) in step.planes[..JOINED].iter().enumerate() {
            for cell in *cells {
                joined[cell.index()] = n as u8;
            }
        }
        // Bit c of word n says whether cell c has mark n. Transposed, bit n of word c says it.
        let mut marks = [[0; 64]; Cell::TABLE / 64];
        for (n, cells) in step.planes[JOINED..].iter().enumerate() {
            for (block, word) in marks.iter_mut().zip(cells.words()) {
                block[n] = word;
            }
        }
        marks.iter_mut().for_each(transpose);
        let empty = Sources { cells: Cells::EMPTY, rows: [0; Cell::TABLE] };
        let mut sources = [empty; 2];
        for (n, cells) in step.sources.into_iter().enumerate() {
            for cell in cells {
                let set = usize::from(sources[0].cells.contains(cell));
                debug_assert!(!sources[set].cells.contains(cell), "three sources on {cell}");
                sources[set].cells.insert(cell);
                sources[set].rows[cell.index()] = (n * OFFSETS.len()) as u8;
            }
        }
        Layer { hidden: self, units, edge_classes, joined, marks, sources }
    }

    /// `start` plus the rows in `list`. Fast only in code compiled for `instructions`.
    #[inline(always)]
    fn sum(&self, start: Row, list: &[u8], instructions: Instructions) -> Row {
        #[cfg(target_arch = "x86_64")]
        if instructions.set() >= InstructionSet::Avx2 {
            // SAFETY: an `Instructions` of this set or a larger one exists only
            // where the processor has AVX2.
            #[expect(unsafe_code, reason = "no safe way to call such a function")]
            return unsafe { x86::sum(&start, &self.0, list) };
        }
        let _ = instructions;
        let mut sum = start;
        for &row in list {
            sum.add(&self.0[usize::from(row)]);
        }
        sum
    }
}

impl Layer<'_> {
    /// What the layer adds to the logit of a tile on `cell`.
    #[inline(always)]
    pub(super) fn logit(&self, cell: Cell, instructions: Instructions) -> i32 {
        let mut list = FeatureList { rows: [0; MAX_FEATURES], len: 0 };
        list.push(EDGE_AT + usize::from(self.edge_classes[cell.index()]));
        list.push(usize::from(self.joined[cell.index()]));
        let mut marks = self.marks[cell.index() / 64][cell.index() % 64];
        while marks != 0 {
            list.push(JOINED + marks.trailing_zeros() as usize);
            marks &= marks - 1;
        }
        let row = usize::from(cell.row());
        for sources in &self.sources {
            let window = columns_around(sources.cells, cell) & WINDOWS[row];
            for (mut bits, first) in [(window as u64, 0), ((window >> 64) as u64, 64)] {
                while bits != 0 {
                    let bit = first + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    // `& 127` never changes the index; it spares the check of bounds.
                    let class = CLASSES[(bit + REACH - row) & 127];
                    // The bit counts from the leftmost column in reach, the table from the board's.
                    let source = sources.rows[bit + 16 * usize::from(cell.column()) - 16 * REACH];
                    list.push(KERNEL_AT + usize::from(source) + usize::from(class));
                }
            }
        }
        let sums = self.hidden.sum(self.units.bias, &list.rows[..list.len], instructions);
        let products = sums.0.iter().zip(&self.units.output.0);
        let products = products.map(|(&unit, &weight)| i32::from(unit.max(0)) * i32::from(weight));
        products.sum::<i32>() / WEIGHT_SCALE as i32
    }
}

/// Transposes a matrix of bits: bit x of word y becomes bit y of word x (Warren, "Hacker's
/// Delight", 7-3).
#[inline(always)]
fn transpose(block: &mut [u64; 64]) {
    swap_halves::<32>(block, 0x0000_0000_ffff_ffff);
    swap_halves::<16>(block, 0x0000_ffff_0000_ffff);
    swap_halves::<8>(block, 0x00ff_00ff_00ff_00ff);
    swap_halves::<4>(block, 0x0f0f_0f0f_0f0f_0f0f);
    swap_halves::<2>(block, 0x3333_3333_3333_3333);
    swap_halves::<1>(block, 0x5555_5555_5555_5555);
}

/// Swaps two quadrants of each square of 2 `HALF` bits: the upper bits of its first rows and the
/// lower bits of its other rows. `low` masks the lower bits.
#[inline(always)]
fn swap_halves<const HALF: usize>(block: &mut [u64; 64], low: u64) {
    for square in block.chunks_exact_mut(2 * HALF) {
        let (first, second) = square.split_at_mut(HALF);
        for (a, b) in first.iter_mut().zip(second) {
            let differ = (*a >> HALF ^ *b) & low;
            *a ^= differ << HALF;
            *b ^= differ;
        }
    }
}

/// An upper bound on the number of features of a tile, and a power of two, so that
/// [`FeatureList::push`] can mask its index.
const MAX_FEATURES: usize = 256;

/// The rows of a tile's features.
struct FeatureList {
    rows: [u8; MAX_FEATURES],
    len: usize,
}

impl FeatureList {
    #[inline(always)]
    fn push(&mut self, row: usize) {
        self.rows[self.len & (MAX_FEATURES - 1)] = row as u8;
        self.len += 1;
    }
}

// Each mark is a bit of one word. With more than 64 marks a cell needs a second word.
const _: () = assert!(PLANES - JOINED <= 64);
// An edge class, planes, and the whole window of both sources: more than any tile can have.
const _: () = assert!(TILE <= ROWS && 1 + PLANES + 2 * (COLUMNS * COLUMNS - 1) <= MAX_FEATURES);

/// The columns within reach of `cell`, the leftmost in the lowest bits.
#[inline(always)]
fn columns_around(cells: Cells, cell: Cell) -> u128 {
    let [a, b, c] = cells.words().map(u128::from);
    let column = usize::from(cell.column());
    // Four columns are a word, so the window of seven lies in two or three words.
    let low = a | b << 64;
    match column.checked_sub(REACH) {
        None => low << (16 * (REACH - column)),
        Some(0) => low,
        Some(first @ ..8) => low >> (16 * first) | c << (128 - 16 * first),
        Some(_) => c,
    }
}

impl HiddenUnits {
    /// Units with these biases and output weights.
    pub(super) fn new(bias: impl Fn(usize) -> f32, output: impl Fn(usize) -> f32) -> HiddenUnits {
        // With outputs up to 2047 a sum of 32 products fits in 32 bits.
        HiddenUnits { bias: Row::new(bias, 8192.0), output: Row::new(output, 2047.0) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, _mm256_adds_epi16};

    use super::{ROWS, Row};
    use crate::eval::dispatch::cast;

    /// Written with intrinsics, because the compiler does not vectorize the portable loop: it keeps
    /// each of the 32 sums in a register of 16 bits. The order of additions is the same, and so is
    /// the result, even where a sum saturates.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum(start: &Row, rows: &[Row; ROWS], list: &[u8]) -> Row {
        let [mut low, mut high]: [__m256i; 2] = cast(&start.0);
        for &row in list {
            let [a, b]: [__m256i; 2] = cast(&rows[usize::from(row)].0);
            (low, high) = (_mm256_adds_epi16(low, a), _mm256_adds_epi16(high, b));
        }
        Row(cast(&[low, high]))
    }
}
