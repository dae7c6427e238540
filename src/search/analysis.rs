//! What the search thinks: [`Analysis`], the one form of it, and
//! [`Searcher::analyze`], which makes it.
//!
//! # How a report is built
//!
//! ```text
//! tree ──TreeView──► moves, points, root ──read_tree──► only what the request permits
//!                                                        │
//!                               end of the search: its choice in front, its results
//!                                                        │
//!                        pie rule: the swap added, or placements instead (`adapt`)
//!                                                        │
//!                                            made_consistent ──► who asked
//! ```
//!
//! A turn in the middle of the game is one search (`analyze_turn`), whose tree is read while it
//! runs for updates, and once more when it ends. The final search of a second tile may push the
//! root out of a small tree, so the state after the first step is saved. Under the pie rule
//! White's first turn and Red's answer are compared by separate searches (`analyze_opening`,
//! `analyze_answer`).
//!
//! # Numbers that agree
//!
//! Means, bounds and visits come from nodes and edges that threads change meanwhile, and a proof
//! may be newer than a mean. `made_consistent` is the last step before anybody sees the numbers:
//! no move gains more than the position, a decided win rate is 0, ½ or 1, leads lie within the
//! bounds, and a lower confidence bound is no higher than its win rate. Without it a reader
//! could see a lost move with a win rate of 0.3.
//!
//! # Moves left out
//!
//! With moves left out, the value of the root is no longer that of the position. Such a search
//! starts with an empty tree and leaves an empty one behind, and the solvers are off, because
//! they would prove results with the moves that are left out.
//!
//! # Single points
//!
//! GTP and some graphical interfaces name a turn by one point. A first tile has the visits and
//! the mean of its own edge in the tree, both ends of a bridge those of its edge; several bridges
//! that share an end are added up.
//!
//! Last in the file is the search of a casual player, without the exact solvers.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::opening::{after_opening, compare_openings, config_for, without_swap};
use super::run::Search;
use super::searcher::Searcher;
use super::task::{AnalysisRequest, Config, Limits, Observer, RootMoves, SearchTask, StopSignal};
use super::tree::Tree;
use super::tree::bounds::Bounds;
use super::turn;
use super::turn::Report;
use super::view::{Ownership, TreeView};
use crate::board::Cell;
use crate::clock::Instant;
use crate::game::{Color, Move, Position, Stage, Value};

/// What the engine thinks of a position. This is the one form of it: the lines of
/// `ponte-analyze`, all JSON, tables, pictures, the page and reviews are written from
/// it, and it is itself the JSON of `pontifex analyze`.
///
/// Win rates and leads are those of the side to move; proofs name a colour, whoever
/// is to move. A win rate is the expected result, from 0 (loss) to 1 (win), a draw
/// counts as half; a lead is in points. A proved winner has the win rate 0 or 1,
/// a proved draw 0.5, and the lead lies within the proved bounds. Numbers are rounded
/// to six decimals, so that they are read back unchanged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Analysis {
    /// The position as text.
    pub position: String,
    /// The side to move.
    pub to_move: Color,
    /// The position as a whole.
    pub root: RootInfo,
    /// The visited moves: first the one to play, then sorted by proved bounds and
    /// visits.
    pub moves: Vec<Candidate>,
    /// The same by the first point of a turn, if requested.
    #[serde(skip)]
    pub points: Vec<PointInfo>,
    /// Ownership of cells and bridge sites, if requested.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Ownership>,
    /// Ownership after each of the best moves, if requested.
    #[serde(skip)]
    pub moves_ownership: Vec<(Move, Ownership)>,
    /// Iterations of this search; 0 while it runs.
    #[serde(skip)]
    pub iterations: u64,
    /// Duration of this search; 0 while it runs.
    #[serde(skip)]
    pub elapsed: Duration,
}

