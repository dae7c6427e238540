//! How long or how much an engine may think, as a match gives it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::TimeControl;

/// What one engine may use in a game. All times are in seconds.
///
/// As text it is a key and a value: `time=0.5` for each move, `tc=60+0.6`
/// for the game and each move, `byoyomi=60+10x3` for main time and three
/// periods, `playouts=1000` iterations a move. Serialized, it is that text.
///
/// ```
/// use pontifex::tournament::Limit;
///
/// let limit: Limit = "tc=60+0.5".parse()?;
/// assert_eq!(limit, Limit::Fischer { main: 60.0, increment: 0.5 });
/// assert_eq!(limit.to_string(), "tc=60+0.5");
/// # Ok::<(), pontifex::tournament::LimitError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Limit {
    /// So long for each move.
    Move {
        /// Above 0.
        seconds: f64,
    },
    /// Main time and an increment after each move.
    Fischer {
        /// Main time, above 0.
        main: f64,
        /// 0 is no increment: so long for the game.
        increment: f64,
    },
    /// Main time, then periods that are lost when a move takes longer.
    ByoYomi {
        /// Main time, may be 0.
        main: f64,
        /// Length of a period, above 0.
        period: f64,
        /// How many periods, 1 or more.
        periods: u32,
    },
    /// So many search iterations a move, and no clock.
    Iterations {
        /// 1 or more.
        count: u64,
    },
}

/// The text is not a limit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LimitError {
    /// No kind of limit has the name.
    #[error(
        "'{0}' is not a limit: time=SECONDS, tc=MAIN+INC, byoyomi=MAIN+PERIODxCOUNT or playouts=N"
    )]
    Key(
        /// The text.
        String,
    ),
    /// The kind of limit cannot have the value.
    #[error("{key} cannot be '{value}': {form}")]
    Value {
        /// The kind.
        key: &'static str,
        /// The text that was given.
        value: String,
        /// What it may be.
        form: &'static str,
    },
}

impl Limit {
    /// The names of the kinds, as keys of an engine and options of a match.
    pub const KEYS: [&str; 4] = ["time", "tc", "byoyomi", "playouts"];

    /// The longest time that can be given, in seconds.
    const MAX_SECONDS: f64 = 1e6;

    /// The limit of the kind `key`, one of [`Limit::KEYS`].
    pub fn from_key(key: &str, value: &str) -> Result<Limit, LimitError> {
        let seconds = |text: &str| {
            text.parse().ok().filter(|seconds| (0.0..=Self::MAX_SECONDS).contains(seconds))
        };
        let positive = |text: &str| seconds(text).filter(|&seconds| seconds > 0.0);
        let read: (&'static str, Option<Limit>, &'static str) = match key {
            "time" => (
                "time",
                positive(value).map(|seconds| Limit::Move { seconds }),
                "seconds for each move, above 0, as in 0.5",
            ),
            "tc" => (
                "tc",
                value.split_once('+').or(Some((value, "0"))).and_then(|(main, increment)| {
                    let (main, increment) = (positive(main)?, seconds(increment)?);
                    Some(Limit::Fischer { main, increment })
                }),
                "MAIN+INC in seconds, MAIN above 0, as in 60+0.5",
            ),
            "byoyomi" => (
                "byoyomi",
                value.split_once('+').and_then(|(main, rest)| {
                    let (period, periods) = rest.split_once('x')?;
                    let (main, period) = (seconds(main)?, positive(period)?);
                    let periods = periods.parse().ok().filter(|&periods| periods > 0)?;
                    Some(Limit::ByoYomi { main, period, periods })
                }),
                "MAIN+PERIODxCOUNT in seconds, as in 60+10x3",
            ),
            "playouts" => (
                "playouts",
                value
                    .parse()
                    .ok()
                    .filter(|&count| count > 0)
                    .map(|count| Limit::Iterations { count }),
                "iterations for each move, 1 or more",
            ),
            _ => return Err(LimitError::Key(key.to_owned())),
        };
        let (key, limit, form) = read;
        limit.ok_or_else(|| LimitError::Value { key, value: value.to_owned(), form })
    }

    /// The clock that keeps it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in
            ["time=0.5", "tc=60+0", "tc=0.1+1", "byoyomi=0+10x3", "byoyomi=1.5+2x1", "playouts=7"]
        {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        assert_eq!("tc=60".parse::<Limit>().unwrap().to_string(), "tc=60+0");
    }

    #[test]
    fn refusals_say_what_is_right() {
        for text in [
            "time=0",
            "time=-1",
            "time=nan",
            "time=inf",
            "time=",
            "tc=0+0",
            "tc=+",
            "tc=1+-1",
            "byoyomi=1+2",
            "byoyomi=1+2x0",
            "byoyomi=1+0x2",
            "byoyomi=2x3",
            "playouts=0",
            "playouts=1.5",
            "tempo=1",
            "time",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        assert_eq!(
            "tc=soon".parse::<Limit>().unwrap_err().to_string(),
            "tc cannot be 'soon': MAIN+INC in seconds, MAIN above 0, as in 60+0.5"
        );
        let error = "tempo=1".parse::<Limit>().unwrap_err().to_string();
        assert!(error.contains("'tempo' is not a limit: time=SECONDS"), "{error}");
    }
}
