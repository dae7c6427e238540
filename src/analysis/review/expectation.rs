//! What one side may expect of a game.

use serde::Serialize;

use crate::analysis::json::rounded;
use crate::analysis::position::DECIMALS;
use crate::game::Color;

/// The expected result and lead of one side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
