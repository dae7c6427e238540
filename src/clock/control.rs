//! How a game gives time to its players: lengths of time, time controls, and limits, which are a
//! time control or a number of search iterations as text.
//!
//! [`TimeControl`] has every kind that a GTP controller may set. [`Limit`] has only those that an
//! option or a match can name, in one short text form. How a clock runs and what the engine makes
//! of it is in `mod.rs`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A length of time in seconds: finite, not negative, at most a year.
///
/// Every time that comes from outside becomes one, so no clock or search meets a NaN, an infinity,
/// or a time too long for its arithmetic: `Duration` panics on all of them.
///
/// ```
/// use pontifex::clock::Seconds;
///
/// assert_eq!(Seconds::new(0.5)?.to_string(), "0.5");
/// assert_eq!("90".parse(), Ok(Seconds::whole(90)));
/// assert!(Seconds::new(-1.0).is_err() && Seconds::new(f64::NAN).is_err());
/// # Ok::<(), pontifex::clock::SecondsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(f64);

/// Why a number or a text is not a time.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{value}' is not a time in seconds, 0 to {}", Seconds::MAX)]
pub struct SecondsError {
    /// The number or text, at most 40 characters.
    value: String,
}

impl Seconds {
    /// No time at all.
    pub const ZERO: Seconds = Seconds(0.0);

    /// The longest time, a year of 365 days: longer than any game, and short enough to be added to
    /// an instant on every system.
    pub const MAX: Seconds = Seconds(365.0 * 86_400.0);

    /// The time of `seconds`.
    ///
    /// # Errors
    /// The number is NaN, negative, or more than a year.
    pub fn new(seconds: f64) -> Result<Seconds, SecondsError> {
        if (0.0..=Seconds::MAX.0).contains(&seconds) {
            Ok(Seconds::saturating(seconds))
        } else {
            Err(SecondsError { value: format!("{seconds:?}") })
        }
    }

    /// The time of `seconds`, or [`Seconds::MAX`] if they are more.
    pub const fn whole(seconds: u32) -> Seconds {
        let seconds = seconds as f64;
        if seconds < Seconds::MAX.0 { Seconds(seconds) } else { Seconds::MAX }
    }

    /// The time of `milliseconds`.
    pub const fn millis(milliseconds: u32) -> Seconds {
        // At most 50 days, so there is nothing to check.
        Seconds(milliseconds as f64 / 1000.0)
    }

    /// The time nearest to a number; [`Seconds::ZERO`] if it is NaN.
    pub fn saturating(seconds: f64) -> Seconds {
        // `clamp` would keep a NaN.
        if seconds.is_nan() {
            return Seconds::ZERO;
        }
        // The sum turns -0 into 0, which would otherwise be printed as `-0`.
        Seconds(seconds.clamp(0.0, Seconds::MAX.0) + 0.0)
    }

    /// The number of seconds.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The time as a [`Duration`]. The conversion cannot fail, see [`Seconds`].
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0)
    }
}

impl TryFrom<f64> for Seconds {
    type Error = SecondsError;

    fn try_from(seconds: f64) -> Result<Seconds, SecondsError> {
        Seconds::new(seconds)
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> f64 {
        seconds.0
    }
}

impl From<Duration> for Seconds {
    /// Longer times become [`Seconds::MAX`].
    fn from(time: Duration) -> Seconds {
        Seconds::saturating(time.as_secs_f64())
    }
}

impl FromStr for Seconds {
    type Err = SecondsError;

    fn from_str(text: &str) -> Result<Seconds, SecondsError> {
        let refuse = || SecondsError { value: text.chars().take(40).collect() };
        let seconds: f64 = text.parse().map_err(|_| refuse())?;
        Seconds::new(seconds).map_err(|_| refuse())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a game gives time to a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TimeControl {
    /// No clock runs.
    #[default]
    None,
    /// A fixed time for each move.
    Move(Seconds),
    /// A fixed time for all moves.
    Absolute(Seconds),
    /// Main time and an increment after each move.
    Fischer {
        /// The time at the start.
        main: Seconds,
        /// Added after each move.
        increment: Seconds,
    },
    /// Main time and an increment with limits: KataGo's `fischer-capped`. A main time above its
    /// limit is reduced to it when an increment is added.
    FischerCapped {
        /// The time at the start.
        main: Seconds,
        /// Added after each move.
        increment: Seconds,
        /// The most main time after an increment; `None` for no limit.
        main_limit: Option<Seconds>,
        /// The most time for one move; `None` for no limit.
        move_limit: Option<Seconds>,
    },
    /// Main time, then periods. A period starts anew if its moves are made in time, and is lost
    /// otherwise.
    ByoYomi {
        /// The time at the start, may be 0.
        main: Seconds,
        /// The length of a period.
        period: Seconds,
        /// The number of periods at the start; 1 in Canadian byo-yomi.
        periods: u32,
        /// The number of moves to make in each period; 1 in Japanese byo-yomi.
        moves: u32,
    },
}

/// How much an engine may think in a game.
///
/// The text form is a key and a value: `time=0.5` is seconds per move, `tc=60+0.6` main time and
/// increment, `byoyomi=60+10x3` main time and three periods, `playouts=1000` search iterations per
/// move. A limit is serialized as this text.
///
/// ```
/// use pontifex::clock::{Limit, Seconds};
///
/// let limit: Limit = "tc=60+0.5".parse()?;
/// assert_eq!(limit, Limit::Fischer { main: Seconds::whole(60), increment: Seconds::new(0.5)? });
/// assert_eq!(limit.to_string(), "tc=60+0.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Limit {
    /// A fixed time for each move.
    Move {
        /// The time, above 0.
        seconds: Seconds,
    },
    /// Main time and an increment after each move.
    Fischer {
        /// The time at the start, above 0.
        main: Seconds,
        /// Added after each move; 0 is a fixed time for the game.
        increment: Seconds,
    },
    /// Main time, then periods that are lost when a move takes longer.
    ByoYomi {
        /// The time at the start, may be 0.
        main: Seconds,
        /// The length of a period, above 0.
        period: Seconds,
        /// The number of periods, 1 or more.
        periods: u32,
    },
    /// A number of search iterations per move, and no clock.
    Iterations {
        /// The number, 1 or more.
        count: u64,
    },
}

/// Why a text is not a limit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LimitError {
    /// There is no limit of this kind.
    #[error(
        "'{0}' is not a limit: time=SECONDS, tc=MAIN+INC, byoyomi=MAIN+PERIODxCOUNT or playouts=N"
    )]
    Key(
        /// The text that was given, with its key.
        String,
    ),
    /// The value does not fit the kind.
    #[error("{key} cannot be '{value}': {form}")]
    Value {
        /// The kind, one of [`Limit::KEYS`].
        key: &'static str,
        /// The text after the key.
        value: String,
        /// The form it must have.
        form: &'static str,
    },
}

