//! What results mean: Elo with intervals, sequential tests, ratings.
//!
//! Everything is computed from counts of scores, in pairs of games that share an
//! opening, and is defined for all counts: no result is NaN or infinite.

pub(super) mod elo;
pub(super) mod estimate;
mod likelihood;
pub(super) mod ratings;
pub(super) mod sprt;
pub(super) mod tally;

pub use elo::{expected_score, logistic_elo};
pub use estimate::Estimate;
pub use ratings::{Anchor, Bootstrap, Ratings};
pub use sprt::{EloModel, Sprt, SprtState, Verdict};
pub use tally::{GameScore, GameTally, MarginTally, PairTally, Pairings, Tally};
