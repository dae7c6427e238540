//! Forced visits at the root of training searches, and their removal from the
//! training target.
//!
//! Noise raises the priors of weak steps, but a search drops such a step
//! after one bad visit. Therefore every opened step gets visits in proportion
//! to its prior. Visits that PUCT alone would not have made say nothing about
//! strength and are pruned from the target: D. Wu, "Accelerating Self-Play
//! Learning in Go" (2019), section 3.2.

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn opened(visits: u32, prior: f32, utility: f32) -> Opened {
        Opened { visits, prior, utility }
    }

    /// The visits that remain at a root with 100 visits.
    fn pruned(mut steps: Vec<Opened>, forced: f32) -> Vec<u32> {
        prune(&mut steps, 100, forced, 0.8 * 10.0);
        steps.iter().map(|step| step.visits).collect()
    }

    #[test]
    fn forced_visits_grow_with_the_square_root_of_the_prior() {
        // √(2 · 0.25 · 200) = 10
        assert!(is_short(9, 0.25, 200, 2.0) && !is_short(10, 0.25, 200, 2.0));
        // With a factor of 0, no visit is forced.
        assert!(!is_short(0, 1.0, 1, 0.0) && !is_short(u32::MAX, 1.0, u32::MAX, 0.0));
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
