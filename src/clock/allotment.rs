//! How much of a clock's time the engine gives to its next move.

use super::{Clock, Seconds, TimeControl};
use crate::game::Position;

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allotment {
    /// Normally.
    pub usual: Seconds,
    /// At most, for a search whose best move is in doubt.
    pub most: Seconds,
}

impl Allotment {
    /// The same time whether or not the search is in doubt.
    pub fn fixed(time: Seconds) -> Allotment {
        Allotment { usual: time, most: time }
    }

    /// The allotment with `bound` as an upper bound.
    #[must_use]
    pub fn at_most(self, bound: Seconds) -> Allotment {
        let bounded = |time: Seconds| if time < bound { time } else { bound };
        Allotment { usual: bounded(self.usual), most: bounded(self.most) }
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
        let fixed = |seconds: f64| Allotment::fixed(Seconds::saturating(seconds));
        let shared = |usual: f64| {
            let most = (usual * 3.0).min(self.left / 3.0).max(usual);
            Allotment { usual: Seconds::saturating(usual), most: Seconds::saturating(most) }
        };
        let fischer =
            |increment: Seconds| shared((self.left / turns + increment.get()).min(self.left * 0.9));
        Some(match self.running {
            TimeControl::None => return None,
            TimeControl::Move(_) => fixed(self.left),
            TimeControl::Absolute(_) => shared(self.left / turns),
            TimeControl::Fischer { increment, .. } => fischer(increment),
            TimeControl::FischerCapped { increment, move_limit, .. } => {
                fischer(increment).at_most(move_limit.unwrap_or(Seconds::MAX))
            }
            TimeControl::ByoYomi { period, moves, .. } if self.moves == 0 => {
                let share = period.get() / f64::from(moves.max(1));
                // The move that uses up the main time also has its share of
                // the period. It keeps a reserve, for the clock may run ahead
                // of ours.
                let is_last = self.left < share;
                let last = fixed(self.left + 0.9 * share);
                if is_last { last } else { shared((self.left / turns).max(share)) }
            }
            TimeControl::ByoYomi { .. } if self.moves == 1 => fixed(self.left),
            TimeControl::ByoYomi { .. } => shared(self.left / f64::from(self.moves)),
        })
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
