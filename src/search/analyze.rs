//! Searches that tell what they think of every move, while they run and in
//! the end.

use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::analysis::{Analysis, Candidate, View};
use super::opening::{after, config_at, kept};
use super::ownership::Ownership;
use super::root_moves::RootMoves;
use super::watch::Watch;
use super::{Bounds, Config, Limits, Report, Searcher, StopSignal, Task};
use crate::game::{Color, Move, Position, Stage};

/// What is asked of an analysis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisRequest {
    /// Moves that must not be considered.
    pub avoid: Vec<Move>,
    /// The only moves to consider; all when empty.
    pub allow: Vec<Move>,
    /// Whether to find out what becomes of cells and bridge sites.
    pub ownership: bool,
    /// How often to tell what is known while the search runs; `None` is never.
    pub interval: Option<Duration>,
}

/// Iterations for comparing first placements when nothing else limits it.
const OPENING_ITERATIONS: u64 = 1 << 14;

/// Share of the limits for what the swap is worth where moves are left out.
const SWAP_SHARE: f64 = 0.25;

impl AnalysisRequest {
    /// Whether some moves are left out.
    pub fn is_restricted(&self) -> bool {
        !self.avoid.is_empty() || !self.allow.is_empty()
    }

    /// The same of all moves.
    fn unrestricted(&self) -> AnalysisRequest {
        AnalysisRequest { avoid: Vec::new(), allow: Vec::new(), ..self.clone() }
    }

    /// Whether `mv` is to be considered.
    pub fn permits(&self, mv: Move) -> bool {
        (self.allow.is_empty() || self.allow.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether any legal move of `position` is to be considered.
    pub fn permits_any(&self, position: &Position) -> bool {
        if self.allow.is_empty() {
            return self.avoid.is_empty() || position.moves().iter().any(|&mv| self.permits(mv));
        }
        self.allow.iter().any(|&mv| self.permits(mv) && position.check(mv).is_ok())
    }
}

/// A search that tells what it thinks.
struct Reporter<'a> {
    request: &'a AnalysisRequest,
    tell: &'a mut (dyn FnMut(&Analysis) + Send),
}

impl Searcher {
    /// Searches `position`, a whole turn in which the game is not over, as
    /// [`Searcher::search`] does, and says what it thinks of every move it
    /// looked at; `tell` hears of it while the search runs. Some legal move
    /// must be permitted.
    ///
    /// White's first turn under the pie rule is analysed as it is played: by
    /// how even the game is after it, for Red takes the better side.
    pub fn analyze(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        request: &AnalysisRequest,
        stop: &StopSignal,
        tell: &mut (dyn FnMut(&Analysis) + Send),
    ) -> Analysis {
        let start = Instant::now();
        // What the swap is worth shows in a search of all that can be done without it.
        let has_both = request.is_restricted()
            && position.stage() == Stage::Pie
            && request.permits(Move::Swap)
            && request.permits_any(&kept(position));
        let (swap, limits) = if has_both {
            let (swap, iterations) =
                self.worth_of_swap(position, config, limits, request, stop, tell);
            (Some(swap), &limits.less(Duration::ZERO, iterations))
        } else {
            (None, limits)
        };
        if request.is_restricted() {
            self.clear();
        }
        self.stop_pondering();
        self.prepare_threads(config.threads);
        let mut config = config_at(position, config);
        let (tree, solver) = self.prepare_memory(&config);
        if request.is_restricted() {
            // It would prove what the permitted moves cannot reach.
            config.params.leaf_size = 0.0;
        }
        let solver = (!request.is_restricted()).then_some(&*solver);
        let limits = limits.less(start.elapsed(), 0);
        let expected = self.expected(position);
        let task = Task { expected, solver, ..Task::new(position, &config, limits, stop, &tree) };
        let reporter = Reporter { request, tell };
        let analysis = match position.stage() {
            Stage::Opening if position.rules().pie => self.analyze_opening(task, reporter),
            Stage::Pie => self.analyze_pie(task, reporter, swap.as_ref()),
            _ => self.analyze_turn(task, reporter, &|_| {}),
        };
        self.last = Some((position.side(), analysis.winrate as f32));
        if request.is_restricted() {
            self.clear();
        }
        analysis
    }

