//! Formats of tournaments and orders of openings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// Two engines.
    #[default]
    Match,
    /// Every engine against every other.
    RoundRobin,
    /// The first engine against every other.
    Gauntlet,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// As in the file; each pairing starts at a different opening.
    Sequential,
    /// Shuffled by the seed, differently for each pairing.
    #[default]
    Shuffled,
}

/// The text is not a format, an order or a shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not {wanted}")]
pub struct ParseScheduleError {
    text: String,
    wanted: &'static str,
}

impl Format {
    /// The pairings of `engines` engines. A match pairs the first two only.
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let first_against = |end: usize| (1..end).map(|b| [0, b]).collect();
        match self {
            Format::Match => first_against(engines.min(2)),
            Format::Gauntlet => first_against(engines),
            Format::RoundRobin => (0..engines).flat_map(|b| (0..b).map(move |a| [a, b])).collect(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Match => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

impl FromStr for Format {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Format, ParseScheduleError> {
        [Format::Match, Format::RoundRobin, Format::Gauntlet]
            .into_iter()
            .find(|format| format.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| refuse(text, "match, round-robin or gauntlet"))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Sequential => "sequential",
            Order::Shuffled => "shuffled",
        })
    }
}

impl FromStr for Order {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Order, ParseScheduleError> {
        [Order::Sequential, Order::Shuffled]
            .into_iter()
            .find(|order| order.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| refuse(text, "sequential or shuffled"))
    }
}

pub(super) fn refuse(text: &str, wanted: &'static str) -> ParseScheduleError {
    ParseScheduleError { text: text.to_owned(), wanted }
}
