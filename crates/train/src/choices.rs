//! The steps of a position as sparse inputs of the prior (`Choices`), with their logits and
//! gradients, and the weights between the knots of the phase (`KnotSpan`).
//!
//! The search computes the same sums by whole columns of cells (`eval::linear::logits`). A fit
//! needs the opposite view: for each step the list of its features, because the gradient goes back
//! along this list.
//!
//! ```text
//!   x:  … │ first steps, knot 1 │ first steps, knot 2 │ …      the vector that is fitted
//!               └─ 1 - share ──────────┴─ share                KnotSpan::weights: interpolated
//!                          ▼                                   Choices::logits, Choices::loss
//!                  one gradient for the interpolated weights   Choices::gradient
//!               ┌─ 1 - share ──────────┬─ share                KnotSpan::add_gradient: back to
//!   …   │ first steps, knot 1 │ first steps, knot 2 │ …        both knots, by the same shares
//! ```

use pontifex::board::Cell;
use pontifex::eval::linear::fitting::{
    BRIDGE_AT, EDGE_AT, KERNEL_AT, KNOTS, OFFSETS, PARAMETERS, PASS, REACH, StepFeatures, between,
    bridge_features, edge, phase,
};
use pontifex::game::{Position, Step};

use crate::games::Sample;

/// The two knots around the phase of a position, as a part of a vector of weights. The vector has
/// the weights for a turn's first step, knot by knot, then those for its second tile.
pub(super) struct KnotSpan {
    /// The index of the first weight of the lower knot.
    start: usize,
    /// The number of weights of a knot.
    count: usize,
    /// The distance from the lower knot, 0 to 1.
    share: f32,
}

impl KnotSpan {
    /// The knots of `position` where each has `count` weights.
    pub(super) fn new(position: &Position, count: usize) -> KnotSpan {
        let second = usize::from(position.is_half_turn());
        let (low, share) = between(phase(position));
        KnotSpan { start: (second * KNOTS.len() + low) * count, count, share }
    }

    /// The interpolated weights.
    pub(super) fn weights(&self, x: &[f32]) -> Vec<f32> {
        let (below, above) = x[self.start..self.start + 2 * self.count].split_at(self.count);
        let mix = |(b, a): (&f32, &f32)| b * (1.0 - self.share) + a * self.share;
        below.iter().zip(above).map(mix).collect()
    }

    /// Adds the gradient with respect to the interpolated weights to the gradient with respect to
    /// those of the knots.
    pub(super) fn add_gradient(&self, interpolated: &[f32], gradient: &mut [f32]) {
        let knots = &mut gradient[self.start..self.start + 2 * self.count];
        let (below, above) = knots.split_at_mut(self.count);
        for ((below, above), g) in below.iter_mut().zip(above).zip(interpolated) {
            *below += (1.0 - self.share) * g;
            *above += self.share * g;
        }
    }
}

/// The legal steps of a position and their features.
pub(super) struct Choices {
    /// Tiles, then bridges, then pass.
    pub(super) steps: Vec<Step>,
    /// For each step, the indices of its weights and their coefficients.
    pub(super) terms: Vec<Vec<(u16, f32)>>,
}

impl Choices {
    pub(super) fn new(position: &Position) -> Choices {
        let features = StepFeatures::new(position);
        let size = position.size();
        let mut steps = Vec::new();
        let mut terms = Vec::new();
        // The index in `steps` of each legal tile, at most 143; others are not looked up.
        let mut step_index = [u8::MAX; Cell::TABLE];
        for cell in features.tiles {
            step_index[cell.index()] = steps.len() as u8;
            steps.push(Step::Tile(cell));
            terms.push(vec![((EDGE_AT + edge(cell, size)) as u16, 1.0)]);
        }
        for (plane, cells) in features.planes.iter().enumerate() {
            for cell in *cells {
                terms[usize::from(step_index[cell.index()])].push((plane as u16, 1.0));
            }
        }
        for (source, cells) in features.sources.iter().enumerate() {
            for origin in *cells {
                for (class, columns, rows) in offsets() {
                    let Some(cell) = origin.offset(columns, rows, size) else { continue };
                    if features.tiles.contains(cell) {
                        let weight = KERNEL_AT + source * OFFSETS.len() + class;
                        terms[usize::from(step_index[cell.index()])].push((weight as u16, 1.0));
                    }
                }
            }
        }
        for site in features.bridges.iter() {
            steps.push(Step::Bridge(site));
            let counts = bridge_features(&features, position, site);
            let nonzero = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
            terms.push(nonzero.map(|(n, &c)| ((BRIDGE_AT + n) as u16, f32::from(c))).collect());
        }
        if features.tiles.is_empty() && !position.is_half_turn() {
            steps.push(Step::Pass);
            terms.push(vec![(PASS as u16, 1.0)]);
        }
        Choices { steps, terms }
    }

    pub(super) fn logits(&self, weights: &[f32]) -> Vec<f32> {
        let logit = |terms: &Vec<(u16, f32)>| {
            terms.iter().map(|&(n, count)| weights[usize::from(n)] * count).sum::<f32>()
        };
        self.terms.iter().map(logit).collect()
    }

    /// The gradient of the weights, given the derivatives of the loss with respect to the logits.
    pub(super) fn gradient(&self, errors: &[f32]) -> Vec<f32> {
        let mut gradient = vec![0.0; PARAMETERS];
        for (terms, error) in self.terms.iter().zip(errors) {
            for &(n, count) in terms {
                gradient[usize::from(n)] += error * count;
            }
        }
        gradient
    }

    /// Returns the cross-entropy loss of `logits` and replaces them by its derivatives, both times
    /// the sample's weight. `None` if there is only one legal step.
    pub(super) fn loss(&self, sample: &Sample<'_>, logits: &mut [f32]) -> Option<f64> {
        if self.steps.len() < 2 {
            return None;
        }
        let highest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        let powers: Vec<f32> = logits.iter().map(|x| (x - highest).exp()).collect();
        let sum: f32 = powers.iter().sum();
        let mut loss = 0.0;
        for (error, power) in logits.iter_mut().zip(&powers) {
            *error = sample.weight * power / sum;
        }
        for &(step, share) in sample.steps {
            let Some(n) = self.steps.iter().position(|&known| known == step) else { continue };
            // A step that the fit thinks impossible would make the loss infinite.
            loss -= f64::from(sample.weight * share * (powers[n] / sum).max(1e-9).ln());
            logits[n] -= sample.weight * share;
        }
        Some(loss)
    }
}

/// Every offset within reach of a cell: its index in [`OFFSETS`], columns and rows.
fn offsets() -> impl Iterator<Item = (usize, i8, i8)> {
    let reach = REACH as i8;
    (-reach..=reach).flat_map(move |columns| {
        (-reach..=reach).filter_map(move |rows| {
            let [a, b] = [columns, rows].map(|n| usize::from(n.unsigned_abs()));
            let class = OFFSETS.iter().position(|&known| known == (a.max(b), a.min(b)))?;
            Some((class, columns, rows))
        })
    })
}
