//! Noise and forced visits at the root of training searches.
//!
//! Noise raises the priors of weak steps, but a search drops such a step
//! after one bad visit. Therefore every opened step gets visits in proportion
//! to its prior. Visits that PUCT alone would not have made say nothing about
//! strength and are pruned from the target: D. Wu, "Accelerating Self-Play
//! Learning in Go" (2019), section 3.2.

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

/// An opened step of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Opened {
    pub(super) visits: u32,
    pub(super) prior: f32,
    /// The mover's mean utility over the visits.
    pub(super) utility: f32,
}

/// Whether a step has fewer than √(`forced`·`prior`·`total`) visits, and must
/// be visited next; `total` is the visits of the root.
#[inline]
pub(super) fn is_short(visits: u32, prior: f32, total: u32, forced: f32) -> bool {
    let visits = visits as f32;
    visits * visits < forced * prior * total as f32
}

/// Removes from each of `steps` the visits that PUCT alone would not have
/// made: at most its forced visits, and only while its upper bound stays below
/// that of the most visited step, which keeps all its visits. A step left with
/// one of several visits loses that one, too.
///
/// `exploration` is the weight of the prior in the upper bound: the parameter
/// times √`total`.
pub(super) fn prune(steps: &mut [Opened], total: u32, forced: f32, exploration: f32) {
    let bound =
        |step: &Opened, visits: u32| step.utility + exploration * step.prior / (1 + visits) as f32;
    let Some(favourite) = steps.iter().max_by_key(|step| step.visits).copied() else { return };
    let highest = bound(&favourite, favourite.visits);
    for step in steps.iter_mut().filter(|step| step.visits < favourite.visits) {
        let forced_visits = (forced * step.prior * total as f32).sqrt() as u32;
        let least = step.visits.saturating_sub(forced_visits);
        let mut visits = step.visits;
        while visits > least && bound(step, visits - 1) < highest {
            visits -= 1;
        }
        // A single visit carries no information.
        step.visits = if visits == 1 && step.visits > 1 { 0 } else { visits };
    }
}
