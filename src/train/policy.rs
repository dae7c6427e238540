use rayon::prelude::*;

use super::adam::Adam;
use super::games::{Game, Sample};
use crate::board::Cell;
use crate::eval::Random;
use crate::eval::linear::policy::{
    BRIDGE_AT, BRIDGE_FEATURES, EDGE_AT, KERNEL_AT, OFFSETS, PARAMETERS, PASS, REACH, Sketch, edge,
};
use crate::eval::linear::value::phase;
use crate::eval::linear::weights::between;
use crate::eval::linear::{KNOTS, Weights};
use crate::game::{Ply, Position};

/// Weights of the two kinds of plies, one kind after the other, knot by knot.
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
    /// Decides the order of the games.
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

/// How well plies are foreseen.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PolicyQuality {
    /// Positions, each with its weight.
    pub positions: f64,
    /// Mean cross-entropy in nats of the plies that were made.
    pub loss: f64,
    /// Share of positions where one of the plies made was the likeliest.
    pub first: f64,
    /// Share where one was among the likeliest five.
    pub first_five: f64,
    /// Mean cross-entropy over positions before a turn and between tiles.
    pub by_ply: [f64; 2],
    counts: [f64; 2],
}

impl<'a> PolicyFit<'a> {
    /// A fit to the plies of `games`.
    pub fn new(games: &'a [Game], options: PolicyOptions) -> PolicyFit<'a> {
        PolicyFit { games, options }
    }

    /// Fits the weights, starting from those in `weights`. `report` is told
    /// each epoch and its mean loss.
    pub fn fit(&self, weights: &mut Weights, mut report: impl FnMut(usize, f64)) {
        let mut x = flatten(weights);
        let mut adam = Adam::new(WEIGHTS);
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
                let (batch_loss, batch_count, mut gradient) = self.batch(batch, &x);
                loss += batch_loss;
                count += batch_count;
                for (g, x) in gradient.iter_mut().zip(&x) {
                    *g = *g / f64::max(batch_count, 1.0) as f32 + self.options.decay * x;
                }
                let progress = step as f32 / steps as f32;
                adam.step(&mut x, &gradient, self.options.rate * (1.0 - 0.98 * progress));
                step += 1;
            }
            report(epoch, loss / f64::max(count, 1.0));
        }
        unflatten(&x, weights);
    }

    /// Loss, weight and gradient of some games.
    fn batch(&self, games: &[usize], x: &[f32]) -> (f64, f64, Vec<f32>) {
        let each = |&n: &usize| {
            let mut sum = Sum { loss: 0.0, count: 0.0, gradient: vec![0.0; WEIGHTS] };
            self.games[n].for_each_choice(self.options.skip, |sample| sum.add(sample, x));
            sum
        };
        let parts: Vec<Sum> = games.par_iter().map(each).collect();
        let mut all = Sum { loss: 0.0, count: 0.0, gradient: vec![0.0; WEIGHTS] };
        for part in parts {
            all.loss += part.loss;
            all.count += part.count;
            all.gradient.iter_mut().zip(&part.gradient).for_each(|(all, part)| *all += part);
        }
        (all.loss, all.count, all.gradient)
    }
}

struct Sum {
    loss: f64,
    count: f64,
    gradient: Vec<f32>,
}

impl Sum {
    fn add(&mut self, sample: &Sample<'_>, x: &[f32]) {
        let position = sample.position;
        let second = usize::from(position.is_half_turn());
        let (low, share) = between(phase(position));
        let at = (second * KNOTS.len() + low) * PARAMETERS;
        let (below, above) = x[at..at + 2 * PARAMETERS].split_at(PARAMETERS);
        let weights: Vec<f32> =
            below.iter().zip(above).map(|(b, a)| b * (1.0 - share) + a * share).collect();
        let sketch = Sketch::new(position);
        let mut choices = Choices::of(position, &sketch);
        choices.forward(&weights);
        if choices.plies.len() < 2 {
            return;
        }
        for &(ply, share) in sample.plies {
            let Some(n) = choices.plies.iter().position(|&known| known == ply) else { continue };
            self.loss -= f64::from(sample.weight * share * choices.errors[n].max(1e-9).ln());
        }
        for &(ply, share) in sample.plies {
            if let Some(n) = choices.plies.iter().position(|&known| known == ply) {
                choices.errors[n] -= share;
            }
        }
        self.count += f64::from(sample.weight);
        let mut gradient = vec![0.0; PARAMETERS];
        choices.backward(&mut gradient);
        let (below, above) = self.gradient[at..at + 2 * PARAMETERS].split_at_mut(PARAMETERS);
        for ((below, above), g) in below.iter_mut().zip(above).zip(&gradient) {
            *below += (1.0 - share) * sample.weight * g;
            *above += share * sample.weight * g;
        }
    }
}

/// The plies of a position and the weights each is judged by.
struct Choices {
    plies: Vec<Ply>,
    /// The weights of each ply and how often they count.
    terms: Vec<Vec<(u16, f32)>>,
    /// Likelihoods, then likelihoods less targets.
    errors: Vec<f32>,
}

