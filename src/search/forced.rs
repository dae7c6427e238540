//! Forced visits at the root of a search that games are learnt from, and how
//! they are taken out again before anything is learnt from them.
//!
//! Noise makes an unlikely step likelier, but a search drops it after one bad
//! look; so a step that was opened gets visits in proportion to its prior,
//! good or bad. What it would not have had without is no sign of strength
//! and must not be learnt: D. Wu, "Accelerating Self-Play Learning in Go"
//! (2019), section 3.2, "Forced Rollouts and Policy Target Pruning".

/// An opened step of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Opened {
    pub(super) visits: u32,
    pub(super) prior: f32,
    /// The mover's mean utility over the visits.
    pub(super) utility: f32,
}

/// Whether a step with so many visits has fewer than the square root of
/// `forced`·`prior`·`total`, and must be looked at next.
#[inline]
pub(super) fn is_owed(visits: u32, prior: f32, total: u32, forced: f32) -> bool {
    let visits = visits as f32;
    visits * visits < forced * prior * total as f32
}

/// Takes from each of `steps` the visits it was forced to have and would not
/// have had: as many as it was owed at most, and only while its upper bound
/// stays below the favourite's. The favourite keeps its visits; a step that is
/// left with one of several has none.
///
/// `exploration` is the weight of the prior in the upper bound at a root of
/// `total` visits: the parameter times the square root of `total`.
pub(super) fn prune(steps: &mut [Opened], total: u32, forced: f32, exploration: f32) {
    let bound =
        |step: &Opened, visits: u32| step.utility + exploration * step.prior / (1 + visits) as f32;
    let Some(favourite) = steps.iter().max_by_key(|step| step.visits).copied() else { return };
    let highest = bound(&favourite, favourite.visits);
    for step in steps.iter_mut().filter(|step| step.visits < favourite.visits) {
        let owed = (forced * step.prior * total as f32).sqrt() as u32;
        let least = step.visits.saturating_sub(owed);
        let mut visits = step.visits;
        while visits > least && bound(step, visits - 1) < highest {
            visits -= 1;
        }
        // A single visit says nothing.
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

    /// The visits left of a root of 100 visits.
    fn pruned(mut steps: Vec<Opened>, forced: f32) -> Vec<u32> {
        prune(&mut steps, 100, forced, 0.8 * 10.0);
        steps.iter().map(|step| step.visits).collect()
    }

    #[test]
    fn visits_are_owed_by_the_root_of_the_prior() {
        // √(2 · 0.25 · 200) = 10
        assert!(is_owed(9, 0.25, 200, 2.0) && !is_owed(10, 0.25, 200, 2.0));
        // Without forced visits nothing is owed, however many there were.
        assert!(!is_owed(0, 1.0, 1, 0.0) && !is_owed(u32::MAX, 1.0, u32::MAX, 0.0));
    }

    #[test]
    fn a_bad_step_loses_what_it_was_forced_to_have() {
        let steps = vec![opened(90, 0.5, 0.6), opened(4, 0.1, 0.1), opened(6, 0.2, 0.1)];
        // The last would have had two: 0.1 + 8 · 0.2/2 > 0.6 + 8 · 0.5/91.
        assert_eq!(pruned(steps.clone(), 2.0), [90, 0, 2]);
        assert_eq!(pruned(steps, 0.0), [90, 4, 6]);
    }

    #[test]
    fn no_more_is_taken_than_was_owed() {
        // √(2 · 0.1 · 100) = 4
        assert_eq!(pruned(vec![opened(80, 0.5, 0.9), opened(20, 0.1, 0.1)], 2.0), [80, 16]);
        // All but one: then that one, too.
        assert_eq!(pruned(vec![opened(95, 0.5, 0.9), opened(5, 0.1, 0.1)], 2.0), [95, 0]);
        // One that was all it ever had stays, unless it was owed.
        assert_eq!(pruned(vec![opened(99, 0.5, 0.9), opened(1, 0.001, 0.1)], 2.0), [99, 1]);
    }

    #[test]
    fn a_good_step_keeps_what_it_would_have_had() {
        let steps = vec![opened(60, 0.5, 0.6), opened(40, 0.4, 0.6)];
        // 0.6 + 8 · 0.4/40 would be more than the favourite's 0.6 + 8 · 0.5/61.
        assert_eq!(pruned(steps, 2.0), [60, 40]);
    }

    proptest! {
        #[test]
        fn the_favourite_keeps_its_visits_and_nobody_gains(
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
                let owed = (forced * before.prior * total as f32).sqrt() as u32;
                prop_assert!(before.visits - after.visits <= owed + 1);
            }
        }
    }
}
