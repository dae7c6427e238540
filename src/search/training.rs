//! Training searches: one step at a time, with noise and forced visits at the root
//! ([`Exploration`]).
//!
//! Self-play needs the visits of every step, not only a move, so each step of a turn is searched by
//! itself. The root is a new node: its visits are then those of this search alone, which are the
//! training target. The nodes below it may come from earlier searches.

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
pub struct StepResult {
    /// The strongest step.
    pub best: Step,
    /// The visited steps and their visits, without visits that were only made because of
    /// [`Exploration::forced`].
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
    /// Searches the next step of `position` on the calling thread. The game must not be over, and
    /// no swap may be due. The root starts without visits; nodes below it from earlier searches are
    /// reused. `None` when the memory is too small for the root.
    pub fn explore(
        &mut self,
        position: &Position,
        config: &Config,
        iterations: u64,
        exploration: Option<&Exploration>,
    ) -> Option<StepResult> {
        let (tree, solver) = self.prepare_memory(config);
        let exploration = exploration.unwrap_or(&Exploration::NONE);
        let limits = Limits { iterations: Some(iterations), ..Limits::default() };
        let stop = StopSignal::default();
        let task = SearchTask {
            solver: Some(&solver),
            exploration: Some(exploration),
            ..SearchTask::new(position, config, limits, &stop, &tree)
        };
        Some(read_result(&task, &Search::new(run::run(&task)).finish()?, exploration))
    }
}

/// Reads the result of `task` from its tree.
fn read_result(
    task: &SearchTask<'_>,
    outcome: &SearchOutcome<'_>,
    exploration: &Exploration,
) -> StepResult {
    let SearchTask { tree, position, config, .. } = *task;
    let SearchOutcome { root, iterations, ref solution } = *outcome;
    let mover = position.side();
    let mean = root.mean();
    let mut result = StepResult {
        best: choice::best_step(tree, root, mover, &config.params).0,
        visits: visits(tree, root, &config.params, exploration.forced),
        iterations,
        winrate: mean.win,
        lead: lead_for(mean.lead, mover),
        bounds: root.bounds(),
    };
    if let Some(solution) = solution {
        result.bounds = Bounds::of(solution.value);
        result.best = solution.best.unwrap_or(result.best);
    }
    // A proof is exact where the mean of the visits is an estimate.
    if let Some(value) = result.bounds.exact() {
        let value = value.seen_by(mover);
        (result.winrate, result.lead) = (value.win_rate(), value.points());
    }
    result
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
    use super::super::exploration::needs_forced_visit;
    use super::super::tests::{config, start, tree};
    use super::super::tree::edge::Edge;
    use super::*;

    /// The root counts this search's visits only, and every opened step has its forced visits.
    #[test]
    fn every_opened_step_gets_its_forced_visits() {
        let (position, config) = (start(6), config(1, 4));
        let exploration = Exploration { forced: 4.0, ..Exploration::default() };
        let mut searcher = Searcher::default();
        for iterations in [1, 50, 300] {
            let result =
                searcher.explore(&position, &config, iterations, Some(&exploration)).unwrap();
            let tree = tree(&searcher);
            let root = tree.find(position.hash()).unwrap();
            assert_eq!((result.iterations, u64::from(root.visits())), (iterations, iterations));
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
            let remaining: u64 = result.visits.iter().map(|&(_, visits)| u64::from(visits)).sum();
            assert!(remaining <= iterations && result.visits.iter().all(|&(_, visits)| visits > 0));
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
}