impl Choices {
    fn of(position: &Position, sketch: &Sketch) -> Choices {
        let size = position.size();
        let mut plies = Vec::new();
        let mut terms = Vec::new();
        let mut place = [u8::MAX; Cell::TABLE];
        for cell in sketch.tiles {
            place[cell.index()] = plies.len() as u8;
            plies.push(Ply::Tile(cell));
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
            plies.push(Ply::Bridge(site));
            let counts: [i16; BRIDGE_FEATURES] = sketch.bridge(position, site);
            let all = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
            terms.push(all.map(|(n, &c)| ((BRIDGE_AT + n) as u16, f32::from(c))).collect());
        }
        if sketch.tiles.is_empty() && !position.is_half_turn() {
            plies.push(Ply::Pass);
            terms.push(vec![(PASS as u16, 1.0)]);
        }
        Choices { plies, terms, errors: Vec::new() }
    }

    fn forward(&mut self, weights: &[f32]) {
        let logit = |terms: &Vec<(u16, f32)>| {
            terms.iter().map(|&(n, count)| weights[usize::from(n)] * count).sum::<f32>()
        };
        self.errors = self.terms.iter().map(logit).collect();
        let highest = self.errors.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        self.errors.iter_mut().for_each(|x| *x = (*x - highest).exp());
        let sum: f32 = self.errors.iter().sum();
        self.errors.iter_mut().for_each(|x| *x /= sum);
    }

    fn backward(&self, gradient: &mut [f32]) {
        for (terms, error) in self.terms.iter().zip(&self.errors) {
            for &(n, count) in terms {
                gradient[usize::from(n)] += error * count;
            }
        }
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

fn flatten(weights: &Weights) -> Vec<f32> {
    let mut x = vec![0.0; WEIGHTS];
    for (kind, weights) in weights.plies.iter().enumerate() {
        for (n, knots) in weights.iter().enumerate() {
            for (knot, &weight) in knots.iter().enumerate() {
                x[(kind * KNOTS.len() + knot) * PARAMETERS + n] = weight;
            }
        }
    }
    x
}

fn unflatten(x: &[f32], weights: &mut Weights) {
    for (kind, weights) in weights.plies.iter_mut().enumerate() {
        for (n, knots) in weights.iter_mut().enumerate() {
            for (knot, weight) in knots.iter_mut().enumerate() {
                *weight = x[(kind * KNOTS.len() + knot) * PARAMETERS + n];
            }
        }
    }
}

impl PolicyQuality {
    /// How `prior` foresees the plies of `games` from turn `skip` on.
    /// Positions with one ply are left out.
    pub fn of(
        games: &[Game],
        skip: usize,
        prior: impl Fn(&Position, &mut Vec<(Ply, f32)>) + Sync,
    ) -> PolicyQuality {
        let each = |game: &Game| {
            let mut sums = PolicyQuality::default();
            let mut plies = Vec::new();
            game.for_each_choice(skip, |sample| {
                prior(sample.position, &mut plies);
                if plies.len() > 1 {
                    sums.add(sample, &plies);
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
                all.by_ply[n] += part.by_ply[n];
                all.counts[n] += part.counts[n];
            }
        }
        let n = all.positions.max(1.0);
        all.loss /= n;
        all.first /= n;
        all.first_five /= n;
        for n in 0..2 {
            all.by_ply[n] /= all.counts[n].max(1.0);
        }
        all
    }

    fn add(&mut self, sample: &Sample<'_>, plies: &[(Ply, f32)]) {
        let likelihood = |ply: &Ply| plies.iter().find(|(p, _)| p == ply).map_or(0.0, |p| p.1);
        // One of those wanted most is to be the likeliest.
        let most = sample.plies.iter().map(|&(_, share)| share).fold(0.0, f32::max);
        let wanted = sample.plies.iter().filter(|&&(_, share)| share >= most);
        let made = wanted.map(|(ply, _)| likelihood(ply));
        let best = made.clone().fold(0.0, f32::max);
        let before = plies.iter().filter(|(_, other)| *other > best).count();
        // Of those equally likely each is as good a guess as the others.
        let equals = plies.iter().filter(|(_, other)| *other >= best).count() - before;
        let hits = made.filter(|&p| p >= best).count();
        let entropy = |(ply, share): &(Ply, f32)| -share * likelihood(ply).max(1e-9).ln();
        let loss = f64::from(sample.weight * sample.plies.iter().map(entropy).sum::<f32>());
        self.loss += loss;
        self.positions += f64::from(sample.weight);
        let among = |places: usize| {
            let share = (places.saturating_sub(before) * hits) as f64 / equals as f64;
            f64::from(sample.weight) * share.min(1.0)
        };
        self.first += among(1);
        self.first_five += among(5);
        let second = usize::from(sample.position.is_half_turn());
        self.by_ply[second] += loss;
        self.counts[second] += f64::from(sample.weight);
    }
}
