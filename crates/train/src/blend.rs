//! The fit of leaf blends: of the evaluations of a leaf and of the positions
//! where short rollouts from it end, as the search combines them.

use pontifex::eval::linear::fitting::INPUTS;
use pontifex::eval::linear::{Linear, Purpose, Weights};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Position, Rules};
use pontifex::search::Params;
use rayon::prelude::*;

use crate::games::Game;
use crate::optimizers::minimize;
use crate::value::{EACH, Inputs, KnotWeights, scales};

/// Positions per partial sum. Sums do not depend on the number of threads.
const CHUNK: usize = 512;

/// Expected results are clamped to this distance from 0 and 1.
const MARGIN: f32 = 0.003;

/// The penalty on squared distances of weights from their initial values, per
/// game.
const DECAY: f64 = 0.11;

/// How leaf blends are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendOptions {
    /// Rollouts from each position.
    pub rollouts: usize,
    /// The search's parameters of rollouts and blends.
    pub search: Params,
    /// The share in the target of the result that a full search expected, where
    /// it is known. The rest is the result of the game.
    pub trust: f32,
    /// The maximum number of optimizer steps.
    pub steps: usize,
}

impl Default for BlendOptions {
    fn default() -> Self {
        BlendOptions { rollouts: 8, search: Params::default(), trust: 0.5, steps: 60 }
    }
}

/// A fit of leaf blends to positions of games. The weights for leaves and for
/// ends of rollouts are fitted together, so that their blend predicts the
/// result.
pub struct BlendFit {
    samples: Vec<Sample>,
    options: BlendOptions,
    games: usize,
}

/// A position, its rollouts and its target.
struct Sample {
    leaf: Inputs,
    ends: Vec<End>,
    /// The result to predict, for the side to move.
    target: f32,
    weight: f32,
}

/// Where a rollout ended.
enum End {
    /// At the end of the game, with this result for the side to move at the
    /// leaf.
    Known(f32),
    /// In an open position. The flag is set if the side to move is that at the
    /// leaf.
    Open(Inputs, bool),
}

impl BlendFit {
    /// Collects the positions of `games` that were searched in full, or all
    /// positions of games without searches, and plays rollouts from them.
    pub fn new(games: &[Game], options: BlendOptions) -> BlendFit {
        let samples = for_each_sample(games, &options, |position, ends, target, weight| {
            let end = |end: &Position| match known(position, end) {
                Some(result) => End::Known(result),
                None => End::Open(Inputs::new(end), end.side() == position.side()),
            };
            let ends = ends.iter().map(end).collect();
            Sample { leaf: Inputs::new(position), ends, target, weight }
        });
        BlendFit { samples, options, games: games.len() }
    }

