//! What results mean: Elo with intervals, sequential tests, ratings.
//!
//! **What is counted.** The two games of an opening are not independent: an opening that favours
//! White gives each engine a win. Counted one by one, the games would have a wrong variance,
//! usually too large a one, because the luck of the opening cancels within the pair. So the unit
//! of all statistics is the pair, with the five scores 0, ½, 1, 1½ and 2 (*pentanomial*).
//! [`Tally`] has the counts.
//!
//! **How they are judged.** Everything about two engines comes from one function, the exact
//! log-likelihood of a hypothesis about the distribution of the five scores:
//!
//! ```text
//! tally ──> likelihood ──> elo    value, interval, likelihood of superiority
//!                     └──> sprt   log-likelihood ratio of two hypotheses
//! tally ──> ratings               several engines: Bradley and Terry, bootstrap
//! ```
//!
//! **Samples of every shape.** No result is NaN or infinite, for any counts. Perfect scores,
//! drawn matches and a single pair have no standard error to divide by, and formulas that divide
//! by one need special cases. The likelihood needs none.
//!
//! Tests compare the numbers with those of fishtest, fastchess and racetrack, and check error
//! rates and coverage by simulation. `docs/match.md` has the definitions for users.

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
