use crate::board::Cell;
use crate::eval::linear::policy::{
    BRIDGE_AT, BRIDGE_FEATURES, EDGE_AT, KERNEL_AT, OFFSETS, PARAMETERS, PASS, REACH, Sketch, edge,
};
use crate::game::{Position, Step};
use crate::train::games::Sample;

/// The steps of a position and the weights each is judged by.
pub(super) struct Choices {
    /// Tiles, bridges, pass.
    pub(super) steps: Vec<Step>,
    /// The weights of each step and how often they count.
    pub(super) terms: Vec<Vec<(u16, f32)>>,
}

impl Choices {
    pub(super) fn of(position: &Position, sketch: &Sketch) -> Choices {
        let size = position.size();
        let mut steps = Vec::new();
        let mut terms = Vec::new();
        let mut place = [u8::MAX; Cell::TABLE];
        for cell in sketch.tiles {
            place[cell.index()] = steps.len() as u8;
            steps.push(Step::Tile(cell));
            terms.push(vec![((EDGE_AT + edge(cell, size)) as u16, 1.0)]);
        }
        for (plane, cells) in sketch.planes.iter().enumerate() {
            for cell in *cells {
                terms[usize::from(place[cell.index()])].push((plane as u16, 1.0));
            }
        }
        for (source, cells) in sketch.sources.iter().enumerate() {
            for from in *cells {
                for (class, columns, rows) in offsets() {
                    let Some(cell) = from.offset(columns, rows, size) else { continue };
                    if sketch.tiles.contains(cell) {
                        let weight = KERNEL_AT + source * OFFSETS.len() + class;
                        terms[usize::from(place[cell.index()])].push((weight as u16, 1.0));
                    }
                }
            }
        }
        for site in sketch.bridges.iter() {
            steps.push(Step::Bridge(site));
            let counts: [i16; BRIDGE_FEATURES] = sketch.bridge(position, site);
            let all = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
            terms.push(all.map(|(n, &c)| ((BRIDGE_AT + n) as u16, f32::from(c))).collect());
        }
        if sketch.tiles.is_empty() && !position.is_half_turn() {
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

    /// What the steps' errors mean for the weights.
    pub(super) fn gradient(&self, errors: &[f32]) -> Vec<f32> {
        let mut gradient = vec![0.0; PARAMETERS];
        for (terms, error) in self.terms.iter().zip(errors) {
            for &(n, count) in terms {
                gradient[usize::from(n)] += error * count;
            }
        }
        gradient
    }

    /// Turns `logits` of the steps into errors, likelihoods less what is
    /// wanted, and returns the loss, both times the sample's weight. `None`
    /// where there is no choice.
    pub(super) fn judge(&self, sample: &Sample<'_>, logits: &mut [f32]) -> Option<f64> {
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

/// Every place within reach of a cell: its class, columns and rows.
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
