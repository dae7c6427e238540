//! How much of a clock's time the engine gives to its next move.

use super::{Clock, TimeControl};
use crate::game::Position;

/// How long a move may take, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allotment {
    /// Normally.
    pub usual: f64,
    /// At most, for a search whose best move is in doubt.
    pub most: f64,
}

impl Allotment {
    /// The same time whether or not the search is in doubt.
    pub fn fixed(seconds: f64) -> Allotment {
        Allotment { usual: seconds, most: seconds }
    }

    /// The allotment with `seconds` as an upper bound.
    #[must_use]
    pub fn at_most(self, seconds: f64) -> Allotment {
        Allotment { usual: self.usual.min(seconds), most: self.most.min(seconds) }
    }
}

impl Clock {
    /// How long the next move may take; `None` when no clock runs.
    ///
    /// Main time is spread evenly over the turns that are probably left;
    /// increments and periods are spent as they come. Main time that a turn
    /// saves is left for later turns, so a turn in doubt may take several
    /// times its share. Nothing can be saved of a period.
    pub fn allot(&self, position: &Position) -> Option<Allotment> {
        let turns = turns_left(position);
        let shared =
            |usual: f64| Allotment { usual, most: (usual * 3.0).min(self.left / 3.0).max(usual) };
        match self.running {
            TimeControl::None => None,
            TimeControl::Move(seconds) => Some(Allotment::fixed(seconds)),
            TimeControl::Absolute(_) => Some(shared(self.left / turns)),
            TimeControl::Fischer { increment, .. } => {
                Some(shared((self.left / turns + increment).min(self.left * 0.9)))
            }
            TimeControl::ByoYomi { period, moves, .. } if self.moves == 0 => {
                let share = period / f64::from(moves.max(1));
                // The move that uses up the main time also has its share of
                // the period. It keeps a reserve, for the clock may run ahead
                // of ours.
                let is_last = self.left < share;
                let last = Allotment::fixed(self.left + 0.9 * share);
                Some(if is_last { last } else { shared((self.left / turns).max(share)) })
            }
            TimeControl::ByoYomi { .. } if self.moves == 1 => Some(Allotment::fixed(self.left)),
            TimeControl::ByoYomi { .. } => Some(shared(self.left / f64::from(self.moves))),
        }
    }
}

/// Estimates the turns that the side to move will still make, at least 5: a
/// pair of tiles uses up about five of their candidate cells, and every third
/// turn is a bridge.
fn turns_left(position: &Position) -> f64 {
    let candidates = position.candidates(position.side()).len();
    (f64::from(candidates) / 4.0).max(5.0)
}
