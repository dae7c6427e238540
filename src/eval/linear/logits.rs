use super::policy::REACH;
use crate::board::{Cell, Cells, Size};

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

    /// Adds `weight` to each of `cells`.
    #[inline(always)]
    pub(super) fn add(&mut self, cells: Cells, weight: i16) {
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
