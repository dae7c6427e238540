//! Lengths of time, time controls, clocks, the allotment of time to moves and
//! limits as text. The engine, the referee and the page use the same [`Clock`].

mod allotment;
mod control;
mod limit;
mod player_clock;
mod saved;

pub use allotment::Allotment;
pub use control::{Seconds, SecondsError, TimeControl};
pub use limit::{Limit, LimitError};
pub use player_clock::Clock;
/// The monotonic clock; in a browser, that of the page.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub use web_time::Instant;