    /// Fits the blend weights, starting from `weights`. The weights for the
    /// lead stay. `report` receives the number of each step and its mean loss.
    pub fn fit(&mut self, weights: &mut Weights, report: &mut dyn FnMut(usize, f64)) {
        let lead = &weights.lead;
        self.samples.par_iter_mut().for_each(|sample| {
            sample.leaf.set_lead(lead);
            for end in &mut sample.ends {
                if let End::Open(inputs, _) = end {
                    inputs.set_lead(lead);
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
                KnotWeights::new(|n| (x[at + n] / scale(n)) as f32)
            };
            let mut loss = self.loss(&[unscaled(0), unscaled(1)], gradient);
            for (n, g) in gradient.iter_mut().enumerate() {
                let moved = x[n] - start[n];
                loss += decay * moved * moved;
                *g = *g / scale(n) + 2.0 * decay * moved;
            }
            loss
        };
        minimize(&mut x, self.options.steps, function, report);
        let flat = weights.blend.iter_mut().flatten().flatten();
        for (n, weight) in flat.enumerate() {
            *weight = (x[n] / scale(n)) as f32;
        }
    }

    /// The mean loss; fills in its gradient, of leaves before ends.
    fn loss(&self, weights: &[KnotWeights; 2], gradient: &mut [f64]) -> f64 {
        let share = self.options.search.static_share as f32;
        let parts: Vec<(f64, f64, [Vec<f32>; 2])> = self
            .samples
            .par_chunks(CHUNK)
            .map(|samples| {
                let mut gradients = [(); 2].map(|()| vec![0.0; EACH * INPUTS]);
                let (mut loss, mut count) = (0.0, 0.0);
                for sample in samples {
                    loss += f64::from(
                        sample.weight * sample.add_gradient(weights, share, &mut gradients),
                    );
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
    /// Adds the gradients, by knot and input, to `gradients` and returns the
    /// loss.
    fn add_gradient(
        &self,
        weights: &[KnotWeights; 2],
        share: f32,
        gradients: &mut [Vec<f32>; 2],
    ) -> f32 {
        let [of_leaf, of_end] = weights;
        let sigmoid = |logit: f32| 1.0 / (1.0 + (-logit).exp());
        let leaf = sigmoid(of_leaf.sum(&self.leaf));
        let part = (1.0 - share) / self.ends.len().max(1) as f32;
        let ends: Vec<f32> = self
            .ends
            .iter()
            .map(|end| match end {
                End::Known(result) => *result,
                End::Open(inputs, is_same) => {
                    let win = sigmoid(of_end.sum(inputs));
                    if *is_same { win } else { 1.0 - win }
                }
            })
            .collect();
        let blend = share * leaf + part * ends.iter().sum::<f32>();
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        let error = self.weight * (blend - self.target) / (blend * (1.0 - blend));
        let [leaf_gradient, end_gradient] = gradients;
        self.leaf.add_gradient(error * share * leaf * (1.0 - leaf), leaf_gradient);
        for (end, win) in self.ends.iter().zip(ends) {
            if let End::Open(inputs, is_same) = end {
                let error = if *is_same { error } else { -error };
                inputs.add_gradient(error * part * win * (1.0 - win), end_gradient);
            }
        }
        -(self.target * blend.ln() + (1.0 - self.target) * (1.0 - blend).ln())
    }
}

/// The mean loss, in nats, of leaf blends as predictions of the results of
/// `games`. `linear` gives the weights for games by some rules.
pub fn blend_loss<'a>(
    games: &[Game],
    linear: &(dyn Fn(Rules) -> &'a Linear + Sync),
    options: &BlendOptions,
) -> f64 {
    let options = BlendOptions { trust: 0.0, ..*options };
    let share = options.search.static_share as f32;
    let losses = for_each_sample(games, &options, |position, ends, target, weight| {
        let linear = linear(*position.rules());
        let win_at = |end: &Position| {
            known(position, end).unwrap_or_else(|| {
                let win = linear.evaluate_for(end, Purpose::End).win;
                if end.side() == position.side() { win } else { 1.0 - win }
            })
        };
        let mean = ends.iter().map(win_at).sum::<f32>() / ends.len().max(1) as f32;
        let leaf = linear.evaluate_for(position, Purpose::Leaf).win;
        let blend = share * leaf + (1.0 - share) * mean;
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        let loss = -(target * blend.ln() + (1.0 - target) * (1.0 - blend).ln());
        (f64::from(weight * loss), f64::from(weight))
    });
    let sum = |part: fn(&(f64, f64)) -> f64| losses.iter().map(part).sum::<f64>();
    sum(|loss| loss.0) / sum(|loss| loss.1).max(1.0)
}

/// Plays rollouts from the positions of `games`. `make` receives each position,
/// the ends of its rollouts, its target and its weight.
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

/// The result for the side to move in `position` if the game is over at `end`.
fn known(position: &Position, end: &Position) -> Option<f32> {
    let winner = end.is_over().then(|| end.outcome().winner())?;
    Some(winner.map_or(0.5, |winner| f32::from(u8::from(winner == position.side()))))
}
