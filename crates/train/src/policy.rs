//! The fit of the prior, and its quality. The fit of the hidden layer is in `layer`.

use pontifex::eval::Random;
use pontifex::eval::linear::fitting::{KNOTS, PARAMETERS};
use pontifex::eval::linear::{Linear, Weights};
use pontifex::game::{Position, Step};
use rayon::prelude::*;

use super::choices::{Choices, KnotSpan};
use crate::games::{Game, Sample};
use crate::layer;
use crate::optimizers::Adam;

/// A fit of the prior to the steps of games.
pub struct PolicyFit<'a> {
    games: &'a [Game],
    options: PolicyOptions,
}

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

/// The number of weights of the linear sums: those for a turn's first step,
/// knot by knot, then those for its second tile.
const WEIGHTS: usize = 2 * KNOTS.len() * PARAMETERS;

impl<'a> PolicyFit<'a> {
    /// A fit to `games`.
    pub fn new(games: &'a [Game], options: PolicyOptions) -> PolicyFit<'a> {
        PolicyFit { games, options }
    }

    /// Fits the linear sums, starting from `weights`. `report` receives the
    /// number of each epoch and its mean loss.
    pub fn fit(&self, weights: &mut Weights, report: &mut dyn FnMut(usize, f64)) {
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
    pub fn fit_layer(&self, weights: &mut Weights, report: &mut dyn FnMut(usize, f64)) {
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
        report: &mut dyn FnMut(usize, f64),
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

/// How well a prior predicts steps.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PolicyQuality {
    /// The sum of the weights of the positions.
    pub positions: f64,
    /// Mean cross-entropy of the played steps, in nats.
    pub loss: f64,
    /// Share of positions where a played step had the highest probability.
    pub first: f64,
    /// Share of positions where one was among the five highest.
    pub first_five: f64,
    /// Mean cross-entropy at a turn's first step and at its second tile.
    pub by_step: [f64; 2],
    counts: [f64; 2],
}

/// Fills in the legal steps of a position with their priors.
pub type PriorFn<'a> = dyn Fn(&Position, &mut Vec<(Step, f32)>) + Sync + 'a;

impl PolicyQuality {
    /// Measures `prior` on the steps of `games` from turn `skip` on. Positions
    /// with one legal step are left out.
    pub fn of(games: &[Game], skip: usize, prior: &PriorFn<'_>) -> PolicyQuality {
        let each = |game: &Game| {
            let mut sums = PolicyQuality::default();
            let mut steps = Vec::new();
            game.for_each_choice(skip, |sample| {
                prior(sample.position, &mut steps);
                if steps.len() > 1 {
                    sums.add(sample, &steps);
                }
            });
            sums
        };
        let parts: Vec<PolicyQuality> = games.par_iter().map(each).collect();
        let mut all = PolicyQuality::default();
        for part in parts {
            all.positions += part.positions;
            all.loss += part.loss;
            all.first += part.first;
            all.first_five += part.first_five;
            for n in 0..2 {
                all.by_step[n] += part.by_step[n];
                all.counts[n] += part.counts[n];
            }
        }
        let n = all.positions.max(1.0);
        all.loss /= n;
        all.first /= n;
        all.first_five /= n;
        for n in 0..2 {
            all.by_step[n] /= all.counts[n].max(1.0);
        }
        all
    }

    fn add(&mut self, sample: &Sample<'_>, steps: &[(Step, f32)]) {
        let probability = |step: &Step| steps.iter().find(|(p, _)| p == step).map_or(0.0, |p| p.1);
        // The target is any of the steps with the largest share.
        let most = sample.steps.iter().map(|&(_, share)| share).fold(0.0, f32::max);
        let wanted = sample.steps.iter().filter(|&&(_, share)| share >= most);
        let made = wanted.map(|(step, _)| probability(step));
        let best = made.clone().fold(0.0, f32::max);
        let before = steps.iter().filter(|(_, other)| *other > best).count();
        // Ties count in proportion.
        let equals = steps.iter().filter(|(_, other)| *other >= best).count() - before;
        let hits = made.filter(|&p| p >= best).count();
        let entropy = |(step, share): &(Step, f32)| -share * probability(step).max(1e-9).ln();
        let loss = f64::from(sample.weight * sample.steps.iter().map(entropy).sum::<f32>());
        self.loss += loss;
        self.positions += f64::from(sample.weight);
        let among = |places: usize| {
            let share = (places.saturating_sub(before) * hits) as f64 / equals as f64;
            f64::from(sample.weight) * share.min(1.0)
        };
        self.first += among(1);
        self.first_five += among(5);
        let second = usize::from(sample.position.is_half_turn());
        self.by_step[second] += loss;
        self.counts[second] += f64::from(sample.weight);
    }
}
