//! Joint ratings of several engines from all their games, with bootstrap intervals.
//!
//! **Model.** Bradley and Terry (1952): an engine that is d Elo stronger has the expected score
//! 1/(1+10^(-d/400)), where a draw counts as half a win. One number for each engine explains all
//! pairings, so engines can be compared that have never met. In this file strengths are on the
//! natural logistic scale; Elo is 400/ln 10 times as much. The log-likelihood is
//!
//! ```text
//! ln L = -Σ ( P · ln(1 + exp(y - x)) + Q · ln(1 + exp(x - y)) )
//!
//! over all pairings of engines with strengths x and y, which have P and Q points in them
//! ```
//!
//! It is concave, so Newton's method finds its maximum. Hunter (2004) proves that the maximum is
//! unique, and describes MM steps, which are simpler and slower.
//!
//! **Prior.** One drawn game is added to every pairing that was played. It keeps ratings finite for
//! perfect scores: 20 wins in 20 games are +645 Elo, as in a match of two engines. It removes the
//! first-order bias of small samples (Firth 1993) and hardly matters for large ones.
//!
//! **Zero.** Games determine only differences. The likelihood stays the same if all strengths of a
//! connected group grow by the same amount. So its curvature has one flat direction for each group
//! and cannot be inverted. A penalty on the group's mean makes it invertible. The [`Anchor`] then
//! says where the rating 0 lies.
//!
//! **Intervals.** The bootstrap (Efron 1979) estimates how much the ratings would vary if the
//! tournament were repeated. It draws random tournaments from this one's results and rates each. It
//! draws pairs of games, because the two games of an opening are not independent. Each resample of
//! a pairing has as many pairs as were played, drawn from those pairs and one additional pair that
//! is entirely won or lost. Without the additional pair, a pairing whose pairs all had the same
//! score would look certain.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::statistics::estimate::Estimate;
use crate::statistics::tally::{PairTally, Pairings};

/// Ratings of the engines of a tournament.
///
/// Each group of connected engines (see [`Pairings::groups`]) has its own 0; engines of different
/// groups are not compared.
///
/// ```
/// use pontifex_tournament::{Anchor, Bootstrap, PairTally, Pairings, Ratings};
///
/// let mut pairings = Pairings::new(4);
/// pairings.add(0, 1, PairTally::from_counts([2, 9, 30, 18, 11]));
/// pairings.add(1, 2, PairTally::from_counts([4, 12, 30, 20, 4]));
/// let ratings = Ratings::fit(&pairings, Anchor::Engine(1), Bootstrap::default());
/// assert_eq!(ratings.elo(1).unwrap().value, 0.0);
/// assert!(ratings.elo(0).unwrap().low > 0.0);
/// assert_eq!(ratings.elo(3), None);
/// assert_eq!(ratings.ranking(), [0, 1, 2, 3]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// As in [`Pairings::groups`].
    groups: Vec<usize>,
    /// `None` for engines that have not played.
    elo: Vec<Option<Estimate>>,
}

/// Where the rating 0 lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Anchor {
    /// At the mean of each group.
    #[default]
    Mean,
    /// At the engine of this number. In groups without it, at the mean.
    Engine(usize),
}

/// The parameters of the bootstrap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bootstrap {
    /// The number of resamples; 0 counts as 1. The running time is proportional to this times the
    /// number of pairs.
    pub resamples: usize,
    /// The seed of the resamples. The same seed gives the same intervals.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 1,000 resamples with the seed 0. Set by judgement: 25 of them lie beyond each end of an
    /// interval. With far fewer the ends would depend on the seed.
    fn default() -> Self {
        Bootstrap { resamples: 1000, seed: 0 }
    }
}

/// Elo per unit of the logistic scale.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

