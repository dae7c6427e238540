//! The fit of the value to results and leads of games.
//!
//! Two fits follow one another. The lead is a least-squares fit to the points at the end of the
//! game. Its prediction is an input of the second fit, the logistic regression of the result.
//!
//! All positions of a game share one result, so a game has less information than the number of its
//! positions suggests. Penalties therefore count per game. One pulls all weights towards zero, the
//! other pulls the weights of neighbouring phases together.

use std::slice;

use pontifex::eval::linear::Weights;
use pontifex::eval::linear::fitting::KNOTS;
use rayon::prelude::*;

use crate::Report;
use crate::games::Game;
use crate::inputs::{Inputs, KnotFit, KnotWeights, PER_INPUT, input_scales};
use crate::optimizers::Sums;

/// How the value's weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueOptions {
    /// The penalty on squared weights, per game.
    pub decay: f64,
    /// The penalty on squared changes of a weight from phase to phase, per game.
    pub smoothness: f64,
    /// The maximum number of optimizer steps.
    pub steps: usize,
}

impl Default for ValueOptions {
    fn default() -> Self {
        // Set by judgement: more smoothness makes a weight the same at all phases; less follows the
        // noise of phases with few positions.
        ValueOptions { decay: 0.05, smoothness: 0.2, steps: 150 }
    }
}

/// Positions per partial sum. It fixes the order of additions, so another number changes the last
/// digits of a fit.
const CHUNK: usize = 2048;

/// A position and its targets.
struct Row {
    inputs: Inputs,
    weight: f32,
    /// The result for the side to move.
    result: f32,
    /// The final lead of the side to move, in points; `None` if the game was not finished.
    lead: Option<f32>,
}

/// Fits the weights for the lead, then those for the result, to the results and final leads of
/// `games`, starting from `weights`. Until leaf blends are fitted, they use the same weights.
/// `report` receives `lead` or `win`, the number of each step and its loss.
pub fn fit_value(
    games: &[Game],
    options: &ValueOptions,
    weights: &mut Weights,
    report: &mut Report<'_>,
) {
    let game_rows = |game: &Game| {
        let mut rows = Vec::new();
        game.for_each(0, |sample| {
            let side = sample.position.side();
            rows.push(Row {
                inputs: Inputs::new(sample.position),
                weight: sample.weight,
                result: game.result(side),
                lead: game.lead(side),
            });
        });
        rows
    };
    let mut rows: Vec<Row> = games.par_iter().flat_map_iter(game_rows).collect();
    fit_rows(&mut rows, games.len(), options, weights, report);
}

fn fit_rows(
    rows: &mut [Row],
    games: usize,
    options: &ValueOptions,
    weights: &mut Weights,
    report: &mut Report<'_>,
) {
    let scales = input_scales(rows.iter().map(|row| &row.inputs));
    let penalty = |scale: f64| {
        let scale = scale / games.max(1) as f64;
        move |x: &[f64], _: &[f64], gradient: &mut [f64]| add_penalty(options, scale, x, gradient)
    };
    let steps = options.steps;
    let fit = KnotFit { samples: &*rows, scales: scales.clone(), chunk: CHUNK, steps };
    let lead = slice::from_mut(&mut weights.lead);
    // Squared errors in points are larger numbers than losses in nats, so the penalty is larger,
    // too. Set by judgement: the factor 50 is a guess.
    fit.run(lead, add_lead, penalty(50.0), |step, loss| report("lead", step, loss));
    rows.par_iter_mut().for_each(|row| row.inputs.set_lead(&weights.lead));
    let fit = KnotFit { samples: &*rows, scales, chunk: CHUNK, steps };
    let win = slice::from_mut(&mut weights.win);
    fit.run(win, add_win, penalty(1.0), |step, loss| report("win", step, loss));
    weights.blend = [weights.win.clone(), weights.win.clone()];
}

fn add_lead(row: &Row, weights: &[KnotWeights], sums: &mut Sums) {
    let Some(lead) = row.lead else { return };
    let error = weights[0].sum(&row.inputs) - lead;
    row.add(error * error * 0.5, error, sums);
}

