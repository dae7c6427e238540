//! How well a prior predicts the steps of games.

use rayon::prelude::*;

use crate::games::{Game, Sample};
use pontifex::game::{Position, Step};

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
        prior: impl Fn(&Position, &mut Vec<(Step, f32)>) + Sync,
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
