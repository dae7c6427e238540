//! A searched tree becomes a move: the search of a whole turn, its first step and
//! then its second, and the final choice among the steps of a node. Last, the
//! search of a casual player, without the exact solvers.

use std::sync::PoisonError;

use super::analysis::{Candidate, Report};
use super::params::Params;
use super::run::{self, Found};
use super::searcher::{Config, Limits, SearchTask, StopSignal};
use super::solver::Budget;
use super::tree::Tree;
use super::tree::bounds::{Bounds, exact_result, lead_for};
use super::tree::edge::Edge;
use super::tree::node::Node;
use super::view::View;
use crate::clock::Instant;
use crate::game::{Color, Move, Position, Step, Value};

/// Solver nodes to spend on a step that keeps a proved result.
const KEEP_NODES: u64 = 1 << 9;

/// Searches a turn step by step. The second tile continues the tree of the
/// first.
pub(super) async fn search(task: SearchTask<'_>) -> Report {
    let start = Instant::now();
    let nodes_before = task.tree.nodes();
    let mut position = *task.position;
    let mover = position.side();
    let (step, mut report) = search_step(task, task.config.params.first_step_share).await;
    let searched = Instant::now();
    if let Some(observer) = task.observer {
        observer.save();
    }
    // The final report takes about as long as saving did.
    let report_time = searched.elapsed();
    position.make(step);
    report.best = match step {
        Step::Tile(first) => {
            let limits = task.limits.less(start.elapsed() + report_time, report.iterations);
            // What is proved about a turn also holds after its first step.
            let proved = report.bounds;
            let second = SearchTask { position: &position, limits, proved, ..task };
            let (step, second) = search_step(second, 1.0).await;
            report = Report { iterations: report.iterations + second.iterations, ..second };
            match step {
                Step::Tile(second) => Move::tiles(first, second),
                _ => Move::Pass,
            }
        }
        step => step.whole_turn().unwrap_or(Move::Pass),
    };
    debug_assert!(position.side() != mover || position.is_half_turn() || position.is_over());
    report.nodes = task.tree.nodes() - nodes_before;
    report.elapsed = start.elapsed();
    report
}

/// Searches one step with a share of the limits.
async fn search_step(task: SearchTask<'_>, share: f64) -> (Step, Report) {
    let mover = task.position.side();
    let task = SearchTask { limits: task.limits.share(share), ..task };
    let Some(Found { root, iterations, solution }) = run::run(&task).await else {
        return (first_legal_step(task.position), Report::unsearched(Move::Pass));
    };
    let (mut step, edge) = best(task.tree, root, mover, &task.config.params);
    let mut bounds = edge.map_or(Bounds::UNKNOWN, Edge::bounds);
    if let Some(solution) = solution {
        bounds = Bounds::of(solution.value);
        step = solution.best.unwrap_or(step);
    } else if let Some((kept, proved)) = keep_proved(root.bounds().and(task.proved), bounds, task) {
        (step, bounds) = (kept, proved);
    }
    let mut report = Report { bounds, iterations, ..Report::unsearched(Move::Pass) };
    let mean = root.mean();
    if let Some(value) = bounds.exact() {
        // A root that was solved at once may have no visits.
        (report.winrate, report.lead) = exact_result(value, mover);
    } else if root.visits() > 0 {
        let lead = lead_for(mean.lead, mover);
        (report.winrate, report.lead) = (f64::from(mean.win), f64::from(lead));
    }
    (step, report)
}

/// A step that keeps the proved result of the position, and the bounds it
/// keeps. `None` unless at least a draw is proved and `chosen`, the bounds of
/// the step the search chose, guarantees less.
fn keep_proved(root: Bounds, chosen: Bounds, task: SearchTask<'_>) -> Option<(Step, Bounds)> {
    let mover = task.position.side();
    let lower = root.seen_by(mover).lower;
    if lower < Value::DRAW || lower <= chosen.seen_by(mover).lower {
        return None;
    }
    let mut solver = task.solver?.lock().unwrap_or_else(PoisonError::into_inner);
    let mut budget = Budget { nodes: KEEP_NODES, stop: &mut || false };
    let step = solver.best_step(task.position, lower.seen_by(mover), &mut budget)?;
    Some((step, root.at_least(mover)))
}

