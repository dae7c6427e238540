//! The exact likelihood of hypotheses about a distribution of scores, after Van
//! den Bergh (*Comments on normalized Elo*, "`normalized_elo_practical`",
//! sections 1 and 4; *support for multinomial MLE*); also known as empirical
//! likelihood (Owen 2001).
//!
//! The *support* of a hypothesis is the maximum log-likelihood of the sample
//! over the distributions that satisfy the hypothesis, minus the maximum over
//! all distributions. It is at most 0 and always finite here. The counts are not
//! regularized: the maximizing distribution may give probability to scores that
//! did not occur, so samples of a single score need no special case.

/// The scores as differences c from ½, worst first: -½ to ½.
fn scores<const N: usize>() -> [f64; N] {
    let mut scores = [0.0; N];
    for (i, score) in scores.iter_mut().enumerate() {
        *score = i as f64 / (N - 1) as f64 - 0.5;
    }
    scores
}

/// The support of the hypothesis that the expected score is `score`, in (0, 1).
pub(super) fn of_mean<const N: usize>(counts: &[u64; N], score: f64) -> f64 {
    let weights = counts.map(|count| count as f64);
    let centred = scores::<N>().map(|c| c - (score - 0.5));
    tilt(&weights, &centred).map_or(f64::NEG_INFINITY, |tilt| tilt.support(&weights, &centred))
}

/// The support of the hypothesis that the expected score minus ½, divided by
/// the standard deviation, is `t` (finite).
///
/// The hypothesis is E c = κ √E c² with κ = t/√(1+t²), and √E c² is the minimum
/// of (E c²/v + v)/2 over v > 0. For fixed v the hypothesis is linear in the
/// distribution, so that only v is searched: each step moves to √E c² of the
/// best distribution for the previous v.
pub(super) fn of_t_value<const N: usize>(counts: &[u64; N], t: f64) -> f64 {
    let mut weights = counts.map(|count| count as f64);
    let kappa = t.abs() / t.hypot(1.0);
    if kappa == 0.0 {
        return of_mean(counts, 0.5);
    }
    if t < 0.0 {
        weights.reverse();
    }
    let total: f64 = weights.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    let c = scores::<N>();
    let first = expectation(&weights, &c) / total;
    let root = Tilt::NONE.root(&weights, &c);
    if first > kappa * root {
        weaker(&weights, kappa, root)
    } else {
        stronger(&weights, kappa, root)
    }
}

/// The linear function that replaces E c - κ √E c² at `v`.
fn tangent<const N: usize>(kappa: f64, v: f64) -> [f64; N] {
    scores::<N>().map(|c| c - kappa * (c * c / v + v) / 2.0)
}

/// The tolerance of v. The support is at an extremum there, so its error is of
/// the order of the square.
const TOLERANCE: f64 = 1e-7;

/// [`of_t_value`] if the sample's own t is greater: a concave maximum over a
/// convex set, which is the unique minimum over v.
fn weaker<const N: usize>(weights: &[f64; N], kappa: f64, start: f64) -> f64 {
    let (mut low, mut high, mut v) = (0.0, 0.5, start);
    let mut lowest = 0.0;
    for round in 1..100 {
        let phi = tangent::<N>(kappa, v);
        let held = expectation(weights, &phi) <= 0.0;
        let Some(tilt) = (if held { Some(Tilt::NONE) } else { tilt(weights, &phi) }) else { break };
        lowest = tilt.support(weights, &phi);
        let root = tilt.root(weights, &phi);
        if (root - v).abs() < TOLERANCE || high - low < TOLERANCE {
            break;
        }
        if root > v {
            low = v;
        } else {
            high = v;
        }
        // A bisection every third round bounds the number of steps.
        let step = low < root && root < high && round % 3 > 0;
        v = if step { root } else { f64::midpoint(low, high) };
    }
    lowest
}

