//! Estimates with intervals, and the distributions they are taken from: the normal distribution and
//! Student's t.
//!
//! The distributions follow Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964),
//! chapter 26. A few lines each do not justify a dependency. Tests compare them with tables.

use std::fmt;

/// A value with its 95 % interval: `low <= value <= high`, all finite.
///
/// Where the games set no limit, as after a perfect score, a number is only a bound. `at_most` and
/// `at_least` say where this is the case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely number, or the bound that stands for it.
    pub value: f64,
    /// The interval's lower end, at most `value`.
    pub low: f64,
    /// The interval's upper end, at least `value`.
    pub high: f64,
    /// Numbers up to this one are only upper bounds: the truth may be far lower. `None` if there is
    /// no such bound.
    pub at_most: Option<f64>,
    /// Numbers from this one on are only lower bounds: the truth may be far higher. `None` if there
    /// is no such bound.
    pub at_least: Option<f64>,
}

impl Estimate {
    /// An estimate without bounds: each of its numbers is exact.
    pub fn new(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high, at_most: None, at_least: None }
    }

    /// Half the interval's width, for `value ± margin`.
    pub fn margin(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// `number`, which is one of this estimate's; `None` if it is only a bound.
    pub fn exact(self, number: f64) -> Option<f64> {
        let is_bound = self.at_most.is_some_and(|most| number <= most)
            || self.at_least.is_some_and(|least| number >= least);
        (!is_bound).then_some(number)
    }

    /// `number` as text, as in `<-528.9` or `>+528.9` if it is only a bound.
    fn format(self, number: f64, digits: usize) -> String {
        let sign = match self {
            _ if self.exact(number).is_some() => "",
            Estimate { at_most: Some(most), .. } if number <= most => "<",
            _ => ">",
        };
        format!("{sign}{}", signed(number, digits))
    }

    /// The estimate of a function of the parameter. `f` must be increasing, or the ends of the
    /// interval would change places.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        let Estimate { value, low, high, at_most, at_least } = self;
        Estimate {
            value: f(value),
            low: f(low),
            high: f(high),
            at_most: at_most.map(&f),
            at_least: at_least.map(&f),
        }
    }
}

impl fmt::Display for Estimate {
    /// `+12.3 [-4.0, +28.6]`, with `<` or `>` before a bound; the format's precision sets the
    /// digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let [value, low, high] =
            [self.value, self.low, self.high].map(|number| self.format(number, digits));
        write!(f, "{value} [{low}, {high}]")
    }
}

/// Formats `x` with its sign, but never as `-0`.
pub fn signed(x: f64, digits: usize) -> String {
    let text = format!("{x:+.digits$}");
    // Rounded to zero: no digit but 0 is left.
    if text.bytes().all(|byte| !matches!(byte, b'1'..=b'9')) {
        return text.replace('-', "+");
    }
    text
}

/// The standard normal distribution's 97.5 % quantile: 95 % lie within ± this.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The standard normal distribution function, also at the infinities.
pub(super) fn normal_cdf(x: f64) -> f64 {
    let tail = upper_tail(x.abs());
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The probability that a standard normal variable exceeds `x >= 0`, to about 15 digits. A series
/// near 0 (Abramowitz and Stegun 26.2.11), a continued fraction further out (26.2.14).
fn upper_tail(x: f64) -> f64 {
    // The result would be less than the smallest double.
    if x > 39.0 {
        return 0.0;
    }
    // The series needs more terms the further out x is, the fraction the nearer to 0. At 3 both
    // need a moderate number.
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 3.0 {
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > sum * 1e-17 {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        let fraction = (1..200).rev().fold(x, |below, k| x + f64::from(k) / below);
        density / fraction
    }
}

/// The 97.5 % quantile of Student's t with `degrees` of freedom: 95 % lie within ± this. Infinite
/// for 0 degrees.
///
/// Exact for 1 and 2 degrees. For more it is the Cornish-Fisher expansion (Abramowitz and Stegun
/// 26.7.5), which is 0.1 % too small for 3 degrees and more accurate for more.
pub(super) fn student_95(degrees: u64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1 => (0.475 * std::f64::consts::PI).tan(),
        2 => 0.95 * (2.0 / (1.0 - 0.95_f64.powi(2))).sqrt(),
        _ => {
            let (z, n) = (NORMAL_95, degrees as f64);
            let (z3, z5, z7, z9) = (z.powi(3), z.powi(5), z.powi(7), z.powi(9));
            z + (z3 + z) / 4.0 / n
                + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0 / n.powi(2)
                + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0 / n.powi(3)
                + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z)
                    / 92160.0
                    / n.powi(4)
        }
    }
}

