//! Elo differences of two engines from the scores between them.
//!
//! **Values.** s is the mean score per game, σ the standard deviation of a single game's score. For
//! pairs σ is √2 times the standard deviation of a pair's score per game:
//!
//! ```text
//! logistic     400 · log₁₀(s / (1 - s))
//! normalized   (s - ½) / σ · 800 / ln 10
//! ```
//!
//! The values agree with fishtest and fastchess. Normalized Elo is Van den Bergh's (*Normalized
//! Elo*). Logistic Elo predicts a score. Normalized Elo predicts how many games it takes to prove
//! the difference.
//!
//! **Intervals.** The usual ± 1.96 standard errors exceed the range of scores in lopsided matches
//! and have width 0 in perfect ones. Likelihood-ratio intervals replace them here. They contain the
//! values x that the sample does not refute:
//!
//! ```text
//!            .--+--.          maximum of ln L(x)
//!          /    |    \
//!  ------/------+------\----  t²/2 below the maximum
//!       low   value   high
//! ```
//!
//! L is the exact likelihood that the SPRT uses (see `likelihood`), and t the 97.5 % quantile of
//! Student's distribution. To first order these are the usual intervals. They stay within the
//! scores 0 and 1, and are asymmetric for lopsided matches. Student's t replaces the normal
//! quantile because the variance is an estimate too, which matters for few pairs.
//!
//! **Finite results.** In a match of G games, scores are limited to 1 - ½/(G+1), as if half a point
//! had been lost in one additional game. So 20 wins in 20 games are "more than +645 Elo". This
//! bound replaces both the value and the upper end of the interval. [`Estimate`] says which of its
//! numbers are only bounds.
//!
//! **One model.** Interval and likelihood of superiority (LOS) come from the same likelihood, so
//! they agree. Where the interval excludes 0, the LOS exceeds 97.5 % or is below 2.5 %.

use super::estimate::{Estimate, student_95, student_cdf};
use crate::statistics::likelihood;
use crate::statistics::tally::Tally;

impl<const N: usize> Tally<N> {
    /// The logistic Elo difference; `None` without games.
    pub fn elo(&self) -> Option<Estimate> {
        let (least, most) = (self.cut_off(), 1.0 - self.cut_off());
        let score = self.score()?.clamp(least, most);
        let support = |score| likelihood::support_of_mean(&self.counts(), score);
        let interval = self.interval(support, score, 0.5 / self.root_observations(), [least, most]);
        Some(interval.map(logistic_elo))
    }

    /// The normalized Elo difference, (score - ½)/σ · 800/ln 10; `None` without games. σ is the
    /// standard deviation of a single game's score. For pairs it is √2 times that of a pair's score
    /// per game.
    ///
    /// It determines how many games a test of the difference takes, whatever the draw rate. If all
    /// observations are equal, σ is computed as if half an observation had the neighbouring score.
    pub fn nelo(&self) -> Option<Estimate> {
        let per_t = NELO_PER_SIGMA / (Self::GAMES_EACH as f64).sqrt();
        // The least variance: half an observation has the neighbouring score, 1/(N-1) away, and all
        // others are equal.
        let half = 0.5 / self.observations() as f64;
        let least = half * (1.0 - half) / ((N - 1) as f64).powi(2);
        let most = (0.5 - self.cut_off()) / least.sqrt();
        let t = (self.score()? - 0.5) / self.variance()?.max(least).sqrt();
        let support = |t| likelihood::support_of_t_value(&self.counts(), t);
        let step = 1.0 / self.root_observations();
        let interval = self.interval(support, t.clamp(-most, most), step, [-most, most]);
        Some(interval.map(|t| t * per_t))
    }

    /// The likelihood of superiority, 0 to 1; ½ without games. It is the signed root of the
    /// likelihood ratio against equal engines, as a quantile of the same Student's t as in the
    /// interval.
    pub fn los(&self) -> f64 {
        let Some(score) = self.score() else { return 0.5 };
        let root = (-2.0 * likelihood::support_of_mean(&self.counts(), 0.5)).max(0.0).sqrt();
        student_cdf(root.copysign(score - 0.5), self.observations() - 1)
    }

