//! The summary of a reviewed game for each colour.

use serde::Serialize;

use super::grade::Grade;
use super::turn::{Loss, ReviewedTurn};
use crate::analysis::json::rounded;
use crate::analysis::position::DECIMALS;
use crate::game::Color;

/// The summary of each colour's turns. After a swap the players have changed
/// colours, so a colour may stand for two players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Players {
    /// White's turns.
    pub white: Summary,
    /// Red's turns.
    pub red: Summary,
}

/// The summary of a colour's turns. Forced turns do not count.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
    /// The mean accuracy in percent; `None` without a turn. The accuracy of a
    /// turn is 100·e^(−4·loss), where loss is its loss of win rate.
    pub accuracy: Option<f64>,
}

/// Decay rate of the accuracy with the loss of win rate.
const STEEPNESS: f64 = 4.0;

impl Players {
    /// The summaries of these turns.
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
