//! The pie rule: the one who opens wants an even game, the one who answers
//! takes the better side.

use std::time::Instant;

use super::book::even_placement;
use super::{AnalysisRequest, Bounds, Config, Report, Searcher, Task};
use crate::board::Cell;
use crate::eval::{EvaluatorKind, Random};
use crate::game::{Move, Position, Stage, Step};

/// How many openings are compared.
const CANDIDATES: usize = 8;

/// How often a placement is drawn at most when some are not wanted.
const DRAWS: usize = 64;

impl Searcher {
    /// Answers White's first turn: swaps when White is better off even with
    /// Red to move.
    pub(super) fn search_pie(&self, task: Task<'_>) -> Report {
        let position = &kept(task.position);
        let mut report = self.search_turn(Task { position, ..task });
        if report.winrate < 0.5 {
            report.best = Move::Swap;
            report.winrate = 1.0 - report.winrate;
            report.lead = -report.lead;
            report.bounds = Bounds::UNKNOWN;
        }
        report
    }

    /// Opens with a placement after which the game is near even, for Red takes
    /// the better side of any other.
    pub(super) fn search_opening(&self, task: Task<'_>) -> Report {
        let start = Instant::now();
        let compared = self.compare_openings(task, &AnalysisRequest::default(), &mut |_| {});
        let iterations = compared.iter().map(|report| report.iterations).sum();
        let Some(best) = compared.into_iter().next() else { return self.search_turn(task) };
        // Red takes the better side.
        let winrate = best.winrate.min(1.0 - best.winrate);
        Report { winrate, iterations, elapsed: start.elapsed(), ..best }
    }

    /// First placements and what the game is worth to Red, who is to move and
    /// may not swap, the most even first: one of the board's [set](super::book),
    /// which is not searched, or else some random placements; or those that
    /// are asked for. `tell` hears of those compared so far.
    pub(super) fn compare_openings(
        &self,
        task: Task<'_>,
        request: &AnalysisRequest,
        tell: &mut dyn FnMut(&[Report]),
    ) -> Vec<Report> {
        let start = Instant::now();
        let position = task.position;
        let mut random = Random::new(task.config.seed ^ position.hash());
        let mut draw = || even_placement(position, &mut random);
        let from_set = (0..DRAWS).map_while(|_| draw()).find(|&mv| request.permits(mv));
        if let Some(best) = from_set
            && request.allow.is_empty()
        {
            return vec![Report::new(best)];
        }
        let mut candidates: Vec<Move> = if request.allow.is_empty() {
            let drawn = (0..DRAWS).map_while(|_| random_placement(position, &mut random));
            drawn.filter(|&mv| request.permits(mv)).take(CANDIDATES).collect()
        } else {
            let legal = request.allow.iter().filter(|&&mv| position.check(mv).is_ok());
            legal.copied().filter(|&mv| request.permits(mv)).collect()
        };
        if candidates.is_empty() {
            let root_moves = position.moves().into_iter().filter(|&mv| request.permits(mv));
            candidates = root_moves.take(CANDIDATES).collect();
        }
        let unevenness = |report: &Report| (report.winrate - 0.5).abs();
        let mut iterations = 0;
        let mut compared: Vec<Report> = Vec::new();
        for (number, &opening) in candidates.iter().enumerate() {
            let share = 1.0 / (candidates.len() - number) as f64;
            let limits = task.limits.less(start.elapsed(), iterations).share(share);
            let answer = &after(position, opening);
            let report = self.search_turn(Task { position: answer, limits, ..task });
            iterations += report.iterations;
            compared.push(Report { best: opening, ..report });
            compared.sort_by(|a, b| unevenness(a).total_cmp(&unevenness(b)));
            tell(&compared);
        }
        compared
    }
}

/// The position in which Red, who may swap, does not.
pub(super) fn kept(position: &Position) -> Position {
    let mut kept = *position;
    kept.make(Step::Swap);
    kept
}

/// The position after White's first turn, Red to move and without the right
/// to swap.
pub(super) fn after(position: &Position, opening: Move) -> Position {
    let mut after = *position;
    position.steps_of(opening).for_each(|step| after.make(step));
    kept(&after)
}

/// What `position` is searched with: what is fitted knows the first turns of
/// engines only, and would take a corner for a gift.
pub(super) fn config_at(position: &Position, config: &Config) -> Config {
    let mut config = config.clone();
    if position.stage() == Stage::Pie {
        config.evaluator = EvaluatorKind::Rollout;
    }
    config
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
    let cells = position.tile_steps();
    let first = random.cell(cells.into_iter().filter(inner).collect())?;
    let mut half = *position;
    half.make(Step::Tile(first));
    let second = random.cell(half.tile_steps())?;
    Some(Move::tiles(first, second))
}
