//! Sums of weights for all cells of a board at once.
//!
//! A position has about ninety legal tiles, and each has some thirty features. Adding up cell by
//! cell would look up thousands of weights. Here the loops are interchanged: for each feature, its
//! weight is added to all cells that have it.
//!
//! - A *plane* is a set of cells with one weight ([`Logits::add_planes`]).
//! - A *source* is a cell that adds weights to the cells around it, by their distance
//!   ([`Logits::add_around`]). Its [`Kernel`] has the weights ready as whole columns:
//!
//! ```text
//!   source on d4          what it adds, by distance in columns (kernel[0..=REACH])
//!     row 5  . . . . .      g e d e g      d = weight at (1, 0), e = (1, 1), f = (2, 0) ...
//!     row 4  . . * . .      f d . d f
//!     row 3  . . . . .      g e d e g
//!              b c d e f
//! ```
//!
//! A column of 12 cells lies in 16 lanes of 16 bits, an AVX2 vector. [`REACH`] empty columns on
//! either side take what falls off the board, so that no column needs a check.
//!
//! All additions wrap. The vector instructions wrap, and the portable code must give the same sums
//! even with weights that no fit produces.

use super::step_features::REACH;
use super::tile_features::PLANES;
use crate::board::{Cell, Cells, Size};
#[cfg(target_arch = "x86_64")]
use crate::eval::dispatch::InstructionSet;
use crate::eval::dispatch::Instructions;

/// Weights of steps are integers, in units of 1/256. Set by judgement: rounding changes a weight by
/// 1/512 at most, and logits up to 128 fit in 16 bits.
pub const WEIGHT_SCALE: f32 = 256.0;

/// The columns of the largest board.
pub(super) const COLUMNS: usize = Size::MAX.get() as usize;

/// The lanes of a vector that holds a column: one for each row, padded to a power of two.
pub(super) const LANES: usize = COLUMNS.next_power_of_two();

/// A column of cells; the lanes beyond the board are unused.
pub(super) type Column = [i16; LANES];

/// What a cell adds to the cells around it, indexed by the distance in columns and the row of that
/// cell.
pub(super) type Kernel = [[Column; COLUMNS]; REACH + 1];

/// A sum for each cell, with a margin for kernels that reach beyond the edges.
///
/// Sums with fitted weights do not overflow.
pub(super) struct Logits([Column; Size::MAX.get() as usize + 2 * REACH]);

/// Sets of at least this many cells are added by whole columns, which takes the same time for any
/// set. Set by judgement: there are twelve columns, so smaller sets are quicker cell by cell.
const COLUMNWISE_FROM: u32 = 12;

impl Logits {
    pub(super) const ZERO: Logits = Logits([[0; LANES]; _]);

    #[inline(always)]
    pub(super) fn at(&self, cell: Cell) -> i16 {
        self.0[usize::from(cell.column()) + REACH][usize::from(cell.row())]
    }

    /// Adds `kernel` around each of `cells`.
    #[inline(always)]
    pub(super) fn add_around(&mut self, cells: Cells, kernel: &Kernel) {
        for cell in cells {
            let (column, row) = (usize::from(cell.column()), usize::from(cell.row()));
            for away in 0..=2 * REACH {
                add(&mut self.0[column + away], &kernel[away.abs_diff(REACH)][row]);
            }
        }
    }

    /// Adds to each cell the weights of the planes that contain it. Fast only in code compiled for
    /// `instructions`.
    #[inline(always)]
    pub(super) fn add_planes(
        &mut self,
        planes: &[Cells; PLANES],
        weights: &[i16; PLANES],
        instructions: Instructions,
    ) {
        #[cfg(target_arch = "x86_64")]
        if instructions.set() >= InstructionSet::Avx512 {
            let (_, columns) = self.0.split_at_mut(REACH);
            if let Some(columns) = columns.first_chunk_mut() {
                // SAFETY: an `Instructions` of this set exists only where
                // the processor has AVX-512F and BW.
                #[expect(unsafe_code, reason = "no safe way to call such a function")]
                unsafe {
                    x86::add_planes(columns, planes, weights);
                }
            }
            return;
        }
        let _ = instructions;
        for (&cells, &weight) in planes.iter().zip(weights) {
            self.add(cells, weight);
        }
    }

    /// Adds `weight` to each of `cells`.
    #[inline(always)]
    fn add(&mut self, cells: Cells, weight: i16) {
        if cells.len() < COLUMNWISE_FROM {
            for cell in cells {
                let sum = &mut self.0[usize::from(cell.column()) + REACH][usize::from(cell.row())];
                *sum = sum.wrapping_add(weight);
            }
            return;
        }
        for (column, sums) in self.0[REACH..].iter_mut().take(COLUMNS).enumerate() {
            // A comparison of each lane, because it vectorizes where a test of bits would branch.
            let bits = cells.column(column as u8) as i16;
            for (sum, lane) in sums.iter_mut().zip(ROW_BITS) {
                *sum = sum.wrapping_add(if bits & lane == lane { weight } else { 0 });
            }
        }
    }
}

/// The bit of each row in a column of [`Cells`].
const ROW_BITS: [i16; LANES] = {
    let mut lanes = [0; LANES];
    let mut row = 0;
    while row < LANES {
        lanes[row] = (1u16 << row) as i16;
        row += 1;
    }
    lanes
};

#[inline(always)]
fn add(sums: &mut Column, column: &Column) {
    for (sum, weight) in sums.iter_mut().zip(column) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m512i, _mm512_mask_add_epi16, _mm512_set1_epi16};

    use super::{COLUMNS, Column, PLANES};
    use crate::board::Cells;
    use crate::eval::dispatch::cast;

    /// A vector holds two columns, and half a word of a plane is its mask. All sums stay in six
    /// registers over all planes. AVX2 has no masked addition and takes the portable loop.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn add_planes(
        columns: &mut [Column; COLUMNS],
        planes: &[Cells; PLANES],
        weights: &[i16; PLANES],
    ) {
        let mut sums: [__m512i; COLUMNS / 2] = cast(columns);
        for (cells, &weight) in planes.iter().zip(weights) {
            let weight = _mm512_set1_epi16(weight);
            let words = cells.words();
            for (n, sum) in sums.iter_mut().enumerate() {
                let mask = (words[n / 2] >> (n % 2 * 32)) as u32;
                *sum = _mm512_mask_add_epi16(*sum, mask, *sum, weight);
            }
        }
        *columns = cast(&sums);
    }
}
