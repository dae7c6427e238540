//! What results mean: Elo with intervals, sequential tests, ratings.
//!
//! Everything is computed from counts of scores, in pairs of games that share an
//! opening, and is defined for all counts: no result is NaN or infinite.

mod bradley_terry;
pub(super) mod elo;
mod likelihood;
pub(super) mod margin;
pub(super) mod pairings;
mod quantile;
pub(super) mod ratings;
pub(super) mod sprt;
mod sprt_text;
pub(super) mod tally;

pub use elo::{Estimate, expected_score, logistic_elo};
pub use margin::MarginTally;
pub use pairings::Pairings;
pub use ratings::{Anchor, Bootstrap, Ratings};
pub use sprt::{EloModel, Sprt, SprtError, SprtState, Verdict};
pub use tally::{GameScore, GameTally, PairTally, Tally};
