//! Joint ratings of several engines from all their games.
//!
//! The model of Bradley and Terry (1952): an engine `d` Elo stronger scores
//! 1/(1+10^(-d/400)), where a draw counts as half a win. The likelihood is
//! concave, so Newton's method finds its maximum (Hunter 2004 gives the simpler,
//! slower MM steps and proves that the maximum is unique).
//!
//! One drawn game is added to every pairing that was played. It keeps ratings
//! finite for perfect scores (20 wins in 20 games are +645 Elo, as in a match of
//! two engines), removes the first-order bias of small samples (Firth 1993), and
//! has no effect on large ones.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::statistics::pairings::Pairings;
use crate::statistics::tally::PairTally;

/// Drawn games added to every pairing that was played.
const PRIOR_GAMES: f64 = 1.0;

/// A pairing that was played. Scores are the first engine's.
struct Pairing {
    engines: [usize; 2],
    tally: PairTally,
    /// Including the prior's.
    games: f64,
}

/// The likelihood of the engines' strengths on the logistic scale.
pub(super) struct Model {
    groups: Vec<usize>,
    pairings: Vec<Pairing>,
}

impl Model {
    pub(super) fn new(pairings: &Pairings) -> Model {
        let played = pairings.played().map(|(a, b)| {
            let tally = pairings.tally(a, b);
            Pairing { engines: [a, b], tally, games: tally.games() as f64 + PRIOR_GAMES }
        });
        Model { groups: pairings.groups(), pairings: played.collect() }
    }

    /// The points of each pairing's first engine, including the prior's.
    pub(super) fn points(&self) -> Vec<f64> {
        self.pairings.iter().map(|pairing| pairing.tally.points() + PRIOR_GAMES / 2.0).collect()
    }

    /// [`points`](Model::points) of a bootstrap sample of the pairs.
    pub(super) fn resampled_points(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let points = |pairing: &Pairing| {
            // Twice the counts; the additional pair counts once as lost and
            // once as won.
            let mut bounds = pairing.tally.counts().map(|count| 2 * count);
            bounds[0] += 1;
            bounds[4] += 1;
            for i in 1..5 {
                bounds[i] += bounds[i - 1];
            }
            let half_points: usize = (0..pairing.tally.observations())
                .map(|_| {
                    let drawn = rng.random_range(0..bounds[4]);
                    bounds[..4].iter().filter(|&&bound| drawn >= bound).count()
                })
                .sum();
            half_points as f64 / 2.0 + PRIOR_GAMES / 2.0
        };
        self.pairings.iter().map(points).collect()
    }

    /// The maximum-likelihood strengths for `points`, searched from `start`.
    pub(super) fn fit(&self, points: &[f64], start: &[f64]) -> Vec<f64> {
        let mut strengths = start.to_vec();
        let mut likelihood = self.likelihood(points, &strengths);
        for _ in 0..100 {
            let (gradient, curvature) = self.derivatives(points, &strengths);
            let step = solve(curvature, gradient);
            let mut share = 1.0;
            let (next, next_likelihood) = loop {
                let next: Vec<f64> =
                    strengths.iter().zip(&step).map(|(at, step)| at + share * step).collect();
                let next_likelihood = self.likelihood(points, &next);
                if next_likelihood >= likelihood || share < 1e-6 {
                    break (next, next_likelihood);
                }
                share /= 2.0;
            };
            if next_likelihood >= likelihood {
                (strengths, likelihood) = (next, next_likelihood);
            }
            if share < 1e-6 || step.iter().all(|step| step.abs() < 1e-9) {
                break;
            }
        }
        strengths
    }

    fn likelihood(&self, points: &[f64], strengths: &[f64]) -> f64 {
        let term = |(pairing, &points): (&Pairing, &f64)| {
            let [a, b] = pairing.engines.map(|engine| strengths[engine]);
            -points * (b - a).exp().ln_1p() - (pairing.games - points) * (a - b).exp().ln_1p()
        };
        self.pairings.iter().zip(points).map(term).sum()
    }

    /// The gradient of the likelihood, and its negative Hessian, which a penalty
    /// on the mean of each group makes invertible.
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

/// Solves `matrix` x = `right` for a symmetric positive definite matrix by
/// Cholesky decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - inner;
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
