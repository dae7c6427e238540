//! Positions as inputs of the value, and the fit of the weights of these inputs, which the value
//! and the leaf blend share.
//!
//! A weight has four values, at the knots of the phase, and an addend for half turns. A sample uses
//! two neighbouring knots and perhaps the addend, so its gradient touches three of five rows. Rows
//! are stored by knot and then by input, in the order in which sums read them. The files and
//! `Weights` have the opposite order, and [`KnotFit::run`] converts.
//!
//! The optimizer sees each weight times the scale of its input. Inputs differ widely in size.
//! Without scales the penalties would hit the weights of small inputs hardest, and L-BFGS would
//! converge slowly.

use pontifex::eval::linear::fitting::{
    FEATURES, INPUTS, KNOTS, between, features, lead_inputs, phase,
};
use pontifex::game::Position;
use rayon::prelude::*;

use crate::optimizers::{Sums, minimize};

/// A fit of weights of [`Inputs`] with full gradients.
pub(super) struct KnotFit<'a, S> {
    pub(super) samples: &'a [S],
    /// The scale of each input, by [`input_scales`].
    pub(super) scales: Vec<f64>,
    /// Samples per partial sum.
    pub(super) chunk: usize,
    /// The maximum number of optimizer steps.
    pub(super) steps: usize,
}

/// The length of a set of weights in the vector that is fitted.
const SET_LEN: usize = INPUTS * PER_INPUT;

impl<S: Sync> KnotFit<'_, S> {
    /// Fits sets of weights, starting from `weights`. `add` adds a sample to the sums, with the
    /// gradients of the sets one after the other, each by knot and input. `penalty` receives the
    /// current and the initial scaled weights, adds the gradient of the penalty to its last
    /// argument and returns the penalty. `report` receives the number of each step and its loss.
    pub(super) fn run(
        &self,
        weights: &mut [Vec<[f32; PER_INPUT]>],
        add: impl Fn(&S, &[KnotWeights], &mut Sums) + Sync,
        penalty: impl Fn(&[f64], &[f64], &mut [f64]) -> f64,
        report: impl FnMut(usize, f64),
    ) {
        let scale = |n: usize| self.scales[n % SET_LEN / PER_INPUT];
        let flat = weights.iter().flatten().flatten().enumerate();
        let start: Vec<f64> = flat.map(|(n, &weight)| f64::from(weight) * scale(n)).collect();
        let mut x = start.clone();
        let function = |x: &[f64], gradient: &mut [f64]| {
            let set = |start| KnotWeights::new(|n| (x[start + n] / scale(n)) as f32);
            let sets: Vec<KnotWeights> = (0..x.len()).step_by(SET_LEN).map(set).collect();
            let chunks = self.samples.par_chunks(self.chunk);
            let sums: Sums<f64> = Sums::over(chunks, x.len(), |samples, sums| {
                for sample in samples {
                    add(sample, &sets, sums);
                }
            });
            for (n, g) in gradient.iter_mut().enumerate() {
                // The vector is by input and then by knot, as in the file; the sums are by knot.
                let by_knot = n - n % SET_LEN + n % PER_INPUT * INPUTS + n % SET_LEN / PER_INPUT;
                *g = sums.gradient[by_knot] / (scale(n) * sums.weight.max(1.0));
            }
            sums.mean() + penalty(x, &start, gradient)
        };
        minimize(&mut x, self.steps, function, report);
        for (n, weight) in weights.iter_mut().flatten().flatten().enumerate() {
            *weight = (x[n] / scale(n)) as f32;
        }
    }
}

/// The number of weights of an input: one at each knot, and one for half turns.
pub(super) const PER_INPUT: usize = KNOTS.len() + 1;

/// The inputs of a position's value.
pub(super) struct Inputs {
    /// In bytes, because a fit holds all positions in memory.
    features: [i8; FEATURES],
    phase: u8,
    is_half: bool,
    /// The expected lead; 0 until it is known.
    lead: f32,
}

/// Weights by knot and input, an order in which sums read memory linearly.
pub(super) struct KnotWeights([[f32; INPUTS]; PER_INPUT]);

impl Inputs {
    pub(super) fn new(position: &Position) -> Inputs {
        Inputs {
            // Features are from -128 to 127 and phases at most 32, so nothing is lost.
            features: features(position).map(|x| x as i8),
            phase: phase(position) as u8,
            is_half: position.is_half_turn(),
            lead: 0.0,
        }
    }

    /// Computes the expected lead from its weights.
    pub(super) fn set_lead(&mut self, weights: &[[f32; PER_INPUT]]) {
        let shares = self.shares();
        let weight =
            |w: &[f32; PER_INPUT]| shares.iter().map(|&(n, share)| w[n] * share).sum::<f32>();
        let terms = self.features.iter().zip(weights).map(|(&x, w)| f32::from(x) * weight(w));
        self.lead = terms.sum();
    }

    /// The coefficients of the weights of the two nearest knots and of those for half turns.
    fn shares(&self) -> [(usize, f32); 3] {
        let (low, share) = between(usize::from(self.phase));
        [(low, 1.0 - share), (low + 1, share), (PER_INPUT - 1, f32::from(self.is_half))]
    }

    /// All inputs as numbers: the features, then the inputs of the lead.
    fn values(&self) -> [f32; INPUTS] {
        let mut x = [0.0; INPUTS];
        for (x, &feature) in x.iter_mut().zip(&self.features) {
            *x = f32::from(feature);
        }
        x[FEATURES..].copy_from_slice(&lead_inputs(self.lead));
        x
    }

    /// Adds the gradient of the weights to `gradient`, by knot and input. `error` is the derivative
    /// of the loss with respect to the sum.
    pub(super) fn add_gradient(&self, error: f32, gradient: &mut [f32]) {
        let x = self.values();
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
        let mut weights = [[0.0; INPUTS]; PER_INPUT];
        for n in 0..INPUTS * PER_INPUT {
            weights[n % PER_INPUT][n / PER_INPUT] = weight(n);
        }
        KnotWeights(weights)
    }

    /// The weighted sum of `inputs`.
    pub(super) fn sum(&self, inputs: &Inputs) -> f32 {
        let x = inputs.values();
        let product = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>();
        let shares = inputs.shares().into_iter().filter(|&(_, share)| share != 0.0);
        shares.map(|(n, share)| share * product(&self.0[n])).sum()
    }
}

/// The scale of each input: the root of its mean square.
pub(super) fn input_scales<'a>(positions: impl Iterator<Item = &'a Inputs>) -> Vec<f64> {
    let mut squares = vec![0.0; FEATURES];
    let mut count = 0.0f64;
    for inputs in positions {
        count += 1.0;
        for (square, &x) in squares.iter_mut().zip(&inputs.features) {
            *square += f64::from(x) * f64::from(x);
        }
    }
    // Not below 0.05, or a rare feature gets a huge weight: the penalty would hardly see it.
    let count = count.max(1.0);
    let mut scales: Vec<f64> = squares.iter().map(|s| (s / count).sqrt().max(0.05)).collect();
    // The inputs of the lead are unknown here. Set by judgement: typical leads are a few points.
    scales.resize(INPUTS, 2.0);
    scales
}
