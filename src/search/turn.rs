//! A searched tree becomes a move: the search of a whole turn, its first step and then its second.
//!
//! A turn of two tiles is searched as two steps. The first gets nine tenths of the limits
//! ([`Params::first_step_share`](super::Params::first_step_share)), because its tree contains that
//! of the second: every iteration below the chosen first tile has searched second tiles already.
//! The second search continues from there with the rest and only has to choose among them. An equal
//! division would spend half of the time on a choice that is nearly made.
//!
//! If the ending was solved exactly, the step to play is the solver's. Otherwise, if a result is
//! proved for the root but not for the search's choice, it is a step that keeps the result
//! (`keep_proved`). In all other cases it is the search's choice.

use std::sync::PoisonError;
use std::time::Duration;

use super::choice;
use super::run::{self, SearchOutcome};
use super::solver::Budget;
use super::task::SearchTask;
use super::tree::bounds::{Bounds, exact_result, lead_for};
use super::tree::edge::Edge;
use crate::clock::Instant;
use crate::game::{Move, Position, Step, Value};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move to play.
    pub best: Move,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    pub lead: f64,
    /// Proved bounds on the result.
    pub bounds: Bounds,
    /// Visits of the last step that was chosen; 0 if the solver replaced the search's choice.
    pub(super) visits: u64,
    /// Iterations of this search.
    pub iterations: u64,
    /// Nodes added to the tree.
    pub nodes: usize,
    /// Size of the tree at the end, in bytes.
    pub tree_bytes: usize,
    /// Duration of the search.
    pub elapsed: Duration,
}

impl SearchResult {
    /// The result for `best` without any search.
    pub(super) fn unsearched(best: Move) -> SearchResult {
        SearchResult {
            best,
            winrate: 0.5,
            lead: 0.0,
            bounds: Bounds::UNKNOWN,
            visits: 0,
            iterations: 0,
            nodes: 0,
            tree_bytes: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// Solver nodes to spend on a step that keeps a proved result: about a millisecond. A guess, never
/// measured. If the proof is still in the table, no node is needed; if these nodes do not suffice,
/// the search's choice is played.
const KEEP_NODES: u64 = 1 << 9;

/// Searches a turn step by step. The second tile continues the tree of the first.
pub(super) async fn search(task: SearchTask<'_>) -> SearchResult {
    let start = Instant::now();
    let nodes_before = task.tree.nodes();
    let mut position = *task.position;
    let mover = position.side();
    let (step, mut result) = search_step(task, task.config.params.first_step_share).await;
    let search_end = Instant::now();
    if let Some(observer) = task.observer {
        (observer.save)();
    }
    // Reading the final analysis takes about as long as saving did. Its time is reserved, or the
    // move would be late by that much.
    let final_read_time = search_end.elapsed();
    position.make(step);
    result.best = match step {
        Step::Tile(first) => {
            let limits =
                task.limits.remaining_after(start.elapsed() + final_read_time, result.iterations);
            // What is proved about a turn also holds after its first step.
            let proved = result.bounds;
            let second_task = SearchTask { position: &position, limits, proved, ..task };
            let (step, second_result) = search_step(second_task, 1.0).await;
            let iterations = result.iterations + second_result.iterations;
            result = SearchResult { iterations, ..second_result };
            match step {
                Step::Tile(second) => Move::tiles(first, second),
                _ => Move::Pass,
            }
        }
        step => step.as_move().unwrap_or(Move::Pass),
    };
    debug_assert!(position.side() != mover || position.is_half_turn() || position.is_over());
    result.nodes = task.tree.nodes() - nodes_before;
    result.elapsed = start.elapsed();
    result
}

/// Searches one step with a share of the limits.
async fn search_step(task: SearchTask<'_>, share: f64) -> (Step, SearchResult) {
    let mover = task.position.side();
    let task = SearchTask { limits: task.limits.scaled(share), ..task };
    let Some(SearchOutcome { root, iterations, solution }) = run::run(&task).await else {
        return (first_legal_step(task.position), SearchResult::unsearched(Move::Pass));
    };
    let (mut step, edge) = choice::best_step(task.tree, root, mover, &task.config.params);
    let mut bounds = edge.map_or(Bounds::UNKNOWN, Edge::bounds);
    let searched = step;
    if let Some(solution) = solution {
        bounds = Bounds::of(solution.value);
        step = solution.best.unwrap_or(step);
    } else if let Some(proved) = keep_proved(root.bounds().and(task.proved), bounds, task) {
        (step, bounds) = proved;
    }
    let visits = edge.filter(|_| step == searched).map_or(0, |edge| edge.visits().into());
    let mut result =
        SearchResult { bounds, visits, iterations, ..SearchResult::unsearched(Move::Pass) };
    let mean = root.mean();
    if let Some(value) = bounds.exact() {
        // A root that was solved at once may have no visits.
        (result.winrate, result.lead) = exact_result(value, mover);
    } else if root.visits() > 0 {
        let lead = lead_for(mean.lead, mover);
        (result.winrate, result.lead) = (f64::from(mean.win), f64::from(lead));
    }
    (step, result)
}

/// A step that keeps the proved result of the position, and the bounds it keeps. `None` unless at
/// least a draw is proved and `chosen`, the bounds of the step the search chose, guarantees less.
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
