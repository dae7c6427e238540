//! The review of a whole game.

use serde::Serialize;

use super::final_position::FinalPosition;
use super::game::RecordedGame;
use super::grade::Thresholds;
use super::plan::ReviewPlan;
use super::players::Players;
use super::turn::ReviewedTurn;
use crate::game::{Move, Stage};
use crate::notation::Tag;

/// A reviewed game. `docs/review.md` documents its JSON form.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The name of the file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// White at the end, if the record names them.
    pub white: Option<String>,
    /// Red at the end, if the record names them.
    pub red: Option<String>,
    /// Cells along an edge of the board.
    pub board: u8,
    /// The result by the record or by the final position.
    pub result: Option<String>,
    /// Every turn.
    pub turns: Vec<ReviewedTurn>,
    /// The summary of each colour.
    pub summary: Players,
    /// The numbers of the turns with the largest losses, the largest first.
    pub turning_points: Vec<usize>,
    /// Whether the swap was right; `None` without the pie rule.
    pub opening: Option<OpeningReview>,
    /// The position after the last turn.
    pub end: FinalPosition,
    /// The thresholds of the grades.
    pub thresholds: Thresholds,
}

/// White's first turn and Red's answer under the pie rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningReview {
    /// White's first turn.
    #[serde(rename = "move")]
    pub mv: Move,
    /// White's expected result after it without a swap, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Whether Red should have swapped.
    pub should_swap: bool,
    /// Whether Red swapped; `None` if the record ends before the answer.
    pub swapped: Option<bool>,
}

/// Turning points that are named.
const TURNING_POINTS: usize = 3;

impl Review {
    /// The review of a game from its plan; `None` while an analysis is missing.
    pub fn of(game: &RecordedGame, plan: &ReviewPlan, thresholds: &Thresholds) -> Option<Review> {
        let record = &game.record;
        let turns = (0..record.moves.len()).map(|index| plan.turn(index, thresholds));
        let turns: Vec<ReviewedTurn> = turns.collect::<Option<_>>()?;
        let end = plan.end()?;
        let by_board = || Some(plan.positions().last()?.outcome().to_string());
        let by_board = if end.over { by_board() } else { None };
        let tag = |tag| record.tag(tag).map(str::to_owned);
        Some(Review {
            file: game.file.clone(),
            game: game.number,
            white: tag(Tag::White),
            red: tag(Tag::Red),
            board: record.rules().size.get(),
            result: record.result.map(|result| result.to_string()).or(by_board),
            summary: Players::of(&turns),
            turning_points: turning_points(&turns),
            opening: opening(plan),
            end,
            thresholds: *thresholds,
            turns,
        })
    }
}

/// The graded turns with the largest losses.
fn turning_points(turns: &[ReviewedTurn]) -> Vec<usize> {
    let mut bad: Vec<&ReviewedTurn> = turns.iter().filter(|turn| turn.grade.is_some()).collect();
    bad.sort_by(|a, b| b.loss.winrate.total_cmp(&a.loss.winrate));
    bad.iter().take(TURNING_POINTS).map(|turn| turn.turn).collect()
}

/// Red's answer to the first turn, by the analysis of the position after it.
fn opening(plan: &ReviewPlan) -> Option<OpeningReview> {
    let is_pie = plan.positions().get(1).is_some_and(|after| after.stage() == Stage::Pie);
    let (mv, answer) = (plan.played(0).filter(|_| is_pie)?, plan.analysis(1)?);
    Some(OpeningReview {
        mv,
        winrate: answer.find(Move::Swap)?.winrate,
        should_swap: answer.moves.first()?.mv == Move::Swap,
        swapped: plan.played(1).map(|answer| answer == Move::Swap),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::review::search_positions;
    use crate::engine::{Options, StopSignal};
    use crate::game::Color;
    use crate::notation::Record;

    #[test]
    fn a_game_without_a_choice_has_no_accuracy() {
        let record = "(;SZ[4]SUPPLY[2,0]PIE[off]AW[a1][a3]AB[d1][d3]PL[W];W[pass];B[pass])";
        let record = Record::parse(record).unwrap();
        let game = RecordedGame::new("a.sgf".to_owned(), 1, record).unwrap();
        let mut plan = game.plan(3);
        let thresholds = Thresholds::default();
        assert_eq!(Review::of(&game, &plan, &thresholds), None);
        let mut options = Options { playouts: 5, ..Options::default() };
        options.search.threads = 2;
        let searches = plan.searches().map(|search| (0, search)).collect();
        search_positions(searches, &options, &StopSignal::default(), |done| -> Result<(), ()> {
            plan.insert(done.index, done.analysis);
            Ok(())
        })
        .unwrap();
        assert!(plan.is_complete() && plan.done() == plan.total());
        let review = Review::of(&game, &plan, &thresholds).unwrap();
        for color in Color::BOTH {
            assert_eq!(review.summary.of_color(color).accuracy, None);
        }
    }
}