    /// Analyses a turn; `adapt` makes of its analysis what is told.
    fn analyze_turn(
        &self,
        task: Task<'_>,
        reporter: Reporter<'_>,
        adapt: &(dyn Fn(&mut Analysis) + Sync),
    ) -> Analysis {
        let Reporter { request, tell } = reporter;
        let root_moves = RootMoves::of(task.position, request);
        let view = View { tree: task.tree, params: &task.config.params, position: task.position };
        let look = || {
            let mut analysis = Analysis::of(&view)?;
            analysis.candidates.retain(|candidate| request.permits(candidate.mv));
            if request.ownership {
                analysis.ownership = Some(Ownership::of(&view, task.config.seed));
            }
            Some(analysis)
        };
        let tell = Mutex::new(tell);
        let show = || {
            if let (Some(mut analysis), Ok(mut tell)) = (look(), tell.lock()) {
                adapt(&mut analysis);
                if !analysis.candidates.is_empty() {
                    tell(&analysis);
                }
            }
        };
        let remembered = OnceLock::new();
        let remember = || {
            if let Some(analysis) = look() {
                let _ = remembered.set(analysis);
            }
        };
        let interval = request.interval.unwrap_or(Duration::MAX);
        let told = Mutex::new(Instant::now());
        let watch = Watch { interval, told, tell: &show, remember: &remember };
        let (watch, root_moves) = (Some(&watch), root_moves.as_ref());
        let mut report = self.search_turn(Task { watch, root_moves, ..task });
        let mover = task.position.side();
        let found = look().or_else(|| remembered.get().cloned());
        let mut analysis = found.unwrap_or_else(|| Analysis::bare(&report, mover));
        if root_moves.is_some() && !request.permits(report.best) {
            // There was no memory for any search.
            let moves = || task.position.moves().into_iter().find(|&mv| request.permits(mv));
            let found = analysis.candidates.first().map(|candidate| candidate.mv);
            report.best = found.or_else(moves).unwrap_or(report.best);
        }
        analysis.settle(&report);
        adapt(&mut analysis);
        analysis
    }

    /// The swap as a search sees it in which nothing is left out, with a share
    /// of the limits, and the iterations it took.
    fn worth_of_swap(
        &mut self,
        position: &Position,
        config: &Config,
        limits: &Limits,
        request: &AnalysisRequest,
        stop: &StopSignal,
        tell: &mut (dyn FnMut(&Analysis) + Send),
    ) -> (Candidate, u64) {
        let endless = limits.time.is_none() && limits.iterations.is_none();
        let limits = match limits.share(SWAP_SHARE) {
            limits if endless => Limits { iterations: Some(OPENING_ITERATIONS), ..limits },
            limits => limits,
        };
        let all = request.unrestricted();
        let analysis = self.analyze(position, config, &limits, &all, stop, &mut |analysis| {
            let mut analysis = analysis.clone();
            analysis.candidates.retain(|candidate| request.permits(candidate.mv));
            if !analysis.candidates.is_empty() {
                tell(&analysis);
            }
        });
        let swap = analysis.candidates.iter().find(|candidate| candidate.mv == Move::Swap);
        (swap.cloned().unwrap_or_else(|| analysis.after_swap(&all)), analysis.iterations)
    }

    /// Analyses Red's answer to White's first turn: what he can do as Red,
    /// and the swap, which may be known already.
    fn analyze_pie(
        &self,
        task: Task<'_>,
        reporter: Reporter<'_>,
        swap: Option<&Candidate>,
    ) -> Analysis {
        let kept = kept(task.position);
        let Reporter { request, tell } = reporter;
        let free = request.unrestricted();
        let is_only = !request.permits_any(&kept);
        let reporter = Reporter { request: if is_only { &free } else { request }, tell };
        let adapt = |analysis: &mut Analysis| {
            // What is proved is of a game without a swap.
            analysis.bounds = Bounds::UNKNOWN;
            if !request.permits(Move::Swap) {
                return;
            }
            let swap = swap.cloned().unwrap_or_else(|| analysis.after_swap(request));
            let is_better = swap.winrate > analysis.winrate || is_only;
            if is_better {
                (analysis.winrate, analysis.lead) = (swap.winrate, swap.lead);
                analysis.candidates.insert(0, swap);
            } else {
                analysis.candidates.insert(1.min(analysis.candidates.len()), swap);
            }
            analysis.candidates.retain(|candidate| request.permits(candidate.mv));
        };
        self.analyze_turn(Task { position: &kept, ..task }, reporter, &adapt)
    }