impl Ratings {
    /// The maximum-likelihood ratings with bootstrap intervals.
    ///
    /// # Panics
    /// If the anchor is not an engine of the tournament.
    pub fn fit(pairings: &Pairings, anchor: Anchor, bootstrap: Bootstrap) -> Ratings {
        let model = Model::new(pairings);
        let groups = pairings.groups();
        let engines = groups.len();
        let zero = |strengths: &[f64]| relative_to_anchor(&groups, strengths, anchor);
        let fitted = model.fit(&model.points(), &vec![0.0; engines]);
        let values = zero(&fitted);

        let resamples = bootstrap.resamples.max(1);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(bootstrap.seed);
        let mut samples = vec![Vec::with_capacity(resamples); engines];
        for _ in 0..resamples {
            // The ratings of a resample are near the fitted ones, so few steps are needed from
            // there.
            let strengths = zero(&model.fit(&model.resampled_points(&mut rng), &fitted));
            samples.iter_mut().zip(strengths).for_each(|(sample, strength)| sample.push(strength));
        }
        let elo = values.into_iter().zip(samples).enumerate().map(|(engine, (value, sample))| {
            (pairings.total(engine).games() > 0).then(|| interval(value, sample))
        });
        Ratings { groups, elo: elo.collect() }
    }

    /// An engine's rating relative to its group's anchor, with a 95 % interval; `None` if it has
    /// not played. The anchor itself has 0 ± 0.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn elo(&self, engine: usize) -> Option<Estimate> {
        self.elo[engine]
    }

    /// The group of every engine, by number; see [`Pairings::groups`].
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Whether all engines can be compared.
    pub fn is_connected(&self) -> bool {
        self.groups.iter().all(|&group| group == 0)
    }

    /// The numbers of the engines, group by group, the strongest of a group first. Engines that
    /// have not played come last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.groups.len()).collect();
        let strength = |engine: usize| self.elo[engine].map_or(0.0, |elo| elo.value);
        ranking.sort_by(|&a, &b| {
            let place = |engine: usize| (self.elo[engine].is_none(), self.groups[engine]);
            place(a).cmp(&place(b)).then(strength(b).total_cmp(&strength(a)))
        });
        ranking
    }
}

/// `value` with the central 95 % of `sample`, converted to Elo.
fn interval(value: f64, mut sample: Vec<f64>) -> Estimate {
    sample.sort_by(f64::total_cmp);
    let quantile = |share: f64| sample[(share * (sample.len() - 1) as f64).round() as usize];
    // With few resamples, or after a perfect score, all of them can lie on one side of `value`. The
    // interval must still contain it.
    let (low, high) = (quantile(0.025).min(value), quantile(0.975).max(value));
    let [value, low, high] = [value, low, high].map(|strength| strength * ELO_PER_UNIT);
    Estimate::new(value, low, high)
}

/// The strengths relative to the anchor of each group.
fn relative_to_anchor(groups: &[usize], strengths: &[f64], anchor: Anchor) -> Vec<f64> {
    // For each group, the sum and the number of the strengths whose mean becomes 0.
    let mut zeros = vec![(0.0, 0.0); strengths.len()];
    for (&group, strength) in groups.iter().zip(strengths) {
        zeros[group].0 += strength;
        zeros[group].1 += 1.0;
    }
    if let Anchor::Engine(engine) = anchor {
        zeros[groups[engine]] = (strengths[engine], 1.0);
    }
    let zero = |group: usize| zeros[group].0 / zeros[group].1;
    groups.iter().zip(strengths).map(|(&group, strength)| strength - zero(group)).collect()
}

/// The number of drawn games added to every pairing that was played. 1 removes the first-order bias
/// of the difference of two engines (Firth 1993). More would pull lopsided ratings together.
const PRIOR_GAMES: f64 = 1.0;

/// A pairing that was played. Scores are the first engine's.
struct PlayedPairing {
    engines: [usize; 2],
    tally: PairTally,
    /// Including [`PRIOR_GAMES`].
    games: f64,
}

/// The likelihood of the engines' strengths on the logistic scale.
struct Model {
    groups: Vec<usize>,
    pairings: Vec<PlayedPairing>,
}

impl Model {
    fn new(pairings: &Pairings) -> Model {
        let played = pairings.played().map(|(a, b)| {
            let tally = pairings.tally(a, b);
            PlayedPairing { engines: [a, b], tally, games: tally.games() as f64 + PRIOR_GAMES }
        });
        Model { groups: pairings.groups(), pairings: played.collect() }
    }

    /// The points of each pairing's first engine, including the prior's.
    fn points(&self) -> Vec<f64> {
        self.pairings.iter().map(|pairing| pairing.tally.points() + PRIOR_GAMES / 2.0).collect()
    }

