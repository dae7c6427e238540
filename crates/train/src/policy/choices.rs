//! The steps of a position as sparse inputs of the prior, for its fits.

use crate::games::Sample;
use pontifex::board::Cell;
use pontifex::eval::linear::fitting::{
    BRIDGE_AT, EDGE_AT, KERNEL_AT, OFFSETS, PARAMETERS, PASS, REACH, StepFeatures, bridge_features,
    edge,
};
use pontifex::game::{Position, Step};

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
        let mut place = [u8::MAX; Cell::TABLE];
        for cell in features.tiles {
            place[cell.index()] = steps.len() as u8;
            steps.push(Step::Tile(cell));
            terms.push(vec![((EDGE_AT + edge(cell, size)) as u16, 1.0)]);
        }
        for (plane, cells) in features.planes.iter().enumerate() {
            for cell in *cells {
                terms[usize::from(place[cell.index()])].push((plane as u16, 1.0));
            }
        }
        for (source, cells) in features.sources.iter().enumerate() {
            for from in *cells {
                for (class, columns, rows) in offsets() {
                    let Some(cell) = from.offset(columns, rows, size) else { continue };
                    if features.tiles.contains(cell) {
                        let weight = KERNEL_AT + source * OFFSETS.len() + class;
                        terms[usize::from(place[cell.index()])].push((weight as u16, 1.0));
                    }
                }
            }
        }
        for site in features.bridges.iter() {
            steps.push(Step::Bridge(site));
            let counts = bridge_features(&features, position, site);
            let all = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
            terms.push(all.map(|(n, &c)| ((BRIDGE_AT + n) as u16, f32::from(c))).collect());
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

    /// The gradient of the weights, given the derivatives of the loss by the
    /// logits.
    pub(super) fn gradient(&self, errors: &[f32]) -> Vec<f32> {
        let mut gradient = vec![0.0; PARAMETERS];
        for (terms, error) in self.terms.iter().zip(errors) {
            for &(n, count) in terms {
                gradient[usize::from(n)] += error * count;
            }
        }
        gradient
    }

    /// Returns the cross-entropy loss of `logits` and replaces them by its
    /// derivatives, both times the sample's weight. `None` if there is only
    /// one legal step.
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
            loss -= f64::from(sample.weight * share * (powers[n] / sum).max(1e-9).ln());
            logits[n] -= sample.weight * share;
        }
        Some(loss)
    }
}

/// Every offset within reach of a cell: its index in [`OFFSETS`], columns and
/// rows.
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
