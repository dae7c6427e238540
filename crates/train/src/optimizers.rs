//! The sums over samples and the optimizers, which all fits share.
//!
//! [`Sums`] is computed in parallel. The parts do not depend on the number of threads and are added
//! in order, so that fits are deterministic.
//!
//! Limited-memory BFGS with backtracking (Nocedal, Wright, "Numerical Optimization", algorithm 7.4)
//! minimizes smooth functions. It suits the value and the blend: about a thousand weights, a smooth
//! loss, and few terms for each position.
//!
//! Adam (Kingma, Ba, "Adam: A Method for Stochastic Optimization", 2015) takes a step for each
//! batch. It suits the prior: a pass over all positions takes long, and rare features need larger
//! steps than frequent ones, which Adam finds for each weight.

use std::collections::VecDeque;
use std::ops::AddAssign;

use pontifex::eval::Random;
use rayon::prelude::*;

/// Sums over weighted samples. `T` is the type of the sums over all parts; those of a part are in
/// single precision.
pub(super) struct Sums<T = f32> {
    pub(super) loss: f64,
    pub(super) weight: f64,
    pub(super) gradient: Vec<T>,
}

impl<T: Copy + Default + From<f32> + AddAssign> Sums<T> {
    fn zero(len: usize) -> Sums<T> {
        Sums { loss: 0.0, weight: 0.0, gradient: vec![T::default(); len] }
    }

    /// The sums over all `parts`; `add` adds one of them. The gradient has `len` numbers.
    pub(super) fn over<P: Send>(
        parts: impl IndexedParallelIterator<Item = P>,
        len: usize,
        add: impl Fn(P, &mut Sums) + Sync,
    ) -> Sums<T> {
        let part_sums = |part| {
            let mut sums = Sums::zero(len);
            add(part, &mut sums);
            sums
        };
        let parts: Vec<Sums> = parts.map(part_sums).collect();
        let mut total = Sums::zero(len);
        for part in parts {
            total.loss += part.loss;
            total.weight += part.weight;
            total.gradient.iter_mut().zip(part.gradient).for_each(|(sum, g)| *sum += T::from(g));
        }
        total
    }
}

impl<T> Sums<T> {
    /// The mean loss.
    pub(super) fn mean(&self) -> f64 {
        self.loss / self.weight.max(1.0)
    }
}

/// The number of past steps that determine the curvature. Set by judgement: from the usual range of
/// 3 to 20; each step takes the memory of two vectors.
const MEMORY: usize = 12;

/// Minimizes `function`, starting from `x`. Leaves the best point in `x` and returns its value.
/// `function` returns its value and fills in its gradient. Stops after `steps` steps, or when a
/// step gains less than one part in a million. `report` receives the number of each step and the
/// value.
pub(super) fn minimize(
    x: &mut [f64],
    steps: usize,
    mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
    mut report: impl FnMut(usize, f64),
) -> f64 {
    let mut gradient = vec![0.0; x.len()];
    let mut value = function(x, &mut gradient);
    let mut history: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    let mut next_gradient = gradient.clone();
    for step in 1..=steps {
        let mut direction = descent_direction(&gradient, &history);
        let mut slope = dot(&direction, &gradient);
        // Rounding can turn the direction uphill. Then the history is dropped, and the step goes
        // down the gradient.
        if slope >= 0.0 {
            history.clear();
            direction = gradient.iter().map(|g| -g).collect();
            slope = dot(&direction, &gradient);
        }
        // With the curvature known, L-BFGS steps have length 1. The length of the first is a guess.
        let mut length =
            if history.is_empty() { 1.0 / dot(&gradient, &gradient).sqrt().max(1.0) } else { 1.0 };
        let old = x.to_vec();
        let mut next = f64::INFINITY;
        // Backtracking: halve the length until the value falls enough (Armijo). After 30 halvings
        // the length is 1e-9 of the first, and no step is worth taking.
        for _ in 0..30 {
            for ((x, old), d) in x.iter_mut().zip(&old).zip(&direction) {
                *x = old + length * d;
            }
            next = function(x, &mut next_gradient);
            if next <= value + 1e-4 * length * slope {
                break;
            }
            length /= 2.0;
        }
        if next >= value || next.is_nan() {
            x.copy_from_slice(&old);
            break;
        }
        let x_change: Vec<f64> = x.iter().zip(&old).map(|(x, old)| x - old).collect();
        let gradient_change: Vec<f64> =
            next_gradient.iter().zip(&gradient).map(|(n, g)| n - g).collect();
        let curvature = dot(&x_change, &gradient_change);
        // Only positive curvature keeps the approximation positive definite.
        if curvature > 1e-12 {
            if history.len() == MEMORY {
                history.pop_front();
            }
            history.push_back((x_change, gradient_change, curvature));
        }
        let gain = value - next;
        value = next;
        gradient.copy_from_slice(&next_gradient);
        report(step, value);
        if gain < 1e-6 * value.abs() {
            break;
        }
    }
    value
}

