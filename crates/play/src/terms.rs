//! The terms of a game: who plays, how long engines may think, and the clock.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use pontifex::clock::{Limit, Seconds};
use pontifex::engine::Level as Opponent;
use pontifex::messages::excerpt;

/// The built-in engine's name where players are chosen.
pub const BUILT_IN: &str = "pontifex";

/// Who has a seat: a human, or the engine of that name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Seat {
    Human,
    Engine(String),
}

/// The refusal of an engine that a host does not have.
pub fn no_engine<'a>(name: &str, engines: impl IntoIterator<Item = &'a str>) -> String {
    let engines: Vec<&str> = engines.into_iter().collect();
    let verb = if engines.len() == 1 { "is" } else { "are" };
    format!("no engine is called {}, there {verb} {}", excerpt(name), engines.join(", "))
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

/// Terms out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum TermsError {
    #[error(
        "level is {{\"level\": N}} from 1 to {top}, {{\"time\": SECONDS}} from 0.01 to {max} or {{\"playouts\": N}} from 1 to {most}",
        top = Opponent::HIGHEST, max = Level::MAX_TIME, most = Level::MAX_PLAYOUTS
    )]
    Level,
    #[error(
        "clock needs main of 1 to 1000000 seconds (byoyomi 0), increment of 0 or more, period of 0.1 or more, count of 1 to 1000"
    )]
    Clock,
}

/// How the engines play: a bound on each move, or the built-in engine as an
/// opponent for people.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "level is {\"level\": N} from 1 to 10, {\"time\": SECONDS} from 0.01 to 3600 or {\"playouts\": N} from 1 to 100000000"
)]
pub enum Level {
    Time {
        time: Seconds,
    },
    /// Search iterations.
    Playouts {
        playouts: u64,
    },
    /// The number of an [`Opponent`].
    Opponent {
        level: u8,
    },
}

impl Level {
    /// The longest time.
    pub const MAX_TIME: Seconds = Seconds::whole(3600);
    /// The most iterations.
    pub const MAX_PLAYOUTS: u64 = 100_000_000;

    /// Returns the level if it is in range.
    pub(super) fn check(self) -> Result<Level, TermsError> {
        let is_in_range = match self {
            Level::Time { time } => (Seconds::millis(10)..=Self::MAX_TIME).contains(&time),
            Level::Playouts { playouts } => (1..=Self::MAX_PLAYOUTS).contains(&playouts),
            Level::Opponent { level } => Opponent::new(level).is_some(),
        };
        if is_in_range { Ok(self) } else { Err(TermsError::Level) }
    }
}

/// The kind of clock, the same for both players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ClockKind {
    None,
    Absolute { main: Seconds },
    Fischer { main: Seconds, increment: Seconds },
    Byoyomi { main: Seconds, period: Seconds, count: u32 },
}

impl ClockKind {
    /// The limit for a [`Clock`](pontifex::clock::Clock); `None` without
    /// a clock.
    ///
    /// # Errors
    /// When a time or count is out of range.
    pub(super) fn limit(self) -> Result<Option<Limit>, TermsError> {
        let main_times = Seconds::whole(1)..=Seconds::whole(1_000_000);
        let times = Seconds::ZERO..=Seconds::whole(1_000_000);
        let periods = Seconds::millis(100)..=Seconds::whole(1_000_000);
        let (limit, is_in_range) = match self {
            ClockKind::None => return Ok(None),
            ClockKind::Absolute { main } => {
                let limit = Limit::Fischer { main, increment: Seconds::ZERO };
                (limit, main_times.contains(&main))
            }
            ClockKind::Fischer { main, increment } => {
                let is_in_range = main_times.contains(&main) && times.contains(&increment);
                (Limit::Fischer { main, increment }, is_in_range)
            }
            ClockKind::Byoyomi { main, period, count } => {
                let is_in_range = times.contains(&main)
                    && periods.contains(&period)
                    && (1..=1000).contains(&count);
                (Limit::ByoYomi { main, period, periods: count }, is_in_range)
            }
        };
        if is_in_range { Ok(Some(limit)) } else { Err(TermsError::Clock) }
    }
}
