//! What the search thinks: [`Searcher::analyze`].
//!
//! A turn in the middle of the game is one search whose tree is read while it runs
//! (`analyze_turn`, `view`). Under the pie rule White's first turn and Red's answer
//! are compared by separate searches. Last, the search of a casual player, without
//! the exact solvers.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::opening::{after_opening, compare_openings, config_at, declined};
use super::run::finish;
use super::searcher::Searcher;
use super::task::{AnalysisRequest, Config, Limits, Observer, RootMoves, SearchTask, StopSignal};
use super::tree::Tree;
use super::tree::bounds::Bounds;
use super::turn;
use super::turn::Report;
use super::view::{Analysis, Candidate, View};
use crate::clock::Instant;
use crate::game::{Color, Move, Position, Stage};

/// Receives the updates of a running analysis.
pub struct Reporter<'a> {
    /// What was asked for.
    pub request: &'a AnalysisRequest,
    /// Called with every update.
    pub report: &'a mut (dyn FnMut(&Analysis) + Send),
}

/// Share of the limits spent on the value of the swap in a restricted
/// analysis.
const SWAP_SHARE: f64 = 0.25;

impl Searcher {
    /// Searches `position` as [`Searcher::search`] does and reports on every
    /// move it visited. The request must permit some legal move.
    ///
    /// White's first turn under the pie rule is rated by how balanced the game
    /// is after it, because Red takes the better side.
    pub fn analyze(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
        reporter: Reporter<'_>,
    ) -> Analysis {
        finish(self.analyze_async(position, config, limits, stop, reporter))
    }

    /// As [`Searcher::analyze`], with a [pause](finish) after each
    /// [`Limits::slice`].
    pub async fn analyze_async(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
        reporter: Reporter<'_>,
    ) -> Analysis {
        let start = Instant::now();
        let Reporter { request, report } = reporter;
        let is_restricted = request.is_restricted();
        // The swap is worth what Red's best moves are worth, left out or not.
        let needs_swap = is_restricted
            && position.stage() == Stage::Pie
            && request.permits(Move::Swap)
            && request.permits_any(&declined(position));
        let (swap, limits) = if needs_swap {
            let reporter = Reporter { request, report: &mut *report };
            let (swap, iterations) =
                self.analyze_swap(position, config, limits, stop, reporter).await;
            (Some(swap), limits.less(Duration::ZERO, iterations))
        } else {
            (None, *limits)
        };
        if is_restricted {
            self.clear();
        }
        self.stop_pondering();
        self.prepare_threads(config.threads);
        let mut config = config_at(position, config);
        let (tree, solver) = self.prepare_memory(&config);
        if is_restricted {
            // The solvers would prove results that need moves left out.
            config.params.leaf_size = 0.0;
        }
        let task = SearchTask {
            threads: self.threads(),
            expected: self.expected(position),
            solver: (!is_restricted).then_some(&*solver),
            ..SearchTask::new(position, &config, limits.less(start.elapsed(), 0), stop, &tree)
        };
        let reporter = Reporter { request, report };
        let analysis = match position.stage() {
            Stage::Opening if position.rules().pie => analyze_opening(task, reporter).await,
            Stage::Pie => analyze_answer(task, reporter, swap.as_ref()).await,
            _ => analyze_turn(task, reporter, &|_| {}).await,
        };
        self.remember(position, analysis.winrate);
        if is_restricted {
            self.clear();
        }
        analysis
    }

    /// Finds the value of the swap by an unrestricted analysis with a share of
    /// the limits. Returns it with the iterations used.
    async fn analyze_swap(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        stop: &StopSignal,
        reporter: Reporter<'_>,
    ) -> (Candidate, u64) {
        let Reporter { request, report } = reporter;
        let limits = finite(limits.share(SWAP_SHARE), limits.is_endless());
        let all = request.unrestricted();
        let report = &mut |analysis: &Analysis| {
            let mut analysis = analysis.clone();
            analysis.candidates.retain(|candidate| request.permits(candidate.mv));
            if !analysis.candidates.is_empty() {
                report(&analysis);
            }
        };
        let reporter = Reporter { request: &all, report };
        // An async function cannot contain itself unboxed.
        let analysis =
            Box::pin(self.analyze_async(position, config, &limits, stop, reporter)).await;
        let swap = analysis.candidates.iter().find(|candidate| candidate.mv == Move::Swap);
        let swap = swap.cloned().unwrap_or_else(|| swap_candidate(&analysis, &all));
        (swap, analysis.iterations)
    }
}

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
    let found = turn::search(task).await;
    let Some(mut analysis) = View::of(&task).analysis() else { return Vec::new() };
    analysis.settle(&found);
    analysis.candidates
}
