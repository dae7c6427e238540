//! Tests of `src/statistics/sprt.rs`.

use EloModel::{Logistic, Normalized};
use pontifex_tournament::{EloModel, GameTally, PairTally, Sprt, Tally, Verdict};

fn llr<const N: usize>(model: EloModel, elo0: f64, elo1: f64, counts: [u64; N]) -> f64 {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&Tally::from_counts(counts))
}

fn assert_llr<const N: usize>(
    model: EloModel,
    elo: [f64; 2],
    counts: [u64; N],
    expected: f64,
    tolerance: f64,
) {
    let actual = llr(model, elo[0], elo[1], counts);
    assert!((actual - expected).abs() <= tolerance, "{counts:?} {elo:?}: {actual}, not {expected}");
}

/// Disservin/fastchess, `app/tests/sprt_test.cpp`, but for two samples of a single score, whose
/// values change with its versions (exact ones below).
#[test]
fn fastchess_values() {
    for (model, elo, wld, expected) in [
        (Normalized, [0.0, 2.0], [36433, 36027, 68692], 0.92),
        (Normalized, [-1.75, 0.25], [10871, 10650, 20431], 2.30),
        (Logistic, [0.5, 2.5], [21404, 21184, 40708], -1.57),
        (Logistic, [0.0, 2.0], [57433, 57030, 106_593], -2.59),
    ] {
        assert_llr(model, elo, [wld[1], wld[2], wld[0]], expected, 0.005);
    }
    for (model, elo, counts, expected) in [
        (Normalized, [0.0, 2.0], [365, 16618, 36029 + 200, 16974, 390], 2.25),
        (Normalized, [-1.75, 0.25], [127, 4883, 10311 + 401, 5150, 104], 3.01),
        (Logistic, [0.5, 2.5], [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (Logistic, [0.0, 2.0], [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ] {
        assert_llr(model, elo, counts, expected, 0.005);
    }
    // Printed by fastchess: pull requests 783 and 882 there.
    assert_llr(Normalized, [0.0, 2.0], [379, 10170, 21828, 10640, 343], 2.94598, 0.0006);
    assert_llr(Normalized, [-1000.0, -500.0], [77, 1, 0, 0, 0], -2.95, 0.005);
    assert_llr(Normalized, [-1000.0, -500.0], [72, 10, 0, 0, 0], -2.97, 0.005);
}

/// MortenLohne/racetrack, `src/tests/sprt_tests.rs`.
#[test]
fn racetrack_values() {
    for (counts, elo, expected) in [
        ([440, 2910, 5170, 2888, 455], [0.0, 5.0], -2.27),
        ([142, 620, 1122, 699, 188], [0.0, 5.0], 2.99),
        ([349, 1561, 3340, 1604, 359], [-5.0, 0.0], 2.90),
        ([98, 382, 674, 369, 71], [-5.0, 0.0], -1.11),
    ] {
        assert_llr(Normalized, elo, counts, expected, 0.01);
    }
}

/// Results of fishtest collected in sunfish-shogi/shogihome,
/// `src/tests/renderer/game/sprt.spec.ts`.
#[test]
fn fishtest_values() {
    for (elo, counts, expected) in [
        ([-1.75, 0.25], [0, 2, 4, 6, 10], 0.13),
        ([-1.75, 0.25], [10, 5, 2, 5, 10], 0.00),
        ([-1.75, 0.25], [19, 4020, 10316, 4215, 24], 2.94),
        ([-1.75, 0.25], [41, 5118, 12924, 5334, 31], 2.94),
        ([0.0, 2.0], [103, 3851, 8316, 3728, 98], -2.03),
        ([0.0, 2.0], [2, 40, 72, 14, 0], -0.36),
        ([0.0, 2.0], [900, 30596, 67292, 30899, 809], -2.96),
        ([0.5, 2.5], [45, 8506, 25934, 8883, 57], 2.94),
        ([0.5, 2.5], [105, 19880, 51075, 20005, 108], -2.94),
    ] {
        assert_llr(Normalized, elo, counts, expected, 0.006);
    }
    // official-stockfish/Stockfish, pull requests 3209 and 3098, when fishtest used logistic Elo.
    for (elo, counts, expected) in [
        ([-0.25, 1.25], [253, 4282, 17604, 4431, 286], 2.94),
        ([0.25, 1.25], [58, 3302, 33130, 3518, 84], 2.97),
        ([-0.25, 1.25], [491, 7345, 29693, 7670, 465], 2.96),
    ] {
        assert_llr(Logistic, elo, counts, expected, 0.005);
    }
    // The raw statistics of montytest's test 69d3c8dc7c5b3724e29d2712: "Normalized (exact)".
    assert_llr(Normalized, [0.0, 4.0], [13, 37, 50, 25, 3], -0.54912, 0.00001);
}

#[test]
fn balanced_samples_favour_neither_side() {
    for counts in [[0, 20, 60, 20, 0], [7, 20, 60, 20, 7], [0, 0, 5, 0, 0], [1, 0, 0, 0, 1]] {
        for model in [Normalized, Logistic] {
            assert_llr(model, [-10.0, 10.0], counts, 0.0, 1e-9);
            assert_llr(model, [-300.0, 300.0], counts, 0.0, 1e-9);
            assert!(llr(model, 0.0, 20.0, counts) < 0.0, "{counts:?}");
            assert!(llr(model, -20.0, 0.0, counts) > 0.0, "{counts:?}");
        }
    }
    // To second order -N·t1²/2, here with N = 100 pairs.
    assert_llr(Normalized, [0.0, 20.0], [0, 20, 60, 20, 0], -0.331, 0.001);
}

/// With W wins of pairs and nothing else, the best distribution for a hypothesis puts all the rest
/// on lost pairs: LLR = W·ln(p1/p0).
#[test]
fn all_won_samples_have_the_exact_ratio() {
    let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let ratio = 104.0 * (score(5.0) / score(0.0)).ln();
    assert_llr(Logistic, [0.0, 5.0], [0, 0, 0, 0, 104], ratio, 1e-9);
    assert_llr(Logistic, [-5.0, 0.0], [104, 0, 0, 0, 0], -ratio, 1e-9);
    let t = 5.0 * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
    let ratio = 104.0 * (1.0 + t / t.hypot(1.0)).ln();
    assert_llr(Normalized, [0.0, 5.0], [0, 0, 0, 0, 104], ratio, 1e-9);
    assert_llr(Normalized, [-5.0, 0.0], [104, 0, 0, 0, 0], -ratio, 1e-9);
    // All drawn: the least that has to differ has probability κ².
    let t = 5.0 * std::f64::consts::LN_10 / 800.0;
    let ratio = 16700.0 * (1.0 - t * t / (1.0 + t * t)).ln();
    assert_llr(Normalized, [0.0, 5.0], [0, 16700, 0], ratio, 1e-9);
}

/// Disservin/fastchess, issue 879 and pull request 881: NaN, and -111 for a single lost pair.
#[test]
fn lopsided_samples_do_not_decide_at_once() {
    let elo = [-1500.0, -500.0];
    let [p0, p1] = elo.map(|elo| {
        let t = -elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
        0.5 + t / t.hypot(1.0) / 2.0
    });
    assert_llr(Normalized, elo, [1, 0, 0, 0, 0], (p1 / p0).ln(), 1e-9);
    let actual = llr(Normalized, elo[0], elo[1], [144, 3, 1, 0, 0]);
    assert!((-30.0..-2.0).contains(&actual), "{actual}");
}

#[test]
fn extremes_are_finite() {
    for i in 0..5 {
        for count in [1, 10, 1_000_000] {
            let mut counts = [0; 5];
            counts[i] = count;
            for (elo0, elo1) in [(0.0, 20.0), (-1500.0, -500.0), (-4000.0, 4000.0)] {
                for model in [Normalized, Logistic] {
                    assert!(llr(model, elo0, elo1, counts).is_finite(), "{counts:?}");
                }
            }
        }
    }
    let sprt: Sprt = "elo0=0,elo1=20".parse().unwrap();
    let state = sprt.state(&PairTally::default());
    assert_eq!((state.llr, state.verdict), (0.0, Verdict::Continue));
    assert!(sprt.llr(&GameTally::default()).abs() < 1e-12);
    assert_eq!(state.to_string(), "LLR +0.00 (-2.94, +2.94) continue");
}

#[test]
fn verdicts() {
    let sprt: Sprt = "elo0=0, elo1=50, alpha=0.01, beta=0.1".parse().unwrap();
    let won = sprt.state(&PairTally::from_counts([10, 40, 80, 60, 40]));
    assert_eq!(won.verdict, Verdict::H1, "{won}");
    let lost = sprt.state(&PairTally::from_counts([40, 60, 80, 40, 10]));
    assert_eq!(lost.verdict, Verdict::H0, "{lost}");
    assert!((won.lower - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    assert!((won.upper - 90_f64.ln()).abs() < 1e-12);
}
