//! Lengths of time, time controls, limits as text, and clocks.
//!
//! A [`Clock`] knows what is left to one player, what a move takes off it, when
//! the flag falls, and how much of its time the engine gives to a move. The
//! engine, the referee and the page use the same one.

mod control;

pub use control::{Limit, LimitError, Seconds, SecondsError, TimeControl};
/// The monotonic clock; in a browser, that of the page.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub use web_time::Instant;

use serde::de::{Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};

use crate::game::Position;

/// One player's clock.
///
/// A clock does not run by itself: [`Clock::spend`] takes the time of a
/// finished move off, [`Clock::shown`] looks at it while a move is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// The control in force: `control`, or one made up by
    /// [`Clock::set_left`] where `control` is none.
    running: TimeControl,
    /// Seconds left of the main time or, once that is used up, of the period.
    left: f64,
    /// Periods left, the running one included.
    periods: u32,
    /// Moves still to make in the running period; 0 in main time.
    moves: u32,
}

/// By how much a time may exceed a period and still count as that period, as a
/// share of it: controllers round.
const ROUNDING: f64 = 0.01;

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: impl Into<TimeControl>) -> Clock {
        let control = control.into();
        let (left, periods) = match control {
            TimeControl::None => (Seconds::ZERO, 0),
            TimeControl::Move(time)
            | TimeControl::Absolute(time)
            | TimeControl::Fischer { main: time, .. }
            | TimeControl::FischerCapped { main: time, .. } => (time, 0),
            TimeControl::ByoYomi { main, periods, .. } => (main, periods),
        };
        let left = left.get();
        let mut clock = Clock { control, running: control, left, periods, moves: 0 };
        clock.enter_byo_yomi();
        clock
    }

    /// A clock between two moves with `main` left of the main time and
    /// `periods` periods left. A time for each move is always whole then.
    fn resumed(control: impl Into<TimeControl>, main: Seconds, periods: u32) -> Clock {
        let clock = Clock::new(control);
        if let TimeControl::Move(_) = clock.control {
            return clock;
        }
        let mut clock = Clock { left: main.get(), periods, moves: 0, ..clock };
        clock.enter_byo_yomi();
        clock
    }

    /// The time control it was made with.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left: of the main time or of the period, periods, and moves
    /// still to make in the period (0 in main time).
    pub fn left(&self) -> (Seconds, u32, u32) {
        (Seconds::saturating(self.left), self.periods, self.moves)
    }

    /// Sets what is left, in the terms of GTP's `time_left`: of the main time
    /// when `moves` is 0, else of a period in which `moves` moves are still to
    /// be made. In Japanese byo-yomi `moves` is the number of periods left.
    ///
    /// Some controllers report a sum. What exceeds the periods left is main
    /// time, and what exceeds one Japanese period is in those behind it. A
    /// move planned so never takes longer than `time`, whatever was meant.
    /// Without periods `moves` has no meaning.
    pub fn set_left(&mut self, time: Seconds, moves: u32) {
        let control = match self.control {
            TimeControl::None if moves == 0 => TimeControl::Absolute(time),
            TimeControl::None => {
                TimeControl::ByoYomi { main: Seconds::ZERO, period: time, periods: 1, moves }
            }
            control => control,
        };
        (self.running, self.left, self.moves) = (control, time.get(), 0);
        match control {
            TimeControl::Move(most) => self.left = self.left.min(most.get()),
            TimeControl::ByoYomi { periods, .. } if moves == 0 => {
                self.periods = periods;
                self.enter_byo_yomi();
            }
            TimeControl::ByoYomi { period, moves: 1, .. } => {
                self.set_left_of_periods(period.get(), moves);
            }
            TimeControl::ByoYomi { period, periods, .. } => {
                self.periods = periods;
                self.moves = moves;
                self.take_out(period.get());
            }
            _ => {}
        }
    }

    /// Distributes the time left over at most `most` Japanese periods.
    fn set_left_of_periods(&mut self, period: f64, most: u32) {
        (self.periods, self.moves) = (most, 1);
        if self.take_out(period * f64::from(most)) {
            return;
        }
        // Full periods behind the running one.
        let behind = ((self.left - ROUNDING * period) / period).ceil() as u32;
        if let Some(behind @ 1..) = behind.checked_sub(1) {
            self.left -= f64::from(behind) * period;
            self.periods = (behind + 1).min(most);
        }
        self.left = self.left.min(period);
    }

    /// If more is left than `in_periods`, the rest is main time; whether it is.
    fn take_out(&mut self, in_periods: f64) -> bool {
        let is_more = self.left > (1.0 + ROUNDING) * in_periods;
        if is_more {
            (self.left, self.moves) = (self.left - in_periods, 0);
        }
        is_more
    }

    /// Takes the time of a finished move off. A move that took too long
    /// leaves the last period, or no main time but the increment.
    pub fn spend(&mut self, time: Seconds) {
        self.run(time.get());
        match self.running {
            TimeControl::Move(time) => self.left = time.get(),
            TimeControl::Fischer { increment, .. } => self.left += increment.get(),
            TimeControl::FischerCapped { increment, main_limit, .. } => {
                self.left += increment.get();
                self.left = main_limit.map_or(self.left, |limit| self.left.min(limit.get()));
            }
            TimeControl::ByoYomi { period, moves, .. } => {
                self.periods = self.periods.max(1);
                if self.moves > 0 {
                    self.moves -= 1;
                    if self.moves == 0 {
                        (self.left, self.moves) = (period.get(), moves);
                    }
                }
            }
            TimeControl::None | TimeControl::Absolute(_) => {}
        }
    }

    /// Runs the clock for `seconds` of a move. Once the flag has fallen, no
    /// seconds and no periods are left.
    fn run(&mut self, seconds: f64) {
        let TimeControl::ByoYomi { period, moves, .. } = self.running else {
            self.left = (self.left - seconds).max(0.0);
            return;
        };
        let period = period.get();
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
            (self.left, self.moves) = (period.get(), moves);
        }
    }

    /// How long the next move may take before the flag falls; `None` without
    /// a clock.
    pub fn allowed(&self) -> Option<Seconds> {
        let seconds = match self.running {
            TimeControl::None => return None,
            TimeControl::Move(_) | TimeControl::Absolute(_) | TimeControl::Fischer { .. } => {
                self.left
            }
            TimeControl::FischerCapped { move_limit, .. } => {
                move_limit.map_or(self.left, |limit| self.left.min(limit.get()))
            }
            TimeControl::ByoYomi { period, .. } if self.moves == 0 => {
                self.left + period.get() * f64::from(self.periods)
            }
            TimeControl::ByoYomi { .. } if self.periods == 0 => 0.0,
            TimeControl::ByoYomi { period, .. } => {
                self.left + period.get() * f64::from(self.periods - 1)
            }
        };
        Some(Seconds::saturating(seconds))
    }

    /// By how many seconds a move that took `spent` exceeded its time: what is set for
    /// one move, else all that was left on the clock. Negative if it did not. `None`
    /// without a clock.
    pub fn overhead(&self, spent: Seconds) -> Option<f64> {
        let is_period = matches!(self.running, TimeControl::ByoYomi { .. }) && self.moves == 1;
        let time = if is_period { self.left } else { self.allowed()?.get() };
        Some(spent.get() - time)
    }

    /// What the clock shows when a move has taken `spent` so far: the time left
    /// of the main time or of the running period, and periods left, the running
    /// one included. No time is left once the flag has fallen. `None` without a
    /// clock.
    pub fn shown(&self, spent: Seconds) -> Option<(Seconds, u32)> {
        let has_fallen = spent >= self.allowed()?;
        let mut clock = *self;
        clock.run(spent.get());
        let left = if has_fallen { 0.0 } else { clock.left };
        Some((Seconds::saturating(left), clock.periods))
    }

    /// The arguments of GTP's `time_left`: what is left, and 0 in main time,
    /// else the periods left (in Canadian byo-yomi the moves left). `None` when
    /// they would say no more than the time control.
    pub fn time_left(&self) -> Option<(Seconds, u32)> {
        let left = Seconds::saturating(self.left);
        match self.running {
            TimeControl::None | TimeControl::Move(_) => None,
            TimeControl::ByoYomi { moves: 1, .. } if self.moves > 0 => Some((left, self.periods)),
            _ => Some((left, self.moves)),
        }
    }

    /// Whether time that the next move does not use is left for later ones.
    pub fn saves(&self) -> bool {
        match self.running {
            TimeControl::None | TimeControl::Move(_) => false,
            TimeControl::Absolute(_)
            | TimeControl::Fischer { .. }
            | TimeControl::FischerCapped { .. } => true,
            TimeControl::ByoYomi { .. } => self.moves != 1,
        }
    }
}

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

/// A clock between two moves.
#[derive(Serialize, Deserialize)]
struct SavedClock {
    limit: Limit,
    /// Left of the main time; 0 in byo-yomi.
    main: Seconds,
    /// Periods left, the running one included.
    periods: u32,
}

impl Serialize for Clock {
    /// # Errors
    /// When the time control has no form as a [`Limit`]: none at all, or
    /// Canadian byo-yomi.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limit = Limit::of(self.control());
        let limit = limit.ok_or_else(|| S::Error::custom("this time control cannot be saved"))?;
        let (left, periods, moves) = self.left();
        let main = if moves == 0 { left } else { Seconds::ZERO };
        SavedClock { limit, main, periods }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Clock {
    /// # Errors
    /// When a time is none, or more periods are left than the limit gives.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clock, D::Error> {
        let SavedClock { limit, main, periods } = SavedClock::deserialize(deserializer)?;
        let (_, most, _) = Clock::new(limit).left();
        if periods > most {
            let reason = format!("{periods} periods are left of {limit}");
            return Err(D::Error::custom(reason));
        }
        Ok(Clock::resumed(limit, main, periods))
    }
}
