//! Positions as the fits of the value have them.

use crate::eval::linear::KNOTS;
use crate::eval::linear::value::{FEATURES, INPUTS, features, guesses, phase};
use crate::eval::linear::weights::between;
use crate::game::Position;

/// Weights of a feature: at the knots, and for half turns.
pub(super) const EACH: usize = KNOTS.len() + 1;

/// What the linear evaluation sees of a position.
pub(super) struct Seen {
    features: [i8; FEATURES],
    phase: u8,
    is_half: bool,
    /// The lead that is expected, 0 before one is.
    guess: f32,
}

/// Weights by knot and input, so that sums run over neighbours in memory.
pub(super) struct Weighed([[f32; INPUTS]; EACH]);

impl Seen {
    pub(super) fn of(position: &Position) -> Seen {
        Seen {
            features: features(position).map(|x| x.clamp(-128.0, 127.0) as i8),
            phase: phase(position) as u8,
            is_half: position.is_half_turn(),
            guess: 0.0,
        }
    }

    /// No lead is expected yet.
    pub(super) fn expect_nothing(&mut self) {
        self.guess = 0.0;
    }

    /// Foresees the lead by its weights.
    pub(super) fn foresee(&mut self, lead: &[[f32; EACH]]) {
        let shares = self.shares();
        let weight = |w: &[f32; EACH]| shares.iter().map(|&(n, share)| w[n] * share).sum::<f32>();
        let terms = self.features.iter().zip(lead).map(|(&x, w)| f32::from(x) * weight(w));
        self.guess = terms.sum();
    }

    /// How much the weights of each knot and of half turns count.
    fn shares(&self) -> [(usize, f32); 3] {
        let (low, share) = between(usize::from(self.phase));
        [(low, 1.0 - share), (low + 1, share), (EACH - 1, f32::from(self.is_half))]
    }

    fn inputs(&self) -> [f32; INPUTS] {
        let mut x = [0.0; INPUTS];
        for (x, &feature) in x.iter_mut().zip(&self.features) {
            *x = f32::from(feature);
        }
        x[FEATURES..].copy_from_slice(&guesses(self.guess));
        x
    }

    /// Adds to a gradient, by knot and input, what `error` in the sum means.
    pub(super) fn learn(&self, error: f32, gradient: &mut [f32]) {
        let x = self.inputs();
        for (n, share) in self.shares() {
            let factor = share * error;
            if factor != 0.0 {
                let gradient = &mut gradient[n * INPUTS..(n + 1) * INPUTS];
                gradient.iter_mut().zip(&x).for_each(|(g, x)| *g += factor * x);
            }
        }
    }
}

impl Weighed {
    /// From `weight`, the weights of each input in turn.
    pub(super) fn new(weight: impl Fn(usize) -> f32) -> Weighed {
        let mut weights = [[0.0; INPUTS]; EACH];
        for n in 0..INPUTS * EACH {
            weights[n % EACH][n / EACH] = weight(n);
        }
        Weighed(weights)
    }

    /// The weighted sum.
    pub(super) fn sum(&self, seen: &Seen) -> f32 {
        let x = seen.inputs();
        let product = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>();
        let shares = seen.shares().into_iter().filter(|&(_, share)| share != 0.0);
        shares.map(|(n, share)| share * product(&self.0[n])).sum()
    }
}

/// How large each input is, as the root of its mean square.
pub(super) fn scales<'a>(all: impl Iterator<Item = &'a Seen>) -> Vec<f64> {
    let mut squares = vec![0.0; FEATURES];
    let mut count = 0.0f64;
    for seen in all {
        count += 1.0;
        for (square, &x) in squares.iter_mut().zip(&seen.features) {
            *square += f64::from(x) * f64::from(x);
        }
    }
    // A feature that is hardly ever there must not get a huge weight.
    let count = count.max(1.0);
    let mut scales: Vec<f64> = squares.iter().map(|s| (s / count).sqrt().max(0.05)).collect();
    // Leads are a few points.
    scales.resize(INPUTS, 2.0);
    scales
}