/// What the engine thinks of a position as a whole.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RootInfo {
    /// Expected result, 0 to 1.
    pub winrate: f64,
    /// Expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Visits of the position, those of earlier searches included.
    pub visits: u64,
    /// What is proved about the result: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// What the engine thinks of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Visits, over both orders of its tiles.
    pub visits: u64,
    /// Expected result for the side to move, 0 to 1.
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Prior probability of the move, 0 to 1.
    pub prior: f64,
    /// The principal variation, beginning with the move.
    pub pv: Vec<Move>,
    /// Visits of each move of the principal variation.
    #[serde(skip)]
    pub pv_visits: Vec<u64>,
    /// Lower confidence bound of the win rate: 1.96 standard errors below it.
    pub lcb: f64,
    /// Rank, from 0.
    pub order: usize,
    /// What is proved about the result after it: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// What the engine thinks of a first point: a first tile, or either end of a bridge.
#[derive(Clone, PartialEq, Debug)]
pub struct PointInfo {
    /// The point.
    pub cell: Cell,
    /// The best turn that begins there. Visits, win rate, lead, bound, prior and proof
    /// are those of the point's own edge in the tree; if several bridges have that end, they
    /// are those of all of them together.
    pub turn: Candidate,
}

impl Analysis {
    /// The analysis with the first `count` moves only.
    #[must_use]
    pub fn best(&self, count: usize) -> Analysis {
        let moves = self.moves.iter().take(count).cloned().collect();
        let (points, moves_ownership) = (Vec::new(), Vec::new());
        let (position, ownership) = (self.position.clone(), self.ownership.clone());
        Analysis { position, moves, points, ownership, moves_ownership, ..*self }
    }

    /// The analysis of `mv`, if it is among the moves.
    pub fn find(&self, mv: Move) -> Option<&Candidate> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }

    /// The best move and what follows; empty without a move.
    pub fn pv(&self) -> &[Move] {
        self.moves.first().map_or(&[], |best| &best.pv)
    }

    /// White's expected result, 0 to 1, and lead in points.
    pub fn whites(&self) -> (f64, f64) {
        let RootInfo { winrate, lead, .. } = self.root;
        match self.to_move {
            Color::White => (winrate, lead),
            Color::Red => (1.0 - winrate, -lead),
        }
    }

    /// An analysis of `position` without moves.
    pub fn of_root(position: &Position, root: RootInfo) -> Analysis {
        Analysis {
            position: position.to_string(),
            to_move: position.side(),
            root,
            moves: Vec::new(),
            points: Vec::new(),
            ownership: None,
            moves_ownership: Vec::new(),
            iterations: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// An analysis from the report alone, for a position that is no longer in
    /// the tree.
    fn from_report(report: &Report, position: &Position) -> Analysis {
        let root = RootInfo {
            winrate: report.winrate,
            lead: report.lead,
            visits: report.iterations,
            bounds: report.bounds.at_least(position.side()),
        };
        let Report { iterations, elapsed, .. } = *report;
        Analysis { iterations, elapsed, ..Analysis::of_root(position, root) }
    }

    /// Adds the search's final report: puts its choice first and takes over its
    /// results, which are those of the last step's search and may include a proof.
    fn add_report(&mut self, report: &Report) {
        (self.iterations, self.elapsed) = (report.iterations, report.elapsed);
        if report.iterations > 0 {
            (self.root.winrate, self.root.lead) = (report.winrate, report.lead);
        }
        self.root.bounds = self.root.bounds.and(report.bounds.at_least(self.to_move));
        self.put_first(report.best);
        self.count_visits();
        self.root.visits = self.root.visits.max(report.iterations);
        if let Some(best) = self.moves.first_mut() {
            best.bounds = best.bounds.and(report.bounds);
        }
    }

    /// Makes the numbers agree with each other and with what is proved: the last
    /// step before anybody sees the analysis.
    fn made_consistent(mut self) -> Analysis {
        let mover = self.to_move;
        let RootInfo { winrate, lead, bounds, .. } = &mut self.root;
        agree(mover, *bounds, winrate, lead);
        // No move gains more than what is proved for the position.
        let limit = bounds.at_most(mover);
        let points = self.points.iter_mut().map(|point| &mut point.turn);
        for candidate in self.moves.iter_mut().chain(points) {
            if candidate.mv != Move::Swap {
                candidate.bounds = candidate.bounds.and(limit);
            }
            let Candidate { bounds, winrate, lead, .. } = candidate;
            agree(mover, *bounds, winrate, lead);
            let lcb = if bounds.is_decided() { *winrate } else { candidate.lcb };
            candidate.lcb = rounded(lcb.min(*winrate), DECIMALS);
            candidate.prior = rounded(candidate.prior, DECIMALS);
        }
        self.renumber();
        self
    }

    /// Includes the visits of the second tile's search, which does not start
    /// at the root.
    pub(super) fn count_visits(&mut self) {
        let of_moves = self.moves.iter().map(|candidate| candidate.visits).sum();
        self.root.visits = self.root.visits.max(of_moves);
    }

    /// Moves `best` to the front, adding it if it has no visits.
    pub(crate) fn put_first(&mut self, best: Move) {
        match self.moves.iter().position(|candidate| candidate.mv == best) {
            Some(index) => self.moves[..=index].rotate_right(1),
            None => self.moves.insert(0, self.unvisited(best)),
        }
        self.renumber();
    }

    fn renumber(&mut self) {
        for (order, candidate) in self.moves.iter_mut().enumerate() {
            candidate.order = order;
        }
    }

    /// A move without visits: it has the win rate and lead of the position.
    pub fn unvisited(&self, mv: Move) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            winrate: self.root.winrate,
            lead: self.root.lead,
            prior: 0.0,
            pv: vec![mv],
            pv_visits: vec![0],
            lcb: 0.0,
            order: 0,
            bounds: Bounds::UNKNOWN,
        }
    }
}

