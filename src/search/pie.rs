//! The analysis of the first two turns under the pie rule.
//!
//! White's first move is compared with other placements by separate searches, then Red's answer to
//! the best one is analysed (`analyze_opening`). Red's answer is searched as if Red had declined to
//! swap, and the swap is added with White's value (`analyze_answer`). How these moves are chosen in
//! a game, and why, is in `opening`.

use std::time::Duration;

use super::analysis::{Analysis, Candidate, PointInfo, RootInfo};
use super::analyze::{Updates, analyze_turn};
use super::opening::{after_opening, compare_openings, without_swap};
use super::task::{AnalysisRequest, Limits, SearchTask};
use super::tree::bounds::Bounds;
use super::turn::SearchResult;
use super::view::TreeView;
use crate::clock::Instant;
use crate::game::{Move, Position};

/// Iterations for comparing first placements when nothing else limits it, about 2,000 for each of
/// eight: a fifth of a second on one thread. Not tuned. An analysis without limits must get past
/// this stage.
const OPENING_ITERATIONS: u64 = 1 << 14;

/// The limits of a preliminary search that must end: `limits`, or a fixed number of iterations if
/// they are endless.
pub(super) fn with_finite_limits(limits: Limits, are_endless: bool) -> Limits {
    if are_endless { Limits { iterations: Some(OPENING_ITERATIONS), ..limits } } else { limits }
}

/// Analyses Red's answer to White's first move: Red's own moves and the swap, whose value may be
/// known already.
pub(super) async fn analyze_answer(
    task: SearchTask<'_>,
    updates: Updates<'_>,
    swap: Option<&Candidate>,
) -> Analysis {
    let position = without_swap(task.position);
    let Updates { request, send } = updates;
    let unrestricted = request.unrestricted();
    let is_only = !request.permits_any(&position);
    let updates = Updates { request: if is_only { &unrestricted } else { request }, send };
    let add_swap = |analysis: &mut Analysis| {
        // The bounds were proved for a game without the swap.
        analysis.root.bounds = Bounds::UNKNOWN;
        analysis.position = task.position.to_string();
        if !request.permits(Move::Swap) {
            return;
        }
        let swap = swap.cloned().unwrap_or_else(|| swap_candidate(analysis, request));
        let is_better = swap.winrate > analysis.root.winrate || is_only;
        if is_better {
            (analysis.root.winrate, analysis.root.lead) = (swap.winrate, swap.lead);
            analysis.moves.insert(0, swap);
        } else {
            analysis.moves.insert(1.min(analysis.moves.len()), swap);
        }
        analysis.moves.retain(|candidate| request.permits(candidate.mv));
    };
    analyze_turn(SearchTask { position: &position, ..task }, updates, &add_swap).await
}

/// The swap, from an analysis of Red's turn without it.
pub(super) fn swap_candidate(analysis: &Analysis, request: &AnalysisRequest) -> Candidate {
    let root = analysis.root;
    let pv_visits = analysis.moves.first().map_or(&[][..], |best| &best.pv_visits);
    let is_only = request.allow == [Move::Swap];
    Candidate {
        mv: Move::Swap,
        visits: root.visits,
        winrate: 1.0 - root.winrate,
        lead: -root.lead,
        prior: if is_only { 1.0 } else { 0.5 },
        pv: [&[Move::Swap], analysis.pv()].concat(),
        pv_visits: [&[root.visits], pv_visits].concat(),
        lcb: 1.0 - root.winrate,
        order: 0,
        bounds: Bounds::UNKNOWN,
    }
}

