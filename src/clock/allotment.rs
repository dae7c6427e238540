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
    /// Main time is spread over the turns that probably need thought, with most
    /// for those in the middle of the game; increments and periods are spent as
    /// they come. Main time that a turn saves is left for later turns, so a turn
    /// in doubt may take several times its share. Nothing can be saved of a
    /// period.
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

/// The part of the main time that the next turn gets is one in this many, at
/// least 1.6.
///
/// On 10×10, a side with c candidate cells still thinks for about c/4.6 turns
/// before the ending is solved, with a standard deviation of 1.4 (docs/strength.md).
/// The first turns get less than an even share and those in the middle of the
/// game more, since most of the winning chance is lost there.
fn turns_left(position: &Position) -> f64 {
    let candidates = position.candidates(position.side()).len();
    (f64::from(candidates) / 3.0 - 3.5).max(1.6)
}
