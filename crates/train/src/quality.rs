//! How well evaluations and priors predict games.
//!
//! To be measured on games that no fit has seen ([`hold_out`](crate::hold_out)). On others the
//! figures only say how well a fit remembers. Means are over positions. Those between the two tiles
//! of a turn count half each where both orders of the tiles are visited.

use pontifex::eval::linear::Evaluation;
use pontifex::game::{Color, Position, Step};
use rayon::prelude::*;

use crate::games::{Game, Sample};

/// Weighted means: for each, the sum of the weighted values and that of the weights.
struct Means<const N: usize>([(f64, f64); N]);

impl<const N: usize> Means<N> {
    /// The means over all games; `add` adds the values of a game.
    fn over(games: &[Game], add: impl Fn(&Game, &mut Means<N>) + Sync) -> Means<N> {
        let game_means = |game: &Game| {
            let mut means = Means([(0.0, 0.0); N]);
            add(game, &mut means);
            means
        };
        let parts: Vec<Means<N>> = games.par_iter().map(game_means).collect();
        let mut total = Means([(0.0, 0.0); N]);
        for part in parts {
            total.0.iter_mut().zip(part.0).for_each(|(total, part)| {
                *total = (total.0 + part.0, total.1 + part.1);
            });
        }
        total
    }

    fn add(&mut self, n: usize, value: f64, weight: f64) {
        self.0[n].0 += weight * value;
        self.0[n].1 += weight;
    }

    /// Mean `n`; 0 if nothing was added.
    fn mean(&self, n: usize) -> f64 {
        self.0[n].0 / self.0[n].1.max(1e-9)
    }
}

/// How well an evaluation predicts results and leads.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueQuality {
    /// Mean cross-entropy of the result, in nats.
    pub loss: f64,
    /// Share of the positions of decided games whose winner was expected to win.
    pub accuracy: f64,
    /// Mean squared error of the lead, in squared points, over games that were played to their end.
    pub lead_error: f64,
    /// For each tenth of the expected result: share of the positions, mean expected result, mean
    /// result.
    pub calibration: [(f64, f64, f64); 10],
}

impl ValueQuality {
    /// Measures `evaluate` on the positions of `games`.
    pub fn of(games: &[Game], evaluate: &(dyn Fn(&Position) -> Evaluation + Sync)) -> ValueQuality {
        // The means: the loss, the accuracy, the squared error of the lead; then for each tenth of
        // the expected result that result and the real one.
        const TENTHS: usize = 3;
        let means = Means::<23>::over(games, |game, means| {
            let is_decided = (game.result(Color::White) - 0.5).abs() >= 0.25;
            game.for_each(0, |sample| {
                let side = sample.position.side();
                let value = evaluate(sample.position);
                // A certainty that turns out wrong costs 14 nats and not infinitely many.
                let win = f64::from(value.win).clamp(1e-6, 1.0 - 1e-6);
                let (result, weight) = (f64::from(game.result(side)), f64::from(sample.weight));
                means.add(0, -(result * win.ln() + (1.0 - result) * (1.0 - win).ln()), weight);
                if is_decided {
                    let is_right = (win > 0.5 && result > 0.75) || (win < 0.5 && result < 0.25);
                    means.add(1, f64::from(u8::from(is_right)), weight);
                }
                if let Some(lead) = game.lead(side) {
                    means.add(2, f64::from(value.lead - lead).powi(2), weight);
                }
                let tenth = TENTHS + 2 * ((win * 10.0) as usize).min(9);
                means.add(tenth, win, weight);
                means.add(tenth + 1, result, weight);
            });
        });
        let total_weight = means.0[0].1.max(1.0);
        let calibration = std::array::from_fn(|n| {
            let tenth = TENTHS + 2 * n;
            (means.0[tenth].1 / total_weight, means.mean(tenth), means.mean(tenth + 1))
        });
        let [loss, accuracy, lead_error] = [0, 1, 2].map(|n| means.mean(n));
        ValueQuality { loss, accuracy, lead_error, calibration }
    }
}

/// How well a prior predicts steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyQuality {
    /// Mean cross-entropy of the played steps, in nats.
    pub loss: f64,
    /// Share of positions where a played step had the highest probability.
    pub first: f64,
    /// Share of positions where a played step was among the five highest.
    pub first_five: f64,
    /// Mean cross-entropy at a turn's first step and at its second tile.
    pub by_step: [f64; 2],
}

/// Fills in the legal steps of a position with their priors.
pub type PriorFn<'a> = dyn Fn(&Position, &mut Vec<(Step, f32)>) + Sync + 'a;

impl PolicyQuality {
    /// Measures `prior` on the steps of `games`. The first `skip` turns of each record and
    /// positions with one legal step are left out.
    pub fn of(games: &[Game], skip: usize, prior: &PriorFn<'_>) -> PolicyQuality {
        let means = Means::<5>::over(games, |game, means| {
            let mut steps = Vec::new();
            game.for_each_choice(skip, |sample| {
                prior(sample.position, &mut steps);
                if steps.len() > 1 {
                    add_choice(sample, &steps, means);
                }
            });
        });
        let [loss, first, first_five, a, b] = [0, 1, 2, 3, 4].map(|n| means.mean(n));
        PolicyQuality { loss, first, first_five, by_step: [a, b] }
    }
}

/// Adds the quality of the prior `steps` for a sample, in the order of the fields of
/// [`PolicyQuality`].
fn add_choice(sample: &Sample<'_>, steps: &[(Step, f32)], means: &mut Means<5>) {
    let probability = |step: &Step| steps.iter().find(|(p, _)| p == step).map_or(0.0, |p| p.1);
    // The target is any of the steps with the largest share.
    let most = sample.steps.iter().map(|&(_, share)| share).fold(0.0, f32::max);
    let targets = sample.steps.iter().filter(|&&(_, share)| share >= most);
    let probabilities = targets.map(|(step, _)| probability(step));
    let best = probabilities.clone().fold(0.0, f32::max);
    let higher = steps.iter().filter(|(_, other)| *other > best).count();
    // Ties count in proportion.
    let ties = steps.iter().filter(|(_, other)| *other >= best).count() - higher;
    let hits = probabilities.filter(|&p| p >= best).count();
    let hit_share =
        |places: usize| ((places.saturating_sub(higher) * hits) as f64 / ties as f64).min(1.0);
    let entropy = |(step, share): &(Step, f32)| -share * probability(step).max(1e-9).ln();
    let loss = f64::from(sample.steps.iter().map(entropy).sum::<f32>());
    let second = usize::from(sample.position.is_half_turn());
    for (n, value) in [(0, loss), (1, hit_share(1)), (2, hit_share(5)), (3 + second, loss)] {
        means.add(n, value, f64::from(sample.weight));
    }
}
