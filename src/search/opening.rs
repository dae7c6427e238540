//! The first turn under the pie rule: White opens with a balanced placement, Red takes the better
//! side.
//!
//! If Red may swap, a placement is worth only min(w, 1 − w) to White, where w is White's win rate
//! after it: Red takes the better side. White therefore looks not for a strong placement but for an
//! even one. Each is searched as the beginning of a game without the right to swap; the one whose
//! win rate is nearest to ½ is best:
//!
//! ```text
//! White's first turn   book of even placements, or several searched in turn ──► nearest to ½
//! Red's answer         one search as if the swap were declined ──► swap if Red has less than ½
//! ```
//!
//! The books come from long searches (`openings/README.md`), because short ones cannot tell which
//! of two nearly even placements is closer to ½. There is one for each board from 5×5 on without
//! limits, and for 10×10 and 12×12 with limits; elsewhere a few random placements are compared.

use super::task::{AnalysisRequest, Config, SearchTask};
use super::tree::bounds::Bounds;
use super::turn::{self, SearchResult};
use crate::board::{Cell, Symmetry};
use crate::clock::Instant;
use crate::eval::{EvaluatorKind, Random};
use crate::game::{Move, Position, Rules, Stage, Step};

/// Number of placements to compare. Set by judgement: each gets an equal share of the limits, so
/// twice as many would be searched half as well.
const CANDIDATES: usize = 8;

/// Attempts to draw a permitted placement at random. Set by judgement: after them the legal moves
/// are listed, of which there may be thousands.
const ATTEMPTS: usize = 64;

/// Answers White's first turn: swaps if White is better off although Red is to move.
pub(super) async fn search_pie(task: SearchTask<'_>) -> SearchResult {
    let position = &without_swap(task.position);
    let mut result = turn::search(SearchTask { position, ..task }).await;
    if result.winrate < 0.5 {
        result.best = Move::Swap;
        result.winrate = 1.0 - result.winrate;
        result.lead = -result.lead;
        // The bounds were proved for Red's own moves, which are not played.
        result.bounds = Bounds::UNKNOWN;
    }
    result
}

/// White's first turn: the most balanced of some placements.
pub(super) async fn search_opening(task: SearchTask<'_>) -> SearchResult {
    let start = Instant::now();
    let results = compare_openings(task, &AnalysisRequest::default(), &mut |_| {}).await;
    let iterations = results.iter().map(|result| result.iterations).sum();
    let Some(best) = results.into_iter().next() else { return turn::search(task).await };
    // Red takes the better side.
    let winrate = best.winrate.min(1.0 - best.winrate);
    SearchResult { winrate, iterations, elapsed: start.elapsed(), ..best }
}

/// Searches first placements and sorts them, the most balanced first. The results are for Red, to
/// move without the right to swap. A placement from the book is returned alone, unsearched.
/// `on_update` is called after each search with the placements compared so far.
pub(super) async fn compare_openings(
    task: SearchTask<'_>,
    request: &AnalysisRequest,
    on_update: &mut dyn FnMut(&[SearchResult]),
) -> Vec<SearchResult> {
    let start = Instant::now();
    let position = task.position;
    let mut random = Random::new(task.config.seed ^ position.hash());
    let mut draw_from_book = || book_placement(position, &mut random);
    let from_book = (0..ATTEMPTS).map_while(|_| draw_from_book()).find(|&mv| request.permits(mv));
    if let Some(best) = from_book
        && request.allow.is_empty()
    {
        return vec![SearchResult::unsearched(best)];
    }
    let candidates = candidate_placements(position, request, &mut random);
    let imbalance = |result: &SearchResult| (result.winrate - 0.5).abs();
    let mut iterations = 0;
    let mut results: Vec<SearchResult> = Vec::new();
    for (number, &opening) in candidates.iter().enumerate() {
        // An equal share of the rest, so that time saved by a proof is not lost.
        let share = 1.0 / (candidates.len() - number) as f64;
        let limits = task.limits.remaining_after(start.elapsed(), iterations).scaled(share);
        let after = &after_opening(position, opening);
        let result = turn::search(SearchTask { position: after, limits, ..task }).await;
        iterations += result.iterations;
        results.push(SearchResult { best: opening, ..result });
        results.sort_by(|a, b| imbalance(a).total_cmp(&imbalance(b)));
        on_update(&results);
    }
    results
}

