//! Shards: the parts of a tournament that is split over several machines.

use std::fmt;
use std::str::FromStr;

use crate::schedule::format::{ParseScheduleError, refuse};

/// A part of a tournament: one of every `count` pairs of games. For self-play,
/// one of every `count` games.
///
/// ```
/// use pontifex::tournament::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert_eq!(shard.to_string(), "2/8");
/// assert!(shard.numbers(20).eq([1, 9, 17]));
/// assert!("0/8".parse::<Shard>().is_err() && "9/8".parse::<Shard>().is_err());
/// # Ok::<(), pontifex::tournament::ParseScheduleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    /// From 1 to `count`.
    number: u64,
    count: u64,
}

impl Shard {
    /// The whole.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    pub(super) fn has(self, pair: u64) -> bool {
        pair % self.count == self.number - 1
    }

    /// How many of the pairs below `end` it has.
    pub(super) fn share(self, end: u64) -> u64 {
        (end + self.count - self.number) / self.count
    }

    /// Its numbers from 0 to `end` (excluded).
    pub fn numbers(self, end: u64) -> impl Iterator<Item = u64> + Clone {
        (self.number - 1..end).step_by(self.count as usize)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Shard, ParseScheduleError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            let shard = Shard { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        read().ok_or_else(|| {
            refuse(text, "a shard: NUMBER/COUNT with NUMBER from 1 to COUNT, as in 2/8")
        })
    }
}