impl Candidate {
    /// Sorts the best first: what `mover` is proved to get, then visits.
    pub(crate) fn rank(&self, mover: Color) -> impl Ord + use<> {
        let bounds = self.bounds.seen_by(mover);
        let proved = (bounds.lower.max(Value::DRAW), bounds.upper.min(Value::DRAW));
        std::cmp::Reverse((proved, self.visits))
    }
}

/// Makes a win rate and a lead of `mover` agree with what is proved.
pub(crate) fn agree(mover: Color, bounds: Bounds, winrate: &mut f64, lead: &mut f64) {
    if bounds.is_decided() {
        *winrate = bounds.winner().map_or(0.5, |winner| f64::from(u8::from(winner == mover)));
    }
    let Bounds { lower, upper } = bounds.seen_by(mover);
    *lead = lead.clamp(lower.points().into(), upper.points().into());
    (*winrate, *lead) = (rounded(*winrate, DECIMALS), rounded(*lead, DECIMALS));
}

/// Decimals of the numbers of an analysis. Chosen: finer than the error of any search, and few
/// enough that the text is read back as the same number.
pub(crate) const DECIMALS: i32 = 6;

/// Rounds to at most `decimals` digits after the decimal point. The result is
/// never -0.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    // Adding 0 turns -0 into 0.
    (number * scale).round() / scale + 0.0
}

/// Receives the updates of a running analysis.
pub struct Reporter<'a> {
    /// What was asked for.
    pub request: &'a AnalysisRequest,
    /// Called with every update.
    pub report: &'a mut (dyn FnMut(&Analysis) + Send),
}

/// Share of the limits spent on the value of the swap in a restricted
/// analysis. Chosen: the moves that were asked for come first.
const SWAP_SHARE: f64 = 0.25;

impl Searcher {
    /// Searches `position` as [`Searcher::search`] does and reports on every
    /// move it visited. The request must permit some legal move.
    ///
    /// White's first turn under the pie rule is rated by how balanced the game
    /// is after it, because Red takes the better side.
    pub fn analyze<'a>(
        &'a mut self,
        position: &'a Position,
        config: &'a Config,
        limits: &'a Limits,
        stop: &'a StopSignal,
        reporter: Reporter<'a>,
    ) -> Search<'a, Analysis> {
        Search::new(async move {
            let start = Instant::now();
            let Reporter { request, report } = reporter;
            let is_restricted = request.is_restricted();
            // The swap is worth what Red's best moves are worth, left out or not.
            let needs_swap = is_restricted
                && position.stage() == Stage::Pie
                && request.permits(Move::Swap)
                && request.permits_any(&without_swap(position));
            let (swap, limits) = if needs_swap {
                let reporter = Reporter { request, report: &mut *report };
                let (swap, iterations) =
                    self.analyze_swap(position, config, limits, stop, reporter).await;
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
            let reporter = Reporter { request, report };
            let analysis = match position.stage() {
                Stage::Opening if position.rules().pie => analyze_opening(task, reporter).await,
                Stage::Pie => analyze_answer(task, reporter, swap.as_ref()).await,
                _ => analyze_turn(task, reporter, &|_| {}).await,
            };
            self.remember(position, analysis.root.winrate);
            if is_restricted {
                self.clear();
            }
            analysis
        })
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
        let limits = with_finite_limits(limits.scaled(SWAP_SHARE), limits.is_endless());
        let all = request.unrestricted();
        let report = &mut |analysis: &Analysis| {
            let mut analysis = analysis.clone();
            analysis.moves.retain(|candidate| request.permits(candidate.mv));
            if !analysis.moves.is_empty() {
                report(&analysis.made_consistent());
            }
        };
        let reporter = Reporter { request: &all, report };
        let analysis = self.analyze(position, config, &limits, stop, reporter).await;
        let swap = analysis.find(Move::Swap);
        let swap = swap.cloned().unwrap_or_else(|| swap_candidate(&analysis, &all));
        (swap, analysis.iterations)
    }
}

