//! The exact likelihood of hypotheses about a distribution of scores, after Van den Bergh
//! (*Comments on normalized Elo*, "`normalized_elo_practical`", sections 1 and 4; *support for
//! multinomial MLE*). Statisticians call it empirical likelihood (Owen 2001).
//!
//! **The question.** Pairs have five scores with unknown probabilities p. The hypothesis "the
//! engine is 20 Elo stronger" does not determine p. It only demands that p satisfy one equation.
//! The *support* of a hypothesis says how well the best such p explains the sample:
//!
//! ```text
//! support = max { Σ nᵢ ln pᵢ : p satisfies the hypothesis } - max { Σ nᵢ ln pᵢ }
//! ```
//!
//! Here nᵢ counts the pairs with score i. The support is 0 for a hypothesis that the sample itself
//! satisfies, and negative for any other. It is -∞ if no p that satisfies the hypothesis allows all
//! scores that occurred, as for an expected score of 0. Intervals and the SPRT are computed from
//! differences of supports.
//!
//! **Not regularized.** Other programs add a fraction to each count, because the logarithm of a
//! probability 0 is infinite. Nothing is added here. The best p may give probability to scores that
//! did not occur, and loses only what it takes from the others. So even a sample of a single score
//! needs no special case.
//!
//! **A linear hypothesis** has the form E φ = Σ pᵢ φᵢ = 0. For the mean, φ is the score minus the
//! hypothetical mean. With a Lagrange multiplier x the best p is the sample *tilted* by φ:
//!
//! ```text
//! pᵢ = nᵢ / (n (1 + x φᵢ))      support = -Σ nᵢ ln(1 + x φᵢ)
//! ```
//!
//! where n = Σ nᵢ. Only the number x must be found, the zero of a decreasing function
//! ([`find_tilt`]). It lies where all 1 + x φᵢ are positive. At the end of that range one score has
//! 1 + x φᵢ = 0. If that score did not occur, it may take the probability that is left over.
//!
//! **Normalized Elo** is the mean divided by the standard deviation, which is not linear. With
//! scores c measured from ½, the hypothesis that this quotient is t reads
//!
//! ```text
//! E c = κ √(E c²)        κ = t / √(1 + t²), because the variance is E c² - (E c)²
//! √(E c²) = min over v of (E c²/v + v) / 2
//! ```
//!
//! The second line replaces the root by its tangents. For a fixed v the hypothesis is linear again,
//! so only v must be searched for: v gives the best p, and p gives the next v = √(E c²). If the
//! hypothesis says less than the sample (its t is smaller), there is one optimum
//! ([`support_of_weaker`]). If it says more, there may be several, and the search starts from
//! several points ([`support_of_stronger`]).

/// The scores as differences c from ½, worst first: -½ to ½.
fn scores<const N: usize>() -> [f64; N] {
    let mut scores = [0.0; N];
    for (i, score) in scores.iter_mut().enumerate() {
        *score = i as f64 / (N - 1) as f64 - 0.5;
    }
    scores
}

/// The support of the hypothesis that the expected score per game is `score`. Finite if `score` is
/// in (0, 1).
pub(super) fn support_of_mean<const N: usize>(counts: &[u64; N], score: f64) -> f64 {
    let weights = counts.map(|count| count as f64);
    let centred = scores::<N>().map(|c| c - (score - 0.5));
    find_tilt(&weights, &centred).map_or(f64::NEG_INFINITY, |tilt| tilt.support(&weights, &centred))
}

/// The support of the hypothesis that the expected score minus ½, divided by the standard
/// deviation, is `t` (finite).
pub(super) fn support_of_t_value<const N: usize>(counts: &[u64; N], t: f64) -> f64 {
    let mut weights = counts.map(|count| count as f64);
    let kappa = t.abs() / t.hypot(1.0);
    if kappa == 0.0 {
        return support_of_mean(counts, 0.5);
    }
    // The opponent's sample has the opposite t and the same support, so t >= 0 suffices.
    if t < 0.0 {
        weights.reverse();
    }
    let total: f64 = weights.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    let c = scores::<N>();
    let mean = expectation(&weights, &c) / total;
    let rms = Tilt::NONE.rms(&weights, &c);
    if mean > kappa * rms {
        support_of_weaker(&weights, kappa, rms)
    } else {
        support_of_stronger(&weights, kappa, rms)
    }
}

/// The φ of the linear hypothesis that replaces E c - κ √(E c²) = 0 at `v`.
fn tangent<const N: usize>(kappa: f64, v: f64) -> [f64; N] {
    scores::<N>().map(|c| c - kappa * (c * c / v + v) / 2.0)
}

