//! Noise and forced visits at the root of training searches.
//!
//! A prior is fitted to the visits of searches, and a search visits what its prior proposes. A good
//! step with a small prior would never be found, so training searches look at steps that their
//! prior does not like:
//!
//! 1. Dirichlet noise raises the priors of some weak steps.
//! 2. That is not enough, because a search drops such a step after one bad visit. Every opened step
//!    therefore gets visits in proportion to the square root of its prior.
//! 3. Visits that PUCT alone would not have made say nothing about strength. They are pruned from
//!    the training target, or the fit would learn the noise.
//!
//! The method and its constants are those of KataGo: D. Wu, "Accelerating Self-Play Learning in Go"
//! (2019), section 3.2.

use crate::eval::Random;
use crate::game::Step;

/// Makes a search visit steps it would not visit otherwise, as in KataGo's self-play (Wu,
/// "Accelerating Self-Play Learning in Go", 2019). The default has the constants of that paper,
/// with a concentration of 10 instead of 0.03 · 361 = 10.8. More noise or more forced visits cost
/// more iterations that teach nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// Share of the noise in the root's priors, 0 to 1.
    pub noise: f32,
    /// Total concentration of the Dirichlet noise, spread evenly over the steps, greater than 0.
    /// Smaller values put the noise on fewer steps.
    pub concentration: f32,
    /// Once visited, a step with prior p gets at least √(`forced`·p·n) of the root's n visits.
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

    /// Mixes Dirichlet noise into the priors of `steps`. Priors that sum to 1 still do afterwards.
    pub(super) fn add_noise(&self, steps: &mut [(Step, f32)], random: &mut Random) {
        if self.noise == 0.0 {
            return;
        }
        let shape = self.concentration / steps.len().max(1) as f32;
        let noise = gamma_samples(shape, steps.len(), random);
        // Gamma samples divided by their sum are a Dirichlet sample. With small shapes all of them
        // may round to 0.
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
        Ok(gamma) => gamma.sample_iter(random.generator()).take(count).collect(),
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

/// Whether a step has fewer than √(`forced`·`prior`·`total`) visits, and must be visited next;
/// `total` is the visits of the root.
#[inline]
pub(super) fn needs_forced_visit(visits: u32, prior: f32, total: u32, forced: f32) -> bool {
    // Squared, to save the root: this runs for every edge of the root in every iteration.
    let visits = visits as f32;
    visits * visits < forced * prior * total as f32
}

/// Removes from each of `steps` the visits that PUCT alone would not have made: at most its forced
/// visits, and only while its upper bound stays below that of the most visited step, which keeps
/// all its visits. A step left with one of several visits loses that one, too.
///
/// `exploration` is the weight of the prior in the upper bound: the parameter times √`total`.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    fn opened(visits: u32, prior: f32, utility: f32) -> RootStep {
        RootStep { visits, prior, utility }
    }

    /// The visits that remain at a root with 100 visits.
    fn pruned(mut steps: Vec<RootStep>, forced: f32) -> Vec<u32> {
        prune(&mut steps, 100, forced, 0.8 * 10.0);
        steps.iter().map(|step| step.visits).collect()
    }

    #[test]
    fn forced_visits_grow_with_the_square_root_of_the_prior() {
        // √(2 · 0.25 · 200) = 10
        assert!(needs_forced_visit(9, 0.25, 200, 2.0) && !needs_forced_visit(10, 0.25, 200, 2.0));
        // With a factor of 0, no visit is forced.
        assert!(
            !needs_forced_visit(0, 1.0, 1, 0.0)
                && !needs_forced_visit(u32::MAX, 1.0, u32::MAX, 0.0)
        );
    }

    #[test]
    fn a_weak_step_loses_its_forced_visits() {
        let steps = vec![opened(90, 0.5, 0.6), opened(4, 0.1, 0.1), opened(6, 0.2, 0.1)];
        // PUCT alone gives the last step two visits: 0.1 + 8 · 0.2/2 > 0.6 + 8 · 0.5/91.
        assert_eq!(pruned(steps.clone(), 2.0), [90, 0, 2]);
        assert_eq!(pruned(steps, 0.0), [90, 4, 6]);
    }

    #[test]
    fn at_most_the_forced_visits_are_removed() {
        // √(2 · 0.1 · 100) = 4
        assert_eq!(pruned(vec![opened(80, 0.5, 0.9), opened(20, 0.1, 0.1)], 2.0), [80, 16]);
        // Only one visit would remain, so it is removed, too.
        assert_eq!(pruned(vec![opened(95, 0.5, 0.9), opened(5, 0.1, 0.1)], 2.0), [95, 0]);
        // A step's only visit stays unless it was forced.
        assert_eq!(pruned(vec![opened(99, 0.5, 0.9), opened(1, 0.001, 0.1)], 2.0), [99, 1]);
    }

    #[test]
    fn a_strong_step_keeps_its_visits() {
        let steps = vec![opened(60, 0.5, 0.6), opened(40, 0.4, 0.6)];
        // 0.6 + 8 · 0.4/40 exceeds the favourite's 0.6 + 8 · 0.5/61.
        assert_eq!(pruned(steps, 2.0), [60, 40]);
    }

    proptest! {
        #[test]
        fn the_favourite_keeps_its_visits_and_no_step_gains(
            steps in prop::collection::vec((0u32..500, 0f32..1.0, 0f32..1.0), 1..40),
            forced in 0f32..8.0,
        ) {
            let before: Vec<_> = steps.into_iter().map(|(n, p, u)| opened(n, p, u)).collect();
            let total = before.iter().map(|step| step.visits).sum();
            let most = before.iter().map(|step| step.visits).max().unwrap();
            let mut after = before.clone();
            prune(&mut after, total, forced, 0.8 * (total as f32).sqrt());
            for (before, after) in before.iter().zip(&after) {
                prop_assert!(after.visits <= before.visits);
                if before.visits == most {
                    prop_assert_eq!(after, before);
                }
                let forced_visits = (forced * before.prior * total as f32).sqrt() as u32;
                prop_assert!(before.visits - after.visits <= forced_visits + 1);
            }
        }
    }
}
