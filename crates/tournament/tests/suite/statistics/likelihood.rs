//! Tests of `src/statistics/likelihood.rs`, by likelihood ratios.

use pontifex_tournament::{EloModel, Sprt, Tally, logistic_elo};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Sparse counts, most of them 0.
fn sparse<const N: usize>(rng: &mut Xoshiro256PlusPlus) -> [u64; N] {
    loop {
        let counts: [u64; N] = std::array::from_fn(|_| match rng.random_range(0..4) {
            0 => rng.random_range(1..200),
            1 => 1,
            _ => 0,
        });
        if counts.iter().sum::<u64>() > 0 {
            return counts;
        }
    }
}

fn support<const N: usize>(counts: [u64; N], distribution: [f64; N]) -> f64 {
    let total: u64 = counts.iter().sum();
    (0..N)
        .filter(|&i| counts[i] > 0)
        .map(|i| counts[i] as f64 * (distribution[i] * total as f64 / counts[i] as f64).ln())
        .sum()
}

fn llr<const N: usize>(model: EloModel, elo: [f64; 2], counts: [u64; N]) -> f64 {
    let sprt = Sprt::new(elo[0], elo[1], 0.05, 0.05, model).unwrap();
    sprt.llr(&Tally::from_counts(counts))
}

/// The normalized Elo of a single game with this t.
fn nelo(t: f64) -> f64 {
    t * 800.0 / std::f64::consts::LN_10
}

/// Two numbers in this range, the smaller first.
fn pair(rng: &mut Xoshiro256PlusPlus, low: f64, high: f64) -> [f64; 2] {
    let [a, b]: [f64; 2] = [(); 2].map(|()| rng.random_range(low..high));
    [a.min(b), a.max(b)]
}

#[test]
fn a_mean_that_fits_has_full_support() {
    let check = |counts: [u64; 5], mean: f64, other: f64, support: f64| {
        let elo = [mean, other].map(logistic_elo);
        let actual = llr(EloModel::Logistic, elo, counts);
        assert!((actual - support).abs() < 1e-9, "{counts:?} {mean} {other}: {actual}");
    };
    check([0, 0, 0, 0, 9], 0.25, 0.5, 9.0 * 2f64.ln());
    check([0, 0, 0, 0, 9], 0.25, 0.999_999, 9.0 * (0.999_999_f64 / 0.25).ln());
    check([0; 5], 0.3, 0.4, 0.0);
    // Every other mean has less than the sample's own.
    for (counts, mean) in [([1, 2, 3, 2, 1], 0.5), ([0, 0, 0, 3, 0], 0.75)] {
        let own = logistic_elo(mean);
        assert!(llr(EloModel::Logistic, [own, own + 1.0], counts) < 0.0);
        assert!(llr(EloModel::Logistic, [own - 1.0, own], counts) > 0.0);
    }
}

/// Three scores with a given mean leave one free parameter.
#[test]
fn means_of_games_against_a_scan() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..100 {
        let counts = sparse::<3>(&mut rng);
        let best = |mean: f64| {
            (0..=20_000)
                .map(|i| f64::from(i) / 20_000.0 * mean.min(1.0 - mean) * 2.0)
                .map(|draws| [1.0 - mean - draws / 2.0, draws, mean - draws / 2.0])
                .map(|p| support(counts, p.map(|p| p.max(0.0))))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let means = pair(&mut rng, 0.02, 0.98);
        let actual = llr(EloModel::Logistic, means.map(logistic_elo), counts);
        let scan = best(means[1]) - best(means[0]);
        assert!((actual - scan).abs() < 5e-2, "{counts:?} {means:?}: {actual}, scan {scan}");
    }
}

/// Compares with a scan over distributions with a given t, by the second moment m = E c².
#[test]
fn t_values_of_games_against_a_scan() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..100 {
        let counts = sparse::<3>(&mut rng);
        let best = |t: f64| {
            let kappa = t / t.hypot(1.0);
            (1..=50_000)
                .map(|i| f64::from(i) / 200_000.0)
                .map(|m| (4.0 * m, 2.0 * kappa * m.sqrt()))
                .filter(|(decided, excess)| excess.abs() <= *decided)
                .map(|(decided, excess)| {
                    [(decided - excess) / 2.0, 1.0 - decided, f64::midpoint(decided, excess)]
                })
                .map(|p| support(counts, p))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let ts = pair(&mut rng, -1.5, 1.5);
        let actual = llr(EloModel::Normalized, ts.map(nelo), counts);
        let scan = best(ts[1]) - best(ts[0]);
        assert!((actual - scan).abs() < 5e-2, "{counts:?} {ts:?}: {actual}, scan {scan}");
    }
}

/// Up to the largest hypotheses that the SPRT accepts.
#[test]
fn the_wildest_hypotheses_are_finite() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..2000 {
        let counts = sparse::<5>(&mut rng);
        let elo = pair(&mut rng, -4000.0, 4000.0);
        for model in [EloModel::Normalized, EloModel::Logistic] {
            assert!(llr(model, elo, counts).is_finite(), "{counts:?} {elo:?}");
        }
    }
}

#[test]
fn support_falls_away_from_the_sample() {
    let counts = [3, 9, 20, 17, 0];
    // The support of each t minus that of the least one.
    let supports: Vec<f64> = (-39..=40)
        .map(|i| llr(EloModel::Normalized, [nelo(-2.0), nelo(f64::from(i) / 20.0)], counts))
        .collect();
    let top = (0..80).max_by(|&i, &j| supports[i].total_cmp(&supports[j])).unwrap();
    assert!((1..79).contains(&top));
    assert!(supports[..=top].is_sorted());
    assert!(supports[top..].iter().rev().is_sorted());
    assert!(supports.iter().all(|support| support.is_finite()));
}