/// The tolerance of v. The support is at an extremum, so its error is of the order of the square of
/// this, times the number of pairs. No test or interval could show a difference that small.
const V_TOLERANCE: f64 = 1e-7;

/// [`support_of_t_value`] if the sample's own t is greater: a concave maximum over a convex set,
/// which is the unique minimum over v. `start` is the sample's √(E c²).
fn support_of_weaker<const N: usize>(weights: &[f64; N], kappa: f64, start: f64) -> f64 {
    // √(E c²) is between 0 and ½, because all |c| are.
    let (mut low, mut high, mut v) = (0.0, 0.5, start);
    let mut support = 0.0;
    for round in 1..100 {
        let phi = tangent::<N>(kappa, v);
        // The hypothesis is an inequality here: a sample on its right side need not be tilted.
        let is_satisfied = expectation(weights, &phi) <= 0.0;
        let tilt = if is_satisfied { Some(Tilt::NONE) } else { find_tilt(weights, &phi) };
        let Some(tilt) = tilt else { break };
        support = tilt.support(weights, &phi);
        let rms = tilt.rms(weights, &phi);
        if (rms - v).abs() < V_TOLERANCE || high - low < V_TOLERANCE {
            break;
        }
        if rms > v {
            low = v;
        } else {
            high = v;
        }
        // A bisection every third round bounds the number of rounds.
        let is_inside = low < rms && rms < high && round % 3 > 0;
        v = if is_inside { rms } else { f64::midpoint(low, high) };
    }
    support
}

/// [`support_of_t_value`] if the sample's own t is less: the maximum over v. Each step climbs
/// towards a local maximum, and there can be several if some scores are rare. The starting points
/// are the sample's own √(E c²), `start`, and that of distributions with a little or a lot of
/// probability moved to one score. Scans of v for 13,000 sparse samples confirmed that they find
/// the maximum; a test below scans some more.
///
/// A climb stops where an earlier one has ended.
fn support_of_stronger<const N: usize>(weights: &[f64; N], kappa: f64, start: f64) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    // The v at which each climb ended; infinite while none has.
    let mut summits = [f64::INFINITY; 5];
    for (climb, mut v) in [start, 0.5, 0.25, 0.5 * kappa, 0.25 * kappa].into_iter().enumerate() {
        for round in 1..=200 {
            // Set by judgement: a climb that gets this close to the end of another one leads to the
            // same maximum.
            if v == 0.0 || summits.iter().any(|summit| (summit - v).abs() < 1e-4) {
                break;
            }
            let phi = tangent::<N>(kappa, v);
            let Some(tilt) = find_tilt(weights, &phi) else { break };
            let rms = tilt.rms(weights, &phi);
            if (rms - v).abs() < V_TOLERANCE || round == 200 {
                summits[climb] = rms;
                highest = highest.max(tilt.support(weights, &phi));
                break;
            }
            v = rms;
        }
    }
    highest
}

/// Σ weights φ.
fn expectation<const N: usize>(weights: &[f64; N], phi: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for (weight, phi) in weights.iter().zip(phi) {
        sum += weight * phi;
    }
    sum
}

/// The most likely distribution under a linear constraint E φ = 0: its probabilities are
/// `weights / (1 + xφ)`, divided by the sum of the weights.
#[derive(Clone, Copy)]
struct Tilt {
    x: f64,
    /// The index of a score that did not occur and has 1 + xφ = 0. It takes the remaining
    /// probability.
    edge: Option<usize>,
}

impl Tilt {
    /// The distribution without a constraint.
    const NONE: Tilt = Tilt { x: 0.0, edge: None };

    /// The log-likelihood of this distribution minus that of [`Tilt::NONE`].
    fn support<const N: usize>(self, weights: &[f64; N], phi: &[f64; N]) -> f64 {
        let mut support = 0.0;
        for (weight, phi) in weights.iter().zip(phi) {
            if *weight > 0.0 {
                // In large samples xφ is small. `ln_1p` keeps its digits, which `ln(1 + xφ)` would
                // round away.
                support -= weight * (self.x * phi).ln_1p();
            }
        }
        support
    }

    /// √(E c²) of this distribution, the root mean square of the scores from ½.
    fn rms<const N: usize>(self, weights: &[f64; N], phi: &[f64; N]) -> f64 {
        let (mut total, mut mass, mut second) = (0.0, 0.0, 0.0);
        let c = scores::<N>();
        for i in 0..N {
            if weights[i] > 0.0 {
                let share = weights[i] / (1.0 + self.x * phi[i]);
                total += weights[i];
                mass += share;
                second += share * c[i] * c[i];
            }
        }
        if let Some(edge) = self.edge {
            second += (total - mass).max(0.0) * c[edge] * c[edge];
        }
        (second / total).sqrt()
    }
}

