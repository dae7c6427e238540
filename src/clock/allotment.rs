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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn allot(clock: &Clock) -> f64 {
        let allotment = clock.allot(&Position::new(Rules::default())).unwrap();
        let Allotment { usual, most } = allotment;
        assert!(usual <= most && most <= clock.left().0.max(usual));
        usual
    }

    fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
        Clock::new(TimeControl::ByoYomi { main, period, periods, moves })
    }

    #[test]
    fn absolute_time_is_never_used_up() {
        let mut clock = Clock::new(TimeControl::Absolute(60.0));
        for _ in 0..200 {
            let seconds = allot(&clock);
            assert!(seconds < clock.left().0);
            clock.spend(seconds);
        }
    }

    #[test]
    fn an_increment_is_spent_as_it_comes() {
        let mut clock = Clock::new(TimeControl::Fischer { main: 1.0, increment: 2.0 });
        for _ in 0..200 {
            let seconds = allot(&clock);
            assert!(seconds <= clock.left().0 * 0.9 + 1e-9);
            clock.spend(seconds);
        }
        assert!(allot(&clock) > 1.5);
    }

    #[test]
    fn a_move_takes_at_least_a_period() {
        let mut clock = byo_yomi(10.0, 3.0, 2, 1);
        assert!((allot(&clock) - 3.0).abs() < 1e-9);
        clock.spend(15.0);
        assert!((allot(&clock) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_last_of_the_main_time_is_used_up_without_losing_a_period() {
        let mut clock = byo_yomi(60.0, 10.0, 3, 1);
        let mut turns = 0;
        while clock.left().2 == 0 {
            let seconds = allot(&clock);
            assert!(seconds >= 9.0, "{seconds} of {:?}", clock.left());
            clock.spend(seconds - 0.01);
            turns += 1;
        }
        assert!(turns >= 4 && clock.left() == (10.0, 3, 1), "{turns}: {:?}", clock.left());
        assert!((allot(&byo_yomi(1.0, 10.0, 1, 5)) - 2.8).abs() < 1e-9);
    }

    #[test]
    fn canadian_byo_yomi_shares_the_period_among_its_moves() {
        let mut clock = byo_yomi(0.0, 10.0, 1, 5);
        for _ in 0..5 {
            assert!((allot(&clock) - 2.0).abs() < 1e-9);
            clock.spend(2.0);
        }
        clock.set_left(4.0, 2);
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn time_left_makes_a_clock_where_none_was_set() {
        let mut clock = Clock::new(TimeControl::None);
        clock.set_left(0.1, 0);
        assert!(allot(&clock) < 0.1);
        clock = Clock::new(TimeControl::None);
        clock.set_left(6.0, 3);
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
        assert_eq!(Clock::new(clock.control()).allot(&Position::new(Rules::default())), None);
    }
}