/// Analyses White's first move: compares placements, then analyses Red's answer to the most
/// balanced one.
pub(super) async fn analyze_opening(task: SearchTask<'_>, updates: Updates<'_>) -> Analysis {
    let start = Instant::now();
    let SearchTask { limits, position, .. } = task;
    let Updates { request, send } = updates;
    let first = SearchTask { limits: with_finite_limits(limits, limits.is_endless()), ..task };
    let compared = compare_openings(first, request, &mut |compared| {
        if request.interval.is_some() {
            send(&compared_openings(position, compared, start.elapsed()));
        }
    })
    .await;
    let iterations: u64 = compared.iter().map(|result| result.iterations).sum();
    let best = compared.first().cloned().unwrap_or_else(|| SearchResult::unsearched(Move::Pass));
    let answer = after_opening(position, best.best);
    let remaining = limits.remaining_after(start.elapsed(), iterations);
    let is_spent =
        remaining.time.is_some_and(|time| time.is_zero()) || remaining.iterations == Some(0);
    let task = SearchTask { position: &answer, limits: remaining, ..task };
    let mut analysis = if is_spent && iterations > 0 {
        let mut analysis = compared_openings(position, &compared, start.elapsed());
        if request.ownership {
            analysis.ownership = Some(TreeView::of(&task).ownership(task.config.seed));
        }
        analysis
    } else {
        let unrestricted = request.unrestricted();
        let updates = Updates { request: &unrestricted, send };
        let adapt =
            |analysis: &mut Analysis| put_opening_first(analysis, position, &best, &compared);
        analyze_turn(task, updates, &adapt).await
    };
    if !is_spent {
        analysis.iterations += iterations;
    }
    analysis.elapsed = start.elapsed();
    analysis
}

/// Turns the analysis of Red's answer to `best` into one of White's first move.
fn put_opening_first(
    analysis: &mut Analysis,
    position: &Position,
    best: &SearchResult,
    compared: &[SearchResult],
) {
    let best = opening_candidate(best, Some(analysis));
    let others = compared.iter().map(|result| opening_candidate(result, None));
    let Candidate { mv, winrate, lead, bounds, .. } = best;
    let others = others.filter(|candidate| candidate.mv != mv);
    let RootInfo { visits, .. } = analysis.root;
    let root = RootInfo { winrate, lead, visits, bounds };
    let moves = std::iter::once(best).chain(others).collect();
    let (ownership, iterations, elapsed) =
        (analysis.ownership.take(), analysis.iterations, analysis.elapsed);
    *analysis =
        Analysis { moves, ownership, iterations, elapsed, ..Analysis::of_root(position, root) };
    analysis.points = opening_points(&analysis.moves);
}

/// An analysis of White's first move from compared placements, the most balanced first.
fn compared_openings(
    position: &Position,
    compared: &[SearchResult],
    elapsed: Duration,
) -> Analysis {
    let iterations = compared.iter().map(|result| result.iterations).sum();
    let best = compared.first().cloned().unwrap_or_else(|| SearchResult::unsearched(Move::Pass));
    let best = SearchResult { iterations, elapsed, ..best };
    let mut analysis = Analysis::from_result(&best, position);
    analysis.root.bounds = Bounds::UNKNOWN;
    analysis.moves = compared.iter().map(|result| opening_candidate(result, None)).collect();
    analysis.points = opening_points(&analysis.moves);
    if let Some(best) = analysis.moves.first() {
        (analysis.root.winrate, analysis.root.lead) = (best.winrate, best.lead);
    }
    analysis.made_consistent()
}

/// The first points of compared placements. Each placement was searched by itself, so a point has
/// no edge of its own: it has the numbers of its best placement.
fn opening_points(placements: &[Candidate]) -> Vec<PointInfo> {
    let mut points: Vec<PointInfo> = Vec::new();
    for placement in placements {
        let Move::Tiles(cell, _) = placement.mv else { continue };
        if points.iter().all(|point| point.cell != cell) {
            points.push(PointInfo { cell, best: placement.clone() });
        }
    }
    points
}

/// A first placement as a candidate for White. Red takes the better side, so White's win rate is at
/// most 0.5. `answers` is the analysis of Red's turn after it, if there is one.
fn opening_candidate(result: &SearchResult, answers: Option<&Analysis>) -> Candidate {
    let (winrate, lead, visits) = match answers {
        Some(Analysis { root, .. }) => (root.winrate, root.lead, root.visits),
        None => (result.winrate, result.lead, result.iterations),
    };
    let swaps = winrate < 0.5;
    let answer = answers.and_then(|answers| answers.moves.first());
    let (mut pv, mut pv_visits) = (vec![result.best], vec![visits]);
    if swaps {
        pv.push(Move::Swap);
        pv_visits.push(visits);
    }
    if let Some(answer) = answer {
        pv.extend(&answer.pv);
        pv_visits.extend(&answer.pv_visits);
    }
    let winrate = winrate.min(1.0 - winrate);
    Candidate {
        mv: result.best,
        visits,
        winrate,
        lead: -lead.abs(),
        prior: 0.0,
        pv,
        pv_visits,
        lcb: winrate,
        order: 0,
        bounds: Bounds::UNKNOWN,
    }
}
