//! Fits leaf blends: how the search combines the evaluation of a leaf with those of the positions
//! where short rollouts from it end.
//!
//! ```text
//!   leaf ──────────────────► σ(leaf weights · inputs)                      × share
//!     ├─ rollout ─► end 1 ─► σ(end weights · inputs)  ┐                            + ─► blend
//!     ├─ rollout ─► end 2 ─► …                        ├ mean               × 1 - share
//!     └─ …          end 8    the result, if it is over┘
//! ```
//!
//! The search judges a leaf by this blend, so the blend is what must predict. With two sets of
//! weights fitted together, the leaf weights learn what rollouts miss. That gained +123 Elo
//! [+55, +194] against weights that each predict alone (docs/strength.md).
//!
//! The target is a mean of the result of the game and the value of the full search. A result alone
//! is one bit of noise; a value alone repeats the errors of the weights it was made with.
//!
//! A penalty keeps the weights near their initial values, because a fit to few games would
//! otherwise overfit.

use pontifex::eval::linear::{EvaluationUse, Linear, Weights};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Position, Rules};
use pontifex::search::Params;
use rayon::prelude::*;

use crate::Report;
use crate::games::Game;
use crate::inputs::{Inputs, KnotFit, KnotWeights, input_scales};
use crate::optimizers::Sums;

/// Positions per partial sum. It fixes the order of additions, so another number changes the last
/// digits of a fit. Smaller than for the value, because each position has its rollouts, too.
const CHUNK: usize = 512;

/// Expected results are clamped to this distance from 0 and 1. Set by judgement: it bounds the loss
/// of a position at 5.8 nats, so that a few lost "certain" games do not outweigh the rest.
const MARGIN: f32 = 0.003;

/// The penalty on squared distances of weights from their initial values, divided by the number of
/// games. Set by games and not by positions, because the positions of one game share their result.
/// With much less, a fit to few games overfits.
const DECAY: f64 = 0.11;

/// How leaf blends are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendOptions {
    /// Rollouts from each position.
    pub rollouts: usize,
    /// The search's parameters of rollouts and blends.
    pub search: Params,
    /// The share in the target of the result that a full search expected, where it is known. The
    /// rest is the result of the game.
    pub trust: f32,
    /// The maximum number of optimizer steps.
    pub steps: usize,
}

impl Default for BlendOptions {
    fn default() -> Self {
        // Set by judgement: the time of a fit is proportional to the rollouts, and `trust` gives
        // the result of the game and the value of the search equal weights.
        BlendOptions { rollouts: 8, search: Params::default(), trust: 0.5, steps: 60 }
    }
}

/// A position, its rollouts and its target.
struct BlendSample {
    leaf: Inputs,
    ends: Vec<End>,
    /// The result to predict, for the side to move.
    target: f32,
    weight: f32,
}

/// Where a rollout ended.
enum End {
    /// At the end of the game, with this result for the side to move at the leaf.
    Known(f32),
    /// In an open position. The flag says whether the side to move is the same as at the leaf.
    Open(Inputs, bool),
}

/// Fits the weights of leaf blends, starting from `weights`, to the positions of `games` that were
/// searched in full, or all positions of games without searches. The weights for leaves and for
/// ends of rollouts are fitted together, so that their blend predicts the result. `report` receives
/// `blend`, the number of each step and its mean loss.
pub fn fit_blend(
    games: &[Game],
    options: &BlendOptions,
    weights: &mut Weights,
    report: &mut Report<'_>,
) {
    let inputs_of = |position: &Position| {
        let mut inputs = Inputs::new(position);
        inputs.set_lead(&weights.lead);
        inputs
    };
    let samples = for_each_sample(games, options, |position, ends, target, weight| {
        let make_end = |end: &Position| match result_at(position, end) {
            Some(result) => End::Known(result),
            None => End::Open(inputs_of(end), end.side() == position.side()),
        };
        let ends = ends.iter().map(make_end).collect();
        BlendSample { leaf: inputs_of(position), ends, target, weight }
    });
    let scales = input_scales(samples.iter().map(|sample| &sample.leaf));
    let fit = KnotFit { samples: &samples, scales, chunk: CHUNK, steps: options.steps };
    let share = options.search.static_share as f32;
    let decay = DECAY / games.len().max(1) as f64;
    let penalty = |x: &[f64], start: &[f64], gradient: &mut [f64]| {
        let mut loss = 0.0;
        for ((x, start), g) in x.iter().zip(start).zip(gradient) {
            let change = x - start;
            loss += decay * change * change;
            *g += 2.0 * decay * change;
        }
        loss
    };
    let add = |sample: &BlendSample, weights: &[KnotWeights], sums: &mut Sums| {
        sample.add(weights, share, sums);
    };
    fit.run(&mut weights.blend, add, penalty, |step, loss| report("blend", step, loss));
}

