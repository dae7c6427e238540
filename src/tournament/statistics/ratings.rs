//! Ratings with bootstrap intervals.
//!
//! Resampling draws pairs of games, because the two games of one opening are
//! not independent. Each resample draws as many pairs as were played, from those
//! pairs and one additional pair that is entirely won or lost. Without it, a
//! pairing whose pairs all had the same score would look certain.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tournament::statistics::bradley_terry::Model;
use crate::tournament::statistics::elo::Estimate;
use crate::tournament::statistics::pairings::Pairings;

/// Elo per unit of the logistic scale.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Where the rating 0 lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Anchor {
    /// At the mean of each group.
    #[default]
    Mean,
    /// At this engine; in groups without it, at the mean.
    Engine(usize),
}

/// The parameters of the bootstrap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bootstrap {
    /// The number of resamples, at least 1. The running time is proportional
    /// to this times the number of pairs.
    pub resamples: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 1,000 resamples.
    fn default() -> Self {
        Bootstrap { resamples: 1000, seed: 0 }
    }
}

/// Ratings of the engines of a tournament.
///
/// Each group of connected engines (see [`Pairings::groups`]) has its own 0;
/// engines of different groups are not compared.
///
/// ```
/// use pontifex::tournament::{Anchor, Bootstrap, PairTally, Pairings, Ratings};
///
/// let mut pairings = Pairings::new(4);
/// pairings.add(0, 1, PairTally::from_counts([2, 9, 30, 18, 11]));
/// pairings.add(1, 2, PairTally::from_counts([4, 12, 30, 20, 4]));
/// let ratings = Ratings::fit(&pairings, Anchor::Engine(1), Bootstrap::default());
/// assert_eq!(ratings.elo(1).unwrap().value, 0.0);
/// assert!(ratings.elo(0).unwrap().low > 0.0);
/// assert!(ratings.superiority(0, 2).unwrap() > 0.99);
/// assert_eq!((ratings.elo(3), ratings.superiority(0, 3)), (None, None));
/// assert_eq!(ratings.ranking(), [0, 1, 2, 3]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    groups: Vec<usize>,
    /// `None` for engines that have not played.
    elo: Vec<Option<Estimate>>,
    resamples: usize,
    /// Entry (row, column): twice the resamples in which the row's engine was
    /// stronger plus those in which it was equal.
    superiority: Vec<usize>,
}

impl Ratings {
    /// The maximum-likelihood ratings.
    ///
    /// # Panics
    /// If the anchor is not an engine of the tournament.
    pub fn fit(pairings: &Pairings, anchor: Anchor, bootstrap: Bootstrap) -> Ratings {
        let model = Model::new(pairings);
        let groups = pairings.groups();
        let engines = groups.len();
        let zero = |strengths: &[f64]| anchored(&groups, strengths, anchor);
        let fitted = model.fit(&model.points(), &vec![0.0; engines]);
        let values = zero(&fitted);

        let resamples = bootstrap.resamples.max(1);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(bootstrap.seed);
        let mut samples = vec![Vec::with_capacity(resamples); engines];
        let mut superiority = vec![0; engines * engines];
        for _ in 0..resamples {
            let strengths = zero(&model.fit(&model.resampled_points(&mut rng), &fitted));
            for (i, &own) in strengths.iter().enumerate() {
                samples[i].push(own);
                for (j, &other) in strengths.iter().enumerate() {
                    superiority[i * engines + j] +=
                        usize::from(own > other) + usize::from(own >= other);
                }
            }
        }
        let elo = values.into_iter().zip(samples).enumerate().map(|(engine, (value, sample))| {
            (pairings.total(engine).games() > 0).then(|| interval(value, sample))
        });
        Ratings { groups, elo: elo.collect(), resamples, superiority }
    }