/// The direction of descent, by the two-loop recursion.
fn descent_direction(gradient: &[f64], history: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut alphas = Vec::with_capacity(history.len());
    for (x_change, gradient_change, curvature) in history.iter().rev() {
        let alpha = dot(x_change, &q) / curvature;
        q.iter_mut().zip(gradient_change).for_each(|(q, t)| *q -= alpha * t);
        alphas.push(alpha);
    }
    // The initial guess is the curvature of the last step, in all directions.
    if let Some((_, gradient_change, curvature)) = history.back() {
        let scale = curvature / dot(gradient_change, gradient_change);
        for q in &mut q {
            *q *= scale;
        }
    }
    for ((x_change, gradient_change, curvature), alpha) in
        history.iter().zip(alphas.into_iter().rev())
    {
        let beta = dot(gradient_change, &q) / curvature;
        q.iter_mut().zip(x_change).for_each(|(q, m)| *q += (alpha - beta) * m);
    }
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// How a loss is minimized batch by batch.
#[derive(Clone, Copy)]
pub(super) struct Descent {
    /// Passes over all items.
    pub(super) epochs: usize,
    /// Items per step.
    pub(super) batch: usize,
    /// The initial learning rate. It falls linearly to a fiftieth.
    pub(super) rate: f32,
    /// The penalty on squared weights.
    pub(super) decay: f32,
    /// Seed of the order of the items.
    pub(super) seed: u64,
}

impl Descent {
    /// Minimizes the loss with Adam, starting from `x`. `add` adds the samples of an item to the
    /// sums. `report` receives the number of each epoch and its mean loss.
    pub(super) fn run<I: Sync>(
        &self,
        items: &[I],
        x: &mut [f32],
        add: impl Fn(&I, &[f32], &mut Sums) + Sync,
        mut report: impl FnMut(usize, f64),
    ) {
        let mut adam = Adam::new(x.len());
        let mut random = Random::new(self.seed);
        let mut order: Vec<usize> = (0..items.len()).collect();
        let steps = self.epochs * items.len().div_ceil(self.batch);
        for epoch in 1..=self.epochs {
            // A Fisher-Yates shuffle by our own generator: the order is part of the result.
            for n in (1..order.len()).rev() {
                order.swap(n, random.below(n as u32 + 1) as usize);
            }
            let mut total = Sums::<f32>::zero(0);
            for batch in order.chunks(self.batch) {
                let mut sums: Sums =
                    Sums::over(batch.par_iter(), x.len(), |&n, sums| add(&items[n], x, sums));
                total.loss += sums.loss;
                total.weight += sums.weight;
                for (g, x) in sums.gradient.iter_mut().zip(&*x) {
                    *g = *g / sums.weight.max(1.0) as f32 + self.decay * x;
                }
                // The steps are large at first, and small at the end so that the weights settle.
                let progress = adam.steps as f32 / steps as f32;
                adam.step(x, &sums.gradient, self.rate * (1.0 - 0.98 * progress));
            }
            report(epoch, total.mean());
        }
    }
}

/// The state of the optimizer.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

/// Decay of the mean of gradients: the paper's value.
const MEAN_DECAY: f32 = 0.9;
/// Decay of the mean of squared gradients. Set by judgement: a fit has a few thousand steps at
/// most, so it must forget faster than with the paper's 0.999.
const SQUARE_DECAY: f32 = 0.99;

impl Adam {
    fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Makes one step with the learning rate `rate`.
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        // Both means begin at zero, and this corrects the bias. 1e-8 is the paper's guard against a
        // division by zero.
        let correct = |decay: f32, steps: i32| 1.0 / (1.0 - decay.powi(steps));
        let (c1, c2) = (correct(MEAN_DECAY, self.steps), correct(SQUARE_DECAY, self.steps));
        for (n, (weight, &g)) in weights.iter_mut().zip(gradient).enumerate() {
            self.mean[n] += (1.0 - MEAN_DECAY) * (g - self.mean[n]);
            self.square[n] += (1.0 - SQUARE_DECAY) * (g * g - self.square[n]);
            *weight -= rate * self.mean[n] * c1 / ((self.square[n] * c2).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimizes_the_rosenbrock_function() {
        let rosenbrock = |x: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            g[0] = -2.0 * a - 400.0 * x[0] * b;
            g[1] = 200.0 * b;
            a * a + 100.0 * b * b
        };
        let mut x = [-1.2, 1.0];
        let value = minimize(&mut x, 200, rosenbrock, |_, _| {});
        assert!(value < 1e-6 && (x[0] - 1.0).abs() < 1e-2 && (x[1] - 1.0).abs() < 1e-2, "{x:?}");
    }
}
