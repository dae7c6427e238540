//! Simulations of the error rates of the match statistics.
//!
//! Every simulation is seeded, so the rates are fixed numbers. The limits allow for the binomial
//! error of the number of runs.

use pontifex_tournament::{
    Anchor, Bootstrap, EloModel, MarginTally, PairTally, Pairings, Ratings, Sprt, Verdict,
    logistic_elo,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Few draws, and openings that often decide both games.
const DECISIVE: [f64; 5] = [0.12, 0.08, 0.58, 0.09, 0.13];
/// Two drawn games in three, as in chess between equals.
const DRAWISH: [f64; 5] = [0.016, 0.219, 0.530, 0.219, 0.016];

/// Probabilities of the five pair scores.
#[derive(Clone, Copy)]
struct Pairs([f64; 5]);

impl Pairs {
    /// `shape`, exponentially tilted so that its `strength` is `target`.
    fn tilted(shape: [f64; 5], strength: impl Fn(Pairs) -> f64, target: f64) -> Pairs {
        let tilt = |rate: f64| {
            let weights: [f64; 5] = std::array::from_fn(|i| shape[i] * (rate * i as f64).exp());
            Pairs(weights.map(|weight| weight / weights.iter().sum::<f64>()))
        };
        let (mut low, mut high) = (-10.0, 10.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if strength(tilt(middle)) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        tilt(low)
    }

    fn score(self) -> f64 {
        (0..5).map(|i| self.0[i] * i as f64 / 4.0).sum()
    }

    fn logistic(self) -> f64 {
        logistic_elo(self.score())
    }

    fn normalized(self) -> f64 {
        let score = self.score();
        let variance: f64 = (0..5).map(|i| self.0[i] * (i as f64 / 4.0 - score).powi(2)).sum();
        (score - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10
    }

    /// The index of a pair score, 0 to 4.
    fn draw(self, rng: &mut Xoshiro256PlusPlus) -> usize {
        let mut remaining: f64 = rng.random();
        for i in 0..4 {
            remaining -= self.0[i];
            if remaining < 0.0 {
                return i;
            }
        }
        4
    }

    fn sample(self, pairs: usize, rng: &mut Xoshiro256PlusPlus) -> PairTally {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[self.draw(rng)] += 1;
        }
        PairTally::from_counts(counts)
    }
}

/// The number of 1,000 tests that accept H1, and the mean number of pairs.
fn count_h1(sprt: &Sprt, truth: Pairs, seed: u64) -> (u32, f64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut accepted, mut pairs) = (0, 0);
    for _ in 0..1000 {
        let mut counts = [0; 5];
        let verdict = loop {
            counts[truth.draw(&mut rng)] += 1;
            pairs += 1;
            match sprt.state(&PairTally::from_counts(counts)).verdict {
                Verdict::Continue => {}
                verdict => break verdict,
            }
        };
        accepted += u32::from(verdict == Verdict::H1);
    }
    (accepted, f64::from(pairs) / 1000.0)
}

/// Checks that at each hypothesis at most 5 % of 1,000 tests are wrong, plus two standard errors of
/// 0.7 %.
fn check_error_rates(seed: u64, text: &str, shape: [f64; 5]) {
    let sprt: Sprt = text.parse().unwrap();
    let strength = match sprt.model() {
        EloModel::Normalized => Pairs::normalized,
        EloModel::Logistic => Pairs::logistic,
    };
    let [h0, h1] = sprt.elo().map(|elo| Pairs::tilted(shape, strength, elo));
    let (false_h1, pairs0) = count_h1(&sprt, h0, seed);
    let (true_h1, pairs1) = count_h1(&sprt, h1, seed + 100);
    let false_h0 = 1000 - true_h1;
    println!("{text}: {false_h1} false H1, {false_h0} false H0, {pairs0:.0}/{pairs1:.0} pairs");
    assert!(false_h1 <= 64, "{text}: {false_h1} of 1000 accept H1 where H0 is true");
    assert!(false_h0 <= 64, "{text}: {false_h0} of 1000 accept H0 where H1 is true");
}

#[test]
fn sequential_tests_keep_their_error_rates() {
    check_error_rates(1, "elo0=0,elo1=90", DECISIVE);
    check_error_rates(2, "elo0=-60,elo1=30", DRAWISH);
    check_error_rates(3, "elo0=0,elo1=70,model=logistic", DECISIVE);
}

/// The tests in daily use take ten times as long.
#[test]
#[ignore = "takes a minute"]
fn sequential_tests_in_use_keep_their_error_rates() {
    check_error_rates(4, "elo0=0,elo1=20", DECISIVE);
    check_error_rates(5, "elo0=0,elo1=20", DRAWISH);
    check_error_rates(6, "elo0=-20,elo1=0", DECISIVE);
    check_error_rates(7, "elo0=0,elo1=20,model=logistic", DECISIVE);
}

/// 95 % intervals cover the true value in 93 to 97 % of 1,000 samples.
#[test]
fn elo_intervals_cover_the_truth() {
    for (seed, shape, nelo, pairs) in [
        (1, DECISIVE, 0.0, 40),
        (2, DECISIVE, 25.0, 200),
        (3, DRAWISH, 50.0, 200),
        (4, DRAWISH, 150.0, 100),
        (5, DECISIVE, 300.0, 200),
    ] {
        let truth = Pairs::tilted(shape, Pairs::normalized, nelo);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut elo_covered, mut nelo_covered) = (0, 0);
        for _ in 0..1000 {
            let tally = truth.sample(pairs, &mut rng);
            let (elo, nelo) = (tally.elo().unwrap(), tally.nelo().unwrap());
            elo_covered += u32::from((elo.low..=elo.high).contains(&truth.logistic()));
            nelo_covered += u32::from((nelo.low..=nelo.high).contains(&truth.normalized()));
        }
        println!("{nelo} nElo, {pairs} pairs: Elo {elo_covered}, nElo {nelo_covered} of 1000");
        for covered in [elo_covered, nelo_covered] {
            assert!((930..=970).contains(&covered), "{nelo}, {pairs} pairs: {covered} of 1000");
        }
    }
}

