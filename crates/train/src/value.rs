//! The fit of the value to results and leads of games, and its quality.
//!
//! At the end are positions as inputs of the value, also for the fit of leaf
//! blends.

use pontifex::eval::linear::fitting::{
    FEATURES, INPUTS, KNOTS, between, features, lead_inputs, phase,
};
use pontifex::eval::linear::{Evaluation, Linear, Weights};
use pontifex::game::{Color, Position, Rules};
use rayon::prelude::*;

use crate::games::Game;
use crate::optimizers::minimize;

/// A fit of the value to positions of games.
pub struct ValueFit {
    rows: Vec<Row>,
    scales: Vec<f64>,
    games: usize,
}

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
        ValueOptions { decay: 0.05, smoothness: 0.2, steps: 150 }
    }
}

/// How well an evaluation predicts results and leads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ValueQuality {
    /// The sum of the weights of the positions.
    pub positions: f64,
    /// Mean cross-entropy of the result, in nats.
    pub loss: f64,
    /// Share of the positions of decided games whose winner was expected to win.
    pub accuracy: f64,
    /// Mean squared error of the lead, in points.
    pub lead_error: f64,
    /// For each tenth of the expected result: positions, mean expected result,
    /// mean result.
    pub calibration: [(f64, f64, f64); 10],
}

/// Positions per partial sum. Sums do not depend on the number of threads.
const CHUNK: usize = 2048;

/// A position and its targets.
struct Row {
    inputs: Inputs,
    weight: f32,
    /// The result for the side to move.
    result: f32,
    /// Their lead in points at the end; `None` if the game was not finished.
    lead: Option<f32>,
}

/// The quantity to predict.
#[derive(Clone, Copy, PartialEq)]
enum Head {
    Win,
    Lead,
}

impl ValueFit {
    /// Collects the positions of `games`. The targets are the results and final
    /// leads of the games.
    pub fn new(games: &[Game]) -> ValueFit {
        ValueFit::with_targets(games, |game, position| {
            let side = position.side();
            (game.result(side), game.lead(side))
        })
    }

    /// Collects the positions of `games`. The targets are the evaluations of
    /// `teacher`.
    pub fn imitating(
        games: &[Game],
        teacher: &(dyn Fn(&Position) -> Evaluation + Sync),
    ) -> ValueFit {
        ValueFit::with_targets(games, |_, position| {
            let Evaluation { win, lead } = teacher(position);
            (win, Some(lead))
        })
    }

    /// `targets` returns the [`Row::result`] and [`Row::lead`] of a position.
    fn with_targets(
        games: &[Game],
        targets: impl Fn(&Game, &Position) -> (f32, Option<f32>) + Sync,
    ) -> ValueFit {
        let rows: Vec<Row> = games.par_iter().flat_map_iter(|game| rows(game, &targets)).collect();
        let scales = scales(rows.iter().map(|row| &row.inputs));
        ValueFit { rows, scales, games: games.len() }
    }

    /// Fits the weights for the lead, then those for the result, starting from
    /// `weights`. `report` receives `lead` or `win`, the number of each step
    /// and its loss.
    pub fn fit(
        &mut self,
        weights: &mut Weights,
        options: &ValueOptions,
        report: &mut dyn FnMut(&str, usize, f64),
    ) {
        for (name, head) in [("lead", Head::Lead), ("win", Head::Win)] {
            let lead = &weights.lead;
            self.rows.par_iter_mut().for_each(|row| match head {
                Head::Lead => row.inputs.clear_lead(),
                Head::Win => row.inputs.set_lead(lead),
            });
            let target = if head == Head::Win { &mut weights.win } else { &mut weights.lead };
            let mut x: Vec<f64> = Vec::with_capacity(INPUTS * EACH);
            for (weights, scale) in target.iter().zip(&self.scales) {
                x.extend(weights.iter().map(|&w| f64::from(w) * scale));
            }
            minimize(
                &mut x,
                options.steps,
                |x, gradient| self.loss(head, x, gradient, options),
                |step, loss| report(name, step, loss),
            );
            for ((weights, scale), x) in target.iter_mut().zip(&self.scales).zip(x.chunks(EACH)) {
                for (weight, x) in weights.iter_mut().zip(x) {
                    *weight = (x / scale) as f32;
                }
            }
        }
        // Until leaf blends are fitted, they use the same weights.
        weights.blend = [weights.win.clone(), weights.win.clone()];
    }

