//! Noise and forced visits at the root of training searches.

use crate::eval::Random;
use crate::game::Step;

/// Makes a search visit steps it would not visit otherwise, as in `KataGo`'s
/// self-play (Wu, "Accelerating Self-Play Learning in Go", 2019).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// Share of the noise in the root's priors, 0 to 1.
    pub noise: f32,
    /// Total concentration of the Dirichlet noise, spread evenly over the
    /// steps.
    pub concentration: f32,
    /// Once visited, a step with prior p gets at least √(`forced`·p·n) of the
    /// root's n visits.
    pub forced: f32,
}

impl Default for Exploration {
    fn default() -> Self {
        Exploration { noise: 0.25, concentration: 10.0, forced: 2.0 }
    }
}

impl Exploration {
    /// Neither noise nor forced visits.
    pub(super) const NONE: Exploration =
        Exploration { noise: 0.0, concentration: 10.0, forced: 0.0 };

    /// Whether it changes the search at all.
    pub(super) fn is_active(&self) -> bool {
        self.noise > 0.0 || self.forced > 0.0
    }

    /// Mixes Dirichlet noise into the priors of `steps`. Priors that sum to 1
    /// still do afterwards.
    pub(super) fn add_noise(&self, steps: &mut [(Step, f32)], random: &mut Random) {
        if self.noise == 0.0 {
            return;
        }
        let shape = self.concentration / steps.len().max(1) as f32;
        let noise = gamma_samples(shape, steps.len(), random);
        let sum: f32 = noise.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for ((_, prior), noise) in steps.iter_mut().zip(noise) {
            *prior += self.noise * (noise / sum - *prior);
        }
    }
}

/// `count` samples of the gamma distribution with this shape and scale 1.
fn gamma_samples(shape: f32, count: usize, random: &mut Random) -> Vec<f32> {
    use rand_distr::{Distribution, Gamma};
    match Gamma::new(shape, 1.0) {
        Ok(gamma) => gamma.sample_iter(random.source()).take(count).collect(),
        Err(_) => vec![1.0; count],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::start;
    use super::*;
    use crate::eval::priors;

    fn steps() -> Vec<(Step, f32)> {
        let position = start(6);
        let mut steps: Vec<(Step, f32)> =
            position.tile_steps().into_iter().map(|cell| (Step::Tile(cell), 0.0)).collect();
        priors(&position, &mut steps);
        steps
    }

    #[test]
    fn noise_changes_priors_and_keeps_their_sum() {
        for seed in 0..50 {
            let before = steps();
            let mut after = before.clone();
            Exploration::default().add_noise(&mut after, &mut Random::new(seed));
            let sum: f32 = after.iter().map(|(_, prior)| prior).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            for ((_, before), (_, after)) in before.iter().zip(&after) {
                assert!((0.75 * before - 1e-6..=1.0).contains(after), "{before} {after}");
            }
            let moved = before.iter().zip(&after).any(|(a, b)| (a.1 - b.1).abs() > 0.01);
            assert!(moved);
        }
    }

    #[test]
    fn no_noise_and_no_steps_change_nothing() {
        let mut unchanged = steps();
        Exploration::NONE.add_noise(&mut unchanged, &mut Random::new(1));
        assert_eq!(unchanged, steps());
        Exploration::default().add_noise(&mut [], &mut Random::new(1));
    }
}