    /// An engine's rating relative to its group's anchor, with a 95 % interval;
    /// `None` if it has not played. The anchor itself has 0 ± 0.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn elo(&self, engine: usize) -> Option<Estimate> {
        self.elo[engine]
    }

    /// The likelihood that `engine` is stronger than `other`, 0 to 1: the share
    /// of resamples in which it is. `None` if they cannot be compared; ½ for
    /// an engine and itself.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn superiority(&self, engine: usize, other: usize) -> Option<f64> {
        let known = self.groups[engine] == self.groups[other] && self.elo[engine].is_some();
        let stronger = self.superiority[engine * self.groups.len() + other];
        known.then(|| stronger as f64 / (2 * self.resamples) as f64)
    }

    /// The group of every engine.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Whether all engines can be compared.
    pub fn is_connected(&self) -> bool {
        self.groups.iter().all(|&group| group == 0)
    }

    /// The engines, group by group, strongest first; engines that have not
    /// played come last.
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

/// `value` in Elo with the central 95 % of `sample`.
fn interval(value: f64, mut sample: Vec<f64>) -> Estimate {
    sample.sort_by(f64::total_cmp);
    let at = |share: f64| sample[(share * (sample.len() - 1) as f64).round() as usize];
    let (low, high) = (at(0.025).min(value), at(0.975).max(value));
    let [value, low, high] = [value, low, high].map(|strength| strength * ELO_PER_UNIT);
    Estimate { value, low, high }
}

