//! One player's clock: what is left, what a move takes off it, and when the
//! flag falls.

use super::TimeControl;

/// One player's clock. All times are in seconds.
///
/// A clock does not run by itself: [`Clock::spend`] takes the time of a
/// finished move off, [`Clock::shown`] looks at it while a move is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// The control in force: `control`, or one made up by
    /// [`Clock::set_left`] where `control` is none.
    pub(super) running: TimeControl,
    /// Left of the main time or, once that is used up, of the period.
    pub(super) left: f64,
    /// Periods left, the running one included.
    periods: u32,
    /// Moves still to make in the running period; 0 in main time.
    pub(super) moves: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: impl Into<TimeControl>) -> Clock {
        let control = control.into();
        let (left, periods) = match control {
            TimeControl::None | TimeControl::Move(_) => (0.0, 0),
            TimeControl::Absolute(main) | TimeControl::Fischer { main, .. } => (main, 0),
            TimeControl::ByoYomi { main, periods, .. } => (main, periods),
        };
        let mut clock = Clock { control, running: control, left, periods, moves: 0 };
        clock.enter_byo_yomi();
        clock
    }

    /// A clock between two moves with `main` seconds of main time and
    /// `periods` periods left.
    pub(super) fn resumed(control: impl Into<TimeControl>, main: f64, periods: u32) -> Clock {
        let mut clock = Clock { left: main, periods, moves: 0, ..Clock::new(control) };
        clock.enter_byo_yomi();
        clock
    }

    /// The time control it was made with.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left: seconds of the main time or of the period, periods, and
    /// moves still to make in the period (0 in main time).
    pub fn left(&self) -> (f64, u32, u32) {
        (self.left, self.periods, self.moves)
    }

    /// Sets what is left, in the terms of GTP's `time_left`: seconds of the
    /// main time when `moves` is 0, else of a period in which `moves` moves
    /// are still to be made. In Japanese byo-yomi `moves` is the number of
    /// periods left.
    pub fn set_left(&mut self, seconds: f64, moves: u32) {
        self.left = seconds.max(0.0);
        self.moves = moves;
        match &self.running {
            TimeControl::None if moves == 0 => self.running = TimeControl::Absolute(self.left),
            TimeControl::None => {
                let (period, periods) = (self.left, 1);
                self.running = TimeControl::ByoYomi { main: 0.0, period, periods, moves };
            }
            TimeControl::ByoYomi { moves: 1, .. } if moves > 0 => {
                (self.periods, self.moves) = (moves, 1);
            }
            _ => {}
        }
        if moves == 0 {
            self.enter_byo_yomi();
        }
    }

    /// Takes the time of a finished move off. A move that took too long
    /// leaves the last period, or no main time but the increment.
    pub fn spend(&mut self, seconds: f64) {
        self.run(seconds);
        match self.running {
            TimeControl::Fischer { increment, .. } => self.left += increment,
            TimeControl::ByoYomi { period, moves, .. } => {
                self.periods = self.periods.max(1);
                if self.moves > 0 {
                    self.moves -= 1;
                    if self.moves == 0 {
                        (self.left, self.moves) = (period, moves);
                    }
                }
            }
            _ => {}
        }
    }

    /// Runs the clock for `seconds` of a move. Once the flag has fallen, no
    /// seconds and no periods are left.
    fn run(&mut self, seconds: f64) {
        let TimeControl::ByoYomi { period, moves, .. } = self.running else {
            self.left = (self.left - seconds).max(0.0);
            return;
        };
        // Seconds since the running period began.
        let mut over = seconds - self.left;
        if self.moves > 0 {
            over = seconds + (period - self.left);
        } else if over < 0.0 {
            self.left = -over;
            return;
        } else {
            self.moves = moves;
        }
        let used = (over / period) as u32;
        self.periods = self.periods.saturating_sub(used);
        self.left = match self.periods {
            0 => 0.0,
            _ => period - (over - f64::from(used) * period),
        };
    }

    /// Starts the first period if the main time is used up.
    fn enter_byo_yomi(&mut self) {
        if let TimeControl::ByoYomi { period, moves, .. } = self.running
            && self.moves == 0
            && self.left <= 0.0
        {
            (self.left, self.moves) = (period, moves);
        }
    }

    /// How long the next move may take before the flag falls; `None` without
    /// a clock.
    pub fn allowed(&self) -> Option<f64> {
        match self.running {
            TimeControl::None => None,
            TimeControl::Move(seconds) => Some(seconds),
            TimeControl::Absolute(_) | TimeControl::Fischer { .. } => Some(self.left),
            TimeControl::ByoYomi { period, .. } if self.moves == 0 => {
                Some(self.left + period * f64::from(self.periods))
            }
            TimeControl::ByoYomi { .. } if self.periods == 0 => Some(0.0),
            TimeControl::ByoYomi { period, .. } => {
                Some(self.left + period * f64::from(self.periods - 1))
            }
        }
    }

    /// By how much a move that took `spent` seconds exceeded the time for one
    /// move; negative if it did not. `None` when no time is set for one move.
    pub fn overhead(&self, spent: f64) -> Option<f64> {
        match self.running {
            TimeControl::Move(seconds) => Some(spent - seconds),
            TimeControl::ByoYomi { .. } if self.moves == 1 => Some(spent - self.left),
            _ => None,
        }
    }

    /// What the clock shows `spent` seconds into a move: seconds left of the
    /// main time or of the running period, and periods left, the running one
    /// included. No seconds are left once the flag has fallen. `None` without
    /// a clock.
    pub fn shown(&self, spent: f64) -> Option<(f64, u32)> {
        match self.running {
            TimeControl::None => None,
            TimeControl::Move(seconds) => Some(((seconds - spent).max(0.0), 0)),
            _ => {
                let mut clock = *self;
                clock.run(spent);
                Some((clock.left, clock.periods))
            }
        }
    }

    /// The arguments of GTP's `time_left`: seconds, and 0 in main time, else
    /// the periods left (in Canadian byo-yomi the moves left). `None` when
    /// they would say no more than the time control.
    pub fn time_left(&self) -> Option<(f64, u32)> {
        match self.running {
            TimeControl::None | TimeControl::Move(_) => None,
            TimeControl::ByoYomi { moves: 1, .. } if self.moves > 0 => {
                Some((self.left, self.periods))
            }
            _ => Some((self.left, self.moves)),
        }
    }

    /// Whether time that the next move does not use is left for later ones.
    pub fn saves(&self) -> bool {
        match self.running {
            TimeControl::None | TimeControl::Move(_) => false,
            TimeControl::Absolute(_) | TimeControl::Fischer { .. } => true,
            TimeControl::ByoYomi { .. } => self.moves != 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Limit;

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse::<Limit>().unwrap())
    }

    fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
        Clock::new(TimeControl::ByoYomi { main, period, periods, moves })
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = clock("tc=2+0.5");
        assert_eq!(clock.allowed(), Some(2.0));
        clock.spend(1.0);
        assert_eq!((clock.allowed(), clock.time_left()), (Some(1.5), Some((1.5, 0))));
        // More than was left, as a referee's margin permits.
        clock.spend(1.6);
        assert_eq!((clock.allowed(), clock.overhead(1.0)), (Some(0.5), None));
    }

    #[test]
    fn byo_yomi_starts_after_the_main_time() {
        let mut clock = byo_yomi(10.0, 3.0, 2, 1);
        for (spent, left) in
            [(11.0, (3.0, 2, 1)), (1.0, (3.0, 2, 1)), (4.0, (3.0, 1, 1)), (9.0, (3.0, 1, 1))]
        {
            clock.spend(spent);
            assert_eq!(clock.left(), left, "{spent}");
        }
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
    fn periods_of_no_length_are_lost_at_once() {
        let mut clock = byo_yomi(0.0, 0.0, u32::MAX, 1);
        clock.spend(1.0);
        assert_eq!(clock.left(), (0.0, 1, 1));
    }

    #[test]
    fn canadian_byo_yomi_counts_moves() {
        let mut clock = byo_yomi(0.0, 10.0, 1, 5);
        for left in (1..=5).rev() {
            assert_eq!(clock.left().2, left);
            assert_eq!(clock.time_left(), Some((clock.left().0, left)));
            clock.spend(2.0);
        }
        assert_eq!(clock.left(), (10.0, 1, 5));
        // The move that enters a period counts in it.
        let mut entering = byo_yomi(1.0, 10.0, 1, 5);
        entering.spend(3.0);
        assert_eq!(entering.left(), (8.0, 1, 4));
    }

    #[test]
    fn a_running_clock_shows_the_period_it_is_in() {
        let mut clock = clock("byoyomi=10+2x3");
        for (spent, shown) in
            [(4.0, (6.0, 3)), (11.0, (1.0, 3)), (13.5, (0.5, 2)), (17.0, (0.0, 0))]
        {
            assert_eq!(clock.shown(spent), Some(shown), "{spent}");
        }
        clock.spend(13.5);
        assert_eq!(clock.shown(0.5), Some((1.5, 2)));
        let fischer = Clock::new(TimeControl::Fischer { main: 2.0, increment: 1.0 });
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

    #[test]
    fn unused_time_is_saved_unless_the_move_has_a_time_of_its_own() {
        let saves = |control| Clock::new(control).saves();
        assert!(!saves(TimeControl::None) && !saves(TimeControl::Move(3.0)));
        assert!(saves(TimeControl::Absolute(3.0)));
        assert!(saves(TimeControl::Fischer { main: 3.0, increment: 1.0 }));
        assert!(byo_yomi(5.0, 3.0, 1, 1).saves() && !byo_yomi(0.0, 3.0, 1, 1).saves());
        let mut canadian = byo_yomi(0.0, 3.0, 1, 2);
        assert!(canadian.saves());
        canadian.spend(1.0);
        assert!(!canadian.saves());
    }

    #[test]
    fn time_left_sets_the_periods_of_japanese_byo_yomi() {
        let mut clock = byo_yomi(10.0, 3.0, 5, 1);
        clock.set_left(2.5, 4);
        assert_eq!(clock.left(), (2.5, 4, 1));
    }
}
