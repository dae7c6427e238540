//! The pie rule: the one who opens wants an even game, the one who answers
//! takes the better side.

use std::time::Instant;

use super::book::even_placement;
use super::{Bounds, Config, Report, Searcher, Task};
use crate::board::Cell;
use crate::eval::{EvaluatorKind, Random};
use crate::game::{Move, Ply, Position};

/// How many openings are compared.
const CANDIDATES: u32 = 8;

impl Searcher {
    /// Answers White's first turn: swaps when White is better off even with
    /// Red to move.
    pub(super) fn search_pie(&self, task: Task<'_>) -> Report {
        let mut kept = *task.position;
        kept.make(Ply::Swap);
        // The fitted weights know the first turns of engines only, and would
        // take a corner for a gift.
        let config = &Config { evaluator: EvaluatorKind::Playout, ..task.config.clone() };
        let mut report = self.search_turn(Task { position: &kept, config, ..task });
        if report.winrate < 0.5 {
            report.best = Move::Swap;
            report.winrate = 1.0 - report.winrate;
            report.lead = -report.lead;
            report.bounds = Bounds::UNKNOWN;
        }
        report
    }

    /// Opens with a placement after which the game is near even, for Red takes
    /// the better side of any other: one of the board's [set](super::book), or
    /// else the one of some random placements that a search finds closest.
    pub(super) fn search_opening(&self, task: Task<'_>) -> Report {
        let start = Instant::now();
        let position = task.position;
        let mut random = Random::new(task.config.seed ^ position.hash());
        if let Some(best) = even_placement(position, &mut random) {
            return Report { elapsed: start.elapsed(), ..Report::new(best) };
        }
        let mut best: Option<Report> = None;
        let mut iterations = 0;
        for candidate in 0..CANDIDATES {
            let Some(opening) = random_placement(position, &mut random) else { break };
            let mut after = *position;
            position.plies_of(opening).for_each(|ply| after.make(ply));
            after.make(Ply::Swap);
            let share = 1.0 / f64::from(CANDIDATES - candidate);
            let limits = task.limits.less(start.elapsed(), iterations).share(share);
            let answer = self.search_turn(Task { position: &after, limits, ..task });
            iterations += answer.iterations;
            let unevenness = |report: &Report| (report.winrate - 0.5).abs();
            if best.as_ref().is_none_or(|best| unevenness(&answer) < unevenness(best)) {
                // Red takes the better side.
                let winrate = answer.winrate.min(1.0 - answer.winrate);
                best = Some(Report { best: opening, winrate, ..answer });
            }
        }
        let mut report = best.unwrap_or_else(|| self.search_turn(task));
        report.iterations = iterations;
        report.elapsed = start.elapsed();
        report
    }
}

/// Two tiles a player might open with: one in the inner half of the board and
/// another anywhere.
fn random_placement(position: &Position, random: &mut Random) -> Option<Move> {
    let size = position.size().get();
    let inner = |cell: &Cell| {
        let margin = size / 4;
        let within = margin..size - margin;
        within.contains(&cell.column()) && within.contains(&cell.row())
    };
    let cells = position.tile_plies();
    let first = random.cell(cells.into_iter().filter(inner).collect())?;
    let mut half = *position;
    half.make(Ply::Tile(first));
    let second = random.cell(half.tile_plies())?;
    Some(Move::tiles(first, second))
}