    /// Analyses White's first turn under the pie rule.
    fn analyze_opening(&self, task: Task<'_>, reporter: Reporter<'_>) -> Analysis {
        let start = Instant::now();
        let Task { limits, position, .. } = task;
        let Reporter { request, tell } = reporter;
        let endless = limits.time.is_none() && limits.iterations.is_none();
        let first = Limits { iterations: Some(OPENING_ITERATIONS), ..limits };
        let first = Task { limits: if endless { first } else { limits }, ..task };
        let compared = self.compare_openings(first, request, &mut |compared| {
            if request.interval.is_some() {
                tell(&Analysis::of_openings(compared, start.elapsed()));
            }
        });
        let iterations: u64 = compared.iter().map(|report| report.iterations).sum();
        let candidates: Vec<Candidate> =
            compared.iter().map(|report| Analysis::opening(report, None)).collect();
        let best = compared.first().cloned().unwrap_or_else(|| Report::new(Move::Pass));
        let answer = after(position, best.best);
        let left = limits.less(start.elapsed(), iterations);
        let is_spent = left.time.is_some_and(|time| time.is_zero()) || left.iterations == Some(0);
        let adapt = |answered: &mut Analysis| {
            let best = Analysis::opening(&best, Some(answered));
            answered.mover = position.side();
            (answered.winrate, answered.lead) = (best.winrate, best.lead);
            answered.bounds = Bounds::UNKNOWN;
            let others = candidates.iter().filter(|candidate| candidate.mv != best.mv);
            answered.candidates = std::iter::once(best.clone()).chain(others.cloned()).collect();
        };
        let mut analysis = if is_spent && iterations > 0 {
            let mut analysis = Analysis::of_openings(&compared, start.elapsed());
            if request.ownership {
                let params = &task.config.params;
                let view = View { tree: task.tree, params, position: &answer };
                analysis.ownership = Some(Ownership::of(&view, task.config.seed));
            }
            analysis
        } else {
            let free = request.unrestricted();
            let reporter = Reporter { request: &free, tell };
            let task = Task { position: &answer, limits: left, ..task };
            self.analyze_turn(task, reporter, &adapt)
        };
        if !is_spent {
            analysis.iterations += iterations;
        }
        analysis.elapsed = start.elapsed();
        analysis
    }
}

impl Analysis {
    /// The swap, seen from an analysis of what Red can do without it.
    fn after_swap(&self, request: &AnalysisRequest) -> Candidate {
        let best = self.candidates.first();
        let line = best.map_or(&[][..], |best| &best.line);
        let line_visits = best.map_or(&[][..], |best| &best.line_visits);
        let is_only = request.allow == [Move::Swap];
        Candidate {
            mv: Move::Swap,
            visits: self.visits,
            winrate: 1.0 - self.winrate,
            lead: -self.lead,
            prior: if is_only { 1.0 } else { 0.5 },
            lcb: 1.0 - self.winrate,
            bounds: Bounds::UNKNOWN,
            line: [&[Move::Swap], line].concat(),
            line_visits: [&[self.visits], line_visits].concat(),
        }
    }

    /// First placements under the pie rule that have been compared, the most
    /// even first.
    fn of_openings(compared: &[Report], elapsed: Duration) -> Analysis {
        let best = compared.first().cloned().unwrap_or_else(|| Report::new(Move::Pass));
        let iterations = compared.iter().map(|report| report.iterations).sum();
        let mut analysis = Analysis::bare(&Report { iterations, elapsed, ..best }, Color::White);
        analysis.bounds = Bounds::UNKNOWN;
        analysis.candidates =
            compared.iter().map(|report| Analysis::opening(report, None)).collect();
        if let Some(best) = analysis.candidates.first() {
            (analysis.winrate, analysis.lead) = (best.winrate, best.lead);
        }
        analysis
    }

    /// A first placement under the pie rule: Red takes the better side.
    fn opening(report: &Report, answered: Option<&Analysis>) -> Candidate {
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
}
