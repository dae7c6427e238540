//! What results mean: Elo with its uncertainty, sequential tests, ratings.

pub(in crate::tournament) mod bradley_terry;
pub(in crate::tournament) mod elo;
pub(in crate::tournament) mod likelihood;
pub(in crate::tournament) mod margin;
pub(in crate::tournament) mod pairings;
pub(in crate::tournament) mod quantile;
pub(in crate::tournament) mod ratings;
pub(in crate::tournament) mod sprt;
pub(in crate::tournament) mod sprt_text;
pub(in crate::tournament) mod tally;

pub use elo::{Estimate, expected_score, logistic_elo};
pub use margin::MarginTally;
pub use pairings::Pairings;
pub use ratings::{Anchor, Bootstrap, Ratings};
pub use sprt::{EloModel, Sprt, SprtState, Verdict};
pub use sprt_text::SprtError;
pub use tally::{GameScore, GameTally, PairTally, Tally};
