//! Tests of `src/statistics/tally.rs`.

use pontifex_tournament::{Estimate, MarginTally};

fn tally(pairs: &[(i32, i32)]) -> MarginTally {
    let mut tally = MarginTally::default();
    for &(first, second) in pairs {
        tally.add_pair(first, second);
    }
    tally
}

#[test]
fn few_pairs_are_defined() {
    assert_eq!((tally(&[]).mean(), tally(&[]).estimate()), (None, None));
    assert_eq!(tally(&[(5, -2)]).mean(), Some(1.5));
    assert_eq!(tally(&[(5, -2)]).estimate(), None);
    let equal = tally(&[(3, 1), (1, 3)]).estimate().unwrap();
    assert_eq!(equal, Estimate::new(2.0, 2.0, 2.0));
}

/// Margins 1, 2, 3, 4: mean 2.5, standard error √(5/3/4), 3 degrees of freedom: ± 3.1824 · 0.6455.
#[test]
fn student_interval() {
    let estimate = tally(&[(2, 0), (4, 0), (3, 3), (9, -1)]).estimate().unwrap();
    assert!((estimate.value - 2.5).abs() < 1e-12);
    assert!((estimate.margin() - 2.0542).abs() < 0.003, "{estimate}");
}

#[test]
fn large_values_lose_no_digits() {
    let pairs: Vec<_> = (0..1000).map(|i| (1_000_000_000 + i % 2, 1_000_000_000)).collect();
    let estimate = tally(&pairs).estimate().unwrap();
    let expected = 1.9623 * (0.0625_f64 / 999.0).sqrt();
    assert!((estimate.margin() / expected - 1.0).abs() < 1e-4, "{estimate}");
}
