//! Lengths of time, and time controls: how a game gives time to its players.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A length of time in seconds: finite, not negative, at most a year.
///
/// Every time that comes from outside is one, so no clock or search meets a
/// NaN, an infinity, or a time too long for its arithmetic.
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
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(f64);

/// Why a number or a text is no time.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{given}' is not a time in seconds, 0 to {}", Seconds::MAX)]
pub struct SecondsError {
    /// The number or text, shortened.
    given: String,
}

impl Seconds {
    /// No time.
    pub const ZERO: Seconds = Seconds(0.0);

    /// A year of 365 days, the longest time.
    pub const MAX: Seconds = Seconds(365.0 * 86_400.0);

    /// The time of `seconds`.
    ///
    /// # Errors
    /// The number is NaN, negative, or more than a year.
    pub fn new(seconds: f64) -> Result<Seconds, SecondsError> {
        if (0.0..=Seconds::MAX.0).contains(&seconds) {
            Ok(Seconds::saturating(seconds))
        } else {
            Err(SecondsError { given: format!("{seconds:?}") })
        }
    }

    /// The time of `seconds`, or [`Seconds::MAX`] if they are more.
    pub const fn whole(seconds: u32) -> Seconds {
        let seconds = seconds as f64;
        if seconds < Seconds::MAX.0 { Seconds(seconds) } else { Seconds::MAX }
    }

    /// The time of `milliseconds`.
    pub const fn millis(milliseconds: u32) -> Seconds {
        // At most 50 days.
        Seconds(milliseconds as f64 / 1000.0)
    }

    /// The time nearest to a number; none if it is NaN.
    pub fn saturating(seconds: f64) -> Seconds {
        if seconds.is_nan() {
            return Seconds::ZERO;
        }
        // The sum turns -0 into 0.
        Seconds(seconds.clamp(0.0, Seconds::MAX.0) + 0.0)
    }

    /// The number of seconds.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The time as the standard library has it.
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
    /// At most a year.
    fn from(time: Duration) -> Seconds {
        Seconds::saturating(time.as_secs_f64())
    }
}

impl FromStr for Seconds {
    type Err = SecondsError;

    fn from_str(text: &str) -> Result<Seconds, SecondsError> {
        let given = || SecondsError { given: text.chars().take(40).collect() };
        let seconds: f64 = text.parse().map_err(|_| given())?;
        Seconds::new(seconds).map_err(|_| given())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How time is given.
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
        /// Main time.
        main: Seconds,
        /// Added after each move.
        increment: Seconds,
    },
    /// As Fischer, with limits. A main time above its limit is cut to it when
    /// an increment is added.
    FischerCapped {
        /// Main time.
        main: Seconds,
        /// Added after each move.
        increment: Seconds,
        /// The most main time after an increment.
        main_limit: Option<Seconds>,
        /// The most time for one move.
        move_limit: Option<Seconds>,
    },
    /// Main time, then periods. A period starts anew once its moves are made
    /// in time and is lost otherwise.
    ByoYomi {
        /// Main time.
        main: Seconds,
        /// Length of a period.
        period: Seconds,
        /// Periods at the start; 1 in Canadian byo-yomi.
        periods: u32,
        /// Moves to make in each period; 1 in Japanese byo-yomi.
        moves: u32,
    },
}
