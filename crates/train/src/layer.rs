//! The fit of the hidden layer of the prior, on top of the fitted linear sums.
//!
//! ```text
//!   features of a tile ─ hidden (the same at all phases) ─► 32 sums + biases (by phase)
//!     ─ max(0, ·) ─► units ─ outputs (by phase) ─► added to the tile's logit
//! ```
//!
//! The sums stay as they are: the search uses them alone at most nodes, so they must predict alone.
//! The layer learns their remaining error. Back-propagation is written out, since there is one
//! layer. An error of a logit goes to the outputs, through the open units to the biases, and to the
//! row of each feature of the tile.
//!
//! Bridges and passes have no units. Their logits are those of the sums, but they count in the
//! softmax.

use pontifex::eval::Random;
use pontifex::eval::linear::fitting::{KNOTS, TILE, UNITS, WEIGHT_SCALE};
use pontifex::eval::linear::{Linear, Weights};
use pontifex::game::Step;

use crate::Report;
use crate::choices::{Choices, KnotSpan};
use crate::games::{Game, Sample};
use crate::policy::PolicyOptions;

/// The number of weights at a knot: the biases, then the output weights.
const PER_KNOT: usize = 2 * UNITS;

/// The number of weights: [`PER_KNOT`] for a turn's first step, knot by knot; the same for its
/// second tile; then the input weights of each feature.
const WEIGHTS: usize = HIDDEN_AT + TILE * UNITS;
const HIDDEN_AT: usize = 2 * KNOTS.len() * PER_KNOT;

/// The largest magnitude of an initial weight. Set by judgement: with about thirty features, the
/// sums of the units are then mostly below 1, where a rectifier is neither always open nor always
/// shut.
const INITIAL: f32 = 0.15;

/// A number for each unit.
type UnitValues = [f32; UNITS];

/// Fits the hidden layer to the steps of `games`, on top of the linear sums in `weights`, starting
/// from the layer there, or from random weights if that is zero. `report` receives `layer`, the
/// number of each epoch and its mean loss.
pub fn fit_layer(
    games: &[Game],
    options: &PolicyOptions,
    weights: &mut Weights,
    report: &mut Report<'_>,
) {
    if options.epochs == 0 || games.is_empty() {
        return;
    }
    let linear = Linear::new(weights);
    initialize(weights, &mut Random::new(options.seed));
    let mut x = vec![0.0; WEIGHTS];
    for_each_weight(weights, |index, weight| x[index] = *weight);
    let add = |sample: &Sample<'_>, x: &[f32], gradient: &mut [f32]| {
        add_gradient(&linear, sample, x, gradient)
    };
    options.descend(games, &mut x, add, |epoch, loss| report("layer", epoch, loss));
    for_each_weight(weights, |index, weight| *weight = x[index]);
}

/// Draws random weights if all output weights are zero. Then no error reaches the input weights,
/// and equal units would stay equal for ever.
fn initialize(weights: &mut Weights, random: &mut Random) {
    if weights.outputs.as_flattened().as_flattened().iter().any(|&weight| weight != 0.0) {
        return;
    }
    let mut draw = || INITIAL * (random.below(2001) as f32 / 1000.0 - 1.0);
    weights.hidden.as_flattened_mut().fill_with(&mut draw);
    for unit in 0..UNITS {
        let output = draw();
        weights.outputs.iter_mut().for_each(|outputs| outputs[unit].fill(output));
    }
}

/// Calls `visit` for every weight of the layer and its index in the vector.
fn for_each_weight(weights: &mut Weights, mut visit: impl FnMut(usize, &mut f32)) {
    for (offset, kinds) in [(0, &mut weights.biases), (UNITS, &mut weights.outputs)] {
        for (kind, units) in kinds.iter_mut().enumerate() {
            for (unit, knots) in units.iter_mut().enumerate() {
                for (knot, weight) in knots.iter_mut().enumerate() {
                    visit((kind * KNOTS.len() + knot) * PER_KNOT + offset + unit, weight);
                }
            }
        }
    }
    for (n, weight) in weights.hidden.as_flattened_mut().iter_mut().enumerate() {
        visit(HIDDEN_AT + n, weight);
    }
}

/// Adds the gradient of a sample to `gradient` and returns its loss. The layer's output is added to
/// the logits of `linear`.
fn add_gradient(
    linear: &Linear,
    sample: &Sample<'_>,
    x: &[f32],
    gradient: &mut [f32],
) -> Option<f64> {
    let knots = KnotSpan::new(sample.position, PER_KNOT);
    let weights = knots.weights(x);
    let (biases, outputs) = weights.split_at(UNITS);
    let (hidden, _) = x[HIDDEN_AT..].as_chunks();
    let choices = Choices::new(sample.position);
    let units = unit_values(&choices, biases, hidden);
    let mut logits = Vec::new();
    linear.logits(sample.position, &mut logits);
    debug_assert!(logits.iter().map(|(step, _)| step).eq(&choices.steps));
    let mut errors: Vec<f32> = logits.iter().map(|(_, logit)| logit / WEIGHT_SCALE).collect();
    for (logit, units) in errors.iter_mut().zip(&units) {
        *logit += units.iter().zip(outputs).map(|(unit, weight)| unit * weight).sum::<f32>();
    }
    let loss = choices.loss(sample, &mut errors)?;
    let mut by_weights = vec![0.0; PER_KNOT];
    let (by_biases, by_outputs) = by_weights.split_at_mut(UNITS);
    let (by_hidden, _) = gradient[HIDDEN_AT..].as_chunks_mut::<UNITS>();
    for ((units, terms), error) in units.iter().zip(&choices.terms).zip(&errors) {
        let mut by_units = [0.0; UNITS];
        for n in 0..UNITS {
            by_units[n] = if units[n] > 0.0 { error * outputs[n] } else { 0.0 };
            by_biases[n] += by_units[n];
            by_outputs[n] += error * units[n];
        }
        for &(n, count) in terms {
            let sums = by_hidden[usize::from(n)].iter_mut();
            sums.zip(&by_units).for_each(|(sum, error)| *sum += count * error);
        }
    }
    knots.add_gradient(&by_weights, gradient);
    Some(loss)
}

