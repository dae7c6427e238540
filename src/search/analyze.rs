//! [`Searcher::analyze`]: searches that report on every move.

use std::time::Duration;

use super::analysis::{Analysis, Candidate};
use super::config::{Config, Limits};
use super::opening::{config_at, declined};
use super::pause::finish;
use super::pie_analysis::{analyze_answer, analyze_opening, finite, swap_candidate};
use super::request::Reporter;
use super::searcher::Searcher;
use super::stop::StopSignal;
use super::task::SearchTask;
use super::turn_analysis::analyze_turn;
use crate::clock::Instant;
use crate::game::{Move, Position, Stage};

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

    /// As [`Searcher::analyze`], with a [pause](super::pause) after each
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