impl BlendSample {
    /// Adds the loss and its gradients, of leaves before ends, to `sums`.
    fn add(&self, weights: &[KnotWeights], share: f32, sums: &mut Sums) {
        let sigmoid = |logit: f32| 1.0 / (1.0 + (-logit).exp());
        let leaf = sigmoid(weights[0].sum(&self.leaf));
        let end_share = (1.0 - share) / self.ends.len().max(1) as f32;
        let win_at = |end: &End| match end {
            End::Known(result) => *result,
            End::Open(inputs, is_same) => win_for_leaf(sigmoid(weights[1].sum(inputs)), *is_same),
        };
        let ends: Vec<f32> = self.ends.iter().map(win_at).collect();
        let blend = share * leaf + end_share * ends.iter().sum::<f32>();
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        // The derivative of the cross-entropy with respect to the blend.
        let error = self.weight * (blend - self.target) / (blend * (1.0 - blend));
        let half = sums.gradient.len() / 2;
        let (by_leaf, by_end) = sums.gradient.split_at_mut(half);
        self.leaf.add_gradient(error * share * leaf * (1.0 - leaf), by_leaf);
        for (end, win) in self.ends.iter().zip(ends) {
            if let End::Open(inputs, is_same) = end {
                // The end is seen by its own side to move.
                let error = if *is_same { error } else { -error };
                inputs.add_gradient(error * end_share * win * (1.0 - win), by_end);
            }
        }
        sums.loss += f64::from(self.weight * cross_entropy(blend, self.target));
        sums.weight += f64::from(self.weight);
    }
}

/// The win rate of the side to move at a leaf, given that of the side to move at an end.
fn win_for_leaf(win: f32, is_same: bool) -> f32 {
    if is_same { win } else { 1.0 - win }
}

/// The cross-entropy of the expected result `blend`.
fn cross_entropy(blend: f32, target: f32) -> f32 {
    -(target * blend.ln() + (1.0 - target) * (1.0 - blend).ln())
}

/// The mean loss, in nats, of leaf blends as predictions of the results of `games`. `linear_for`
/// returns the weights for some rules.
pub fn blend_loss<'a>(
    games: &[Game],
    linear_for: &(dyn Fn(Rules) -> &'a Linear + Sync),
    options: &BlendOptions,
) -> f64 {
    // Quality is measured against results alone, because they do not come from a search.
    let options = BlendOptions { trust: 0.0, ..*options };
    let share = options.search.static_share as f32;
    let losses = for_each_sample(games, &options, |position, ends, target, weight| {
        let linear = linear_for(*position.rules());
        let win_at = |end: &Position| {
            result_at(position, end).unwrap_or_else(|| {
                let win = linear.evaluate_for(end, EvaluationUse::End).win;
                win_for_leaf(win, end.side() == position.side())
            })
        };
        let mean = ends.iter().map(win_at).sum::<f32>() / ends.len().max(1) as f32;
        let leaf = linear.evaluate_for(position, EvaluationUse::Leaf).win;
        let blend = share * leaf + (1.0 - share) * mean;
        let blend = blend.clamp(MARGIN, 1.0 - MARGIN);
        (f64::from(weight * cross_entropy(blend, target)), f64::from(weight))
    });
    let sum = |part: fn(&(f64, f64)) -> f64| losses.iter().map(part).sum::<f64>();
    sum(|loss| loss.0) / sum(|loss| loss.1).max(1.0)
}

/// Plays rollouts from the positions of `games`. `make` receives each position, the ends of its
/// rollouts, its target and its weight.
fn for_each_sample<T: Send>(
    games: &[Game],
    options: &BlendOptions,
    make: impl Fn(&Position, &[Position], f32, f32) -> T + Sync,
) -> Vec<T> {
    let game_samples = |(number, game): (usize, &Game)| {
        // The number of the game as the seed: rollouts do not depend on the threads.
        let mut random = Random::new(number as u64);
        let mut samples = Vec::new();
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
            samples.push(make(sample.position, &ends, target, sample.weight));
        });
        samples
    };
    games.par_iter().enumerate().flat_map_iter(game_samples).collect()
}

/// The result for the side to move in `position` if the game is over at `end`.
fn result_at(position: &Position, end: &Position) -> Option<f32> {
    let winner = end.is_over().then(|| end.outcome().winner())?;
    Some(winner.map_or(0.5, |winner| f32::from(u8::from(winner == position.side()))))
}