/// The units of each tile, in the order of the steps.
fn unit_values(choices: &Choices, biases: &[f32], hidden: &[UnitValues]) -> Vec<UnitValues> {
    let tiles = choices.steps.iter().take_while(|step| matches!(step, Step::Tile(_)));
    let values = |(_, terms): (&Step, &Vec<(u16, f32)>)| {
        let mut units: UnitValues = std::array::from_fn(|n| biases[n]);
        for &(n, count) in terms {
            let row = &hidden[usize::from(n)];
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += count * weight);
        }
        units.map(|unit| unit.max(0.0))
    };
    tiles.zip(&choices.terms).map(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pontifex::board::Size;
    use pontifex::eval::linear::fitting::built_in_text;
    use pontifex::game::{Position, Rules};

    /// Calls `visit` for positions of random games, with random steps as the target.
    fn samples(random: &mut Random, mut visit: impl FnMut(&Sample<'_>)) {
        for size in [6, 9, 12] {
            let size = Size::new(size).unwrap();
            let mut position = Position::new(Rules { size, pie: false, ..Rules::default() });
            while !position.is_over() {
                let mut steps = Vec::new();
                Linear::built_in(*position.rules()).priors(&position, &mut steps);
                let mut draw = || steps[random.below(steps.len() as u32) as usize].0;
                let (a, b) = (draw(), draw());
                let chosen = if a == b { vec![(a, 1.0)] } else { vec![(a, 0.75), (b, 0.25)] };
                visit(&Sample { position: &position, steps: &chosen, weight: 0.5, value: None });
                position.make(a);
            }
        }
    }

    /// Random weights of the layer, multiples of 1/256.
    fn random_weights(random: &mut Random) -> Vec<f32> {
        (0..WEIGHTS).map(|_| (random.below(129) as f32 - 64.0) / 256.0).collect()
    }

    /// The fit and the search compute the layer by different code.
    #[test]
    fn the_loss_is_that_of_refined_priors() {
        let mut random = Random::new(1);
        let mut weights = Weights::parse(built_in_text(Rules::default())).unwrap();
        let mut x = random_weights(&mut random);
        for_each_weight(&mut weights, |index, weight| *weight = x[index]);
        // The same at all phases, so that interpolation does not round.
        let Weights { biases, outputs, .. } = &mut weights;
        for knots in biases.iter_mut().chain(outputs).flatten() {
            *knots = [knots[0]; _];
        }
        for_each_weight(&mut weights, |index, weight| x[index] = *weight);
        let linear = Linear::new(&weights);
        let mut probabilities = Vec::new();
        let mut count = 0;
        samples(&mut random, |sample| {
            let Some(loss) = add_gradient(&linear, sample, &x, &mut vec![0.0; WEIGHTS]) else {
                return;
            };
            linear.refined_priors(sample.position, &mut probabilities);
            let mut expected = 0.0;
            for &(step, share) in sample.steps {
                let (_, probability) =
                    probabilities.iter().find(|(other, _)| *other == step).unwrap();
                expected -= sample.weight * share * probability.ln();
            }
            // The layer's output is truncated to 1/256.
            assert!((loss - f64::from(expected)).abs() <= 0.01, "{loss} {expected}");
            count += 1;
        });
        assert!(count > 50, "{count}");
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let mut random = Random::new(2);
        let x = random_weights(&mut random);
        let direction: Vec<f32> = x.iter().map(|_| random.below(201) as f32 - 100.0).collect();
        let weights_at = |step: f32| -> Vec<f32> {
            x.iter().zip(&direction).map(|(x, d)| x + step * d).collect()
        };
        let sides = [1e-6, -1e-6].map(weights_at);
        let (mut gradient, mut unused) = (vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
        let mut difference = 0.0;
        samples(&mut random, |sample| {
            let linear = Linear::built_in(*sample.position.rules());
            add_gradient(linear, sample, &x, &mut gradient);
            let [forward, backward] =
                [0, 1].map(|n| add_gradient(linear, sample, &sides[n], &mut unused));
            difference += forward.unwrap_or(0.0) - backward.unwrap_or(0.0);
        });
        let products = gradient.iter().zip(&direction);
        let slope: f64 = products.map(|(g, d)| f64::from(*g) * f64::from(*d)).sum();
        let measured = difference / 2e-6;
        assert!((slope - measured).abs() < 0.02 * slope.abs().max(1.0), "{slope} {measured}");
    }
}
