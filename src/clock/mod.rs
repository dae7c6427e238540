//! Lengths of time, time controls, limits as text, and clocks.
//!
//! A [`Clock`] knows how much time one player has left, how much a move takes off it, when the flag
//! falls, and how much of its time the engine gives to a move. The engine, the referee and the page
//! use the same type.
//!
//! # How long a move may take
//!
//! [`Clock::allot`] gives each move two times: the usual one, and the most that a search may take
//! while its best move is in doubt. Time that a move does not use is left for later moves, except
//! where the time control takes it away.
//!
//! | time control | usual time | in doubt |
//! |---|---|---|
//! | a time for each move | all of it | all of it |
//! | main time | a share of it | up to 3 times the share |
//! | main time and increment | the share and the increment | up to 3 times as much |
//! | main time before periods | the share, at least a move's part of a period | up to 3 times |
//! | a period for one move | all of it | all of it |
//! | a period for several moves | an equal part | up to 3 times |
//!
//! The share is the hard part. Nobody knows how many turns a game still has. But the candidate
//! cells of a side only become fewer, and when few are left the search solves the game within
//! moments. So the share is one part in c/3 − 3.5, where c is the number of candidates: one in 30
//! at the start of a game on 10×10, one in 5.8 at 28 candidates. The constants before `turns_left`
//! say where they come from.
//!
//! The allotment guarantees that no move takes longer than the clock allows, however the shares are
//! chosen. Delays on the way to the controller are not its concern: the engine subtracts its move
//! overhead from the allotment.

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
/// A clock does not run by itself, so that a test or a browser can decide what time it is:
/// [`Clock::spend`] takes off the time of a finished move, and [`Clock::reading`] says what the
/// clock shows while a move is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// The control in force: `control` or, if that is `None`, the one that [`Clock::set_time_left`]
    /// assumes.
    running: TimeControl,
    /// Seconds left of the main time or, once that is used up, of the period.
    left: f64,
    /// Periods left, the running one included.
    periods: u32,
    /// Moves still to make in the running period; 0 in main time.
    moves: u32,
}