/// Number of moves whose ownership is estimated. Chosen: each takes a hundred rollouts.
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
        if let (Some(mut analysis), Ok(mut report)) = (read_tree(&task, request), report.lock()) {
            adapt(&mut analysis);
            if !analysis.moves.is_empty() {
                report(&analysis.made_consistent());
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
    let mut found = turn::search(SearchTask { observer, root_moves, ..task }).await;
    let analysis = read_tree(&task, request).or_else(|| saved.get().cloned());
    let mut analysis = analysis.unwrap_or_else(|| Analysis::from_report(&found, task.position));
    if root_moves.is_some() && !request.permits(found.best) {
        // The memory was too small for any search, and `found` has the first legal move.
        let moves = || task.position.moves().into_iter().find(|&mv| request.permits(mv));
        let first = analysis.moves.first().map(|candidate| candidate.mv);
        found.best = first.or_else(moves).unwrap_or(found.best);
    }
    analysis.add_report(&found);
    if request.moves_ownership {
        let (view, seed) = (TreeView::of(&task), task.config.seed);
        let best = analysis.moves.iter().take(OWNERSHIP_MOVES).map(|best| best.mv);
        let after = best.map(|mv| (mv, view.ownership_after(mv, seed)));
        analysis.moves_ownership = after.collect();
    }
    adapt(&mut analysis);
    analysis.made_consistent()
}

/// Reads the analysis from the tree; `None` when the position is not in it.
fn read_tree(task: &SearchTask<'_>, request: &AnalysisRequest) -> Option<Analysis> {
    let view = TreeView::of(task);
    let mut analysis = view.analysis(request.points)?;
    analysis.moves.retain(|candidate| request.permits(candidate.mv));
    analysis.points.retain(|point| request.permits(point.turn.mv));
    if request.ownership {
        analysis.ownership = Some(view.ownership(task.config.seed));
    }
    Some(analysis)
}

/// Iterations for comparing first placements when nothing else limits it, about 2,000 for each
/// of eight. Chosen: an analysis without limits must get past this stage, in a fifth of a second
/// on one thread.
const OPENING_ITERATIONS: u64 = 1 << 14;

/// Limits for a preliminary search that must end: `limits`, or a fixed number
/// of iterations if they are endless.
pub(super) fn with_finite_limits(limits: Limits, are_endless: bool) -> Limits {
    if are_endless { Limits { iterations: Some(OPENING_ITERATIONS), ..limits } } else { limits }
}

/// Analyses Red's answer to White's first turn: Red's own moves, and the swap,
/// whose value may be known already.
pub(super) async fn analyze_answer(
    task: SearchTask<'_>,
    reporter: Reporter<'_>,
    swap: Option<&Candidate>,
) -> Analysis {
    let position = without_swap(task.position);
    let Reporter { request, report } = reporter;
    let unrestricted = request.unrestricted();
    let is_only = !request.permits_any(&position);
    let reporter = Reporter { request: if is_only { &unrestricted } else { request }, report };
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
    analyze_turn(SearchTask { position: &position, ..task }, reporter, &add_swap).await
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

/// Analyses White's first turn: compares placements, then analyses Red's
/// answer to the most balanced one.
pub(super) async fn analyze_opening(task: SearchTask<'_>, reporter: Reporter<'_>) -> Analysis {
    let start = Instant::now();
    let SearchTask { limits, position, .. } = task;
    let Reporter { request, report } = reporter;
    let first = SearchTask { limits: with_finite_limits(limits, limits.is_endless()), ..task };
    let compared = compare_openings(first, request, &mut |compared| {
        if request.interval.is_some() {
            report(&compared_openings(position, compared, start.elapsed()));
        }
    })
    .await;
    let iterations: u64 = compared.iter().map(|report| report.iterations).sum();
    let best = compared.first().cloned().unwrap_or_else(|| Report::unsearched(Move::Pass));
    let answer = after_opening(position, best.best);
    let left = limits.remaining_after(start.elapsed(), iterations);
    let is_spent = left.time.is_some_and(|time| time.is_zero()) || left.iterations == Some(0);
    let task = SearchTask { position: &answer, limits: left, ..task };
    let mut analysis = if is_spent && iterations > 0 {
        let mut analysis = compared_openings(position, &compared, start.elapsed());
        if request.ownership {
            analysis.ownership = Some(TreeView::of(&task).ownership(task.config.seed));
        }
        analysis
    } else {
        let unrestricted = request.unrestricted();
        let reporter = Reporter { request: &unrestricted, report };
        let adapt =
            |analysis: &mut Analysis| put_opening_first(analysis, position, &best, &compared);
        analyze_turn(task, reporter, &adapt).await
    };
    if !is_spent {
        analysis.iterations += iterations;
    }
    analysis.elapsed = start.elapsed();
    analysis
}

/// Turns the analysis of Red's answer to `best` into one of White's first turn.
fn put_opening_first(
    analysis: &mut Analysis,
    position: &Position,
    best: &Report,
    compared: &[Report],
) {
    let best = opening_candidate(best, Some(analysis));
    let others = compared.iter().map(|report| opening_candidate(report, None));
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

/// An analysis of White's first turn from compared placements, the most
/// balanced first.
fn compared_openings(position: &Position, compared: &[Report], elapsed: Duration) -> Analysis {
    let iterations = compared.iter().map(|report| report.iterations).sum();
    let best = compared.first().cloned().unwrap_or_else(|| Report::unsearched(Move::Pass));
    let best = Report { iterations, elapsed, ..best };
    let mut analysis = Analysis::from_report(&best, position);
    analysis.root.bounds = Bounds::UNKNOWN;
    analysis.moves = compared.iter().map(|report| opening_candidate(report, None)).collect();
    analysis.points = opening_points(&analysis.moves);
    if let Some(best) = analysis.moves.first() {
        (analysis.root.winrate, analysis.root.lead) = (best.winrate, best.lead);
    }
    analysis.made_consistent()
}

/// The first points of compared placements. Each placement was searched by itself,
/// so that a point has no edge of its own: it has the numbers of its best placement.
fn opening_points(placements: &[Candidate]) -> Vec<PointInfo> {
    let mut points: Vec<PointInfo> = Vec::new();
    for placement in placements {
        let Move::Tiles(cell, _) = placement.mv else { continue };
        if points.iter().all(|point| point.cell != cell) {
            points.push(PointInfo { cell, turn: placement.clone() });
        }
    }
    points
}

/// A first placement as a candidate for White. Red takes the better side, so
/// White's win rate is at most 0.5. `answered` is the analysis of Red's turn
/// after it, if there is one.
fn opening_candidate(report: &Report, answered: Option<&Analysis>) -> Candidate {
    let (winrate, lead, visits) = match answered {
        Some(Analysis { root, .. }) => (root.winrate, root.lead, root.visits),
        None => (report.winrate, report.lead, report.iterations),
    };
    let swaps = winrate < 0.5;
    let answer = answered.and_then(|answered| answered.moves.first());
    let (mut pv, mut pv_visits) = (vec![report.best], vec![visits]);
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
        mv: report.best,
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
    let Some(mut analysis) = TreeView::of(&task).analysis(false) else { return Vec::new() };
    analysis.add_report(&found);
    analysis.made_consistent().moves
}
