//! A small hidden layer between the features of a tile and its logit, for
//! what several of them mean together. It comes on top of their sum.

use super::UNIT;
use super::policy::{EDGE_AT, KERNEL_AT, OFFSETS, REACH, Sketch, TILE};
use crate::board::{Cell, Cells, Size};

/// Units of the layer.
pub(crate) const UNITS: usize = 32;

/// A number for each unit, in units of 1/[`UNIT`].
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Row([i16; UNITS]);

/// What each feature of a tile adds to the units.
#[derive(Clone)]
pub(in crate::eval) struct Hidden([Row; TILE]);

/// What the units are without any feature, and what they add to the logit.
#[derive(Clone)]
pub(super) struct Units {
    bias: Row,
    output: Row,
}

/// The units of every cell, at [`Cell::index`].
pub(super) struct Layer([Row; Cell::TABLE]);

/// The class of [`OFFSETS`] for so many columns and rows.
const CLASSES: [[usize; REACH + 1]; REACH + 1] = {
    let mut classes = [[0; REACH + 1]; REACH + 1];
    let mut class = 0;
    while class < OFFSETS.len() {
        let (a, b) = OFFSETS[class];
        (classes[a][b], classes[b][a]) = (class, class);
        class += 1;
    }
    classes
};

impl Row {
    /// Weights as they were fitted, at most `highest` and at least its
    /// opposite.
    fn new(weights: impl Fn(usize) -> f32, highest: f32) -> Row {
        let number = |n| (weights(n) * UNIT).round().clamp(-highest, highest) as i16;
        Row(std::array::from_fn(number))
    }

    #[inline(always)]
    fn add(&mut self, other: &Row) {
        let (a, b) = (self.0, other.0);
        self.0 = std::array::from_fn(|n| a[n].saturating_add(b[n]));
    }
}

impl Hidden {
    /// From what each feature adds to each unit.
    pub(super) fn new(weights: &[[f32; UNITS]]) -> Hidden {
        Hidden(std::array::from_fn(|n| Row::new(|unit| weights[n][unit], 8192.0)))
    }

    /// The units of the legal tiles of `sketch`; `edges` has the edge class
    /// of each cell.
    #[inline(always)]
    pub(super) fn layer(&self, sketch: &Sketch, edges: &[u8; Cell::TABLE], units: &Units) -> Layer {
        let mut layer = Layer([units.bias; Cell::TABLE]);
        let tiles = sketch.tiles;
        for cell in tiles {
            layer.0[cell.index()].add(&self.0[EDGE_AT + usize::from(edges[cell.index()])]);
        }
        for (cells, row) in sketch.planes.into_iter().zip(&self.0) {
            for cell in cells {
                layer.0[cell.index()].add(row);
            }
        }
        for (cells, rows) in
            sketch.sources.into_iter().zip(self.0[KERNEL_AT..].chunks(OFFSETS.len()))
        {
            for cell in cells {
                layer.add_around(cell, rows, tiles);
            }
        }
        layer
    }
}

impl Layer {
    /// Adds to those of `tiles` around `cell` the row of their offset.
    #[inline(always)]
    fn add_around(&mut self, cell: Cell, rows: &[Row], tiles: Cells) {
        let (column, row) = (usize::from(cell.column()), usize::from(cell.row()));
        let last = usize::from(Size::MAX.get()) - 1;
        let near = (1u32 << (row + REACH + 1)) - (1 << row.saturating_sub(REACH));
        for other in column.saturating_sub(REACH)..=(column + REACH).min(last) {
            let classes = &CLASSES[other.abs_diff(column)];
            let mut bits = u32::from(tiles.column(other as u8)) & near;
            if other == column {
                bits &= !(1 << row);
            }
            while bits != 0 {
                let at = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.0[16 * other + at].add(&rows[classes[at.abs_diff(row)]]);
            }
        }
    }

    /// What the units of `cell` add to its logit.
    #[inline(always)]
    pub(super) fn logit(&self, cell: Cell, units: &Units) -> i32 {
        let products = self.0[cell.index()].0.iter().zip(&units.output.0);
        let sum = products.map(|(&unit, &weight)| i32::from(unit.max(0)) * i32::from(weight));
        sum.sum::<i32>() / UNIT as i32
    }
}

impl Units {
    /// From what each unit is without features, and what it adds.
    pub(super) fn new(bias: impl Fn(usize) -> f32, output: impl Fn(usize) -> f32) -> Units {
        // The sum of 32 products of it and numbers of 16 bits fits in 32.
        Units { bias: Row::new(bias, 8192.0), output: Row::new(output, 2047.0) }
    }
}