/// 95 % intervals of the mean margin cover the true value in 93 to 97 % of 1,000 samples of 25
/// pairs, most of them narrow, some lost by far.
#[test]
fn margin_intervals_cover_the_truth() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let game = |rng: &mut Xoshiro256PlusPlus| match rng.random_range(0..10) {
        0 => rng.random_range(-30..=-10),
        _ => rng.random_range(-4..=10),
    };
    let truth = 0.1 * -20.0 + 0.9 * 3.0;
    let mut covered = 0;
    for _ in 0..1000 {
        let mut margins = MarginTally::default();
        for _ in 0..25 {
            margins.add_pair(game(&mut rng), game(&mut rng));
        }
        let margin = margins.estimate().unwrap();
        covered += u32::from((margin.low..=margin.high).contains(&truth));
    }
    println!("margins: {covered} of 1000");
    assert!((930..=970).contains(&covered), "{covered} of 1000");
}

/// Four engines, an incomplete schedule and dependent games within pairs: ratings are unbiased, and
/// their intervals cover the true values in 93 to 97 %.
#[test]
fn joint_ratings_cover_the_truth() {
    const TRUTH: [f64; 4] = [90.0, 30.0, -20.0, -100.0];
    const RUNS: u32 = 250;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let schedule = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
        .map(|(a, b)| (a, b, Pairs::tilted(DECISIVE, Pairs::logistic, TRUTH[a] - TRUTH[b])));
    let (mut covered, mut mean) = (0, [0.0; 4]);
    for seed in 0..u64::from(RUNS) {
        let mut pairings = Pairings::new(4);
        for (a, b, truth) in schedule {
            pairings.add(b, a, truth.sample(30, &mut rng).flipped());
        }
        let bootstrap = Bootstrap { resamples: 200, seed };
        let ratings = Ratings::fit(&pairings, Anchor::Mean, bootstrap);
        for engine in 0..4 {
            let elo = ratings.elo(engine).unwrap();
            covered += u32::from((elo.low..=elo.high).contains(&TRUTH[engine]));
            mean[engine] += elo.value / f64::from(RUNS);
        }
    }
    println!("ratings: {covered} of {}, means {mean:.1?}", 4 * RUNS);
    assert!((93 * 4 * RUNS..=97 * 4 * RUNS).contains(&(100 * covered)), "{covered}");
    for (mean, truth) in mean.into_iter().zip(TRUTH) {
        assert!((mean - truth).abs() < 8.0, "{mean} for {truth}");
    }
}
