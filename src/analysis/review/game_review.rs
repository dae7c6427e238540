//! The review of a whole game, with a summary for each colour, and the table of several games.
//!
//! Nothing is searched here. The turns are already judged (`turn`). A summary is the mean over
//! those with a choice: a forced turn loses nothing and would only raise the accuracy. A summary
//! belongs to a colour and not to a player, because a swap may have exchanged the players' colours.

use serde::{Deserialize, Serialize};

use super::plan::{RecordedGame, ReviewPlan};
use super::turn::{FinalPosition, Grade, Loss, ReviewedTurn, Thresholds};
use crate::engine::{DECIMALS, rounded};
use crate::game::{Color, Move, Stage};
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
    /// The result from the record, otherwise that of the final position if the game is over.
    pub result: Option<String>,
    /// Every turn, in order: turn n has index n - 1.
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

/// The maximum number of turning points to name. Set by judgement: they fit on a line.
const TURNING_POINTS: usize = 3;

impl Review {
    /// The review of a game from its plan; `None` while an analysis is missing.
    pub fn of(game: &RecordedGame, plan: &ReviewPlan, thresholds: &Thresholds) -> Option<Review> {
        let record = &game.record;
        let turns = (0..record.moves.len()).map(|index| plan.turn(index, thresholds));
        let turns: Vec<ReviewedTurn> = turns.collect::<Option<_>>()?;
        let end = plan.end()?;
        let last = plan.positions().last().filter(|_| end.over);
        let outcome = last.map(|position| position.outcome().to_string());
        let tag = |tag| record.tag(tag).map(str::to_owned);
        Some(Review {
            file: game.file.clone(),
            game: game.number,
            white: tag(Tag::White),
            red: tag(Tag::Red),
            board: record.rules().size.get(),
            result: record.result.map(|result| result.to_string()).or(outcome),
            summary: Players::of(&turns),
            turning_points: turning_points(&turns, None),
            opening: review_opening(plan),
            end,
            thresholds: *thresholds,
            turns,
        })
    }
}

/// The numbers of the graded turns with the largest losses, of `color` or of both colours if
/// `None`. At most three, the largest loss first.
pub fn turning_points(turns: &[ReviewedTurn], color: Option<Color>) -> Vec<usize> {
    let is_bad = |turn: &&ReviewedTurn| {
        turn.grade.is_some() && color.is_none_or(|color| turn.player == color)
    };
    let mut bad: Vec<&ReviewedTurn> = turns.iter().filter(is_bad).collect();
    bad.sort_by(|a, b| b.loss.winrate.total_cmp(&a.loss.winrate));
    bad.iter().take(TURNING_POINTS).map(|turn| turn.turn).collect()
}

/// Red's answer to the first turn, by the analysis of the position after it.
fn review_opening(plan: &ReviewPlan) -> Option<OpeningReview> {
    let is_pie = plan.positions().get(1).is_some_and(|after| after.stage() == Stage::Pie);
    let (mv, answer) = (plan.played(0).filter(|_| is_pie)?, &plan.analysis(1)?.analysis);
    Some(OpeningReview {
        mv,
        winrate: answer.find(Move::Swap)?.winrate,
        should_swap: answer.moves.first()?.mv == Move::Swap,
        swapped: plan.played(1).map(|answer| answer == Move::Swap),
    })
}

/// The summary of each colour's turns. After a swap the players have changed colours, so a colour
/// may stand for two players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Players {
    /// White's turns.
    pub white: Summary,
    /// Red's turns.
    pub red: Summary,
}

/// The summary of a colour's turns. Forced turns do not count.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Summary {
    /// The number of turns.
    pub turns: usize,
    /// The mean loss.
    pub loss: Loss,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The mean accuracy in percent; `None` without a turn. The accuracy of a turn is
    /// 100·e^(−4·loss), where loss is its loss of win rate.
    pub accuracy: Option<f64>,
}

/// The decay rate of the accuracy with the loss of win rate. Set by judgement: a turn at the
/// threshold of an inaccuracy has 82 %, one at that of a blunder 45 %.
const STEEPNESS: f64 = 4.0;

impl Players {
    /// The summaries of `turns`, one for each colour.
    pub fn of(turns: &[ReviewedTurn]) -> Players {
        Players { white: Summary::of(turns, Color::White), red: Summary::of(turns, Color::Red) }
    }

    /// The summary of `color`.
    pub fn of_color(&self, color: Color) -> &Summary {
        match color {
            Color::White => &self.white,
            Color::Red => &self.red,
        }
    }
}

impl Summary {
    fn of(turns: &[ReviewedTurn], color: Color) -> Summary {
        let own: Vec<&ReviewedTurn> =
            turns.iter().filter(|turn| turn.player == color && !turn.forced).collect();
        let mean = |number: fn(&ReviewedTurn) -> f64| {
            let sum: f64 = own.iter().map(|turn| number(turn)).sum();
            rounded(sum / own.len().max(1) as f64, DECIMALS)
        };
        let count = |grade| own.iter().filter(|turn| turn.grade == Some(grade)).count();
        let accuracy = mean(|turn| 100.0 * (-STEEPNESS * turn.loss.winrate).exp());
        Summary {
            turns: own.len(),
            loss: Loss {
                winrate: mean(|turn| turn.loss.winrate),
                points: mean(|turn| turn.loss.points),
            },
            inaccuracies: count(Grade::Inaccuracy),
            mistakes: count(Grade::Mistake),
            blunders: count(Grade::Blunder),
            accuracy: (!own.is_empty()).then_some(accuracy),
        }
    }
}

/// A row of the table of several reviewed games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableRow {
    /// The name of the file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// White at the end, if the record names them.
    pub white: Option<String>,
    /// Red at the end, if the record names them.
    pub red: Option<String>,
    /// The result from the record, otherwise that of the final position if the game is over.
    pub result: Option<String>,
    /// The number of turns.
    pub turns: usize,
    /// The summary of each colour.
    pub summary: Players,
    /// The move that lost most; `None` if none was bad enough for a grade.
    pub worst: Option<WorstMove>,
}

/// The move of a game that lost most.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorstMove {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The colour that moved.
    pub player: Color,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// How much worse it was than the best move.
    pub loss: Loss,
}

impl TableRow {
    /// The row of a review.
    pub fn of(review: &Review) -> TableRow {
        let worst = review.turning_points.first().map(|&number| {
            let ReviewedTurn { turn, player, mv, loss, .. } = review.turns[number - 1];
            WorstMove { turn, player, mv, loss }
        });
        TableRow {
            file: review.file.clone(),
            game: review.game,
            white: review.white.clone(),
            red: review.red.clone(),
            result: review.result.clone(),
            turns: review.turns.len(),
            summary: review.summary,
            worst,
        }
    }
}
