//! The fit of the linear sums of the prior.
//!
//! The loss is the cross-entropy between the prior and the shares of visits in a full search, in
//! nats. Its derivative with respect to a logit is the probability of the step minus its share of
//! the visits. A weight gets the sum of these differences over all steps that have its feature. The
//! prior is fitted to visits, not to moves, because they also say how much better the best step is.

use pontifex::eval::linear::Weights;
use pontifex::eval::linear::fitting::{KNOTS, PARAMETERS};

use crate::Report;
use crate::choices::{Choices, KnotSpan};
use crate::games::{Game, Sample};
use crate::optimizers::{Descent, Sums};

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
    /// Turns at the beginning of each record to leave out, because they were not chosen by a
    /// player.
    pub skip: usize,
    /// Seed of the order of the games and of the layer's initial weights.
    pub seed: u64,
}

impl Default for PolicyOptions {
    fn default() -> Self {
        // Set by judgement: the decay is so small that it only limits weights of features that
        // hardly occur.
        PolicyOptions { epochs: 6, batch: 16, rate: 0.03, decay: 1e-5, skip: 2, seed: 1 }
    }
}

/// The number of weights of the linear sums: those for a turn's first step, knot by knot, then
/// those for its second tile. [`KnotSpan`] relies on this order.
const WEIGHTS: usize = 2 * KNOTS.len() * PARAMETERS;

impl PolicyOptions {
    /// Minimizes the loss of the positions of `games`, starting from `x`. `add` adds the gradient
    /// of a sample to its last argument and returns the loss; `None` leaves the sample out.
    pub(super) fn descend(
        &self,
        games: &[Game],
        x: &mut [f32],
        add: impl Fn(&Sample<'_>, &[f32], &mut [f32]) -> Option<f64> + Sync,
        report: impl FnMut(usize, f64),
    ) {
        let &PolicyOptions { epochs, batch, rate, decay, seed, skip } = self;
        let add = |game: &Game, x: &[f32], sums: &mut Sums| {
            game.for_each_choice(skip, |sample| {
                if let Some(loss) = add(sample, x, &mut sums.gradient) {
                    sums.loss += loss;
                    sums.weight += f64::from(sample.weight);
                }
            });
        };
        Descent { epochs, batch: batch.max(1), rate, decay, seed }.run(games, x, add, report);
    }
}

/// Fits the linear sums of the prior to the steps of `games`, starting from `weights`. `report`
/// receives `prior`, the number of each epoch and its mean loss.
pub fn fit_prior(
    games: &[Game],
    options: &PolicyOptions,
    weights: &mut Weights,
    report: &mut Report<'_>,
) {
    let mut x = vec![0.0; WEIGHTS];
    for_each_weight(weights, |index, weight| x[index] = *weight);
    let add = |sample: &Sample<'_>, x: &[f32], gradient: &mut [f32]| {
        let knots = KnotSpan::new(sample.position, PARAMETERS);
        let choices = Choices::new(sample.position);
        let mut logits = choices.logits(&knots.weights(x));
        let loss = choices.loss(sample, &mut logits)?;
        knots.add_gradient(&choices.gradient(&logits), gradient);
        Some(loss)
    };
    options.descend(games, &mut x, add, |epoch, loss| report("prior", epoch, loss));
    for_each_weight(weights, |index, weight| *weight = x[index]);
}

/// Calls `visit` for every weight of the linear sums and its index in a vector.
fn for_each_weight(weights: &mut Weights, mut visit: impl FnMut(usize, &mut f32)) {
    for (kind, weights) in weights.steps.iter_mut().enumerate() {
        for (n, knots) in weights.iter_mut().enumerate() {
            for (knot, weight) in knots.iter_mut().enumerate() {
                visit((kind * KNOTS.len() + knot) * PARAMETERS + n, weight);
            }
        }
    }
}
