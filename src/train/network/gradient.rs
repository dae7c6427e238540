//! One position through the network and back.

use super::heads::{owners, policy, value};
use super::images::Images;
use super::losses::Losses;
use super::model::{COUNTED, INPUT, INPUT_BIAS, Part, SHARED};
use super::sample::Sample;
use crate::board::Cell;
use crate::eval::network::HIDDEN;
use crate::eval::network::inputs::{NUMBER_BITS, SETS_OF_BITS, offset};

/// What one bit of a set adds to what they have in common.
pub(crate) const SHARED_UNIT: f32 = 0.1;

/// What is counted is taken times this.
pub(crate) const COUNT_UNIT: f32 = 0.08;

/// Numbers that are added up side by side.
const LANES: usize = 16;

/// The sum of products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for n in 0..LANES {
            sums[n] += a[n] * b[n];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for n in 0..width {
            sums[n] += sums[n + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Adds `scale` times `from` to `to`.
#[inline(always)]
pub(super) fn add(to: &mut [f32], from: &[f32], scale: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}

/// Room for one position's numbers.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the input.
    rows: Vec<usize>,
    /// A number for each ply.
    pub(super) powers: Vec<f32>,
}

/// What the heads see of a position.
pub(super) struct Seen<'a> {
    pub(super) weights: &'a [f32],
    pub(super) sample: &'a Sample,
    pub(super) images: &'a Images,
    /// How much further along small boards stand.
    pub(super) shift: usize,
    /// What the first layer puts out.
    pub(super) units: [f32; HIDDEN],
}

/// The way back: where errors become gradients.
pub(super) struct Back<'a> {
    pub(super) gradient: &'a mut [f32],
    /// The errors of the first layer's units.
    errors: [f32; HIDDEN],
}

impl Back<'_> {
    /// A head's row of weights was off by `error` in its sum.
    #[inline(always)]
    pub(super) fn row(&mut self, seen: &Seen<'_>, part: Part, bias: Part, row: usize, error: f32) {
        self.gradient[bias.all()][row] += error;
        add(&mut self.gradient[part.row(row)], &seen.units, error);
        add(&mut self.errors, &seen.weights[part.row(row)], error);
    }
}

/// Puts `sample`, seen as `images` have it, through the network; gives its
/// losses and, when there is a `gradient`, adds to that.
#[inline(always)]
pub(crate) fn learn(
    weights: &[f32],
    sample: &Sample,
    images: &Images,
    scratch: &mut Scratch,
    gradient: Option<&mut [f32]>,
) -> Losses {
    let shift = offset(sample.size);
    let first = First::of(weights, sample, images, &mut scratch.rows);
    let units = first.sums.map(|sum| sum.clamp(0.0, 1.0));
    let seen = Seen { weights, sample, images, shift, units };
    let mut losses = Losses { positions: 1.0, ..Losses::default() };
    let mut back = gradient.map(|gradient| Back { gradient, errors: [0.0; HIDDEN] });
    value(&seen, &mut losses, back.as_mut());
    policy(&seen, &mut scratch.powers, &mut losses, back.as_mut());
    owners(&seen, &mut losses, back.as_mut());
    if let Some(back) = back {
        first.descend(sample, back);
    }
    losses
}

/// The first layer and what comes in.
struct First<'a> {
    rows: &'a [usize],
    /// How many bits of each set there are, in [`SHARED_UNIT`]s.
    shared: [f32; SETS_OF_BITS],
    sums: [f32; HIDDEN],
}

impl First<'_> {
    #[inline(always)]
    fn of<'a>(
        weights: &[f32],
        sample: &Sample,
        images: &Images,
        rows: &'a mut Vec<usize>,
    ) -> First<'a> {
        let shift = offset(sample.size);
        rows.clear();
        rows.extend(sample.bits.iter().map(|&bit| {
            let bit = usize::from(images.bits[usize::from(bit)]);
            if bit < NUMBER_BITS { bit + shift } else { bit }
        }));
        let (mut sums, mut shared) = ([0.0; HIDDEN], [0.0; SETS_OF_BITS]);
        sums.copy_from_slice(&weights[INPUT_BIAS.all()]);
        for &row in rows.iter() {
            add(&mut sums, &weights[INPUT.row(row)], 1.0);
            if row < NUMBER_BITS {
                shared[row / Cell::TABLE] += SHARED_UNIT;
            }
        }
        for (n, &count) in shared.iter().enumerate() {
            if count > 0.0 {
                add(&mut sums, &weights[SHARED.row(n)], count);
            }
        }
        for (n, &count) in sample.counts.iter().enumerate() {
            if count != 0 {
                add(&mut sums, &weights[COUNTED.row(n)], f32::from(count) * COUNT_UNIT);
            }
        }
        First { rows, shared, sums }
    }

    /// What the errors of the units mean for the weights.
    #[inline(always)]
    fn descend(&self, sample: &Sample, back: Back<'_>) {
        let Back { gradient, mut errors } = back;
        for (error, &sum) in errors.iter_mut().zip(&self.sums) {
            if sum <= 0.0 || sum >= 1.0 {
                *error = 0.0;
            }
        }
        add(&mut gradient[INPUT_BIAS.all()], &errors, 1.0);
        for (n, &count) in self.shared.iter().enumerate() {
            if count > 0.0 {
                add(&mut gradient[SHARED.row(n)], &errors, count);
            }
        }
        for (n, &count) in sample.counts.iter().enumerate() {
            if count != 0 {
                add(&mut gradient[COUNTED.row(n)], &errors, f32::from(count) * COUNT_UNIT);
            }
        }
        for &row in self.rows {
            add(&mut gradient[INPUT.row(row)], &errors, 1.0);
        }
    }
}
