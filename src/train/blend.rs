use rayon::prelude::*;

use super::games::Game;
use super::lbfgs;
use super::seen::{EACH, Seen, Weighed, scales};
use crate::board::Size;
use crate::eval::linear::value::INPUTS;
use crate::eval::linear::{Linear, Purpose, Weights};
use crate::eval::{Random, rollout};
use crate::game::Position;
use crate::search::Params;

/// Positions whose sums are added up together.
const CHUNK: usize = 512;

/// Expectations are kept so far from 0 and 1.
const MARGIN: f32 = 0.003;

/// The penalty for the square of a weight's way from where it started, per
/// game.
const DECAY: f64 = 0.11;

/// How the weights around rollouts are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendOptions {
    /// Rollouts from a position: a search makes many below a leaf.
    pub rollouts: usize,
    /// How the search makes and mixes them.
    pub search: Params,
    /// Share of the search's expectation in what is to be foreseen, where it
    /// is known; the rest is the result.
    pub trust: f32,
    /// The most steps of the optimizer.
    pub steps: usize,
}

impl Default for BlendOptions {
    fn default() -> Self {
        BlendOptions { rollouts: 8, search: Params::default(), trust: 0.5, steps: 60 }
    }
}

/// Fits the evaluation of leaves and that of where rollouts from them end,
/// together: what the search takes a leaf for is a mixture of both, and that
/// is what is to foresee the result.
pub struct BlendFit {
    samples: Vec<Sample>,
    options: BlendOptions,
    games: usize,
}

/// A position and what came of it.
struct Sample {
    leaf: Seen,
    ends: Vec<End>,
    /// The expected result for the mover.
    target: f32,
    weight: f32,
}

/// Where a rollout ended.
enum End {
    /// With the game, and this result for who moved at the leaf.
    Known(f32),
    /// In a position; whether the same player moves there.
    Open(Seen, bool),
}

impl BlendFit {
    /// Collects the positions of `games` that were searched in full, or all of
    /// games without searches, and plays them out.
    pub fn new(games: &[Game], options: BlendOptions) -> BlendFit {
        let samples = for_each_sample(games, &options, |position, ends, target, weight| {
            let end = |end: &Position| match known(position, end) {
                Some(result) => End::Known(result),
                None => End::Open(Seen::of(end), end.side() == position.side()),
            };
            let ends = ends.iter().map(end).collect();
            Sample { leaf: Seen::of(position), ends, target, weight }
        });
        BlendFit { samples, options, games: games.len() }
    }

    /// Fits the weights, starting from those in `weights`, whose lead they
    /// take for granted. `report` is told each step and its mean loss.
    pub fn fit(&mut self, weights: &mut Weights, report: impl FnMut(usize, f64)) {
        let lead = &weights.lead;
        self.samples.par_iter_mut().for_each(|sample| {
            sample.leaf.foresee(lead);
            for end in &mut sample.ends {
                if let End::Open(seen, _) = end {
                    seen.foresee(lead);
                }
            }
        });
        let scales = scales(self.samples.iter().map(|sample| &sample.leaf));
        let scale = |n: usize| scales[n / EACH % INPUTS];
        let start = weights.blend.iter().flatten().flatten();
        let start: Vec<f64> =
            start.enumerate().map(|(n, &weight)| f64::from(weight) * scale(n)).collect();
        let decay = DECAY / self.games.max(1) as f64;
        let mut x = start.clone();
        let function = |x: &[f64], gradient: &mut [f64]| {
            let unscaled = |part: usize| {
                let at = part * INPUTS * EACH;
                Weighed::new(|n| (x[at + n] / scale(n)) as f32)
            };
            let mut loss = self.loss(&[unscaled(0), unscaled(1)], gradient);
            for (n, g) in gradient.iter_mut().enumerate() {
                let moved = x[n] - start[n];
                loss += decay * moved * moved;
                *g = *g / scale(n) + 2.0 * decay * moved;
            }
            loss
        };
        lbfgs::minimize(&mut x, self.options.steps, function, report);
        let flat = weights.blend.iter_mut().flatten().flatten();
        for (n, weight) in flat.enumerate() {
            *weight = (x[n] / scale(n)) as f32;
        }
    }

    /// The mean loss and its gradient by the weights of leaves and ends.
    fn loss(&self, weights: &[Weighed; 2], gradient: &mut [f64]) -> f64 {
        let share = self.options.search.static_share as f32;
        let parts: Vec<(f64, f64, [Vec<f32>; 2])> = self
            .samples
            .par_chunks(CHUNK)
            .map(|samples| {
                let mut gradients = [(); 2].map(|()| vec![0.0; EACH * INPUTS]);
                let (mut loss, mut count) = (0.0, 0.0);
                for sample in samples {
                    loss += f64::from(sample.weight * sample.learn(weights, share, &mut gradients));
                    count += f64::from(sample.weight);
                }
                (loss, count, gradients)
            })
            .collect();
        let count = parts.iter().map(|part| part.1).sum::<f64>().max(1.0);
        gradient.fill(0.0);
        for (.., gradients) in &parts {
            for (gradient, part) in gradient.chunks_mut(INPUTS * EACH).zip(gradients) {
                for (n, g) in gradient.iter_mut().enumerate() {
                    *g += f64::from(part[n % EACH * INPUTS + n / EACH]) / count;
                }
            }
        }
        parts.iter().map(|part| part.0).sum::<f64>() / count
    }
}

