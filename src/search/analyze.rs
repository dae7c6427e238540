//! How an analysis is made: [`Searcher::analyze`].
//!
//! ```text
//! tree ──TreeView──► moves, points, root ──read_tree──► only what the request permits
//!                                                        │
//!                             end of the search: its choice first, its result
//!                                                        │
//!                        pie rule: the swap added, or placements instead (`adapt`)
//!                                                        │
//!                                             made_consistent ──► caller
//! ```
//!
//! A turn in the middle of the game is one search (`analyze_turn`). Its tree is read for each
//! update while it runs, and once more when it ends. The search of the second tile may push the
//! root out of a small tree, so the analysis after the first step is saved. The first moves under
//! the pie rule take several searches: `pie`.
//!
//! # Moves left out
//!
//! If moves are left out, the value of the root is no longer that of the position. Such a search
//! starts with an empty tree and leaves an empty one behind. The solvers are off, because their
//! proofs would use the moves that are left out.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::analysis::{Analysis, Candidate};
use super::opening::{config_for, without_swap};
use super::pie::{analyze_answer, analyze_opening, swap_candidate, with_finite_limits};
use super::run::Search;
use super::searcher::Searcher;
use super::task::{AnalysisRequest, Config, Limits, Observer, RootMoves, SearchTask, StopSignal};
use super::tree::Tree;
use super::turn;
use super::view::TreeView;
use crate::clock::Instant;
use crate::game::{Move, Position, Stage};

/// What an analysis is asked for, and where its updates go.
pub struct Updates<'a> {
    /// The moves and extras to include, and how often to send updates.
    pub request: &'a AnalysisRequest,
    /// Called with every update, on a search thread.
    pub send: &'a mut (dyn FnMut(&Analysis) + Send),
}

/// Share of the limits spent on the value of the swap in a restricted analysis. Not tuned: a
/// quarter leaves most of them for the requested moves.
const SWAP_SHARE: f64 = 0.25;

impl Searcher {
    /// Searches `position` as [`Searcher::search`] does and returns what it thinks of every move it
    /// visited. The request must permit some legal move.
    ///
    /// White's first move under the pie rule is rated by how balanced the game is after it, because
    /// Red takes the better side.
    pub fn analyze<'a>(
        &'a mut self,
        position: &'a Position,
        config: &'a Config,
        limits: &'a Limits,
        stop: &'a StopSignal,
        updates: Updates<'a>,
    ) -> Search<'a, Analysis> {
        Search::new(async move {
            let start = Instant::now();
            let Updates { request, send } = updates;
            let is_restricted = request.is_restricted();
            // The swap is worth what Red's best moves are worth, left out or not.
            let needs_swap = is_restricted
                && position.stage() == Stage::Pie
                && request.permits(Move::Swap)
                && request.permits_any(&without_swap(position));
            let (swap, limits) = if needs_swap {
                let updates = Updates { request, send: &mut *send };
                let (swap, iterations) =
                    self.analyze_swap(position, config, limits, stop, updates).await;
                (Some(swap), limits.remaining_after(Duration::ZERO, iterations))
            } else {
                (None, *limits)
            };
            if is_restricted {
                self.clear();
            }
            self.stop_pondering();
            self.prepare_threads(config.threads);
            let mut config = config_for(position, config);
            let (tree, solver) = self.prepare_memory(&config);
            if is_restricted {
                // The solvers would prove results that need moves left out.
                config.params.leaf_size = 0.0;
            }
            let task = SearchTask {
                threads: self.threads(),
                expected: self.expected(position),
                solver: (!is_restricted).then_some(&*solver),
                ..SearchTask::new(
                    position,
                    &config,
                    limits.remaining_after(start.elapsed(), 0),
                    stop,
                    &tree,
                )
            };
            let updates = Updates { request, send };
            let analysis = match position.stage() {
                Stage::Opening if position.rules().pie => analyze_opening(task, updates).await,
                Stage::Pie => analyze_answer(task, updates, swap.as_ref()).await,
                _ => analyze_turn(task, updates, &|_| {}).await,
            };
            self.remember(position, analysis.root.winrate);
            if is_restricted {
                self.clear();
            }
            analysis
        })
    }

    /// Finds the value of the swap by an unrestricted analysis with a share of the limits. Returns
    /// it with the iterations used.
    async fn analyze_swap(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
        updates: Updates<'_>,
    ) -> (Candidate, u64) {
        let Updates { request, send } = updates;
        let limits = with_finite_limits(limits.scaled(SWAP_SHARE), limits.is_endless());
        let unrestricted = request.unrestricted();
        let send = &mut |analysis: &Analysis| {
            let mut analysis = analysis.clone();
            analysis.moves.retain(|candidate| request.permits(candidate.mv));
            if !analysis.moves.is_empty() {
                send(&analysis.made_consistent());
            }
        };
        let updates = Updates { request: &unrestricted, send };
        let analysis = self.analyze(position, config, &limits, stop, updates).await;
        let swap = analysis.find(Move::Swap);
        let swap = swap.cloned().unwrap_or_else(|| swap_candidate(&analysis, &unrestricted));
        (swap, analysis.iterations)
    }
}

