//! Point margins with their intervals.

use crate::tournament::statistics::elo::Estimate;
use crate::tournament::statistics::quantile::student_95;

/// The point margins of one engine over another.
///
/// The two games of a pair are not independent, so each pair is one observation:
/// the mean margin of its games, in points per game. The sums are updated by
/// Welford's method (Technometrics 1962), which is numerically stable.
///
/// ```
/// use pontifex::tournament::MarginTally;
///
/// let mut margins = MarginTally::default();
/// margins.add_pair(12, -4);
/// assert_eq!((margins.mean(), margins.estimate()), (Some(4.0), None));
/// margins.add_pair(3, 3);
/// assert_eq!(margins.mean(), Some(3.5));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MarginTally {
    pairs: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
}

impl MarginTally {
    /// Counts a pair of games. Each margin is the engine's points minus the
    /// opponent's.
    pub fn add_pair(&mut self, first: i32, second: i32) {
        let margin = f64::midpoint(f64::from(first), f64::from(second));
        self.pairs += 1;
        let before = margin - self.mean;
        self.mean += before / self.pairs as f64;
        self.squares += before * (margin - self.mean);
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean margin; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then_some(self.mean)
    }

    /// The mean margin with its 95 % interval (Student's t); `None` with fewer
    /// than two pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let degrees = self.pairs.checked_sub(1).filter(|&degrees| degrees > 0)?;
        let error = (self.squares / degrees as f64 / self.pairs as f64).sqrt();
        let reach = student_95(degrees) * error;
        Some(Estimate { value: self.mean, low: self.mean - reach, high: self.mean + reach })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(equal, Estimate { value: 2.0, low: 2.0, high: 2.0 });
    }

    /// Margins 1, 2, 3, 4: mean 2.5, standard error √(5/3/4), 3 degrees of
    /// freedom: ± 3.1824 · 0.6455.
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
}
