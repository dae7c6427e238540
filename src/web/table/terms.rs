//! Who sits at a table, and how long they may think.

use serde::{Deserialize, Serialize};

use super::TableError;
use crate::tournament::Limit;

/// Who has a seat: a human, or the engine of that name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(in crate::web) enum Seat {
    Human,
    Engine(String),
}

const HUMAN: &str = "human";

impl From<String> for Seat {
    fn from(name: String) -> Seat {
        if name == HUMAN { Seat::Human } else { Seat::Engine(name) }
    }
}

impl From<Seat> for String {
    fn from(seat: Seat) -> String {
        match seat {
            Seat::Human => HUMAN.to_owned(),
            Seat::Engine(name) => name,
        }
    }
}

/// How much an engine may think about a move when no clock runs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::web) enum Level {
    /// Seconds.
    Time { time: f64 },
    /// Search iterations.
    Playouts { playouts: u64 },
}

impl Level {
    /// The longest time, in seconds.
    pub(in crate::web) const MOST_TIME: f64 = 3600.0;
    /// The most iterations.
    pub(in crate::web) const MOST_PLAYOUTS: u64 = 100_000_000;

    /// Whether it is in range.
    pub(super) fn check(self) -> Result<Level, TableError> {
        let is_fine = match self {
            Level::Time { time } => (0.01..=Self::MOST_TIME).contains(&time),
            Level::Playouts { playouts } => (1..=Self::MOST_PLAYOUTS).contains(&playouts),
        };
        if is_fine { Ok(self) } else { Err(TableError::Level) }
    }
}

/// How the game's time is given, for both players alike.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(in crate::web) enum ClockKind {
    None,
    Absolute { main: f64 },
    Fischer { main: f64, increment: f64 },
    Byoyomi { main: f64, period: f64, count: u32 },
}

impl ClockKind {
    /// As a limit of the arena; `None` when no clock runs.
    pub(in crate::web) fn limit(self) -> Result<Option<Limit>, TableError> {
        let time = |seconds: f64, least: f64| (least..=1e6).contains(&seconds);
        let (limit, is_fine) = match self {
            ClockKind::None => return Ok(None),
            ClockKind::Absolute { main } => {
                (Limit::Fischer { main, increment: 0.0 }, time(main, 1.0))
            }
            ClockKind::Fischer { main, increment } => {
                (Limit::Fischer { main, increment }, time(main, 1.0) && time(increment, 0.0))
            }
            ClockKind::Byoyomi { main, period, count } => {
                let is_fine = time(main, 0.0) && time(period, 0.1) && (1..=1000).contains(&count);
                (Limit::ByoYomi { main, period, periods: count }, is_fine)
            }
        };
        if is_fine { Ok(Some(limit)) } else { Err(TableError::Clock) }
    }
}