/// The share of a period by which a time may exceed it and still count as that period, because
/// controllers round. Set by judgement: 0.1 s of a period of 10 s. With a much larger share, real
/// main time would pass for a part of the period.
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

    /// A clock between two moves with `main` left of the main time and `periods` periods left. The
    /// next period, or the time for the next move, has its full length.
    fn resume(control: impl Into<TimeControl>, main: Seconds, periods: u32) -> Clock {
        let clock = Clock::new(control);
        if let TimeControl::Move(_) = clock.control {
            return clock;
        }
        let mut clock = Clock { left: main.get(), periods, moves: 0, ..clock };
        clock.enter_byo_yomi();
        clock
    }

    /// The time control that the clock was made with.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left of the main time or of the running period, the periods left, and the moves
    /// still to make in the running period (0 in main time).
    pub fn left(&self) -> (Seconds, u32, u32) {
        (Seconds::saturating(self.left), self.periods, self.moves)
    }

    /// Sets the time left, in the terms of GTP's `time_left`. If `moves` is 0, `time` is left of
    /// the main time, otherwise of a period in which `moves` moves are still to be made. In
    /// Japanese byo-yomi `moves` is the number of periods left.
    ///
    /// Some controllers report a sum of main time and periods. Time beyond the periods left counts
    /// as main time, and time beyond one Japanese period as the periods after it. With either
    /// reading, no move that is planned on this clock takes longer than `time`. Without periods
    /// `moves` has no meaning.
    pub fn set_time_left(&mut self, time: Seconds, moves: u32) {
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
                self.distribute_over_periods(period.get(), moves);
            }
            TimeControl::ByoYomi { period, periods, .. } => {
                self.periods = periods;
                self.moves = moves;
                self.split_main_time(period.get());
            }
            _ => {}
        }
    }

    /// Distributes the time left over at most `max_periods` Japanese periods.
    fn distribute_over_periods(&mut self, period: f64, max_periods: u32) {
        (self.periods, self.moves) = (max_periods, 1);
        if self.split_main_time(period * f64::from(max_periods)) {
            return;
        }
        // All periods but the running one are full, and the running one has the rest.
        let period_count = ((self.left - ROUNDING * period) / period).ceil() as u32;
        if let Some(full @ 1..) = period_count.checked_sub(1) {
            self.left -= f64::from(full) * period;
            self.periods = (full + 1).min(max_periods);
        }
        self.left = self.left.min(period);
    }

    /// If more time is left than `period_time`, the seconds in the periods, the clock is in main
    /// time, of which only the excess is left. Returns whether it is in main time.
    fn split_main_time(&mut self, period_time: f64) -> bool {
        let is_main = self.left > (1.0 + ROUNDING) * period_time;
        if is_main {
            (self.left, self.moves) = (self.left - period_time, 0);
        }
        is_main
    }

    /// Takes the time of a finished move off the clock.
    ///
    /// A game may continue after the flag has fallen, if its controller permits it. So a move that
    /// took too long leaves the last period, or no main time but the increment.
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
                // A period whose moves were made in time starts anew.
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

    /// Runs the clock for `seconds` of a move. After the flag has fallen, no seconds and no periods
    /// are left.
    fn run(&mut self, seconds: f64) {
        let TimeControl::ByoYomi { period, moves, .. } = self.running else {
            self.left = (self.left - seconds).max(0.0);
            return;
        };
        let period = period.get();
        // Seconds since the running period began, or since the main time ended.
        let mut elapsed = seconds - self.left;
        if self.moves > 0 {
            elapsed = seconds + (period - self.left);
        } else if elapsed < 0.0 {
            self.left = -elapsed;
            return;
        } else {
            self.moves = moves;
        }
        let lost_periods = (elapsed / period) as u32;
        self.periods = self.periods.saturating_sub(lost_periods);
        self.left = match self.periods {
            0 => 0.0,
            _ => period - (elapsed - f64::from(lost_periods) * period),
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

    /// How long the next move may take before the flag falls, including all periods; `None` without
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

    /// By how many seconds a move that took `spent` exceeded its time: the period or the time for
    /// one move if there is one, otherwise all that was left on the clock. Negative if the move was
    /// in time. `None` without a clock.
    pub fn overhead(&self, spent: Seconds) -> Option<f64> {
        let is_period = matches!(self.running, TimeControl::ByoYomi { .. }) && self.moves == 1;
        let time = if is_period { self.left } else { self.allowed()?.get() };
        Some(spent.get() - time)
    }

    /// What the clock shows when a move has taken `spent` so far: the time left of the main time or
    /// of the running period, and periods left, the running one included. No time is left once the
    /// flag has fallen. `None` without a clock.
    pub fn reading(&self, spent: Seconds) -> Option<(Seconds, u32)> {
        let has_fallen = spent >= self.allowed()?;
        let mut clock = *self;
        clock.run(spent.get());
        let left = if has_fallen { 0.0 } else { clock.left };
        Some((Seconds::saturating(left), clock.periods))
    }

    /// The arguments of GTP's `time_left`: the time left, and 0 in main time, else the periods left
    /// (in Canadian byo-yomi the moves left). `None` if they would say no more than the time
    /// control.
    pub fn time_left(&self) -> Option<(Seconds, u32)> {
        let left = Seconds::saturating(self.left);
        match self.running {
            TimeControl::None | TimeControl::Move(_) => None,
            TimeControl::ByoYomi { moves: 1, .. } if self.moves > 0 => Some((left, self.periods)),
            _ => Some((left, self.moves)),
        }
    }

    /// Whether time that the next move does not use is left for later ones.
    pub fn can_save_time(&self) -> bool {
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
    /// The time of a search whose best move is not in doubt.
    pub usual: Seconds,
    /// The time of a search whose best move is in doubt to the end, at least the usual one.
    pub most: Seconds,
}

/// How many times its usual time a move in doubt may take; the search decides how often it does.
/// Set by judgement: with a much larger factor a few turns use up the clock, with 1 no turn gets
/// more than its share.
const DOUBT_FACTOR: f64 = 3.0;

/// A move in doubt takes at most the time on the clock divided by this. Set by judgement: three
/// moves in doubt, one after the other, leave 0.3 of it.
const DOUBT_PARTS: f64 = 3.0;

/// The largest share of the main time that a move with an increment may take. The increment comes
/// only after the move, so without a reserve the flag would fall before it.
const FISCHER_SHARE: f64 = 0.9;

/// How much of its part of the first period a move that uses up the main time may take, as a share:
/// a controller's clock may run ahead of ours.
const FIRST_PERIOD_SHARE: f64 = 0.9;

impl Allotment {
    /// An allotment of the same `time` whether or not the search is in doubt.
    pub fn fixed(time: Seconds) -> Allotment {
        Allotment { usual: time, most: time }
    }

    /// The allotment with `bound` as an upper bound of both times.
    #[must_use]
    pub fn at_most(self, bound: Seconds) -> Allotment {
        // Not `min`: `Seconds` has no total order, being a float.
        let bounded = |time: Seconds| if time < bound { time } else { bound };
        Allotment { usual: bounded(self.usual), most: bounded(self.most) }
    }
}

impl Clock {
    /// How long the next move may take; `None` when no clock runs.
    ///
    /// Main time is spread over the turns that probably need thought, with most for those in the
    /// middle of the game; increments and periods are spent as they come. Main time that a turn
    /// saves is left for later turns, so a turn in doubt may take several times its share. Time of
    /// a period cannot be saved.
    pub fn allot(&self, position: &Position) -> Option<Allotment> {
        let turns = turns_left(position);
        let fixed = |seconds: f64| Allotment::fixed(Seconds::saturating(seconds));
        let shared = |usual: f64| {
            let most = (usual * DOUBT_FACTOR).min(self.left / DOUBT_PARTS).max(usual);
            Allotment { usual: Seconds::saturating(usual), most: Seconds::saturating(most) }
        };
        let fischer = |increment: Seconds| {
            shared((self.left / turns + increment.get()).min(self.left * FISCHER_SHARE))
        };
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
                // The move that uses up the main time also has its share of the first period.
                let is_last = self.left < share;
                let last = fixed(self.left + FIRST_PERIOD_SHARE * share);
                if is_last { last } else { shared((self.left / turns).max(share)) }
            }
            TimeControl::ByoYomi { .. } if self.moves == 1 => fixed(self.left),
            TimeControl::ByoYomi { .. } => shared(self.left / f64::from(self.moves)),
        })
    }
}

