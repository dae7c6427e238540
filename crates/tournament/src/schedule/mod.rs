//! Which games a tournament has, and their order.
//!
//! A *pairing* is two engines. A *round* of a pairing is one opening, played
//! twice with colours exchanged: a *pair* of games. Each round is played by all
//! pairings before the next one begins, so that a tournament that is cut short
//! has treated all engines alike. A schedule depends on its parameters only and
//! is the same on every machine.

pub(super) mod format;
pub(super) mod games;
pub(super) mod shard;

pub use format::{Format, Order, ParseScheduleError};
pub use games::{GameKey, Schedule};
pub use shard::Shard;
