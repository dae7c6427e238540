//! Training searches: one step at a time, with noise and forced visits at the root
//! ([`Exploration`]).
//!
//! Self-play needs the visits of every step, not only a move, so each step of a turn is searched
//! by itself. The root is a new node: its visits are then those of this search alone, which are
//! the training target. The nodes below it may come from earlier searches.

use super::choice;
use super::exploration::{Exploration, RootStep, prune};
use super::params::Params;
use super::run::{self, Search, SearchOutcome};
use super::searcher::Searcher;
use super::task::{Config, Limits, SearchTask, StopSignal};
use super::tree::Tree;
use super::tree::bounds::{Bounds, lead_for};
use super::tree::node::Node;
use crate::game::{Position, Step};

/// The result of a search of one step.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    /// The strongest step.
    pub best: Step,
    /// The visited steps and their visits, without visits that were only
    /// made because of [`Exploration::forced`].
    pub visits: Vec<(Step, u32)>,
    /// Iterations of this search.
    pub iterations: u64,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f32,
    /// Expected lead of the side to move, in points.
    pub lead: f32,
    /// Proved bounds on the result.
    pub bounds: Bounds,
}

impl Searcher {
    /// Searches the next step of `position` on the calling thread. The game
    /// must not be over, and no swap may be due. The root starts without
    /// visits; nodes below it from earlier searches are reused. `None` when
    /// the memory is too small for the root.
    pub fn explore(
        &mut self,
        position: &Position,
        config: &Config,
        iterations: u64,
        exploration: Option<&Exploration>,
    ) -> Option<Explored> {
        let (tree, solver) = self.prepare_memory(config);
        let exploration = exploration.unwrap_or(&Exploration::NONE);
        let limits = Limits { iterations: Some(iterations), ..Limits::default() };
        let stop = StopSignal::default();
        let task = SearchTask {
            solver: Some(&solver),
            exploration: Some(exploration),
            ..SearchTask::new(position, config, limits, &stop, &tree)
        };
        Some(explored(&task, &Search::new(run::run(&task)).finish()?, exploration))
    }
}

/// Reads the result of `task` from its tree.
fn explored(
    task: &SearchTask<'_>,
    found: &SearchOutcome<'_>,
    exploration: &Exploration,
) -> Explored {
    let SearchTask { tree, position, config, .. } = *task;
    let SearchOutcome { root, iterations, ref solution } = *found;
    let mover = position.side();
    let mean = root.mean();
    let mut explored = Explored {
        best: choice::best_step(tree, root, mover, &config.params).0,
        visits: visits(tree, root, &config.params, exploration.forced),
        iterations,
        winrate: mean.win,
        lead: lead_for(mean.lead, mover),
        bounds: root.bounds(),
    };
    if let Some(solution) = solution {
        explored.bounds = Bounds::of(solution.value);
        explored.best = solution.best.unwrap_or(explored.best);
    }
    // A proof is exact where the mean of the visits is an estimate.
    if let Some(value) = explored.bounds.exact() {
        let value = value.seen_by(mover);
        (explored.winrate, explored.lead) = (value.white_share(), value.points());
    }
    explored
}

/// The visited steps of `root` with their visits, forced visits pruned.
fn visits(tree: &Tree, root: Node<'_>, params: &Params, forced: f32) -> Vec<(Step, u32)> {
    let mut steps: Vec<RootStep> = root
        .edges(tree.pool())
        .map(|edge| {
            let (visits, prior, utility) = (edge.visits(), edge.prior(), edge.utility());
            RootStep { visits, prior, utility }
        })
        .collect();
    if forced > 0.0 {
        let total = root.visits();
        let scale = params.exploration as f32 * (total.max(1) as f32).sqrt();
        prune(&mut steps, total, forced, scale);
    }
    let with_step = steps.iter().enumerate().map(|(index, step)| (root.step(index).0, step.visits));
    with_step.filter(|&(_, visits)| visits > 0).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exploration::needs_forced_visit;
    use super::super::tests::{config, start, tree};
    use super::super::tree::edge::Edge;
    use super::*;
    use crate::eval::{Random, priors};

    /// The root counts this search's visits only, and every opened step has
    /// its forced visits.
    #[test]
    fn every_opened_step_gets_its_forced_visits() {
        let (position, config) = (start(6), config(1, 4));
        let exploration = Exploration { forced: 4.0, ..Exploration::default() };
        let mut searcher = Searcher::default();
        for iterations in [1, 50, 300] {
            let explored =
                searcher.explore(&position, &config, iterations, Some(&exploration)).unwrap();
            let tree = tree(&searcher);
            let root = tree.find(position.hash()).unwrap();
            assert_eq!((explored.iterations, u64::from(root.visits())), (iterations, iterations));
            let edges: Vec<_> = root.edges(tree.pool()).collect();
            for edge in &edges {
                // While one step gets its forced visits, others may fall behind.
                let forced_visits = (4.0 * edge.prior() * root.visits() as f32).sqrt();
                assert!(edge.visits() as f32 > forced_visits - edges.len() as f32, "{edge:?}");
            }
            let needs_forced_visit = |edge: &&Edge<'_>| {
                needs_forced_visit(edge.visits(), edge.prior(), root.visits() - 1, 4.0)
            };
            assert!(edges.iter().filter(needs_forced_visit).count() <= 1);
            let left: u64 = explored.visits.iter().map(|&(_, visits)| u64::from(visits)).sum();
            assert!(left <= iterations && explored.visits.iter().all(|&(_, visits)| visits > 0));
        }
    }

    #[test]
    fn noise_does_not_depend_on_the_length_of_the_search() {
        let (position, config) = (start(6), config(1, 4));
        let mut searcher = Searcher::default();
        let mut priors = |iterations| {
            let exploration = Some(&Exploration { noise: 0.5, ..Exploration::default() });
            searcher.explore(&position, &config, iterations, exploration).unwrap();
            let tree = tree(&searcher);
            let root = tree.find(position.hash()).unwrap();
            let mut steps: Vec<(Step, f32)> = (0..root.len()).map(|n| root.step(n)).collect();
            steps.sort_by_key(|&(step, _)| step);
            steps
        };
        assert_eq!(priors(1), priors(300));
    }

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
