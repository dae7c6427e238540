//! Noise and forced visits at the root of training searches.
//!
//! A prior is fitted to the visits of searches, and a search visits what its prior proposes. A
//! good step with a small prior would never be found, so training searches look at steps that
//! their prior does not like:
//!
//! 1. Dirichlet noise raises the priors of some weak steps.
//! 2. That is not enough, because a search drops such a step after one bad visit. Every opened
//!    step therefore gets visits in proportion to the square root of its prior.
//! 3. Visits that PUCT alone would not have made say nothing about strength. They are pruned
//!    from the training target, or the fit would learn the noise.
//!
//! The method and its constants are those of KataGo: D. Wu, "Accelerating Self-Play Learning
//! in Go" (2019), section 3.2.

use crate::eval::Random;
use crate::game::Step;

/// Makes a search visit steps it would not visit otherwise, as in KataGo's self-play (Wu,
/// "Accelerating Self-Play Learning in Go", 2019). The default has the constants of that paper,
/// with a concentration of 10 instead of 0.03 · 361 = 10.8. More noise or more forced visits
/// cost more iterations that teach nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// Share of the noise in the root's priors, 0 to 1.
    pub noise: f32,
    /// Total concentration of the Dirichlet noise, spread evenly over the
    /// steps, greater than 0. Smaller values put the noise on fewer steps.
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
        // Gamma samples divided by their sum are a Dirichlet sample. With small shapes all of
        // them may round to 0.
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
        // A shape that is not positive: even noise.
        Err(_) => vec![1.0; count],
    }
}

/// An opened step of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RootStep {
    pub(super) visits: u32,
    pub(super) prior: f32,
    /// The mover's mean utility over the visits.
    pub(super) utility: f32,
}

/// Whether a step has fewer than √(`forced`·`prior`·`total`) visits, and must
/// be visited next; `total` is the visits of the root.
#[inline]
pub(super) fn needs_forced_visit(visits: u32, prior: f32, total: u32, forced: f32) -> bool {
    // Squared, to save the root: this runs for every edge of the root in every iteration.
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
pub(super) fn prune(steps: &mut [RootStep], total: u32, forced: f32, exploration: f32) {
    let bound = |step: &RootStep, visits: u32| {
        step.utility + exploration * step.prior / (1 + visits) as f32
    };
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
