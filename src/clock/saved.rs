//! The serialized form of a clock, as files of saved sessions hold it.

use serde::de::{Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};

use super::{Clock, Limit, Seconds};

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