    /// [`points`](Model::points) of a random resample of the pairs.
    fn resampled_points(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let points = |pairing: &PlayedPairing| {
            // Twice the counts, so that the additional pair can be half lost and half won. Then
            // cumulative sums, by which one random number selects a score.
            let mut bounds = pairing.tally.counts().map(|count| 2 * count);
            bounds[0] += 1;
            bounds[4] += 1;
            for i in 1..5 {
                bounds[i] += bounds[i - 1];
            }
            let half_points: usize = (0..pairing.tally.observations())
                .map(|_| {
                    let number = rng.random_range(0..bounds[4]);
                    bounds[..4].iter().filter(|&&bound| number >= bound).count()
                })
                .sum();
            half_points as f64 / 2.0 + PRIOR_GAMES / 2.0
        };
        self.pairings.iter().map(points).collect()
    }

    /// The maximum-likelihood strengths for `points`, by Newton's method from `start`.
    fn fit(&self, points: &[f64], start: &[f64]) -> Vec<f64> {
        let mut strengths = start.to_vec();
        let mut likelihood = self.likelihood(points, &strengths);
        for _ in 0..100 {
            let (gradient, curvature) = self.derivatives(points, &strengths);
            let step = solve(curvature, gradient);
            // Far from the maximum a whole step can overshoot. It is halved until the likelihood
            // grows.
            let mut share = 1.0;
            let (next, next_likelihood) = loop {
                let next: Vec<f64> =
                    strengths.iter().zip(&step).map(|(old, step)| old + share * step).collect();
                let next_likelihood = self.likelihood(points, &next);
                if next_likelihood >= likelihood || share < 1e-6 {
                    break (next, next_likelihood);
                }
                share /= 2.0;
            };
            if next_likelihood >= likelihood {
                (strengths, likelihood) = (next, next_likelihood);
            }
            // 1e-9 is 2e-7 Elo. If the step had to shrink by a factor of a million, only rounding
            // errors are left.
            if share < 1e-6 || step.iter().all(|step| step.abs() < 1e-9) {
                break;
            }
        }
        strengths
    }

    /// The log-likelihood of `strengths`; its formula is at the top of this file.
    fn likelihood(&self, points: &[f64], strengths: &[f64]) -> f64 {
        let term = |(pairing, &points): (&PlayedPairing, &f64)| {
            let [a, b] = pairing.engines.map(|engine| strengths[engine]);
            -points * (b - a).exp().ln_1p() - (pairing.games - points) * (a - b).exp().ln_1p()
        };
        self.pairings.iter().zip(points).map(term).sum()
    }

    /// The gradient of the log-likelihood, and its negative Hessian with the penalty: 1 added for
    /// every two engines of a group, which makes it invertible. The gradients within a group add up
    /// to 0, so the penalty does not move the maximum.
    fn derivatives(&self, points: &[f64], strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let same = |a: &usize, b: &usize| if a == b { 1.0 } else { 0.0 };
        let mut curvature: Vec<Vec<f64>> =
            self.groups.iter().map(|a| self.groups.iter().map(|b| same(a, b)).collect()).collect();
        let mut gradient = vec![0.0; strengths.len()];
        for (pairing, points) in self.pairings.iter().zip(points) {
            let [a, b] = pairing.engines;
            let expected = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
            gradient[a] += points - pairing.games * expected;
            gradient[b] -= points - pairing.games * expected;
            let weight = pairing.games * expected * (1.0 - expected);
            curvature[a][a] += weight;
            curvature[b][b] += weight;
            curvature[a][b] -= weight;
            curvature[b][a] -= weight;
        }
        (gradient, curvature)
    }
}

/// Solves `matrix` x = `right` for a symmetric positive definite matrix by Cholesky decomposition.
/// There are as many rows as engines, so plain loops are fast enough.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - inner;
            // The factor overwrites the lower triangle. Rounding may leave a pivot slightly below
            // 0, whose root would be NaN.
            matrix[i][j] =
                if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[j][j] };
        }
        let inner: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i][i];
    }
    for i in (0..size).rev() {
        let inner: f64 = (i + 1..size).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i][i];
    }
    right
}
