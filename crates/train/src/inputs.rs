//! Positions as inputs of the value, for its fits.

use pontifex::eval::linear::fitting::{
    FEATURES, INPUTS, KNOTS, between, features, lead_inputs, phase,
};
use pontifex::game::Position;

/// Weights of an input: one at each knot, and one for half turns.
pub(super) const EACH: usize = KNOTS.len() + 1;

/// What the value of a position is computed from.
pub(super) struct Inputs {
    features: [i8; FEATURES],
    phase: u8,
    is_half: bool,
    /// The expected lead; 0 until it is known.
    lead: f32,
}

/// Weights by knot and input, an order in which sums read memory linearly.
pub(super) struct KnotWeights([[f32; INPUTS]; EACH]);

impl Inputs {
    pub(super) fn new(position: &Position) -> Inputs {
        Inputs {
            features: features(position).map(|x| x as i8),
            phase: phase(position) as u8,
            is_half: position.is_half_turn(),
            lead: 0.0,
        }
    }

    /// Forgets the expected lead.
    pub(super) fn clear_lead(&mut self) {
        self.lead = 0.0;
    }

    /// Computes the expected lead from its weights.
    pub(super) fn set_lead(&mut self, weights: &[[f32; EACH]]) {
        let shares = self.shares();
        let weight = |w: &[f32; EACH]| shares.iter().map(|&(n, share)| w[n] * share).sum::<f32>();
        let terms = self.features.iter().zip(weights).map(|(&x, w)| f32::from(x) * weight(w));
        self.lead = terms.sum();
    }

    /// The coefficients of the weights of the two nearest knots and of those
    /// for half turns.
    fn shares(&self) -> [(usize, f32); 3] {
        let (low, share) = between(usize::from(self.phase));
        [(low, 1.0 - share), (low + 1, share), (EACH - 1, f32::from(self.is_half))]
    }

    fn numbers(&self) -> [f32; INPUTS] {
        let mut x = [0.0; INPUTS];
        for (x, &feature) in x.iter_mut().zip(&self.features) {
            *x = f32::from(feature);
        }
        x[FEATURES..].copy_from_slice(&lead_inputs(self.lead));
        x
    }

    /// Adds the gradient of the weights to `gradient`, by knot and input, given
    /// the derivative `error` of the loss by the sum.
    pub(super) fn add_gradient(&self, error: f32, gradient: &mut [f32]) {
        let x = self.numbers();
        for (n, share) in self.shares() {
            let factor = share * error;
            if factor != 0.0 {
                let gradient = &mut gradient[n * INPUTS..(n + 1) * INPUTS];
                gradient.iter_mut().zip(&x).for_each(|(g, x)| *g += factor * x);
            }
        }
    }
}

impl KnotWeights {
    /// From `weight`, which is indexed by input, then by knot.
    pub(super) fn new(weight: impl Fn(usize) -> f32) -> KnotWeights {
        let mut weights = [[0.0; INPUTS]; EACH];
        for n in 0..INPUTS * EACH {
            weights[n % EACH][n / EACH] = weight(n);
        }
        KnotWeights(weights)
    }

    /// The weighted sum of `inputs`.
    pub(super) fn sum(&self, inputs: &Inputs) -> f32 {
        let x = inputs.numbers();
        let product = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>();
        let shares = inputs.shares().into_iter().filter(|&(_, share)| share != 0.0);
        shares.map(|(n, share)| share * product(&self.0[n])).sum()
    }
}

/// The scale of each input: the root of its mean square.
pub(super) fn scales<'a>(all: impl Iterator<Item = &'a Inputs>) -> Vec<f64> {
    let mut squares = vec![0.0; FEATURES];
    let mut count = 0.0f64;
    for inputs in all {
        count += 1.0;
        for (square, &x) in squares.iter_mut().zip(&inputs.features) {
            *square += f64::from(x) * f64::from(x);
        }
    }
    // Not below 0.05, or a rare feature gets a huge weight.
    let count = count.max(1.0);
    let mut scales: Vec<f64> = squares.iter().map(|s| (s / count).sqrt().max(0.05)).collect();
    // Typical leads are a few points.
    scales.resize(INPUTS, 2.0);
    scales
}