    /// The smallest distance of a score from 0 and 1: half a point in one additional game.
    fn cut_off(&self) -> f64 {
        0.5 / (self.games() as f64 + 1.0)
    }

    /// The root of the number of observations. Standard errors are inversely proportional to it.
    fn root_observations(&self) -> f64 {
        (self.observations() as f64).sqrt()
    }

    /// The 95 % likelihood-ratio interval of a parameter around its estimate `value`, within
    /// `limits`. `support` is the log-likelihood relative to its maximum. `step` is about one
    /// standard error; the search for an end of the interval starts at a distance of two.
    fn interval(
        &self,
        support: impl Fn(f64) -> f64,
        value: f64,
        step: f64,
        limits: [f64; 2],
    ) -> Estimate {
        let drop = student_95(self.observations() - 1).powi(2);
        // If all observations are equal, the estimated variance is 0 and the interval by Student's
        // t would be too short.
        let drop = if self.is_uniform() { drop.max(UNIFORM_DROP) } else { drop };
        let excess = |x| support(x) + drop / 2.0;
        let [low, high] = [(-step, limits[0]), (step, limits[1])]
            .map(|(step, limit)| crossing(excess, value, 2.0 * step, limit));
        let [at_most, at_least] = limits.map(Some);
        Estimate { value, low, high, at_most, at_least }
    }
}

/// The expected score, 0 to 1, of an engine `elo` stronger: 1/(1+10^(-elo/400)).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The logistic Elo difference of a score in (0, 1), the inverse of [`expected_score`]; infinite at
/// 0 and 1.
pub fn logistic_elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Normalized Elo per standard deviation of a game's score: 800/ln 10. With this factor both kinds
/// of Elo agree for nearly equal engines that never draw.
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Twice the drop of the support at the ends of an interval if all observations are equal. It is
/// the exact binomial bound, score^observations = 2.5 %; the decimal number is ln 40.
const UNIFORM_DROP: f64 = 2.0 * 3.688_879_454_113_936;

/// The first zero of `f` between `start`, where `f` is positive, and `limit`; `limit` if there is
/// none. Growing steps bracket the zero, and the Illinois method refines it.
fn crossing(f: impl Fn(f64) -> f64, start: f64, mut step: f64, limit: f64) -> f64 {
    // Throughout, `f(inside) = above > 0`, and once bracketed `f(outside) = below <= 0`.
    let (mut inside, mut outside) = (start, start);
    let (mut above, mut below) = (f(start), f(limit));
    if above <= 0.0 {
        return start;
    }
    if below >= 0.0 {
        return limit;
    }
    while (limit - outside) * step > 0.0 {
        outside = if (limit - outside - step) * step > 0.0 { outside + step } else { limit };
        below = f(outside);
        if below <= 0.0 {
            break;
        }
        (inside, above, step) = (outside, below, 2.0 * step);
    }
    // Plain regula falsi converges slowly if `f` is curved, because one end of the bracket stays
    // where it is. The Illinois method (Dowell and Jarratt 1971) halves the value at an end that
    // was kept twice. `side` is the sign of the last value.
    let mut side = 0;
    for _ in 0..100 {
        if (outside - inside).abs() <= 1e-12 * (1.0 + outside.abs()) {
            break;
        }
        let x = (inside * below - outside * above) / (below - above);
        let y = f(x);
        if y > 0.0 {
            (inside, above) = (x, y);
            if side > 0 {
                below /= 2.0;
            }
            side = 1;
        } else {
            (outside, below) = (x, y);
            if side < 0 {
                above /= 2.0;
            }
            side = -1;
        }
        if y.abs() < 1e-10 {
            return x;
        }
    }
    inside
}
