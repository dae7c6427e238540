use serde::Serialize;

use super::look::rounded;
use super::{Look, Players, Side, Subject, Thresholds, Turn};
use crate::game::{Color, Move, Stage, Value};
use crate::notation::Tag;

/// A reviewed game, in the form it is written in: see `docs/review.md`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// What its file is called.
    pub file: String,
    /// Which game of the file it is, from 1.
    pub game: usize,
    /// Who had White at the end, if the record says.
    pub white: Option<String>,
    /// Who had Red at the end, if the record says.
    pub red: Option<String>,
    /// Cells to an edge of the board.
    pub board: u8,
    /// How it ended, if the record says or the board does.
    pub result: Option<String>,
    /// Every turn.
    pub turns: Vec<Turn>,
    /// What they come to.
    pub summary: Players,
    /// The turns with the largest losses, the largest first.
    pub turning_points: Vec<usize>,
    /// Whether the swap was right; `None` without the pie rule.
    pub opening: Option<Opening>,
    /// How it stands after the last turn.
    pub end: End,
    /// From which loss on a move is called what.
    pub thresholds: Thresholds,
}

/// What is to say about White's first turn and Red's answer under the pie
/// rule.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Opening {
    /// White's first turn.
    #[serde(rename = "move")]
    pub mv: Move,
    /// White's expected result after it without a swap, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Whether Red should have swapped.
    pub should_swap: bool,
    /// Whether he did; `None` when the record ends there.
    pub swapped: Option<bool>,
}

/// How a game stands after the last turn of its record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct End {
    /// The position.
    pub position: String,
    /// White's expected result and lead.
    pub white: Side,
    /// The result with best play, if it is proved or the game is over.
    pub solved: Option<Value>,
    /// Whether the game is over.
    pub over: bool,
}

/// How many turning points are named.
const TURNING_POINTS: usize = 3;

impl Review {
    /// The review of a game, from what was found of each of its positions;
    /// `None` while something is missing. Positions in which the game is over
    /// need no look.
    pub fn of(
        subject: &Subject,
        looks: &[Option<Look>],
        thresholds: &Thresholds,
    ) -> Option<Review> {
        let positions = subject.positions();
        let look = |index: usize| looks.get(index).and_then(Option::as_ref);
        let is_whole = (0..positions.len()).all(|n| positions[n].is_over() || look(n).is_some());
        if !is_whole {
            return None;
        }
        let turn = |index: usize| {
            let (mv, found) = (subject.played(index)?, look(index)?);
            let after = (&positions[index + 1], look(index + 1));
            Some(Turn::of(index, &positions[index], mv, found, after, thresholds))
        };
        let turns: Vec<Turn> = (0..subject.record.moves.len()).map_while(turn).collect();
        let record = &subject.record;
        let end = End::of(subject, look(positions.len() - 1))?;
        let by_board = end.over.then(|| positions[positions.len() - 1].outcome().to_string());
        let tag = |tag| record.tag(tag).map(str::to_owned);
        Some(Review {
            file: subject.file.clone(),
            game: subject.number,
            white: tag(Tag::White),
            red: tag(Tag::Red),
            board: record.rules().size.get(),
            result: record.result.map(|result| result.to_string()).or(by_board),
            summary: Players::of(&turns),
            turning_points: turning_points(&turns),
            opening: opening(subject, look(1)),
            end,
            thresholds: *thresholds,
            turns,
        })
    }
}

/// The turns with the largest losses that have a grade.
fn turning_points(turns: &[Turn]) -> Vec<usize> {
    let mut bad: Vec<&Turn> = turns.iter().filter(|turn| turn.grade.is_some()).collect();
    bad.sort_by(|a, b| b.loss.winrate.total_cmp(&a.loss.winrate));
    bad.iter().take(TURNING_POINTS).map(|turn| turn.turn).collect()
}

/// Red's answer to the first turn, found at the position after it.
fn opening(subject: &Subject, answer: Option<&Look>) -> Option<Opening> {
    let is_pie = subject.positions().get(1).is_some_and(|after| after.stage() == Stage::Pie);
    let (mv, answer) = (subject.played(0).filter(|_| is_pie)?, answer?);
    Some(Opening {
        mv,
        winrate: answer.find(Move::Swap)?.winrate,
        should_swap: answer.moves.first()?.mv == Move::Swap,
        swapped: subject.played(1).map(|answer| answer == Move::Swap),
    })
}

impl End {
    fn of(subject: &Subject, look: Option<&Look>) -> Option<End> {
        let last = subject.positions().last()?;
        let over = last.is_over();
        let (white, solved) = if over {
            let value = Value::from(last.outcome()).seen_by(Color::White);
            let winrate = f64::from(value.white_share());
            let lead = rounded(f64::from(value.points()));
            (Side { winrate, lead }, Some(value))
        } else {
            (Side::white(look?.to_move, look?.root.winrate, look?.root.lead), look?.root.solved)
        };
        Some(End { position: last.to_string(), white, solved, over })
    }
}
