use rayon::prelude::*;

use super::model;
use crate::eval::Instructions;
use crate::eval::dispatch::compiled_for;

/// Steps until the rate has its full length: long steps at first would push
/// all units to their ends.
const WARM_UP: f32 = 400.0;

/// Weights that take a step together.
const PIECE: usize = 1 << 12;

// All weights of a piece decay alike.
const _: () = assert!(model::INPUT.all().end.is_multiple_of(PIECE));

/// How much of the past the means keep.
const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;

/// The largest a weight can be: what the finished network's bytes hold.
const LARGEST: f32 = 1.98;

/// Descent with a step of its own for each weight, and with decay apart from
/// the gradient (Loshchilov, Hutter, "Decoupled Weight Decay Regularization",
/// 2019).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Adam {
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
    pub(super) steps: u64,
}

/// How long steps are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(super) rate: f32,
    /// What weights lose in a step, as a part of the rate: those of the rows
    /// of the input, the others.
    pub(super) decays: [f32; 2],
}

impl Adam {
    pub(super) fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// One step down the mean of `gradients`, sums over `count` positions
    /// together.
    pub(super) fn descend(
        &mut self,
        weights: &mut [f32],
        gradients: &[Vec<f32>],
        count: usize,
        pace: Pace,
    ) {
        self.steps += 1;
        let correct = |decay: f32| (1.0 - f64::from(decay).powf(self.steps as f64)) as f32;
        let corrections = [correct(MEAN), correct(SQUARE)];
        let each = 1.0 / count as f32;
        let rate = pace.rate * (self.steps as f32 / WARM_UP).min(1.0);
        let instructions = Instructions::detect();
        let pieces = weights.par_chunks_mut(PIECE);
        let pieces = pieces.zip(self.mean.par_chunks_mut(PIECE));
        let pieces = pieces.zip(self.square.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(n, ((weights, mean), square))| {
            let at = n * PIECE;
            let gradients: Vec<&[f32]> = gradients.iter().map(|all| &all[at..]).collect();
            let gradients = &gradients[..];
            let decay = pace.decays[usize::from(at >= model::INPUT.all().end)];
            let step = &Step { each, rate, corrections, decay };
            compiled_for!(
                instructions,
                descend(
                    gradients: &[&[f32]],
                    weights: &mut [f32],
                    mean: &mut [f32],
                    square: &mut [f32],
                    step: &Step,
                ) -> ()
            );
        });
    }
}

/// What the weights of a piece have in common.
struct Step {
    /// What a position counts.
    each: f32,
    rate: f32,
    /// Of the means, which begin at 0.
    corrections: [f32; 2],
    decay: f32,
}

#[inline(always)]
fn descend(
    gradients: &[&[f32]],
    weights: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
    step: &Step,
) {
    let mut sum = [0.0f32; PIECE];
    let sum = &mut sum[..weights.len()];
    for gradient in gradients {
        for (sum, g) in sum.iter_mut().zip(*gradient) {
            *sum += g * step.each;
        }
    }
    let [c1, c2] = step.corrections;
    for (((w, m), s), g) in weights.iter_mut().zip(mean).zip(square).zip(sum) {
        *m += 0.1 * (*g - *m);
        *s += 0.001 * (*g * *g - *s);
        let length = (*m / c1) / ((*s / c2).sqrt() + 1e-8);
        *w -= step.rate * (length + step.decay * *w);
        *w = w.clamp(-LARGEST, LARGEST);
    }
}
