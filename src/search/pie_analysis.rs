//! Analyses under the pie rule: White's first turn and Red's answer.

use std::time::Duration;

use super::analysis::{Analysis, Candidate};
use super::bounds::Bounds;
use super::config::Limits;
use super::opening::{after_opening, compare_openings, declined};
use super::report::Report;
use super::request::{AnalysisRequest, Reporter};
use super::task::SearchTask;
use super::turn_analysis::analyze_turn;
use super::view::View;
use crate::clock::Instant;
use crate::game::{Color, Move};

/// Iterations for comparing first placements when nothing else limits it.
const OPENING_ITERATIONS: u64 = 1 << 14;

/// Limits for a preliminary search that must end: `limits`, or a fixed number
/// of iterations if they are endless.
pub(super) fn finite(limits: Limits, are_endless: bool) -> Limits {
    if are_endless { Limits { iterations: Some(OPENING_ITERATIONS), ..limits } } else { limits }
}

/// Analyses Red's answer to White's first turn: Red's own moves, and the swap,
/// whose value may be known already.
pub(super) async fn analyze_answer(
    task: SearchTask<'_>,
    reporter: Reporter<'_>,
    swap: Option<&Candidate>,
) -> Analysis {
    let position = declined(task.position);
    let Reporter { request, report } = reporter;
    let free = request.unrestricted();
    let is_only = !request.permits_any(&position);
    let reporter = Reporter { request: if is_only { &free } else { request }, report };
    let add_swap = |analysis: &mut Analysis| {
        // The bounds were proved for a game without the swap.
        analysis.bounds = Bounds::UNKNOWN;
        if !request.permits(Move::Swap) {
            return;
        }
        let swap = swap.cloned().unwrap_or_else(|| swap_candidate(analysis, request));
        let is_better = swap.winrate > analysis.winrate || is_only;
        if is_better {
            (analysis.winrate, analysis.lead) = (swap.winrate, swap.lead);
            analysis.candidates.insert(0, swap);
        } else {
            analysis.candidates.insert(1.min(analysis.candidates.len()), swap);
        }
        analysis.candidates.retain(|candidate| request.permits(candidate.mv));
    };
    analyze_turn(SearchTask { position: &position, ..task }, reporter, &add_swap).await
}

/// The swap, from an analysis of Red's turn without it.
pub(super) fn swap_candidate(analysis: &Analysis, request: &AnalysisRequest) -> Candidate {
    let best = analysis.candidates.first();
    let line = best.map_or(&[][..], |best| &best.line);
    let line_visits = best.map_or(&[][..], |best| &best.line_visits);
    let is_only = request.allow == [Move::Swap];
    Candidate {
        mv: Move::Swap,
        visits: analysis.visits,
        winrate: 1.0 - analysis.winrate,
        lead: -analysis.lead,
        prior: if is_only { 1.0 } else { 0.5 },
        lcb: 1.0 - analysis.winrate,
        bounds: Bounds::UNKNOWN,
        line: [&[Move::Swap], line].concat(),
        line_visits: [&[analysis.visits], line_visits].concat(),
    }
}

/// Analyses White's first turn: compares placements, then analyses Red's
/// answer to the most balanced one.
pub(super) async fn analyze_opening(task: SearchTask<'_>, reporter: Reporter<'_>) -> Analysis {
    let start = Instant::now();
    let SearchTask { limits, position, .. } = task;
    let Reporter { request, report } = reporter;
    let first = SearchTask { limits: finite(limits, limits.is_endless()), ..task };
    let compared = compare_openings(first, request, &mut |compared| {
        if request.interval.is_some() {
            report(&compared_openings(compared, start.elapsed()));
        }
    })
    .await;
    let iterations: u64 = compared.iter().map(|report| report.iterations).sum();
    let best = compared.first().cloned().unwrap_or_else(|| Report::unsearched(Move::Pass));
    let answer = after_opening(position, best.best);
    let left = limits.less(start.elapsed(), iterations);
    let is_spent = left.time.is_some_and(|time| time.is_zero()) || left.iterations == Some(0);
    let task = SearchTask { position: &answer, limits: left, ..task };
    let mut analysis = if is_spent && iterations > 0 {
        let mut analysis = compared_openings(&compared, start.elapsed());
        if request.ownership {
            analysis.ownership = Some(View::of(&task).ownership(task.config.seed));
        }
        analysis
    } else {
        let free = request.unrestricted();
        let reporter = Reporter { request: &free, report };
        analyze_turn(task, reporter, &|analysis| put_opening_first(analysis, &best, &compared))
            .await
    };
    if !is_spent {
        analysis.iterations += iterations;
    }
    analysis.elapsed = start.elapsed();
    analysis
}

/// Turns the analysis of Red's answer to `best` into one of White's first turn.
fn put_opening_first(analysis: &mut Analysis, best: &Report, compared: &[Report]) {
    let best = opening_candidate(best, Some(analysis));
    analysis.mover = Color::White;
    analysis.moves_ownership.clear();
    (analysis.winrate, analysis.lead) = (best.winrate, best.lead);
    analysis.bounds = Bounds::UNKNOWN;
    let others = compared.iter().map(|report| opening_candidate(report, None));
    let others = others.filter(|candidate| candidate.mv != best.mv);
    analysis.candidates = std::iter::once(best.clone()).chain(others).collect();
}

/// An analysis of White's first turn from compared placements, the most
/// balanced first.
fn compared_openings(compared: &[Report], elapsed: Duration) -> Analysis {
    let best = compared.first().cloned().unwrap_or_else(|| Report::unsearched(Move::Pass));
    let iterations = compared.iter().map(|report| report.iterations).sum();
    let mut analysis = Analysis::from_report(&Report { iterations, elapsed, ..best }, Color::White);
    analysis.bounds = Bounds::UNKNOWN;
    analysis.candidates = compared.iter().map(|report| opening_candidate(report, None)).collect();
    if let Some(best) = analysis.candidates.first() {
        (analysis.winrate, analysis.lead) = (best.winrate, best.lead);
    }
    analysis
}

/// A first placement as a candidate for White. Red takes the better side, so
/// White's win rate is at most 0.5. `answered` is the analysis of Red's turn
/// after it, if there is one.
fn opening_candidate(report: &Report, answered: Option<&Analysis>) -> Candidate {
    let (winrate, lead, visits) = match answered {
        Some(answered) => (answered.winrate, answered.lead, answered.visits),
        None => (report.winrate, report.lead, report.iterations),
    };
    let swaps = winrate < 0.5;
    let answer = answered.and_then(|answered| answered.candidates.first());
    let (mut line, mut line_visits) = (vec![report.best], vec![visits]);
    if swaps {
        line.push(Move::Swap);
        line_visits.push(visits);
    }
    if let Some(answer) = answer {
        line.extend(&answer.line);
        line_visits.extend(&answer.line_visits);
    }
    let winrate = winrate.min(1.0 - winrate);
    Candidate {
        mv: report.best,
        visits,
        winrate,
        lead: -lead.abs(),
        prior: 0.0,
        lcb: winrate,
        bounds: Bounds::UNKNOWN,
        line,
        line_visits,
    }
}
