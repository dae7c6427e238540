//! Tests of `src/statistics/ratings.rs`.

use pontifex_tournament::{
    Anchor, Bootstrap, Estimate, GameScore, PairTally, Pairings, Ratings, expected_score,
    logistic_elo,
};

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
    assert_eq!(ratings.elo(1).unwrap(), Estimate::new(0.0, 0.0, 0.0));
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
fn exact_expectations_reproduce_the_ratings() {
    let truth: [f64; 5] = [-220.0, -60.0, 0.0, 90.0, 400.0];
    let mut pairings = Pairings::new(5);
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)] {
        let pairs = 10_000_000;
        let won = (f64::from(pairs) * expected_score(truth[a] - truth[b])).round() as u64;
        pairings.add(a, b, PairTally::from_counts([pairs as u64 - won, 0, 0, 0, won]));
    }
    let once = Bootstrap { resamples: 1, seed: 0 };
    let ratings = Ratings::fit(&pairings, Anchor::Engine(2), once);
    for (engine, truth) in truth.into_iter().enumerate() {
        let elo = value(&ratings, engine);
        assert!((elo - truth).abs() < 0.01, "{elo}, {truth}");
    }
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
        let Estimate { value, low, high, .. } = ratings.elo(engine).unwrap();
        assert!(low.is_finite() && high.is_finite(), "{low}..{high}");
        assert!((low..=high).contains(&value), "{value} is not in {low}..{high}");
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
    assert_eq!(ratings.elo(1), None);
    assert_eq!(ratings.ranking(), [0, 3, 2, 4, 1]);
    let empty = Ratings::fit(&Pairings::new(0), Anchor::Mean, QUICK);
    assert!(empty.ranking().is_empty());
    assert!(empty.is_connected());
}

#[test]
fn ratings_are_repeatable() {
    let mut pairings = Pairings::new(3);
    pairings.add(0, 1, PairTally::from_counts([4, 9, 20, 12, 5]));
    pairings.add(1, 2, PairTally::from_counts([4, 9, 20, 8, 5]));
    pairings.add(0, 2, PairTally::from_counts([3, 9, 20, 12, 5]));
    let ratings = Ratings::fit(&pairings, Anchor::Mean, QUICK);
    assert_eq!(ratings, Ratings::fit(&pairings, Anchor::Mean, QUICK));
    let other = Bootstrap { seed: 8, ..QUICK };
    assert_ne!(ratings, Ratings::fit(&pairings, Anchor::Mean, other));
}
