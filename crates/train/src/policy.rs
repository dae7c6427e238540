//! The fit of the prior, and its quality.
//!
//! A `KnotSpan` interpolates the weights between the knots of the phase;
//! `Choices` are the steps of a position as sparse inputs of the prior. The fit
//! of the hidden layer is in `layer`.

use rayon::prelude::*;

use crate::games::{Game, Sample};
use crate::layer;
use crate::optimizers::Adam;
use pontifex::board::Cell;
use pontifex::eval::Random;
use pontifex::eval::linear::fitting::{
    BRIDGE_AT, EDGE_AT, KERNEL_AT, KNOTS, OFFSETS, PARAMETERS, PASS, REACH, StepFeatures, between,
    bridge_features, edge, phase,
};
use pontifex::eval::linear::{Linear, Weights};
use pontifex::game::{Position, Step};

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

impl PolicyQuality {
    /// Measures `prior` on the steps of `games` from turn `skip` on. Positions
    /// with one legal step are left out.
    pub fn of(
        games: &[Game],
        skip: usize,
        prior: &(dyn Fn(&Position, &mut Vec<(Step, f32)>) + Sync),
    ) -> PolicyQuality {
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

    fn logits(&self, weights: &[f32]) -> Vec<f32> {
        let logit = |terms: &Vec<(u16, f32)>| {
            terms.iter().map(|&(n, count)| weights[usize::from(n)] * count).sum::<f32>()
        };
        self.terms.iter().map(logit).collect()
    }

    /// The gradient of the weights, given the derivatives of the loss by the
    /// logits.
    fn gradient(&self, errors: &[f32]) -> Vec<f32> {
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