/// The strengths relative to the anchor of each group.
fn anchored(groups: &[usize], strengths: &[f64], anchor: Anchor) -> Vec<f64> {
    let mut zeros = vec![(0.0, 0.0); strengths.len()];
    for (&group, strength) in groups.iter().zip(strengths) {
        zeros[group].0 += strength;
        zeros[group].1 += 1.0;
    }
    if let Anchor::Engine(engine) = anchor {
        zeros[groups[engine]] = (strengths[engine], 1.0);
    }
    let zero = |group: usize| zeros[group].0 / zeros[group].1;
    groups.iter().zip(strengths).map(|(&group, at)| at - zero(group)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::statistics::elo::logistic_elo;
    use crate::tournament::statistics::tally::{GameScore, PairTally};

    const QUICK: Bootstrap = Bootstrap { resamples: 200, seed: 7 };

    fn value(ratings: &Ratings, engine: usize) -> f64 {
        ratings.elo(engine).unwrap().value
    }

    /// With the prior, the logistic Elo of (points + ½)/(games + 1).
    #[test]
    fn two_engines_have_their_logistic_elo() {
        for scale in [1, 100, 10_000] {
            let tally = PairTally::from_counts([1, 2, 10, 5, 4].map(|count| scale * count));
            let mut pairings = Pairings::new(2);
            pairings.add(0, 1, tally);
            let once = Bootstrap { resamples: 1, seed: 0 };
            let ratings = Ratings::fit(&pairings, Anchor::Engine(1), once);
            let score = (tally.points() + 0.5) / (tally.games() as f64 + 1.0);
            assert!((value(&ratings, 0) - logistic_elo(score)).abs() < 1e-6);
            let plain = tally.elo().unwrap().value;
            assert!((value(&ratings, 0) / plain - 1.0).abs() < 0.03 / scale as f64);
            let ratings = Ratings::fit(&pairings, Anchor::Mean, once);
            assert!((value(&ratings, 0) - logistic_elo(score) / 2.0).abs() < 1e-6);
            assert!((value(&ratings, 1) + logistic_elo(score) / 2.0).abs() < 1e-6);
        }
    }

    #[test]
    fn two_engines_have_the_interval_of_their_match() {
        let tally = PairTally::from_counts([12, 40, 100, 60, 40]);
        let mut pairings = Pairings::new(2);
        pairings.add(0, 1, tally);
        let many = Bootstrap { resamples: 4000, seed: 1 };
        let ratings = Ratings::fit(&pairings, Anchor::Engine(1), many);
        let (ours, plain) = (ratings.elo(0).unwrap(), tally.elo().unwrap());
        assert!((ours.margin() / plain.margin() - 1.0).abs() < 0.05, "{ours}, {plain}");
        assert!((ratings.superiority(0, 1).unwrap() - tally.los()).abs() < 0.01);
        assert_eq!(ratings.elo(1).unwrap(), Estimate { value: 0.0, low: 0.0, high: 0.0 });
    }

    /// A chain has no cycle, so differences are those of its links.
    #[test]
    fn chains_add_up() {
        let tally = PairTally::from_counts([0, 0, 100, 0, 100]);
        let mut pairings = Pairings::new(4);
        for engine in 1..4 {
            pairings.add(engine, engine - 1, tally);
        }
        let ratings = Ratings::fit(&pairings, Anchor::Engine(0), QUICK);
        let link = logistic_elo(300.5 / 401.0);
        for engine in 0..4 {
            assert!((value(&ratings, engine) - engine as f64 * link).abs() < 1e-6);
        }
        assert_eq!(ratings.ranking(), [3, 2, 1, 0]);
    }

    #[test]
    fn perfect_scores_stay_finite() {
        let mut pairings = Pairings::new(3);
        for (winner, loser) in [(0, 1), (0, 2), (1, 2)] {
            for _ in 0..10 {
                pairings.add_pair(winner, loser, GameScore::Win, GameScore::Win);
            }
        }
        let ratings = Ratings::fit(&pairings, Anchor::Mean, QUICK);
        assert_eq!(ratings.ranking(), [0, 1, 2]);
        let total: f64 = (0..3).map(|engine| value(&ratings, engine)).sum();
        assert!(total.abs() < 1e-6);
        let gap = value(&ratings, 0) - value(&ratings, 2);
        assert!((600.0..1500.0).contains(&gap), "{gap}");
        for engine in 0..3 {
            let Estimate { value, low, high } = ratings.elo(engine).unwrap();
            assert!(low.is_finite() && low <= value && value <= high && high.is_finite());
            assert!(high - low > 50.0, "certain of {low}..{high}");
        }
    }

    #[test]
    fn engines_that_never_met_are_not_compared() {
        let tally = PairTally::from_counts([1, 2, 10, 5, 4]);
        let mut pairings = Pairings::new(5);
        pairings.add(0, 3, tally);
        pairings.add(2, 4, tally);
        let ratings = Ratings::fit(&pairings, Anchor::Engine(3), QUICK);
        assert!(!ratings.is_connected());
        assert_eq!(ratings.groups(), [0, 1, 2, 0, 2]);
        assert!(value(&ratings, 3).abs() < 1e-12);
        assert!((value(&ratings, 2) + value(&ratings, 4)).abs() < 1e-6);
        assert_eq!((ratings.elo(1), ratings.superiority(1, 1)), (None, None));
        assert_eq!(ratings.superiority(0, 2), None);
        assert_eq!(ratings.superiority(2, 2), Some(0.5));
        assert_eq!(ratings.ranking(), [0, 3, 2, 4, 1]);
        let empty = Ratings::fit(&Pairings::new(0), Anchor::Mean, QUICK);
        assert!(empty.ranking().is_empty() && empty.is_connected());
    }

    #[test]
    fn superiority_is_complementary_and_repeatable() {
        let mut pairings = Pairings::new(3);
        pairings.add(0, 1, PairTally::from_counts([4, 9, 20, 12, 5]));
        pairings.add(1, 2, PairTally::from_counts([4, 9, 20, 8, 5]));
        pairings.add(0, 2, PairTally::from_counts([3, 9, 20, 12, 5]));
        let ratings = Ratings::fit(&pairings, Anchor::Mean, QUICK);
        for (a, b) in [(0, 1), (0, 2), (1, 2), (1, 1)] {
            let both = ratings.superiority(a, b).unwrap() + ratings.superiority(b, a).unwrap();
            assert!((both - 1.0).abs() < 1e-9);
        }
        assert_eq!(ratings, Ratings::fit(&pairings, Anchor::Mean, QUICK));
        let other = Bootstrap { seed: 8, ..QUICK };
        assert_ne!(ratings, Ratings::fit(&pairings, Anchor::Mean, other));
    }
}