/// Some legal step, for when the memory is too small for any search.
fn first_legal_step(position: &Position) -> Step {
    let tile = position.tile_steps().first().map(Step::Tile);
    let bridge = || position.bridge_steps().iter().next().map(Step::Bridge);
    tile.or_else(bridge).unwrap_or(Step::Pass)
}

/// The best step of `root` and its edge, which is `None` when no step was
/// opened.
///
/// Proved bounds come first: the best proved win, and never a proved loss if
/// there is another step. Otherwise the highest lower confidence bound wins
/// among steps with at least a tenth of the most visits, or the most visits
/// when [`Params::confidence`] is 0.
pub(super) fn best<'a>(
    tree: &'a Tree,
    root: Node<'a>,
    mover: Color,
    params: &Params,
) -> (Step, Option<Edge<'a>>) {
    let edges: Vec<Edge<'a>> = root.edges(tree.pool()).collect();
    let most = edges.iter().map(|edge| edge.visits()).max().unwrap_or(0);
    let rank = |edge: &Edge<'_>| {
        let bounds = edge.bounds().seen_by(mover);
        let visits = edge.visits();
        let merit = if visits == 0 {
            -1.0
        } else if params.confidence > 0.0 && is_often(visits, most) {
            // The offset ranks these above any number of visits.
            let error = (edge.variance() / visits as f32).sqrt();
            1e10 * (2.0 + edge.utility() - params.confidence as f32 * error)
        } else {
            visits as f32
        };
        (bounds.lower.max(Value::DRAW), bounds.upper.min(Value::DRAW), merit)
    };
    let better = |a: usize, b: usize| if rank(&edges[b]) > rank(&edges[a]) { b } else { a };
    match (0..edges.len()).reduce(better) {
        Some(index) => (root.step(index).0, Some(edges[index])),
        None => (root.step(0).0, None),
    }
}

/// Whether `visits` are at least a tenth of `most`.
fn is_often(visits: u32, most: u32) -> bool {
    visits >= most.div_ceil(10)
}

/// The lead in visits of the most visited step of `root` over the next step
/// that belongs to another move: the same two tiles may be placed in either
/// order.
pub(super) fn lead(tree: &Tree, root: Node<'_>, position: &Position) -> u64 {
    let mut ranked: Vec<(u32, usize)> =
        root.edges(tree.pool()).enumerate().map(|(index, edge)| (edge.visits(), index)).collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&(most, first)) = ranked.first() else { return 0 };
    let partner = second_tile(tree, root, position, first);
    let same = |index: usize| {
        partner.is_some()
            && Some(root.step(index).0) == partner
            && second_tile(tree, root, position, index) == Some(root.step(first).0)
    };
    let next =
        ranked[1..].iter().find(|&&(_, index)| !same(index)).map_or(0, |&(visits, _)| visits);
    u64::from(most - next)
}

/// The most visited second tile after step `index` of `root`.
fn second_tile(tree: &Tree, root: Node<'_>, position: &Position, index: usize) -> Option<Step> {
    let is_first_tile = matches!(root.step(index).0, Step::Tile(_)) && !position.is_half_turn();
    let edge = root.edges(tree.pool()).nth(index).filter(|_| is_first_tile)?;
    let child = root.child(tree.pool(), edge)?;
    let edges = child.edges(tree.pool()).enumerate();
    let (best, _) = edges.max_by_key(|(_, edge)| edge.visits())?;
    Some(child.step(best).0)
}

/// Searches `position`, the start of a turn, in a tree of its own on the calling
/// thread, without solving endings. Returns the visited moves, the best one
/// first; none when the memory is too small.
pub async fn casual_candidates(
    position: &Position,
    config: &Config,
    limits: &Limits,
    stop: &StopSignal,
) -> Vec<Candidate> {
    let mut config = config.clone();
    config.params.leaf_size = 0.0;
    let tree = Tree::new(config.memory_bytes());
    let task = SearchTask::new(position, &config, *limits, stop, &tree);
    let found = search(task).await;
    let Some(mut analysis) = View::of(&task).analysis() else { return Vec::new() };
    analysis.settle(&found);
    analysis.candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_most_visits_is_often() {
        assert!(is_often(44, 440) && !is_often(43, 440) && is_often(0, 0));
        // Ten times as many would overflow 32 bits.
        assert!(is_often(440_000_000, 440_000_000) && is_often(u32::MAX, u32::MAX));
        assert!(!is_often(43_999_999, 440_000_000));
    }
}