impl Sample {
    /// The loss; adds its gradient, by knot and feature, to `gradients`.
    fn learn(&self, weights: &[Weighed; 2], share: f32, gradients: &mut [Vec<f32>; 2]) -> f32 {
        let [of_leaf, of_end] = weights;
        let sigmoid = |logit: f32| 1.0 / (1.0 + (-logit).exp());
        let leaf = sigmoid(of_leaf.sum(&self.leaf));
        let part = (1.0 - share) / self.ends.len().max(1) as f32;
        let ends: Vec<f32> = self
            .ends
            .iter()
            .map(|end| match end {
                End::Known(result) => *result,
                End::Open(seen, is_same) => {
                    let win = sigmoid(of_end.sum(seen));
                    if *is_same { win } else { 1.0 - win }
                }
            })
            .collect();
        let blend = share * leaf + part * ends.iter().sum::<f32>();
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        let error = self.weight * (blend - self.target) / (blend * (1.0 - blend));
        let [leaf_gradient, end_gradient] = gradients;
        self.leaf.learn(error * share * leaf * (1.0 - leaf), leaf_gradient);
        for (end, win) in self.ends.iter().zip(ends) {
            if let End::Open(seen, is_same) = end {
                let error = if *is_same { error } else { -error };
                seen.learn(error * part * win * (1.0 - win), end_gradient);
            }
        }
        -(self.target * blend.ln() + (1.0 - self.target) * (1.0 - blend).ln())
    }
}

/// How well mixtures foresee results on the positions of `games`, rollouts
/// included, by the weights that `linear` names for a size of board: the mean
/// loss in nats.
pub fn blend_loss<'a>(
    games: &[Game],
    linear: impl Fn(Size) -> &'a Linear + Sync,
    options: &BlendOptions,
) -> f64 {
    let options = BlendOptions { trust: 0.0, ..*options };
    let share = options.search.static_share as f32;
    let losses = for_each_sample(games, &options, |position, ends, target, weight| {
        let linear = linear(position.size());
        let found = |end: &Position| {
            known(position, end).unwrap_or_else(|| {
                let win = linear.evaluate_for(end, Purpose::End).win;
                if end.side() == position.side() { win } else { 1.0 - win }
            })
        };
        let mean = ends.iter().map(found).sum::<f32>() / ends.len().max(1) as f32;
        let leaf = linear.evaluate_for(position, Purpose::Leaf).win;
        let blend = share * leaf + (1.0 - share) * mean;
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        let loss = -(target * blend.ln() + (1.0 - target) * (1.0 - blend).ln());
        (f64::from(weight * loss), f64::from(weight))
    });
    let sum = |part: fn(&(f64, f64)) -> f64| losses.iter().map(part).sum::<f64>();
    sum(|loss| loss.0) / sum(|loss| loss.1).max(1.0)
}

/// Plays the positions of `games` out: `make` is given each, where its
/// rollouts ended, what is to be foreseen, and how much it counts.
fn for_each_sample<T: Send>(
    games: &[Game],
    options: &BlendOptions,
    make: impl Fn(&Position, &[Position], f32, f32) -> T + Sync,
) -> Vec<T> {
    let each = |(number, game): (usize, &Game)| {
        let mut random = Random::new(number as u64);
        let mut made = Vec::new();
        game.for_each_choice(0, |sample| {
            let play = |_| {
                let mut end = *sample.position;
                let turns = options.search.rollout_turns_on(end.size());
                rollout(&mut end, turns, &mut random);
                end
            };
            let ends: Vec<Position> = (0..options.rollouts).map(play).collect();
            let result = game.result(sample.position.side());
            let trust = if sample.value.is_some() { options.trust } else { 0.0 };
            let target = result + trust * (sample.value.unwrap_or(result) - result);
            made.push(make(sample.position, &ends, target, sample.weight));
        });
        made
    };
    games.par_iter().enumerate().flat_map_iter(each).collect()
}

/// The result of a game that `end` ended, for who moved in `position`.
fn known(position: &Position, end: &Position) -> Option<f32> {
    let winner = end.is_over().then(|| end.outcome().winner())?;
    Some(winner.map_or(0.5, |winner| f32::from(u8::from(winner == position.side()))))
}
