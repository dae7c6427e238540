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
