//! Tests of `src/statistics/elo.rs`.

use pontifex_tournament::{Estimate, GameTally, PairTally, expected_score, logistic_elo};

fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} ± {tolerance}");
}

/// Disservin/fastchess, `app/tests/elo_test.cpp`; margins to 1 %, as there.
#[test]
fn fastchess_values() {
    let tally = GameTally::from_counts([89, 123, 76]);
    assert_close(tally.nelo().unwrap().value, -20.76, 0.005);
    assert_close(tally.nelo().unwrap().margin(), 40.13, 0.40);
    // fastchess takes the normal distribution.
    assert_close(tally.los(), 0.1553, 0.001);

    let tally = GameTally::from_counts([96, 111, 136]);
    assert_close(tally.nelo().unwrap().value, 49.77, 0.005);
    // fastchess leaves out that σ is an estimate: 2 % of the margin here.
    assert_close(tally.nelo().unwrap().margin(), 36.77, 0.9);
    assert_close(tally.elo().unwrap().value, 40.70, 0.005);
    assert_close(tally.elo().unwrap().margin(), 30.43, 0.30);
    assert_close(tally.los(), 0.9960, 0.0005);

    let tally = GameTally::from_counts([356, 0, 34]);
    assert_close(tally.nelo().unwrap().value, -508.44, 0.005);

    let tally = PairTally::from_counts([34, 54, 31 + 32, 64, 75]);
    assert_close(tally.nelo().unwrap().value, 57.94, 0.005);
    assert_close(tally.elo().unwrap().value, 55.58, 0.005);
    assert_close(tally.elo().unwrap().margin(), 27.65, 0.28);
    assert_close(tally.los(), 1.0, 0.0001);

    let tally = PairTally::from_counts([332, 433, 457 + 41, 333, 334]);
    assert_close(tally.nelo().unwrap().value, -9.17, 0.005);
    assert_close(tally.nelo().unwrap().margin(), 10.96, 0.05);
    assert_close(tally.elo().unwrap().value, -8.64, 0.005);
    assert_close(tally.elo().unwrap().margin(), 10.33, 0.05);
    assert_close(tally.los(), 0.0505, 0.0003);

    let tally = PairTally::from_counts([7895, 8757, 5485 + 200, 568, 9999]);
    assert_close(tally.nelo().unwrap().value, -19.01, 0.005);
    assert_close(tally.elo().unwrap().value, -21.04, 0.005);
    assert_close(tally.elo().unwrap().margin(), 2.95, 0.005);
}

/// MortenLohne/racetrack, `src/tests/stats_tests.rs`.
#[test]
fn racetrack_values() {
    let examples = [
        ([485, 1923, 2942, 1937, 594], [1.21, 5.11, 9.02], [1.68, 7.10, 12.53]),
        ([261, 739, 2683, 737, 253], [-5.00, -0.67, 3.66], [-8.13, -1.09, 5.96]),
        ([63, 252, 385, 250, 74], [-7.38, 3.39, 14.17], [-10.31, 4.74, 19.79]),
        ([527, 1007, 1932, 933, 511], [-9.16, -3.75, 1.66], [-11.63, -4.76, 2.11]),
        ([175, 305, 694, 291, 157], [-14.57, -5.36, 3.85], [-18.91, -6.96, 5.00]),
    ];
    for (counts, elo, nelo) in examples {
        let tally = PairTally::from_counts(counts);
        for (estimate, [low, value, high]) in [(tally.elo(), elo), (tally.nelo(), nelo)] {
            let estimate = estimate.unwrap();
            assert_close(estimate.value, value, 0.006);
            assert_close(estimate.low, low, 0.05);
            assert_close(estimate.high, high, 0.05);
        }
    }
}