/// Number of moves whose ownership is estimated. Not tuned: each takes a hundred rollouts.
const OWNERSHIP_MOVES: usize = 10;

/// Analyses a turn by one search. `adapt` changes every analysis before it is sent or returned.
pub(super) async fn analyze_turn(
    task: SearchTask<'_>,
    updates: Updates<'_>,
    adapt: &(dyn Fn(&mut Analysis) + Sync),
) -> Analysis {
    let Updates { request, send } = updates;
    let root_moves = RootMoves::of(task.position, request);
    let send = Mutex::new(send);
    let send_update = || {
        if let (Some(mut analysis), Ok(mut send)) = (read_tree(&task, request), send.lock()) {
            adapt(&mut analysis);
            if !analysis.moves.is_empty() {
                send(&analysis.made_consistent());
            }
        }
    };
    let saved = OnceLock::new();
    let save = || {
        if let Some(analysis) = read_tree(&task, request) {
            let _ = saved.set(analysis);
        }
    };
    let observer = Observer {
        interval: request.interval.unwrap_or(Duration::MAX),
        last_report: Mutex::new(Instant::now()),
        report: &send_update,
        save: &save,
    };
    let (observer, root_moves) = (Some(&observer), root_moves.as_ref());
    let mut result = turn::search(SearchTask { observer, root_moves, ..task }).await;
    let analysis = read_tree(&task, request).or_else(|| saved.get().cloned());
    let mut analysis = analysis.unwrap_or_else(|| Analysis::from_result(&result, task.position));
    if root_moves.is_some() && !request.permits(result.best) {
        // The memory was too small for any search, and `result` has the first legal move.
        let permitted = || task.position.moves().into_iter().find(|&mv| request.permits(mv));
        let first = analysis.moves.first().map(|candidate| candidate.mv);
        result.best = first.or_else(permitted).unwrap_or(result.best);
    }
    analysis.add_result(&result);
    if request.moves_ownership {
        let (view, seed) = (TreeView::of(&task), task.config.seed);
        let best = analysis.moves.iter().take(OWNERSHIP_MOVES).map(|best| best.mv);
        analysis.moves_ownership = best.map(|mv| (mv, view.ownership_after(mv, seed))).collect();
    }
    adapt(&mut analysis);
    analysis.made_consistent()
}

/// Reads the analysis from the tree; `None` when the position is not in it.
fn read_tree(task: &SearchTask<'_>, request: &AnalysisRequest) -> Option<Analysis> {
    let view = TreeView::of(task);
    let mut analysis = view.analysis(request.points)?;
    analysis.moves.retain(|candidate| request.permits(candidate.mv));
    analysis.points.retain(|point| request.permits(point.best.mv));
    if request.ownership {
        analysis.ownership = Some(view.ownership(task.config.seed));
    }
    Some(analysis)
}

/// Searches `position`, the start of a turn, as a casual player does: without the exact solvers, in
/// a tree of its own, on the calling thread. Returns the visited moves, the best one first; none if
/// the memory is too small.
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
    let result = turn::search(task).await;
    let Some(mut analysis) = TreeView::of(&task).analysis(false) else { return Vec::new() };
    analysis.add_result(&result);
    analysis.made_consistent().moves
}
