//! The position after the last turn of a reviewed game.

use serde::Serialize;

use super::expectation::Expectation;
use crate::analysis::PositionAnalysis;
use crate::game::{Color, Position, Value};

/// The position after the last turn of a record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FinalPosition {
    /// The position as text.
    pub position: String,
    /// White's expected result and lead.
    pub white: Expectation,
    /// The result with best play, if it is proved or the game is over.
    pub solved: Option<Value>,
    /// Whether the game is over.
    pub over: bool,
}

impl FinalPosition {
    /// `last` with its analysis, which a finished game does not need; `None`
    /// if it is missing.
    pub(super) fn of(
        last: &Position,
        analysis: Option<&PositionAnalysis>,
    ) -> Option<FinalPosition> {
        let over = last.is_over();
        let (white, solved) = if over {
            let value = Value::from(last.outcome()).seen_by(Color::White);
            let (winrate, lead) = (f64::from(value.white_share()), f64::from(value.points()));
            (Expectation::of_white(Color::White, winrate, lead), Some(value))
        } else {
            let PositionAnalysis { to_move, root, .. } = analysis?;
            (Expectation::of_white(*to_move, root.winrate, root.lead), root.solved)
        };
        Some(FinalPosition { position: last.to_string(), white, solved, over })
    }
}
