//! The Adam optimizer (Kingma, Ba, "Adam: A Method for Stochastic
//! Optimization", 2015).

/// The state of the optimizer.
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

/// Decay of the mean of gradients.
const MEAN: f32 = 0.9;
/// Decay of the mean of squared gradients.
const SQUARE: f32 = 0.99;

impl Adam {
    pub(super) fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// One step of learning rate `rate`.
    pub(super) fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let correct = |decay: f32, steps: i32| 1.0 / (1.0 - decay.powi(steps));
        let (c1, c2) = (correct(MEAN, self.steps), correct(SQUARE, self.steps));
        for (n, (weight, &g)) in weights.iter_mut().zip(gradient).enumerate() {
            self.mean[n] += (1.0 - MEAN) * (g - self.mean[n]);
            self.square[n] += (1.0 - SQUARE) * (g * g - self.square[n]);
            *weight -= rate * self.mean[n] * c1 / ((self.square[n] * c2).sqrt() + 1e-8);
        }
    }
}
