//! The review of one turn: what its move is worth, what it lost, and the grade of the loss. Also
//! the position after the last turn, which has no move.
//!
//! The loss is the value of the best move minus that of the move played. Both values must come from
//! searches of equal length, or every move would seem to lose something: the search of a position
//! spends most of its visits on its favourite and knows it best. So three searches of equal length
//! judge a turn:
//!
//! ```text
//!   before ──best──► after the best move     1 - win rate there = value of the best move
//!      └────played─► after the move played   1 - win rate there = value of the move played
//! ```
//!
//! The search of `before` only chooses the best move. The search `after the move played` is also
//! that of the next turn's `before`, so a game of n turns takes at most 2n + 1 searches. A proved
//! result replaces a win rate. A loss below 0 is noise and counts as 0.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::SearchedPosition;
use crate::engine::{Analysis, Bounds, Candidate, DECIMALS, RootInfo, agree, rounded};
use crate::game::{Color, Move, Position, Value};

/// A turn of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewedTurn {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The colour that moved.
    pub player: Color,
    /// The move that was played.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The best move by the analysis.
    pub best: Move,
    /// The player's expected result before the move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// How much worse the move is than the best one.
    pub loss: Loss,
    /// What is proved about the result with best play: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The grade of the move; `None` for a good one.
    pub grade: Option<Grade>,
    /// Whether the move was the only legal one.
    pub forced: bool,
    /// The player's expected lead before the move, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Visits of the position.
    pub visits: u64,
    /// The value of the move played, by the search after it.
    pub played: MoveValue,
    /// The value of the best move, by the search after it: equal to `played` if that move was the
    /// best.
    pub best_played: MoveValue,
    /// White's expected result and lead before the move: the mean of the searches before it and
    /// after the best move, because a search favours the side to move.
    pub white: Expectation,
    /// The position before the move.
    pub position: String,
    /// The candidate moves, the best first.
    pub moves: Vec<Candidate>,
}

/// The loss of a move against the best one, 0 or more.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Loss {
    /// The win rate lost, 0 to 1.
    pub winrate: f64,
    /// The points of lead lost.
    pub points: f64,
}

/// The value of a move for the player who makes it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MoveValue {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// What is proved about the result with best play: in JSON `solved` and `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
}

impl ReviewedTurn {
    /// The turn with index `index` (from 0), in which `mv` was played. `before` and `after` are the
    /// positions around it with their search results, of which a finished game has none.
    pub fn of(
        index: usize,
        before: (&Position, &SearchedPosition),
        mv: Move,
        after: (&Position, Option<&RootInfo>),
        thresholds: &Thresholds,
    ) -> ReviewedTurn {
        let (position, SearchedPosition { analysis, after_best }) = before;
        let best = analysis.moves.first();
        let played = value_of(analysis, mv, after.1, after.0);
        // The best move loses nothing, whatever the search after it says.
        let better = best.filter(|best| best.mv != mv);
        let best_played = better.map_or(played, |best| {
            let after = position.after_legal_move(best.mv);
            value_of(analysis, best.mv, after_best.as_ref(), &after)
        });
        let loss = Loss {
            winrate: rounded((best_played.winrate - played.winrate).max(0.0), DECIMALS),
            points: rounded((best_played.lead - played.lead).max(0.0), DECIMALS),
        };
        let root = &analysis.root;
        // A proved result is exact and needs no mean.
        let (winrate, lead) = if root.bounds.is_decided() {
            (root.winrate, root.lead)
        } else {
            let best = best_played;
            (f64::midpoint(root.winrate, best.winrate), f64::midpoint(root.lead, best.lead))
        };
        ReviewedTurn {
            turn: index + 1,
            player: analysis.to_move,
            mv,
            best: best.map_or(mv, |best| best.mv),
            winrate: root.winrate,
            loss,
            bounds: root.bounds,
            grade: thresholds.grade(loss.winrate),
            forced: position.counts().total() == 1,
            lead: root.lead,
            visits: root.visits,
            played,
            best_played,
            white: Expectation::of_white(analysis.to_move, winrate, lead),
            position: analysis.position.clone(),
            moves: analysis.moves.clone(),
        }
    }

    /// The analysis of the best move.
    pub fn best_move(&self) -> Option<&Candidate> {
        self.moves.first()
    }
}