fn add_win(row: &Row, weights: &[KnotWeights], sums: &mut Sums) {
    let sum = weights[0].sum(&row.inputs);
    // The cross-entropy as a function of the logit. Written with e^-|s|, it cannot overflow.
    let entropy = sum.max(0.0) - sum * row.result + (-sum.abs()).exp().ln_1p();
    row.add(entropy, 1.0 / (1.0 + (-sum).exp()) - row.result, sums);
}

impl Row {
    /// Adds the row's loss, and its derivative `error` with respect to the weighted sum.
    fn add(&self, loss: f32, error: f32, sums: &mut Sums) {
        sums.loss += f64::from(self.weight * loss);
        sums.weight += f64::from(self.weight);
        self.inputs.add_gradient(error * self.weight, &mut sums.gradient);
    }
}

/// Adds the gradient of the penalties of `options`, times `scale`, and returns the penalty.
fn add_penalty(options: &ValueOptions, scale: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
    let (decay, smoothness) = (options.decay * scale, options.smoothness * scale);
    let mut loss = 0.0;
    for (x, g) in x.chunks(PER_INPUT).zip(gradient.chunks_mut(PER_INPUT)) {
        for n in 0..PER_INPUT {
            // Half turns should differ little from whole ones. Set by judgement: the factor 5 is a
            // guess.
            let decay = if n + 1 == PER_INPUT { 5.0 * decay } else { decay };
            loss += 0.5 * decay * x[n] * x[n];
            g[n] += decay * x[n];
        }
        for n in 1..KNOTS.len() {
            let change = x[n] - x[n - 1];
            loss += 0.5 * smoothness * change * change;
            g[n] += smoothness * change;
            g[n - 1] -= smoothness * change;
        }
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;
    use pontifex::board::Size;
    use pontifex::eval::Random;
    use pontifex::eval::linear::Linear;
    use pontifex::game::{Position, Rules};

    const KNOWN: &str = "\
value own.points    0.3 0.3 0.3 0.3 0.0    1.0 1.0 1.0 1.0 0.0
value other.points -0.3 -0.3 -0.3 -0.3 0.0  -1.0 -1.0 -1.0 -1.0 0.0
value own.complete.1  0.8 0.8 0.4 0.2 0.1   2.0 1.5 1.0 0.5 0.2
value other.groups.3 -0.2 -0.2 -0.2 -0.2 0.0  -0.5 -0.5 -0.5 -0.5 0.0
value bias          0.2 0.2 0.2 0.2 -0.1   0.5 0.5 0.5 0.5 0.0
";

    /// Calls `visit` for every position of random games.
    fn positions(games: std::ops::Range<u64>, mut visit: impl FnMut(&Position)) {
        let linear = Linear::new(&Weights::zero());
        for seed in games {
            let mut random = Random::new(seed);
            let size = Size::new(6).unwrap();
            let mut position = Position::new(Rules { size, pie: false, ..Rules::default() });
            let mut steps = Vec::new();
            while !position.is_over() {
                visit(&position);
                linear.priors(&position, &mut steps);
                position.make(steps[random.below(steps.len() as u32) as usize].0);
            }
        }
    }

    #[test]
    fn known_weights_are_recovered_from_their_evaluations() {
        let known = Linear::new(&Weights::parse(KNOWN).unwrap());
        let mut rows = Vec::new();
        positions(0..20, |position| {
            let value = known.evaluate(position);
            let (result, lead) = (value.win, Some(value.lead));
            rows.push(Row { inputs: Inputs::new(position), weight: 1.0, result, lead });
        });
        let mut fitted = Weights::zero();
        let options = ValueOptions { decay: 1e-4, smoothness: 1e-4, steps: 80 };
        fit_rows(&mut rows, 20, &options, &mut fitted, &mut |_, _, _| {});
        let fitted = Linear::new(&fitted);
        let (mut worst, mut lead_error, mut count) = (0.0f32, 0.0, 0.0);
        positions(20..24, |position| {
            let (value, fit) = (known.evaluate(position), fitted.evaluate(position));
            worst = worst.max((value.win - fit.win).abs());
            lead_error += (value.lead - fit.lead).abs();
            count += 1.0;
        });
        assert!(worst < 0.15 && lead_error / count < 0.15, "{worst} {}", lead_error / count);
    }
}
