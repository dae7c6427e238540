//! The analysis of one turn, with updates while the search runs.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::analysis::Analysis;
use super::observer::Observer;
use super::request::{AnalysisRequest, Reporter};
use super::root_moves::RootMoves;
use super::task::SearchTask;
use super::turn;
use super::view::View;
use crate::clock::Instant;

/// Number of moves whose ownership is estimated.
const OWNERSHIP_MOVES: usize = 10;

/// Analyses a turn. `adapt` changes every analysis before it is reported or
/// returned.
pub(super) async fn analyze_turn(
    task: SearchTask<'_>,
    reporter: Reporter<'_>,
    adapt: &(dyn Fn(&mut Analysis) + Sync),
) -> Analysis {
    let Reporter { request, report } = reporter;
    let root_moves = RootMoves::of(task.position, request);
    let report = Mutex::new(report);
    let send_update = || {
        if let (Some(mut analysis), Ok(mut report)) = (read(&task, request), report.lock()) {
            adapt(&mut analysis);
            if !analysis.candidates.is_empty() {
                report(&analysis);
            }
        }
    };
    let saved = OnceLock::new();
    let save = || {
        if let Some(analysis) = read(&task, request) {
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
    let mut found = turn::search(SearchTask { observer, root_moves, ..task }).await;
    let mover = task.position.side();
    let analysis = read(&task, request).or_else(|| saved.get().cloned());
    let mut analysis = analysis.unwrap_or_else(|| Analysis::from_report(&found, mover));
    if root_moves.is_some() && !request.permits(found.best) {
        // The memory was too small for any search.
        let moves = || task.position.moves().into_iter().find(|&mv| request.permits(mv));
        let first = analysis.candidates.first().map(|candidate| candidate.mv);
        found.best = first.or_else(moves).unwrap_or(found.best);
    }
    analysis.settle(&found);
    if request.moves_ownership {
        let (view, seed) = (View::of(&task), task.config.seed);
        let best = analysis.candidates.iter().take(OWNERSHIP_MOVES).map(|best| best.mv);
        let after = best.map(|mv| (mv, view.ownership_after(mv, seed)));
        analysis.moves_ownership = after.collect();
    }
    adapt(&mut analysis);
    analysis
}

/// Reads the analysis from the tree; `None` when the position is not in it.
fn read(task: &SearchTask<'_>, request: &AnalysisRequest) -> Option<Analysis> {
    let view = View::of(task);
    let mut analysis = view.analysis()?;
    analysis.candidates.retain(|candidate| request.permits(candidate.mv));
    if request.ownership {
        analysis.ownership = Some(view.ownership(task.config.seed));
    }
    Some(analysis)
}