    /// The mean loss and its gradient by the scaled weights.
    fn loss(&self, head: Head, x: &[f64], gradient: &mut [f64], options: &ValueOptions) -> f64 {
        let weights = KnotWeights::new(|n| (x[n] / self.scales[n / EACH]) as f32);
        let parts: Vec<(f64, f64, Vec<f32>)> =
            self.rows.par_chunks(CHUNK).map(|rows| part(head, rows, &weights)).collect();
        let (mut loss, mut count) = (0.0, 0.0);
        gradient.fill(0.0);
        for (part_loss, part_count, part) in parts {
            loss += part_loss;
            count += part_count;
            for (n, g) in gradient.iter_mut().enumerate() {
                *g += f64::from(part[n % EACH * INPUTS + n / EACH]);
            }
        }
        let count = f64::max(count, 1.0);
        loss /= count;
        for (n, g) in gradient.iter_mut().enumerate() {
            *g /= self.scales[n / EACH] * count;
        }
        let scale = if head == Head::Win { 1.0 } else { 50.0 } / self.games.max(1) as f64;
        let (decay, smoothness) = (options.decay * scale, options.smoothness * scale);
        for (x, g) in x.chunks(EACH).zip(gradient.chunks_mut(EACH)) {
            for n in 0..EACH {
                // Half turns should differ little from whole ones.
                let decay = if n + 1 == EACH { 5.0 * decay } else { decay };
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
}

/// Loss, weight and gradient, by knot and input, of some rows.
fn part(head: Head, rows: &[Row], weights: &KnotWeights) -> (f64, f64, Vec<f32>) {
    let mut gradient = vec![0.0f32; EACH * INPUTS];
    let (mut loss, mut count) = (0.0, 0.0);
    for row in rows {
        let target = match (head, row.lead) {
            (Head::Win, _) => row.result,
            (Head::Lead, Some(lead)) => lead,
            (Head::Lead, None) => continue,
        };
        let sum = weights.sum(&row.inputs);
        let error = match head {
            Head::Win => {
                // log(1 + e^-|s|) cannot overflow.
                let entropy = sum.max(0.0) - sum * target + (-sum.abs()).exp().ln_1p();
                loss += f64::from(row.weight * entropy);
                1.0 / (1.0 + (-sum).exp()) - target
            }
            Head::Lead => {
                let error = sum - target;
                loss += f64::from(row.weight * error * error * 0.5);
                error
            }
        };
        count += f64::from(row.weight);
        row.inputs.add_gradient(error * row.weight, &mut gradient);
    }
    (loss, count, gradient)
}

fn rows(game: &Game, targets: &impl Fn(&Game, &Position) -> (f32, Option<f32>)) -> Vec<Row> {
    let mut rows = Vec::new();
    game.for_each(0, |sample| {
        let (result, lead) = targets(game, sample.position);
        rows.push(Row {
            inputs: Inputs::new(sample.position),
            weight: sample.weight,
            result,
            lead,
        });
    });
    rows
}

impl ValueQuality {
    /// Measures `evaluate` on the positions of `games`.
    pub fn of(games: &[Game], evaluate: &(dyn Fn(&Position) -> Evaluation + Sync)) -> ValueQuality {
        let each = |game: &Game| {
            let mut sums = ValueQuality::default();
            game.for_each(0, |sample| {
                let side = sample.position.side();
                let value = evaluate(sample.position);
                sums.add(value, game.result(side), game.lead(side), f64::from(sample.weight));
            });
            sums
        };
        let parts: Vec<ValueQuality> = games.par_iter().map(each).collect();
        let mut all = ValueQuality::default();
        let mut decided = 0.0;
        for part in &parts {
            all.positions += part.positions;
            all.loss += part.loss;
            all.accuracy += part.accuracy;
            all.lead_error += part.lead_error;
            for (all, part) in all.calibration.iter_mut().zip(&part.calibration) {
                *all = (all.0 + part.0, all.1 + part.1, all.2 + part.2);
            }
        }
        for (game, part) in games.iter().zip(&parts) {
            let is_drawn = (game.result(Color::White) - 0.5).abs() < 0.25;
            decided += if is_drawn { 0.0 } else { part.positions };
        }
        let n = all.positions.max(1.0);
        all.loss /= n;
        all.lead_error /= n;
        all.accuracy /= f64::max(decided, 1.0);
        for (count, expected, result) in &mut all.calibration {
            *expected /= count.max(1e-9);
            *result /= count.max(1e-9);
        }
        all
    }

    /// Measures `linear`, which gives the weights for games by some rules.
    pub fn of_linear<'a>(
        games: &[Game],
        linear: &(dyn Fn(Rules) -> &'a Linear + Sync),
    ) -> ValueQuality {
        ValueQuality::of(games, &|position: &Position| linear(*position.rules()).evaluate(position))
    }

    fn add(&mut self, value: Evaluation, result: f32, lead: Option<f32>, weight: f64) {
        let win = f64::from(value.win).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(result);
        self.positions += weight;
        self.loss -= weight * (result * win.ln() + (1.0 - result) * (1.0 - win).ln());
        let is_right = (win > 0.5 && result > 0.75) || (win < 0.5 && result < 0.25);
        self.accuracy += if is_right { weight } else { 0.0 };
        if let Some(lead) = lead {
            self.lead_error += weight * f64::from(value.lead - lead).powi(2);
        }
        let (count, expected, mean) = &mut self.calibration[((win * 10.0) as usize).min(9)];
        *count += weight;
        *expected += weight * win;
        *mean += weight * result;
    }
}

/// Weights of an input: one at each knot, and one for half turns.
pub(super) const EACH: usize = KNOTS.len() + 1;

/// What the value of a position is computed from.
pub(super) struct Inputs {
    features: [i8; FEATURES],
    phase: u8,
    is_half: bool,
    /// The expected lead; 0 until it is known.
    lead: f32,
}

/// Weights by knot and input, an order in which sums read memory linearly.
pub(super) struct KnotWeights([[f32; INPUTS]; EACH]);

impl Inputs {
    pub(super) fn new(position: &Position) -> Inputs {
        Inputs {
            features: features(position).map(|x| x as i8),
            phase: phase(position) as u8,
            is_half: position.is_half_turn(),
            lead: 0.0,
        }
    }

    /// Forgets the expected lead.
    pub(super) fn clear_lead(&mut self) {
        self.lead = 0.0;
    }

    /// Computes the expected lead from its weights.
    pub(super) fn set_lead(&mut self, weights: &[[f32; EACH]]) {
        let shares = self.shares();
        let weight = |w: &[f32; EACH]| shares.iter().map(|&(n, share)| w[n] * share).sum::<f32>();
        let terms = self.features.iter().zip(weights).map(|(&x, w)| f32::from(x) * weight(w));
        self.lead = terms.sum();
    }

    /// The coefficients of the weights of the two nearest knots and of those
    /// for half turns.
    fn shares(&self) -> [(usize, f32); 3] {
        let (low, share) = between(usize::from(self.phase));
        [(low, 1.0 - share), (low + 1, share), (EACH - 1, f32::from(self.is_half))]
    }

    fn numbers(&self) -> [f32; INPUTS] {
        let mut x = [0.0; INPUTS];
        for (x, &feature) in x.iter_mut().zip(&self.features) {
            *x = f32::from(feature);
        }
        x[FEATURES..].copy_from_slice(&lead_inputs(self.lead));
        x
    }

    /// Adds the gradient of the weights to `gradient`, by knot and input, given
    /// the derivative `error` of the loss by the sum.
    pub(super) fn add_gradient(&self, error: f32, gradient: &mut [f32]) {
        let x = self.numbers();
        for (n, share) in self.shares() {
            let factor = share * error;
            if factor != 0.0 {
                let gradient = &mut gradient[n * INPUTS..(n + 1) * INPUTS];
                gradient.iter_mut().zip(&x).for_each(|(g, x)| *g += factor * x);
            }
        }
    }
}

impl KnotWeights {
    /// From `weight`, which is indexed by input, then by knot.
    pub(super) fn new(weight: impl Fn(usize) -> f32) -> KnotWeights {
        let mut weights = [[0.0; INPUTS]; EACH];
        for n in 0..INPUTS * EACH {
            weights[n % EACH][n / EACH] = weight(n);
        }
        KnotWeights(weights)
    }

    /// The weighted sum of `inputs`.
    pub(super) fn sum(&self, inputs: &Inputs) -> f32 {
        let x = inputs.numbers();
        let product = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>();
        let shares = inputs.shares().into_iter().filter(|&(_, share)| share != 0.0);
        shares.map(|(n, share)| share * product(&self.0[n])).sum()
    }
}

/// The scale of each input: the root of its mean square.
pub(super) fn scales<'a>(all: impl Iterator<Item = &'a Inputs>) -> Vec<f64> {
    let mut squares = vec![0.0; FEATURES];
    let mut count = 0.0f64;
    for inputs in all {
        count += 1.0;
        for (square, &x) in squares.iter_mut().zip(&inputs.features) {
            *square += f64::from(x) * f64::from(x);
        }
    }
    // Not below 0.05, or a rare feature gets a huge weight.
    let count = count.max(1.0);
    let mut scales: Vec<f64> = squares.iter().map(|s| (s / count).sqrt().max(0.05)).collect();
    // Typical leads are a few points.
    scales.resize(INPUTS, 2.0);
    scales
}