/// [`of_t_value`] if the sample's own t is less: the maximum over v. Each step
/// climbs towards a local maximum, of which there can be several if some scores
/// are rare. The starting points are the sample's own v and those of
/// distributions that move a little or a lot of probability to one score. Scans
/// of v for 13,000 sparse samples confirmed that they find the maximum.
fn stronger<const N: usize>(weights: &[f64; N], kappa: f64, start: f64) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    let mut summits = [f64::INFINITY; 5];
    for (climb, mut v) in [start, 0.5, 0.25, 0.5 * kappa, 0.25 * kappa].into_iter().enumerate() {
        for round in 1..=200 {
            if v == 0.0 || summits.iter().any(|summit| (summit - v).abs() < 1e-4) {
                break;
            }
            let phi = tangent::<N>(kappa, v);
            let Some(tilt) = tilt(weights, &phi) else { break };
            let root = tilt.root(weights, &phi);
            if (root - v).abs() < TOLERANCE || round == 200 {
                summits[climb] = root;
                highest = highest.max(tilt.support(weights, &phi));
                break;
            }
            v = root;
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

/// The most likely distribution under a linear constraint E φ = 0: its
/// probabilities are `weights / (1 + xφ)`, normalized.
#[derive(Clone, Copy)]
struct Tilt {
    x: f64,
    /// A score that did not occur and has 1 + xφ = 0: it takes the remaining
    /// probability.
    edge: Option<usize>,
}

impl Tilt {
    /// The distribution without a constraint.
    const NONE: Tilt = Tilt { x: 0.0, edge: None };

    /// Its log-likelihood minus that of [`Tilt::NONE`].
    fn support<const N: usize>(self, weights: &[f64; N], phi: &[f64; N]) -> f64 {
        let mut support = 0.0;
        for (weight, phi) in weights.iter().zip(phi) {
            if *weight > 0.0 {
                support -= weight * (self.x * phi).ln_1p();
            }
        }
        support
    }

    /// Its √E c².
    fn root<const N: usize>(self, weights: &[f64; N], phi: &[f64; N]) -> f64 {
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
/// Its x maximizes Σ weights ln(1 + xφ) subject to 1 + xφ >= 0 for all scores
/// (Van den Bergh, proposition 1.1).
fn tilt<const N: usize>(weights: &[f64; N], phi: &[f64; N]) -> Option<Tilt> {
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
    let (edge, end) = match at_zero {
        rising if rising > 0.0 => (least, -1.0 / phi[least]),
        falling if falling < 0.0 => (most, -1.0 / phi[most]),
        _ => return Some(Tilt::NONE),
    };
    if !end.is_finite() {
        return None;
    }
    if weights[edge] == 0.0 && slope(end).0 * at_zero >= 0.0 {
        return Some(Tilt { x: end, edge: Some(edge) });
    }
    Some(Tilt { x: zero_of(slope, at_zero.signum(), end), edge: None })
}

/// The zero between 0 and `end` of a decreasing function with the sign `sign` at
/// 0, by Newton's method, with bisection when a step leaves the bracket. `slope`
/// returns the value and the negative derivative.
fn zero_of(slope: impl Fn(f64) -> (f64, f64), sign: f64, end: f64) -> f64 {
    let (mut near, mut far, mut x) = (0.0, end, 0.0);
    for _ in 0..100 {
        let (value, curvature) = slope(x);
        if value * sign > 0.0 {
            near = x;
        } else {
            far = x;
        }
        let newton = x + value / curvature;
        let inside = (newton - near) * sign > 0.0 && (far - newton) * sign > 0.0;
        let next = if inside { newton } else { f64::midpoint(near, far) };
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

    /// Five scores leave a search over v, here without any shortcut.
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
            let reach = if rng.random() { 0.3 } else { 3.0 };
            let t: f64 = rng.random_range(0.0..reach);
            let kappa = t / t.hypot(1.0);
            let weights = counts.map(|count| count as f64);
            let c = scores::<5>();
            let total: f64 = weights.iter().sum();
            let first = expectation(&weights, &c) / total;
            let root = Tilt::NONE.root(&weights, &c);
            let scan = (1..=1000).map(|i| f64::from(i) / 2_000.0).map(|v| {
                let phi = tangent::<5>(kappa, v);
                let held = expectation(&weights, &phi) <= 0.0;
                match tilt(&weights, &phi) {
                    _ if held && first > kappa * root => 0.0,
                    Some(tilt) => tilt.support(&weights, &phi),
                    None => f64::NEG_INFINITY,
                }
            });
            let best = if first > kappa * root {
                scan.fold(f64::INFINITY, f64::min)
            } else {
                scan.fold(f64::NEG_INFINITY, f64::max)
            };
            let found = of_t_value(&counts, t);
            assert!((found - best).abs() < 5e-2, "{counts:?} {t}: {found}, scan {best}");
        }
    }
}
