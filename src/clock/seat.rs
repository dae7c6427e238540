use serde::{Deserialize, Serialize};

use super::Limit;

/// The referee's clock for one seat. Seconds throughout.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatClock {
    limit: Limit,
    /// Left of the main time.
    main: f64,
    /// Periods left, the running one included.
    periods: u32,
}

impl SeatClock {
    /// A clock at the start of a game.
    pub fn new(limit: Limit) -> SeatClock {
        let (main, periods) = match limit {
            Limit::Fischer { main, .. } => (main, 0),
            Limit::ByoYomi { main, periods, .. } => (main, periods),
            Limit::Move { .. } | Limit::Iterations { .. } => (0.0, 0),
        };
        SeatClock { limit, main, periods }
    }

    /// How long the next move may take before the flag falls; `None` without
    /// a clock.
    pub fn allowed(&self) -> Option<f64> {
        match self.limit {
            Limit::Move { seconds } => Some(seconds),
            Limit::Fischer { .. } => Some(self.main),
            Limit::ByoYomi { period, .. } => Some(self.main + period * f64::from(self.periods)),
            Limit::Iterations { .. } => None,
        }
    }

    /// By how much a move that took `spent` missed the time for one move;
    /// `None` when the limit has no such time.
    pub fn overhead(&self, spent: f64) -> Option<f64> {
        match self.limit {
            Limit::Move { seconds } => Some(spent - seconds),
            Limit::ByoYomi { period, .. } if self.main <= 0.0 => Some(spent - period),
            _ => None,
        }
    }

    /// Takes the time of a move off that was not too late.
    pub fn spend(&mut self, spent: f64) {
        match self.limit {
            Limit::Fischer { increment, .. } => {
                self.main = (self.main - spent).max(0.0) + increment;
            }
            Limit::ByoYomi { period, .. } => {
                let over = spent - self.main;
                self.main = (-over).max(0.0);
                if over > 0.0 {
                    let lost = (over / period) as u32;
                    self.periods = self.periods.saturating_sub(lost).max(1);
                }
            }
            Limit::Move { .. } | Limit::Iterations { .. } => {}
        }
    }

    /// What a clock shows that has run for `spent` of a move: what is left of
    /// the main time or of the running period, and the periods left, the
    /// running one included; no seconds are left when the flag has fallen.
    /// `None` without a clock.
    pub fn shown(&self, spent: f64) -> Option<(f64, u32)> {
        match self.limit {
            Limit::Move { seconds } => Some(((seconds - spent).max(0.0), 0)),
            Limit::Fischer { .. } => Some(((self.main - spent).max(0.0), 0)),
            Limit::ByoYomi { .. } if spent < self.main => Some((self.main - spent, self.periods)),
            Limit::ByoYomi { period, .. } => {
                let over = spent - self.main;
                let lost = (over / period) as u32;
                let left = self.periods.saturating_sub(lost);
                let of_period = period - (over - f64::from(lost) * period);
                Some((if left > 0 { of_period } else { 0.0 }, left))
            }
            Limit::Iterations { .. } => None,
        }
    }

    /// What `time_left` says: seconds, and the periods left, 0 in main time;
    /// `None` when it says nothing that the limit does not.
    pub fn time_left(&self) -> Option<(f64, u32)> {
        match self.limit {
            Limit::Fischer { .. } => Some((self.main, 0)),
            Limit::ByoYomi { .. } if self.main > 0.0 => Some((self.main, 0)),
            Limit::ByoYomi { period, .. } => Some((period, self.periods)),
            Limit::Move { .. } | Limit::Iterations { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> SeatClock {
        SeatClock::new(text.parse().unwrap())
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = clock("tc=2+0.5");
        assert_eq!(clock.allowed(), Some(2.0));
        clock.spend(1.0);
        assert_eq!((clock.allowed(), clock.time_left()), (Some(1.5), Some((1.5, 0))));
        // Within the margin, but over the time.
        clock.spend(1.6);
        assert_eq!((clock.allowed(), clock.overhead(1.0)), (Some(0.5), None));
    }

    #[test]
    fn periods_are_lost_when_a_move_takes_longer() {
        let mut clock = clock("byoyomi=10+2x3");
        assert_eq!((clock.allowed(), clock.time_left()), (Some(16.0), Some((10.0, 0))));
        clock.spend(9.0);
        assert_eq!((clock.allowed(), clock.time_left()), (Some(7.0), Some((1.0, 0))));
        clock.spend(2.5);
        assert_eq!((clock.allowed(), clock.time_left()), (Some(6.0), Some((2.0, 3))));
        clock.spend(2.0 - 1e-9);
        assert_eq!(clock.allowed(), Some(6.0));
        clock.spend(4.5);
        assert_eq!((clock.allowed(), clock.overhead(2.25)), (Some(2.0), Some(0.25)));
        clock.spend(2.1);
        assert_eq!((clock.allowed(), clock.time_left()), (Some(2.0), Some((2.0, 1))));
    }

    #[test]
    fn a_running_clock_shows_the_period_it_is_in() {
        let mut clock = clock("byoyomi=10+2x3");
        assert_eq!(clock.shown(4.0), Some((6.0, 3)));
        assert_eq!(clock.shown(11.0), Some((1.0, 3)));
        assert_eq!(clock.shown(13.5), Some((0.5, 2)));
        assert_eq!(clock.shown(17.0), Some((0.0, 0)));
        clock.spend(13.5);
        assert_eq!(clock.shown(0.5), Some((1.5, 2)));
        let fischer = SeatClock::new("tc=2+1".parse().unwrap());
        assert_eq!((fischer.shown(1.5), fischer.shown(5.0)), (Some((0.5, 0)), Some((0.0, 0))));
    }

    #[test]
    fn a_time_for_each_move_stays() {
        let mut timed = clock("time=0.5");
        timed.spend(0.4);
        assert_eq!((timed.allowed(), timed.time_left()), (Some(0.5), None));
        assert!((timed.overhead(0.4).unwrap() + 0.1).abs() < 1e-12);
        assert_eq!(clock("playouts=5").allowed(), None);
    }
}
