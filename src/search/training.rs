//! Training searches: one step at a time, with noise and forced visits at the root.
//!
//! Noise raises the priors of weak steps, but a search drops such a step
//! after one bad visit. Therefore every opened step gets visits in proportion
//! to its prior. Visits that PUCT alone would not have made say nothing about
//! strength and are pruned from the target: D. Wu, "Accelerating Self-Play
//! Learning in Go" (2019), section 3.2.

use super::params::Params;
use super::run::{self, Found, finish};
use super::searcher::{Config, Limits, SearchTask, Searcher, StopSignal};
use super::tree::Tree;
use super::tree::bounds::{Bounds, lead_for};
use super::tree::node::Node;
use super::turn;
use crate::eval::Random;
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
        Some(explored(&task, &finish(run::run(&task))?, exploration))
    }
}

/// Reads the result of `task` from its tree.
fn explored(task: &SearchTask<'_>, found: &Found<'_>, exploration: &Exploration) -> Explored {
    let SearchTask { tree, position, config, .. } = *task;
    let Found { root, iterations, ref solution } = *found;
    let mover = position.side();
    let mean = root.mean();
    let mut explored = Explored {
        best: turn::best(tree, root, mover, &config.params).0,
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
    if let Some(value) = explored.bounds.exact() {
        let value = value.seen_by(mover);
        (explored.winrate, explored.lead) = (value.white_share(), value.points());
    }
    explored
}

/// The visited steps of `root` with their visits, forced visits pruned.
fn visits(tree: &Tree, root: Node<'_>, params: &Params, forced: f32) -> Vec<(Step, u32)> {
    let mut steps: Vec<Opened> = root
        .edges(tree.pool())
        .map(|edge| {
            let (visits, prior, utility) = (edge.visits(), edge.prior(), edge.utility());
            Opened { visits, prior, utility }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{config, start, tree};
    use super::super::tree::edge::Edge;
    use super::*;
    use crate::eval::priors;

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
            let is_short =
                |edge: &&Edge<'_>| is_short(edge.visits(), edge.prior(), root.visits() - 1, 4.0);
            assert!(edges.iter().filter(is_short).count() <= 1);
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
