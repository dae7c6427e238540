//! The fit of the prior.

use rayon::prelude::*;

use super::choices::Choices;
use super::knots::KnotSpan;
use super::layer;
use crate::adam::Adam;
use crate::games::{Game, Sample};
use pontifex::eval::Random;
use pontifex::eval::linear::fitting::{KNOTS, PARAMETERS};
use pontifex::eval::linear::{Linear, Weights};

/// The number of weights of the linear sums: those for a turn's first step,
/// knot by knot, then those for its second tile.
const WEIGHTS: usize = 2 * KNOTS.len() * PARAMETERS;

/// How the prior's weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyOptions {
    /// Passes over the games.
    pub epochs: usize,
    /// Games per optimizer step.
    pub batch: usize,
    /// The initial learning rate. It falls linearly to a fiftieth.
    pub rate: f32,
    /// The penalty on squared weights, per position.
    pub decay: f32,
    /// Turns at the beginning of each game to leave out, because they were not
    /// chosen by a player.
    pub skip: usize,
    /// Seed of the order of the games and of the layer's initial weights.
    pub seed: u64,
}

impl Default for PolicyOptions {
    fn default() -> Self {
        PolicyOptions { epochs: 6, batch: 16, rate: 0.03, decay: 1e-5, skip: 2, seed: 1 }
    }
}

/// A fit of the prior to the steps of games.
pub struct PolicyFit<'a> {
    games: &'a [Game],
    options: PolicyOptions,
}

impl<'a> PolicyFit<'a> {
    /// A fit to `games`.
    pub fn new(games: &'a [Game], options: PolicyOptions) -> PolicyFit<'a> {
        PolicyFit { games, options }
    }

    /// Fits the linear sums, starting from `weights`. `report` receives the
    /// number of each epoch and its mean loss.
    pub fn fit(&self, weights: &mut Weights, report: impl FnMut(usize, f64)) {
        let mut x = flatten(weights);
        self.descend(&mut x, report, |sample, x, gradient| {
            let knots = KnotSpan::new(sample.position, PARAMETERS);
            let choices = Choices::new(sample.position);
            let mut logits = choices.logits(&knots.weights(x));
            let loss = choices.loss(sample, &mut logits)?;
            knots.add_gradient(&choices.gradient(&logits), gradient);
            Some(loss)
        });
        unflatten(&x, weights);
    }

    /// Fits the hidden layer on top of the linear sums in `weights`, starting
    /// from the layer there, or from random weights if that is zero. `report`
    /// receives the number of each epoch and its mean loss.
    pub fn fit_layer(&self, weights: &mut Weights, report: impl FnMut(usize, f64)) {
        if self.options.epochs == 0 || self.games.is_empty() {
            return;
        }
        let linear = Linear::new(weights);
        layer::initialize(weights, &mut Random::new(self.options.seed));
        let mut x = layer::flatten(weights);
        self.descend(&mut x, report, |sample, x, gradient| {
            layer::add_gradient(&linear, sample, x, gradient)
        });
        layer::unflatten(&x, weights);
    }

    /// Stochastic gradient descent from `x`. `add_gradient` adds the gradient of
    /// a sample to its last argument and returns the loss; `None` leaves the
    /// sample out.
    fn descend(
        &self,
        x: &mut [f32],
        mut report: impl FnMut(usize, f64),
        add_gradient: impl Fn(&Sample<'_>, &[f32], &mut [f32]) -> Option<f64> + Sync,
    ) {
        let mut adam = Adam::new(x.len());
        let mut random = Random::new(self.options.seed);
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        let batch = self.options.batch.max(1);
        let steps = self.options.epochs * order.len().div_ceil(batch);
        let mut step = 0;
        for epoch in 1..=self.options.epochs {
            for n in (1..order.len()).rev() {
                order.swap(n, random.below(n as u32 + 1) as usize);
            }
            let (mut loss, mut count) = (0.0, 0.0);
            for batch in order.chunks(batch) {
                let mut sum = self.batch(batch, x, &add_gradient);
                loss += sum.loss;
                count += sum.count;
                for (g, x) in sum.gradient.iter_mut().zip(&*x) {
                    *g = *g / f64::max(sum.count, 1.0) as f32 + self.options.decay * x;
                }
                let progress = step as f32 / steps as f32;
                adam.step(x, &sum.gradient, self.options.rate * (1.0 - 0.98 * progress));
                step += 1;
            }
            report(epoch, loss / f64::max(count, 1.0));
        }
    }

    /// The sums over some games.
    fn batch(
        &self,
        games: &[usize],
        x: &[f32],
        add_gradient: impl Fn(&Sample<'_>, &[f32], &mut [f32]) -> Option<f64> + Sync,
    ) -> Sum {
        let zero = || Sum { loss: 0.0, count: 0.0, gradient: vec![0.0; x.len()] };
        let each = |&n: &usize| {
            let mut sum = zero();
            self.games[n].for_each_choice(self.options.skip, |sample| {
                if let Some(loss) = add_gradient(sample, x, &mut sum.gradient) {
                    sum.loss += loss;
                    sum.count += f64::from(sample.weight);
                }
            });
            sum
        };
        let parts: Vec<Sum> = games.par_iter().map(each).collect();
        let mut all = zero();
        for part in parts {
            all.loss += part.loss;
            all.count += part.count;
            all.gradient.iter_mut().zip(&part.gradient).for_each(|(all, part)| *all += part);
        }
        all
    }
}

/// Sums over weighted samples.
struct Sum {
    loss: f64,
    /// The sum of the weights.
    count: f64,
    gradient: Vec<f32>,
}

/// The weights of the linear sums as one vector.
fn flatten(weights: &Weights) -> Vec<f32> {
    let mut x = vec![0.0; WEIGHTS];
    for (kind, weights) in weights.steps.iter().enumerate() {
        for (n, knots) in weights.iter().enumerate() {
            for (knot, &weight) in knots.iter().enumerate() {
                x[(kind * KNOTS.len() + knot) * PARAMETERS + n] = weight;
            }
        }
    }
    x
}

/// Sets the weights of the linear sums from one vector.
fn unflatten(x: &[f32], weights: &mut Weights) {
    for (kind, weights) in weights.steps.iter_mut().enumerate() {
        for (n, knots) in weights.iter_mut().enumerate() {
            for (knot, weight) in knots.iter_mut().enumerate() {
                *weight = x[(kind * KNOTS.len() + knot) * PARAMETERS + n];
            }
        }
    }
}
