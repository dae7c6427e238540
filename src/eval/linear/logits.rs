use super::policy::{PLANES, REACH};
use crate::board::{Cell, Cells, Size};
use crate::eval::Instructions;

/// A column of cells, with lanes to spare.
pub(super) type Column = [i16; 16];

/// What a cell adds to those around it, by how many columns they are away and
/// by its row.
pub(super) type Kernel = [[Column; Size::MAX.get() as usize]; REACH + 1];

/// A sum for each cell, with room for kernels that reach beyond the edges.
///
/// None runs over with weights as a fit finds them.
pub(super) struct Logits([Column; Size::MAX.get() as usize + 2 * REACH]);

/// From so many cells on it is cheaper to go through whole columns.
const MANY: u32 = 12;

impl Logits {
    pub(super) const ZERO: Logits = Logits([[0; 16]; _]);

    #[inline(always)]
    pub(super) fn at(&self, cell: Cell) -> i16 {
        self.0[usize::from(cell.column()) + REACH][usize::from(cell.row())]
    }

    /// Adds what each of `cells` adds to those around it.
    #[inline(always)]
    pub(super) fn add_around(&mut self, cells: Cells, kernel: &Kernel) {
        for cell in cells {
            let (column, row) = (usize::from(cell.column()), usize::from(cell.row()));
            for away in 0..=2 * REACH {
                add(&mut self.0[column + away], &kernel[away.abs_diff(REACH)][row]);
            }
        }
    }

    /// Adds to each cell the weights of the planes that it is in. The
    /// processor must have `instructions`, and the caller be compiled for
    /// them, or this is slow.
    #[inline(always)]
    pub(super) fn add_planes(
        &mut self,
        planes: &[Cells; PLANES],
        weights: &[i16; PLANES],
        instructions: Instructions,
    ) {
        #[cfg(target_arch = "x86_64")]
        if instructions == Instructions::Avx512 {
            let (_, columns) = self.0.split_at_mut(REACH);
            if let Some(columns) = columns.first_chunk_mut() {
                // SAFETY: the processor has the instructions.
                #[expect(unsafe_code, reason = "no other way to call such a function")]
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
        if cells.len() < MANY {
            for cell in cells {
                let sum = &mut self.0[usize::from(cell.column()) + REACH][usize::from(cell.row())];
                *sum = sum.wrapping_add(weight);
            }
            return;
        }
        for (column, sums) in self.0[REACH..].iter_mut().take(12).enumerate() {
            let bits = cells.column(column as u8) as i16;
            for (sum, lane) in sums.iter_mut().zip(LANES) {
                *sum = sum.wrapping_add(if bits & lane == lane { weight } else { 0 });
            }
        }
    }
}

/// The bit of each row.
const LANES: [i16; 16] = {
    let mut lanes = [0; 16];
    let mut row = 0;
    while row < 16 {
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
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_mask_add_epi16, _mm512_set1_epi16, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };

    use super::{Column, PLANES};
    use crate::board::{Cells, Size};

    /// Columns to a vector.
    const TWO: usize = 2;

    /// Half a word of a plane is a mask for two columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn add_planes(
        columns: &mut [Column; Size::MAX.get() as usize],
        planes: &[Cells; PLANES],
        weights: &[i16; PLANES],
    ) {
        let (pairs, _) = columns.as_chunks_mut::<TWO>();
        // SAFETY: there are 64 bytes, and they may lie anywhere.
        #[expect(unsafe_code, reason = "the load takes a pointer")]
        let load = |pair: &[Column; TWO]| unsafe { _mm512_loadu_si512(pair.as_ptr().cast()) };
        let mut sums = [_mm512_setzero_si512(); Size::MAX.get() as usize / TWO];
        for (sum, pair) in sums.iter_mut().zip(&*pairs) {
            *sum = load(pair);
        }
        for (cells, &weight) in planes.iter().zip(weights) {
            let weight = _mm512_set1_epi16(weight);
            let words = cells.words();
            for (n, sum) in sums.iter_mut().enumerate() {
                let mask = (words[n / 2] >> (n % 2 * 32)) as u32;
                *sum = _mm512_mask_add_epi16(*sum, mask, *sum, weight);
            }
        }
        for (&sum, pair) in sums.iter().zip(pairs) {
            // SAFETY: as above.
            #[expect(unsafe_code, reason = "the store takes a pointer")]
            unsafe {
                _mm512_storeu_si512(pair.as_mut_ptr().cast(), sum);
            }
        }
    }
}
