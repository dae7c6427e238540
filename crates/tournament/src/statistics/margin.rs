//! Point margins with their intervals.

use crate::statistics::elo::Estimate;
use crate::statistics::quantile::student_95;

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
