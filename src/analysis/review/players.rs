use serde::Serialize;

use super::look::rounded;
use super::{Grade, Loss, Turn};
use crate::game::Color;

/// What the turns of each colour come to. Colours are those that moved:
/// after a swap the players have changed seats.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Players {
    /// White's turns.
    pub white: Summary,
    /// Red's turns.
    pub red: Summary,
}

/// What the turns of a colour come to; those without a choice do not count.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How many there were.
    pub turns: usize,
    /// The mean loss.
    pub loss: Loss,
    /// How many inaccuracies.
    pub inaccuracies: usize,
    /// How many mistakes.
    pub mistakes: usize,
    /// How many blunders.
    pub blunders: usize,
    /// The mean accuracy in percent, 100·e^(−4·loss) for a turn that lost so
    /// much win rate; `None` without a turn.
    pub accuracy: Option<f64>,
}

/// How fast accuracy falls with the loss of win rate.
const STEEPNESS: f64 = 4.0;

impl Players {
    /// The summaries of these turns.
    pub(crate) fn of(turns: &[Turn]) -> Players {
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
    fn of(turns: &[Turn], color: Color) -> Summary {
        let own: Vec<&Turn> =
            turns.iter().filter(|turn| turn.player == color && !turn.forced).collect();
        let mean = |number: fn(&Turn) -> f64| {
            let sum: f64 = own.iter().map(|turn| number(turn)).sum();
            rounded(sum / own.len().max(1) as f64)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::review::{Review, Subject, Thresholds, look_through};
    use crate::engine::{Options, StopSignal};
    use crate::notation::Record;

    #[test]
    fn a_game_without_a_choice_has_no_accuracy() {
        let record = "(;SZ[4]SUPPLY[2,0]PIE[off]AW[a1][a3]AB[d1][d3]PL[W];W[pass];B[pass])";
        let record = Record::parse(record).unwrap();
        let subject = Subject::new("a.sgf".to_owned(), 1, record).unwrap();
        let options = Options { playouts: 5, ..Options::default() };
        let mut looks = vec![None; 3];
        let stop = StopSignal::default();
        look_through(
            std::slice::from_ref(&subject),
            |_, _| false,
            &options,
            2,
            3,
            &stop,
            |done| -> Result<(), ()> {
                looks[done.index] = Some(done.look);
                Ok(())
            },
        )
        .unwrap();
        let thresholds = Thresholds::default();
        let review = Review::of(&subject, &looks, &thresholds).unwrap();
        for color in Color::BOTH {
            assert_eq!(review.summary.of_color(color).accuracy, None);
        }
        looks[1] = None;
        assert_eq!(Review::of(&subject, &looks, &thresholds), None);
    }
}
