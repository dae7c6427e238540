//! The network in floating point, as it is trained.

use std::ops::Range;

use crate::eval::Random;
use crate::eval::linear::value::FEATURES;
use crate::eval::network::inputs::{BITS, SETS_OF_BITS};
use crate::eval::network::{HIDDEN, LAYER, OUTPUTS, OWNERS, PLIES};

/// All weights in one row; [`Part`]s of it are the layers.
pub(crate) type Weights = Vec<f32>;

/// A layer's place among the weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    at: usize,
    rows: usize,
    width: usize,
}

const fn after(part: Part, rows: usize, width: usize) -> Part {
    Part { at: part.at + part.rows * part.width, rows, width }
}

/// A row for each bit of the input.
pub(crate) const INPUT: Part = Part { at: 0, rows: BITS, width: HIDDEN };
/// What the first layer begins with.
pub(crate) const INPUT_BIAS: Part = after(INPUT, 1, HIDDEN);
/// A row for each unit of the second layer.
pub(crate) const SECOND: Part = after(INPUT_BIAS, LAYER, HIDDEN);
pub(crate) const SECOND_BIAS: Part = after(SECOND, 1, LAYER);
/// A row for each output.
pub(crate) const OUTPUT: Part = after(SECOND_BIAS, OUTPUTS, LAYER);
pub(crate) const OUTPUT_BIAS: Part = after(OUTPUT, 1, OUTPUTS);
/// A row for each ply.
pub(crate) const PLY: Part = after(OUTPUT_BIAS, PLIES, HIDDEN);
pub(crate) const PLY_BIAS: Part = after(PLY, 1, PLIES);
/// A row for each cell that the mover may own in the end, and the other.
pub(crate) const OWNER: Part = after(PLY_BIAS, OWNERS, HIDDEN);
pub(crate) const OWNER_BIAS: Part = after(OWNER, 1, OWNERS);
/// What all bits of a set have in common.
pub(crate) const SHARED: Part = after(OWNER_BIAS, SETS_OF_BITS, HIDDEN);
/// A row for each number that is counted.
pub(crate) const COUNTED: Part = after(SHARED, FEATURES, HIDDEN);
/// How many weights there are.
pub(crate) const COUNT: usize = COUNTED.at + COUNTED.rows * COUNTED.width;

impl Part {
    pub(crate) const fn all(self) -> Range<usize> {
        self.at..self.at + self.rows * self.width
    }

    /// The place of a row.
    #[inline(always)]
    pub(crate) const fn row(self, row: usize) -> Range<usize> {
        self.at + row * self.width..self.at + (row + 1) * self.width
    }
}

/// Weights to begin with: small and random.
pub(crate) fn initial(seed: u64) -> Weights {
    let mut random = Random::new(seed);
    let mut weights = vec![0.0; COUNT];
    // Some 150 bits are set in a position.
    for (part, spread) in [
        (SHARED, 0.02),
        (COUNTED, 0.02),
        (INPUT, 0.02),
        (SECOND, 0.15),
        (OUTPUT, 0.2),
        (PLY, 0.02),
        (OWNER, 0.02),
    ] {
        for weight in &mut weights[part.all()] {
            *weight = spread * (2.0 * (random.bits() >> 40) as f32 / (1 << 24) as f32 - 1.0);
        }
    }
    weights[INPUT_BIAS.all()].fill(0.3);
    weights[SECOND_BIAS.all()].fill(0.2);
    weights[OWNER_BIAS.all()].fill(-1.0);
    weights
}