/// The placements to compare: all that the request allows by name, or else random ones that it
/// permits.
fn candidate_placements(
    position: &Position,
    request: &AnalysisRequest,
    random: &mut Random,
) -> Vec<Move> {
    let mut candidates: Vec<Move> = if request.allow.is_empty() {
        let placements = (0..ATTEMPTS).map_while(|_| random_placement(position, random));
        placements.filter(|&mv| request.permits(mv)).take(CANDIDATES).collect()
    } else {
        let legal = request.allow.iter().filter(|&&mv| position.check(mv).is_ok());
        legal.copied().filter(|&mv| request.permits(mv)).collect()
    };
    if candidates.is_empty() {
        let permitted = position.moves().into_iter().filter(|&mv| request.permits(mv));
        candidates = permitted.take(CANDIDATES).collect();
    }
    candidates
}

/// The position after Red declines to swap; the same position if Red may not, as after an opening
/// pass with too few tiles.
pub(super) fn without_swap(position: &Position) -> Position {
    let mut declined = *position;
    if declined.may_swap() {
        declined.make(Step::Swap);
    }
    declined
}

/// The position after White's first turn, Red to move and without the right to swap.
pub(super) fn after_opening(position: &Position, opening: Move) -> Position {
    without_swap(&position.after_legal_move(opening))
}

/// The configuration to search `position` with. Red's answer under the pie rule is evaluated by
/// rollouts: the fitted weights have only seen engine openings and misjudge weak ones.
pub(super) fn config_for(position: &Position, config: &Config) -> Config {
    let mut config = config.clone();
    if position.stage() == Stage::Pie {
        config.evaluator = EvaluatorKind::Rollout;
    }
    config
}

/// A random placement: one tile in the inner half of the board, one anywhere. `None` when no legal
/// placement was drawn.
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

/// The book for games by `rules`: one placement a line, up to symmetry; `#` starts a comment.
fn book(rules: Rules) -> Option<&'static str> {
    // The searches behind a book had limits or had none; the other kind was not tried.
    let has_limits = rules.supply.limits(rules.size).is_some();
    Some(match (rules.size.get(), has_limits) {
        (5, false) => include_str!("../../openings/first-5x5.txt"),
        (6, false) => include_str!("../../openings/first-6x6.txt"),
        (7, false) => include_str!("../../openings/first-7x7.txt"),
        (8, false) => include_str!("../../openings/first-8x8.txt"),
        (9, false) => include_str!("../../openings/first-9x9.txt"),
        (10, false) => include_str!("../../openings/first-10x10-unlimited.txt"),
        (10, true) => include_str!("../../openings/first-10x10.txt"),
        (11, false) => include_str!("../../openings/first-11x11.txt"),
        (12, false) => include_str!("../../openings/first-12x12-unlimited.txt"),
        (12, true) => include_str!("../../openings/first-12x12.txt"),
        _ => return None,
    })
}

/// A random placement from the book under a random symmetry. `None` when there is no book for the
/// rules, or `position` is not the empty board at White's first turn.
pub(super) fn book_placement(position: &Position, random: &mut Random) -> Option<Move> {
    if position.stage() != Stage::Opening || position.free_cells() != position.geometry().board() {
        return None;
    }
    let size = position.size();
    let text = book(*position.rules())?;
    let placements: Vec<Move> =
        text.lines().filter_map(|line| line.split('#').next()?.trim().parse().ok()).collect();
    let Move::Tiles(a, b) = *placements.get(random.below(placements.len() as u32) as usize)? else {
        return None;
    };
    position.check(Move::tiles(a, b)).ok()?;
    let symmetry = Symmetry::all().nth(random.below(8) as usize)?;
    Some(Move::tiles(symmetry.apply(a, size), symmetry.apply(b, size)))
}