impl Limit {
    /// The names of the kinds, as keys of an engine and options of a match.
    pub const KEYS: [&str; 4] = ["time", "tc", "byoyomi", "playouts"];

    /// The limit of the kind `key`, one of [`Limit::KEYS`].
    ///
    /// # Errors
    /// See [`LimitError`].
    pub fn from_key(key: &str, value: &str) -> Result<Limit, LimitError> {
        let (key, limit, form) = match key {
            "time" => ("time", parse_move(value), "seconds for each move, above 0, as in 0.5"),
            "tc" => ("tc", parse_fischer(value), "MAIN+INC in seconds, MAIN above 0, as in 60+0.5"),
            "byoyomi" => {
                ("byoyomi", parse_byo_yomi(value), "MAIN+PERIODxCOUNT in seconds, as in 60+10x3")
            }
            "playouts" => {
                ("playouts", parse_iterations(value), "iterations for each move, 1 or more")
            }
            _ => return Err(LimitError::Key(key.to_owned())),
        };
        limit.ok_or_else(|| LimitError::Value { key, value: value.to_owned(), form })
    }

    /// The time control of a game with this limit. A number of iterations has no clock.
    pub fn time_control(self) -> TimeControl {
        match self {
            Limit::Move { seconds } => TimeControl::Move(seconds),
            Limit::Fischer { main, increment } => TimeControl::Fischer { main, increment },
            Limit::ByoYomi { main, period, periods } => {
                TimeControl::ByoYomi { main, period, periods, moves: 1 }
            }
            Limit::Iterations { .. } => TimeControl::None,
        }
    }

    /// The limit whose time control is `control`; `None` if that has no text form. A fixed time for
    /// the game becomes an increment of 0.
    pub(super) fn of(control: TimeControl) -> Option<Limit> {
        match control {
            TimeControl::Move(seconds) => Some(Limit::Move { seconds }),
            TimeControl::Absolute(main) => Some(Limit::Fischer { main, increment: Seconds::ZERO }),
            TimeControl::Fischer { main, increment } => Some(Limit::Fischer { main, increment }),
            TimeControl::ByoYomi { main, period, periods, moves: 1 } => {
                Some(Limit::ByoYomi { main, period, periods })
            }
            TimeControl::FischerCapped { .. } | TimeControl::ByoYomi { .. } | TimeControl::None => {
                None
            }
        }
    }
}

impl From<Limit> for TimeControl {
    fn from(limit: Limit) -> TimeControl {
        limit.time_control()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Move { seconds } => write!(f, "time={seconds}"),
            Limit::Fischer { main, increment } => write!(f, "tc={main}+{increment}"),
            Limit::ByoYomi { main, period, periods } => {
                write!(f, "byoyomi={main}+{period}x{periods}")
            }
            Limit::Iterations { count } => write!(f, "playouts={count}"),
        }
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        let refuse = || LimitError::Key(text.to_owned());
        let (key, value) = text.split_once('=').ok_or_else(refuse)?;
        Limit::from_key(key, value)
    }
}

impl TryFrom<String> for Limit {
    type Error = LimitError;

    fn try_from(text: String) -> Result<Limit, LimitError> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

fn parse_positive(text: &str) -> Option<Seconds> {
    text.parse().ok().filter(|&seconds| seconds > Seconds::ZERO)
}

fn parse_move(text: &str) -> Option<Limit> {
    parse_positive(text).map(|seconds| Limit::Move { seconds })
}

fn parse_fischer(text: &str) -> Option<Limit> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (main, increment) = (parse_positive(main)?, increment.parse().ok()?);
    Some(Limit::Fischer { main, increment })
}

fn parse_byo_yomi(text: &str) -> Option<Limit> {
    let (main, rest) = text.split_once('+')?;
    let (period, periods) = rest.split_once('x')?;
    let (main, period) = (main.parse().ok()?, parse_positive(period)?);
    let periods = periods.parse().ok().filter(|&periods| periods > 0)?;
    Some(Limit::ByoYomi { main, period, periods })
}

fn parse_iterations(text: &str) -> Option<Limit> {
    let count = text.parse().ok().filter(|&count| count > 0)?;
    Some(Limit::Iterations { count })
}