/// The most likely distribution with E φ = 0; `None` if there is none.
///
/// The x of this distribution maximizes Σ weights ln(1 + xφ) subject to 1 + xφ >= 0 for all scores
/// (Van den Bergh, proposition 1.1).
fn find_tilt<const N: usize>(weights: &[f64; N], phi: &[f64; N]) -> Option<Tilt> {
    let slope = |x: f64| {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for i in 0..N {
            if weights[i] > 0.0 {
                let part = phi[i] / (1.0 + x * phi[i]).max(f64::MIN_POSITIVE);
                slope += weights[i] * part;
                curvature += weights[i] * part * part;
            }
        }
        (slope, curvature)
    };
    // No distribution has E φ = 0 if all φ have the same sign.
    let (mut least, mut most) = (0, 0);
    for i in 1..N {
        if phi[i] < phi[least] {
            least = i;
        }
        if phi[i] > phi[most] {
            most = i;
        }
    }
    if phi[least] > 0.0 || phi[most] < 0.0 {
        return None;
    }
    let (at_zero, _) = slope(0.0);
    // The slope decreases in x. So a positive slope at 0 has its zero at x > 0, a negative one at x
    // < 0, in both cases before the first 1 + xφ becomes 0.
    let edge = if at_zero > 0.0 {
        least
    } else if at_zero < 0.0 {
        most
    } else {
        return Some(Tilt::NONE);
    };
    let end = -1.0 / phi[edge];
    // No φ has the other sign, so E φ = 0 would give probability 0 to scores that occurred.
    if !end.is_finite() {
        return None;
    }
    // If the score at the end occurred, the slope is infinite there, so a zero lies before it. If
    // it did not occur, there may be no zero, and the maximum is at the end.
    if weights[edge] == 0.0 && slope(end).0 * at_zero >= 0.0 {
        return Some(Tilt { x: end, edge: Some(edge) });
    }
    Some(Tilt { x: find_zero(slope, at_zero.signum(), end), edge: None })
}

/// The zero between 0 and `end` of a decreasing function with the sign `sign` at 0, by Newton's
/// method, with a bisection when a step leaves the bracket. `slope` returns the function's value
/// and its negative derivative.
fn find_zero(slope: impl Fn(f64) -> (f64, f64), sign: f64, end: f64) -> f64 {
    let (mut near, mut far, mut x) = (0.0, end, 0.0);
    for _ in 0..100 {
        let (value, curvature) = slope(x);
        if value * sign > 0.0 {
            near = x;
        } else {
            far = x;
        }
        let newton = x + value / curvature;
        let is_inside = (newton - near) * sign > 0.0 && (far - newton) * sign > 0.0;
        let next = if is_inside { newton } else { f64::midpoint(near, far) };
        let step = (next - x).abs();
        x = next;
        if step <= 1e-13 * end.abs() {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Compares with a plain scan over v.
    #[test]
    fn t_values_of_pairs_against_a_scan() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..100 {
            // Sparse counts, most of them 0.
            let counts = [(); 5].map(|()| match rng.random_range(0..4) {
                0 => rng.random_range(1..200),
                1 => 1,
                _ => 0,
            });
            if counts == [0; 5] {
                continue;
            }
            let largest = if rng.random() { 0.3 } else { 3.0 };
            let t: f64 = rng.random_range(0.0..largest);
            let kappa = t / t.hypot(1.0);
            let weights = counts.map(|count| count as f64);
            let c = scores::<5>();
            let total: f64 = weights.iter().sum();
            let mean = expectation(&weights, &c) / total;
            let rms = Tilt::NONE.rms(&weights, &c);
            let scan = (1..=1000).map(|i| f64::from(i) / 2_000.0).map(|v| {
                let phi = tangent::<5>(kappa, v);
                let is_satisfied = expectation(&weights, &phi) <= 0.0;
                match find_tilt(&weights, &phi) {
                    _ if is_satisfied && mean > kappa * rms => 0.0,
                    Some(tilt) => tilt.support(&weights, &phi),
                    None => f64::NEG_INFINITY,
                }
            });
            let best = if mean > kappa * rms {
                scan.fold(f64::INFINITY, f64::min)
            } else {
                scan.fold(f64::NEG_INFINITY, f64::max)
            };
            let support = support_of_t_value(&counts, t);
            assert!((support - best).abs() < 5e-2, "{counts:?} {t}: {support}, scan {best}");
        }
    }
}