/// The value of `mv` for its player: the proved result, otherwise 1 minus the opponent's win rate
/// in the search of `after`, the position after the move. `root` is the result of that search;
/// `None` means that the game is over there.
fn value_of(analysis: &Analysis, mv: Move, root: Option<&RootInfo>, after: &Position) -> MoveValue {
    let mover = analysis.to_move;
    let finished = || {
        let value = Value::from(after.outcome());
        let own = value.seen_by(mover);
        let (winrate, lead) = (own.win_rate().into(), own.points().into());
        MoveValue { winrate, lead, bounds: Bounds::of(value) }
    };
    let Some(&RootInfo { winrate, lead, bounds, .. }) = root else { return finished() };
    let (mut winrate, mut lead) = (1.0 - winrate, -lead);
    // Bounds belong to a colour, and `mover` has the other one after a swap, so the numbers cannot
    // be made to agree with them. They are still the complement of the opponent's.
    let bounds = if mv == Move::Swap {
        (winrate, lead) = (rounded(winrate, DECIMALS), rounded(lead, DECIMALS));
        bounds
    } else {
        let candidate = analysis.find(mv);
        let bounds = bounds.and(candidate.map_or(Bounds::UNKNOWN, |candidate| candidate.bounds));
        agree(mover, bounds, &mut winrate, &mut lead);
        bounds
    };
    MoveValue { winrate, lead, bounds }
}

/// The expected result and lead of one side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Expectation {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
}

impl Expectation {
    /// White's, from the win rate and lead of `mover`.
    pub fn of_white(mover: Color, winrate: f64, lead: f64) -> Expectation {
        let (winrate, lead) = match mover {
            Color::White => (winrate, lead),
            Color::Red => (1.0 - winrate, -lead),
        };
        Expectation { winrate: rounded(winrate, DECIMALS), lead: rounded(lead, DECIMALS) }
    }
}

/// The position after the last turn of a record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FinalPosition {
    /// The position as text.
    pub position: String,
    /// White's expected result and lead.
    pub white: Expectation,
    /// What is proved about the result, all of it if the game is over: in JSON `solved` and
    /// `winner`.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// Whether the game is over.
    pub over: bool,
}

impl FinalPosition {
    /// `last` with its analysis; `None` if that is missing, which a finished game does not need.
    pub(super) fn of(last: &Position, analysis: Option<&Analysis>) -> Option<FinalPosition> {
        let over = last.is_over();
        let (winrate, lead, bounds) = if over {
            let value = Value::from(last.outcome());
            (value.win_rate().into(), value.points().into(), Bounds::of(value))
        } else {
            let analysis = analysis?;
            let (winrate, lead) = analysis.whites();
            (winrate, lead, analysis.root.bounds)
        };
        let white = Expectation::of_white(Color::White, winrate, lead);
        Some(FinalPosition { position: last.to_string(), white, bounds, over })
    }
}

/// The grade of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// A loss of at least [`Thresholds::inaccuracy`].
    Inaccuracy,
    /// A loss of at least [`Thresholds::mistake`].
    Mistake,
    /// A loss of at least [`Thresholds::blunder`].
    Blunder,
}

/// The least loss of win rate for each grade, each above 0 and at most 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Thresholds {
    /// The loss from which on a move is an inaccuracy.
    pub inaccuracy: f64,
    /// The loss from which on a move is a mistake.
    pub mistake: f64,
    /// The loss from which on a move is a blunder.
    pub blunder: f64,
}

/// Why a text is not a list of thresholds.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "three rising numbers above 0, at most 1, with commas between, as in {}",
    Thresholds::default()
)]
pub struct ParseThresholdsError;

impl Grade {
    /// All grades, the mildest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The annotation sign: `?!`, `?`, `??`.
    pub fn sign(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        })
    }
}

impl Thresholds {
    /// The grade of a move by its loss of win rate; `None` for a good move.
    pub fn grade(&self, loss: f64) -> Option<Grade> {
        let least = [self.inaccuracy, self.mistake, self.blunder];
        let worst = Grade::ALL.into_iter().zip(least).rev().find(|&(_, least)| loss >= least);
        worst.map(|(grade, _)| grade)
    }
}

impl Default for Thresholds {
    // Set by judgement: lower ones would grade the noise of short searches, where a few percent
    // mean little.
    fn default() -> Self {
        Thresholds { inaccuracy: 0.05, mistake: 0.1, blunder: 0.2 }
    }
}

impl fmt::Display for Thresholds {
    /// `0.05,0.1,0.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.inaccuracy, self.mistake, self.blunder)
    }
}

impl FromStr for Thresholds {
    type Err = ParseThresholdsError;

    fn from_str(text: &str) -> Result<Thresholds, ParseThresholdsError> {
        let numbers = text.split(',').map(|number| number.trim().parse::<f64>());
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        match numbers.as_deref() {
            Ok(&[inaccuracy, mistake, blunder])
                if 0.0 < inaccuracy
                    && inaccuracy <= mistake
                    && mistake <= blunder
                    && blunder <= 1.0 =>
            {
                Ok(Thresholds { inaccuracy, mistake, blunder })
            }
            _ => Err(ParseThresholdsError),
        }
    }
}
