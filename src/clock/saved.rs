//! The serialized form of a clock, as files of saved sessions hold it.

use serde::de::Deserializer;
use serde::ser::{Error, Serializer};
use serde::{Deserialize, Serialize};

use super::{Clock, Limit};

/// A clock between two moves.
#[derive(Serialize, Deserialize)]
struct SavedClock {
    limit: Limit,
    /// Seconds left of the main time; 0 in byo-yomi.
    main: f64,
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
        let main = if moves == 0 { left } else { 0.0 };
        SavedClock { limit, main, periods }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Clock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clock, D::Error> {
        let SavedClock { limit, main, periods } = SavedClock::deserialize(deserializer)?;
        Ok(Clock::resumed(limit, main, periods))
    }
}
