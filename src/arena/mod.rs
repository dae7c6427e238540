//! What the results of matches between engines mean: Elo with its
//! uncertainty, sequential tests, ratings and crosstables.
//!
//! Results are counted as they come in, in pairs of games that share an
//! opening: a [`PairTally`] for two engines, [`Pairings`] for more. Everything
//! else is computed from the counts and never changes them, and is defined for
//! every count: nothing here returns NaN or an infinity.

mod bradley_terry;
mod crosstable;
mod elo;
mod likelihood;
mod margin;
mod pairings;
mod quantile;
mod ratings;
mod sprt;
mod sprt_text;
mod tally;

pub use crosstable::crosstable;
pub use elo::{Estimate, expected_score, logistic_elo};
pub use margin::MarginTally;
pub use pairings::Pairings;
pub use ratings::{Anchor, Bootstrap, Ratings};
pub use sprt::{EloModel, Sprt, SprtState, Verdict};
pub use sprt_text::SprtError;
pub use tally::{GameScore, GameTally, PairTally, Tally};