/// The distribution function of Student's t with `degrees` of freedom; ½ for 0 degrees.
///
/// The finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4. From 2,000 degrees on the normal
/// distribution, from which it differs by less than 0.0002.
pub(super) fn student_cdf(t: f64, degrees: u64) -> f64 {
    if degrees == 0 {
        return 0.5;
    }
    if degrees >= 2000 {
        return normal_cdf(t);
    }
    let n = degrees as f64;
    let (sine, cosine) = (t / (n + t * t).sqrt(), (n / (n + t * t)).sqrt());
    let is_odd = degrees % 2 == 1;
    // The terms are cosᵏ times a product of k/(k+1), with k = 0, 2, 4 ... or 1, 3, 5 ...
    let mut term = if is_odd { cosine } else { 1.0 };
    let (mut sum, mut k) = (0.0, u64::from(is_odd));
    while k + 2 <= degrees {
        sum += term;
        term *= (k + 1) as f64 / (k + 2) as f64 * cosine * cosine;
        k += 2;
    }
    let inside = if is_odd {
        ((t / n.sqrt()).atan() + sine * sum) * 2.0 / std::f64::consts::PI
    } else {
        sine * sum
    };
    0.5 + inside / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_probabilities_match_tables() {
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (NORMAL_95, 0.975),
            (2.5, 0.993_790_334_674_223_8),
            (3.0, 0.998_650_101_968_369_9),
            (-4.0, 3.167_124_183_311_992e-5),
            (-10.0, 7.619_853_024_160_525e-24),
        ];
        for (x, p) in table {
            assert!((normal_cdf(x) / p - 1.0).abs() < 1e-13, "{x}: {}", normal_cdf(x));
        }
        assert!(normal_cdf(f64::INFINITY) >= 1.0);
        assert!(normal_cdf(f64::NEG_INFINITY) <= 0.0);
    }

    #[test]
    fn student_probabilities_match_quantiles() {
        for degrees in [1, 2, 3, 4, 9, 30, 99, 1999] {
            let share = student_cdf(student_95(degrees), degrees);
            assert!((share - 0.975).abs() < 1e-4, "{degrees}: {share}");
            assert!((student_cdf(-1.0, degrees) + student_cdf(1.0, degrees) - 1.0).abs() < 1e-12);
        }
        // Abramowitz and Stegun, table 26.10: t = 1.533 is the 90 % quantile for n = 4.
        assert!((student_cdf(1.533, 4) - 0.9).abs() < 1e-4);
        assert!((student_cdf(2.0, 1999) - student_cdf(2.0, 2000)).abs() < 2e-4);
        assert_eq!((student_cdf(9.0, 0), student_cdf(0.0, 5)), (0.5, 0.5));
    }

    #[test]
    fn student_matches_tables() {
        let table = [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622)];
        for (degrees, t) in table.into_iter().chain([(30, 2.0423), (1000, 1.9623)]) {
            assert!((student_95(degrees) / t - 1.0).abs() < 0.0013, "{degrees}");
        }
        assert!(student_95(0).is_infinite());
        assert!((student_95(u64::MAX) - NORMAL_95).abs() < 1e-12);
    }
}
