//! Interpolation of the prior's weights between the knots of the phase.

use pontifex::eval::linear::fitting::{KNOTS, between, phase};
use pontifex::game::Position;

/// The two knots around the phase of a position, as a part of a vector of
/// weights: those for a turn's first step before those for its second tile,
/// each knot by knot.
pub(super) struct KnotSpan {
    /// The first weight of the lower knot.
    at: usize,
    /// Weights of a knot.
    count: usize,
    /// The distance from the lower knot, 0 to 1.
    share: f32,
}

impl KnotSpan {
    /// The knots of `position` where each has `count` weights.
    pub(super) fn new(position: &Position, count: usize) -> KnotSpan {
        let second = usize::from(position.is_half_turn());
        let (low, share) = between(phase(position));
        KnotSpan { at: (second * KNOTS.len() + low) * count, count, share }
    }

    /// The interpolated weights.
    pub(super) fn weights(&self, x: &[f32]) -> Vec<f32> {
        let (below, above) = x[self.at..self.at + 2 * self.count].split_at(self.count);
        let mix = |(b, a): (&f32, &f32)| b * (1.0 - self.share) + a * self.share;
        below.iter().zip(above).map(mix).collect()
    }

    /// Adds the gradient by the interpolated weights to the gradient by those
    /// of the knots.
    pub(super) fn add_gradient(&self, interpolated: &[f32], gradient: &mut [f32]) {
        let both = &mut gradient[self.at..self.at + 2 * self.count];
        let (below, above) = both.split_at_mut(self.count);
        for ((below, above), g) in below.iter_mut().zip(above).zip(interpolated) {
            *below += (1.0 - self.share) * g;
            *above += self.share * g;
        }
    }
}
