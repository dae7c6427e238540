//! The statistics of results: Elo with intervals, sequential tests, ratings.
//!
//! **Pairs, not games.** The two games of an opening are not independent: an opening that favours
//! White gives each engine a win. So the unit of all statistics is the pair, which has five scores
//! (*pentanomial*):
//!
//! ```text
//! score of the pair   0     ½     1                      1½    2
//! games               0 0   0 ½   ½ ½, or 1 and 0        ½ 1   1 1
//! counts of 20 pairs  1     4     9                      5     1
//! ```
//!
//! Counted one by one, the same 40 games would have a wrong variance. It is usually too large,
//! because the luck of the opening cancels within the pair and a win for each engine is no evidence
//! at all. [`Tally`] holds the counts.
//!
//! **One likelihood.** All numbers about two engines come from one function, the exact
//! log-likelihood of a hypothesis about the distribution of the five scores:
//!
//! ```text
//! tally ──> likelihood ──> elo    value, interval, likelihood of superiority
//!                     └──> sprt   log-likelihood ratio of two hypotheses
//! tally ──> ratings               several engines: Bradley and Terry, bootstrap
//! ```
//!
//! **Any sample.** No result is NaN or infinite, whatever the counts. Perfect scores, drawn matches
//! and a single pair have a standard error of 0 or none, so formulas that divide by it need special
//! cases. The likelihood needs none.
//!
//! **Checked against.** Tests compare the numbers with those of fishtest, fastchess and racetrack,
//! and confirm error rates and coverage by simulation. `docs/match.md` has the definitions for
//! users.

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
