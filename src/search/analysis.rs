//! What the search thinks: [`Searcher::analyze`], its request and its result.
//!
//! A turn in the middle of the game is one search whose tree is read while it runs
//! (`analyze_turn`, `view`). Under the pie rule White's first turn and Red's answer
//! are compared by separate searches.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::iteration::RootMoves;
use super::opening::{after_opening, compare_openings, config_at, declined};
use super::run::{Observer, finish};
use super::searcher::{Config, Limits, SearchTask, Searcher, StopSignal};
use super::tree::bounds::{Bounds, exact_result};
use super::turn;
use super::view::{Ownership, View};
use crate::clock::Instant;
use crate::game::{Color, Move, Position, Stage};

/// What a search has found out about a position and its moves.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The side to move; win rates and leads are from its point of view.
    pub mover: Color,
    /// Expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead in points.
    pub lead: f64,
    /// Proved bounds on the result, from White's point of view.
    pub bounds: Bounds,
    /// Visits of the position, those of earlier searches included.
    pub visits: u64,
    /// Iterations of this search; 0 while it runs.
    pub iterations: u64,
    /// Duration of this search; 0 while it runs.
    pub elapsed: Duration,
    /// The visited moves: first the one to play, then sorted by proved bounds
    /// and visits.
    pub candidates: Vec<Candidate>,
    /// Ownership of cells and bridge sites, if requested.
    pub ownership: Option<Ownership>,
    /// Ownership after each of the best moves, if requested.
    pub moves_ownership: Vec<(Move, Ownership)>,
}

/// What a search has found out about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Visits, over both orders of its tiles.
    pub visits: u64,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    pub lead: f64,
    /// Prior probability of the move, 0 to 1.
    pub prior: f64,
    /// Lower confidence bound of the win rate: 1.96 standard errors below it.
    pub lcb: f64,
    /// Proved bounds on the result, from White's point of view.
    pub bounds: Bounds,
    /// The principal variation, beginning with the move.
    pub line: Vec<Move>,
    /// Visits of each move of the line.
    pub line_visits: Vec<u64>,
}

impl Analysis {
    /// An analysis from the report alone, for a position that is no longer in
    /// the tree.
    pub(super) fn from_report(report: &Report, mover: Color) -> Analysis {
        Analysis {
            mover,
            winrate: report.winrate,
            lead: report.lead,
            bounds: report.bounds.at_least(mover),
            visits: report.iterations,
            iterations: report.iterations,
            elapsed: report.elapsed,
            candidates: Vec::new(),
            ownership: None,
            moves_ownership: Vec::new(),
        }
    }

    /// Adds the search's final report: puts its choice first and takes over its
    /// results.
    pub(super) fn settle(&mut self, report: &Report) {
        (self.iterations, self.elapsed) = (report.iterations, report.elapsed);
        if report.iterations > 0 {
            (self.winrate, self.lead) = (report.winrate, report.lead);
        }
        self.bounds = self.bounds.and(report.bounds.at_least(self.mover));
        if let Some(value) = self.bounds.exact() {
            (self.winrate, self.lead) = exact_result(value, self.mover);
        }
        self.put_first(report.best);
        self.count_visits();
        self.visits = self.visits.max(report.iterations);
        let limit = self.bounds.at_most(self.mover);
        if let Some(best) = self.candidates.first_mut() {
            best.bounds = best.bounds.and(report.bounds).and(limit);
            if let Some(value) = best.bounds.exact() {
                (best.winrate, best.lead) = exact_result(value, self.mover);
                best.lcb = best.winrate;
            }
        }
    }

    /// Includes the visits of the second tile's search, which does not start
    /// at the root.
    pub(super) fn count_visits(&mut self) {
        let of_moves = self.candidates.iter().map(|candidate| candidate.visits).sum();
        self.visits = self.visits.max(of_moves);
    }

    /// Moves `best` to the front, adding it if it has no visits.
    pub(crate) fn put_first(&mut self, best: Move) {
        match self.candidates.iter().position(|candidate| candidate.mv == best) {
            Some(index) => self.candidates[..=index].rotate_right(1),
            None => self.candidates.insert(0, self.unvisited(best)),
        }
    }

    /// A move without visits: it has the win rate and lead of the position.
    fn unvisited(&self, mv: Move) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            winrate: self.winrate,
            lead: self.lead,
            prior: 0.0,
            lcb: 0.0,
            bounds: Bounds::UNKNOWN,
            line: vec![mv],
            line_visits: vec![0],
        }
    }
}

/// What an analysis should cover.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisRequest {
    /// Moves to leave out.
    pub avoid: Vec<Move>,
    /// The only moves to consider; empty means all.
    pub allow: Vec<Move>,
    /// Whether to estimate the ownership of cells and bridge sites.
    pub ownership: bool,
    /// Whether to estimate it after each of the best moves, too, when the search
    /// ends.
    pub moves_ownership: bool,
    /// Time between updates while the search runs; `None` means no updates.
    pub interval: Option<Duration>,
}

impl AnalysisRequest {
    /// Whether some moves are left out.
    pub fn is_restricted(&self) -> bool {
        !self.avoid.is_empty() || !self.allow.is_empty()
    }

    /// The same request for all moves.
    pub(super) fn unrestricted(&self) -> AnalysisRequest {
        AnalysisRequest { avoid: Vec::new(), allow: Vec::new(), ..self.clone() }
    }

    /// Whether `mv` may be considered.
    pub fn permits(&self, mv: Move) -> bool {
        (self.allow.is_empty() || self.allow.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether any legal move of `position` may be considered.
    pub fn permits_any(&self, position: &Position) -> bool {
        if self.allow.is_empty() {
            return self.avoid.is_empty() || position.moves().iter().any(|&mv| self.permits(mv));
        }
        self.allow.iter().any(|&mv| self.permits(mv) && position.check(mv).is_ok())
    }
}

/// Receives the updates of a running analysis.
pub struct Reporter<'a> {
    /// What was asked for.
    pub request: &'a AnalysisRequest,
    /// Called with every update.
    pub report: &'a mut (dyn FnMut(&Analysis) + Send),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to play.
    pub best: Move,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    pub lead: f64,
    /// Proved bounds on the result.
    pub bounds: Bounds,
    /// Iterations of this search.
    pub iterations: u64,
    /// Nodes added to the tree.
    pub nodes: usize,
    /// Size of the tree at the end, in bytes.
    pub tree_bytes: usize,
    /// Duration of the search.
    pub elapsed: Duration,
}

impl Report {
    /// A report about `best` without any search.
    pub(super) fn unsearched(best: Move) -> Report {
        Report {
            best,
            winrate: 0.5,
            lead: 0.0,
            bounds: Bounds::UNKNOWN,
            iterations: 0,
            nodes: 0,
            tree_bytes: 0,
            elapsed: Duration::ZERO,
        }
    }
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