// The number of turns that share the main time: c/3 − 3.5, at least 1.6, with c candidate cells. On
// 10×10, a side with c candidates still thinks for about c/4.6 turns before the ending is solved,
// with a standard deviation of 1.4. The line lies above that until about 30 candidates are left,
// and then below it. So the first turns get less than an even share and those in the middle of the
// game more: most of the win rate is lost there.
//
// Against an even allotment of c/4, at least 5: +31 [+10, +52] Elo in 1,018 games at 0.8 s a game.
// With at least 2.5 instead of 1.6 the gain was gone: -6 [-42, +29] in 330 games. Both are rows of
// docs/experiments.tsv, topic "clocks".

/// Open cells per expected turn.
const OPEN_CELLS_PER_TURN: f64 = 3.0;

/// Turns at the end of a game for which no time is reserved.
const SOLVED_TURNS: f64 = 3.5;

/// The minimum number of turns: no turn takes more than one part in 1.6 of the time left.
const MIN_TURNS: f64 = 1.6;

/// The number of turns that share the main time: the next one gets one part in this many.
fn turns_left(position: &Position) -> f64 {
    let candidates = position.open_cells(position.side()).len();
    (f64::from(candidates) / OPEN_CELLS_PER_TURN - SOLVED_TURNS).max(MIN_TURNS)
}

/// A clock between two moves, as saved sessions have it. The time spent on a move under way is not
/// saved.
#[derive(Serialize, Deserialize)]
struct SavedClock {
    limit: Limit,
    /// What is left of the main time; 0 in byo-yomi.
    main: Seconds,
    /// Periods left, the running one included.
    periods: u32,
}

impl Serialize for Clock {
    /// # Errors
    /// When the time control has no form as a [`Limit`]: none at all, or Canadian byo-yomi.
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
    /// When a time is invalid, or more periods are left than the limit gives.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clock, D::Error> {
        let SavedClock { limit, main, periods } = SavedClock::deserialize(deserializer)?;
        let (_, most, _) = Clock::new(limit).left();
        if periods > most {
            let reason = format!("{periods} periods are left of {limit}");
            return Err(D::Error::custom(reason));
        }
        Ok(Clock::resume(limit, main, periods))
    }
}