/// Printed by fastchess: Disservin/fastchess, pull requests 783 and 882.
#[test]
fn lopsided_normalized_elo() {
    let nelo = PairTally::from_counts([379, 10170, 21828, 10640, 343]).nelo().unwrap();
    assert_close(nelo.value, 3.05, 0.005);
    assert_close(nelo.margin(), 2.31, 0.005);
    let nelo = PairTally::from_counts([77, 1, 0, 0, 0]).nelo().unwrap();
    assert_close(nelo.value, -4339.56, 0.005);
}

#[test]
fn the_opponents_estimate_is_mirrored() {
    let tally = PairTally::from_counts([3, 9, 20, 17, 11]);
    let (ours, theirs) = (tally.nelo().unwrap(), tally.flipped().nelo().unwrap());
    assert_close(ours.low, -theirs.high, 1e-6);
    assert_close(ours.value, -theirs.value, 1e-9);
    let (ours, theirs) = (tally.elo().unwrap(), tally.flipped().elo().unwrap());
    assert_close(ours.high, -theirs.low, 1e-6);
    assert_close(tally.los(), 1.0 - tally.flipped().los(), 1e-12);
}

#[test]
fn perfect_scores_stay_finite() {
    let tally = PairTally::from_counts([0, 0, 0, 0, 10]);
    let elo = tally.elo().unwrap();
    assert_close(elo.value, logistic_elo(20.5 / 21.0), 1e-9);
    assert_close(elo.high, elo.value, 1e-9);
    // The exact binomial bound: with this score, ten pairs are won once in 40.
    assert_close(expected_score(elo.low).powi(10), 0.025, 1e-6);
    let nelo = tally.nelo().unwrap();
    assert!(0.0 < nelo.low, "{}", nelo.low);
    assert!(nelo.low < nelo.value, "{} {}", nelo.low, nelo.value);
    let los = tally.los();
    assert!(0.99 < los && los < 1.0, "{los}");
}

#[test]
fn one_pair_is_no_evidence() {
    for i in 0..5 {
        let mut counts = [0; 5];
        counts[i] = 1;
        let tally = PairTally::from_counts(counts);
        for estimate in [tally.elo().unwrap(), tally.nelo().unwrap()] {
            assert_close(estimate.low, -estimate.high, 1e-9);
            assert!(estimate.low < 0.0, "{estimate}");
        }
    }
    let tally = PairTally::default();
    assert_eq!((tally.elo(), tally.nelo(), tally.los()), (None, None, 0.5));
}

#[test]
fn drawn_matches_are_even() {
    let tally = PairTally::from_counts([0, 0, 50, 0, 0]);
    assert_close(tally.los(), 0.5, 1e-12);
    for estimate in [tally.elo().unwrap(), tally.nelo().unwrap()] {
        assert_close(estimate.value, 0.0, 1e-12);
        assert_close(estimate.low, -estimate.high, 1e-6);
        assert!(estimate.low < -1.0, "{estimate}");
    }
}

#[test]
fn every_small_sample_is_finite_and_ordered() {
    let values = [0, 1, 7];
    for i in 0..values.len().pow(5) {
        let counts = std::array::from_fn(|k| values[i / values.len().pow(k as u32) % 3]);
        let tally = PairTally::from_counts(counts);
        assert!((0.0..=1.0).contains(&tally.los()));
        for estimate in [tally.elo(), tally.nelo()].into_iter().flatten() {
            let Estimate { value, low, high, .. } = estimate;
            assert!(low.is_finite() && high.is_finite(), "{counts:?}: {estimate}");
            assert!(low <= value && value <= high, "{counts:?}: {estimate}");
            assert!(low < high, "{counts:?}: {estimate}");
        }
    }
}

#[test]
fn texts() {
    let estimate = Estimate::new(-0.04, -3.25, 3.17);
    assert_eq!(estimate.to_string(), "+0.0 [-3.2, +3.2]");
    assert_eq!(format!("{estimate:.2}"), "-0.04 [-3.25, +3.17]");
    let estimate = Estimate::new(-0.4, -10.0, 0.0);
    assert_eq!(format!("{estimate:.0}"), "+0 [-10, +0]");
}
