//! The fit of the prior.

mod choices;
mod layer;
mod quality;

use rayon::prelude::*;

use super::adam::Adam;
use super::games::{Game, Sample};
use crate::eval::Random;
use crate::eval::linear::policy::{PARAMETERS, Sketch};
use crate::eval::linear::value::phase;
use crate::eval::linear::weights::between;
use crate::eval::linear::{KNOTS, Linear, Weights};
use crate::game::Position;
use choices::Choices;
pub use quality::PolicyQuality;

/// Weights of the two kinds of steps, one kind after the other, knot by knot.
const WEIGHTS: usize = 2 * KNOTS.len() * PARAMETERS;

/// How the prior's weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyOptions {
    /// How often every game is looked at.
    pub epochs: usize,
    /// Games between two steps.
    pub batch: usize,
    /// The length of the first steps; it falls to a fiftieth of it.
    pub rate: f32,
    /// The penalty for the square of a weight, per position.
    pub decay: f32,
    /// Turns at the beginning of a game that nobody chose.
    pub skip: usize,
    /// Decides the order of the games, and what a layer begins with.
    pub seed: u64,
}

impl Default for PolicyOptions {
    fn default() -> Self {
        PolicyOptions { epochs: 6, batch: 16, rate: 0.03, decay: 1e-5, skip: 2, seed: 1 }
    }
}

/// Fits the prior's weights.
pub struct PolicyFit<'a> {
    games: &'a [Game],
    options: PolicyOptions,
}

impl<'a> PolicyFit<'a> {
    /// A fit to the steps of `games`.
    pub fn new(games: &'a [Game], options: PolicyOptions) -> PolicyFit<'a> {
        PolicyFit { games, options }
    }

    /// Fits the weights of sums, starting from those in `weights`. `report` is
    /// told each epoch and its mean loss.
    pub fn fit(&self, weights: &mut Weights, report: impl FnMut(usize, f64)) {
        let mut x = flatten(weights);
        self.descend(&mut x, report, |sample, x, gradient| {
            let phase = Phase::of(sample.position, PARAMETERS);
            let choices = Choices::of(sample.position, &Sketch::new(sample.position));
            let mut logits = choices.logits(&phase.weights(x));
            let loss = choices.judge(sample, &mut logits)?;
            phase.spread(&choices.gradient(&logits), gradient);
            Some(loss)
        });
        unflatten(&x, weights);
    }

    /// Fits the layer that refines what the sums in `weights` say, starting
    /// from the one there if there is one, or else by chance. `report` is told
    /// as above.
    pub fn fit_layer(&self, weights: &mut Weights, report: impl FnMut(usize, f64)) {
        if self.options.epochs == 0 || self.games.is_empty() {
            return;
        }
        let linear = Linear::new(weights);
        layer::begin(weights, &mut Random::new(self.options.seed));
        let mut x = layer::flatten(weights);
        self.descend(&mut x, report, |sample, x, gradient| {
            layer::learn(&linear, sample, x, gradient)
        });
        layer::unflatten(&x, weights);
    }

    /// Goes through the games some times, with steps of `x` down the gradient.
    /// `learn` adds that of a sample to what it is given, and returns its loss;
    /// `None` leaves the sample out.
    fn descend(
        &self,
        x: &mut [f32],
        mut report: impl FnMut(usize, f64),
        learn: impl Fn(&Sample<'_>, &[f32], &mut [f32]) -> Option<f64> + Sync,
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
                let mut sum = self.batch(batch, x, &learn);
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

    /// Loss, weight and gradient of some games.
    fn batch(
        &self,
        games: &[usize],
        x: &[f32],
        learn: impl Fn(&Sample<'_>, &[f32], &mut [f32]) -> Option<f64> + Sync,
    ) -> Sum {
        let zero = || Sum { loss: 0.0, count: 0.0, gradient: vec![0.0; x.len()] };
        let each = |&n: &usize| {
            let mut sum = zero();
            self.games[n].for_each_choice(self.options.skip, |sample| {
                if let Some(loss) = learn(sample, x, &mut sum.gradient) {
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

struct Sum {
    loss: f64,
    count: f64,
    gradient: Vec<f32>,
}

/// Where the weights for a position are: between two knots, those for a turn's
/// first step before those for its second, knot by knot.
struct Phase {
    /// Of the lower knot.
    at: usize,
    /// Weights of a knot.
    count: usize,
    /// How far it is to the upper knot.
    share: f32,
}

impl Phase {
    fn of(position: &Position, count: usize) -> Phase {
        let second = usize::from(position.is_half_turn());
        let (low, share) = between(phase(position));
        Phase { at: (second * KNOTS.len() + low) * count, count, share }
    }

    /// The weights there.
    fn weights(&self, x: &[f32]) -> Vec<f32> {
        let (below, above) = x[self.at..self.at + 2 * self.count].split_at(self.count);
        let mix = |(b, a): (&f32, &f32)| b * (1.0 - self.share) + a * self.share;
        below.iter().zip(above).map(mix).collect()
    }

    /// Adds a gradient by them to that by those of the two knots.
    fn spread(&self, by_them: &[f32], gradient: &mut [f32]) {
        let both = &mut gradient[self.at..self.at + 2 * self.count];
        let (below, above) = both.split_at_mut(self.count);
        for ((below, above), g) in below.iter_mut().zip(above).zip(by_them) {
            *below += (1.0 - self.share) * g;
            *above += self.share * g;
        }
    }
}

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

fn unflatten(x: &[f32], weights: &mut Weights) {
    for (kind, weights) in weights.steps.iter_mut().enumerate() {
        for (n, knots) in weights.iter_mut().enumerate() {
            for (knot, weight) in knots.iter_mut().enumerate() {
                *weight = x[(kind * KNOTS.len() + knot) * PARAMETERS + n];
            }
        }
    }
}
