//! The review of whole games: the loss of every move, the mistakes, and a
//! summary for each player.
//!
//! A [`ReviewPlan`] lists the searches that a [`RecordedGame`] needs and takes
//! their results, in any order; [`search_positions`] runs them on threads, and
//! a [`Cache`] keeps the results. [`Review::of`] makes the review from a
//! complete plan. It is written as [`text()`], JSON, an annotated record
//! ([`sgf`]) or a [`page`].

mod cache;
mod expectation;
mod final_position;
mod game;
mod game_review;
mod grade;
mod plan;
mod players;
mod search;
pub mod sgf;
mod text;
mod turn;

pub use cache::{Cache, CacheError, Opened};
pub use expectation::Expectation;
pub use final_position::FinalPosition;
pub use game::RecordedGame;
pub use game_review::{OpeningReview, Review, turning_points};
pub use grade::{Grade, ParseThresholdsError, Thresholds};
pub use plan::{PositionSearch, ReviewPlan};
pub use players::{Players, Summary};
pub use search::{SearchedPosition, search_positions};
pub use text::text;
pub use turn::{Loss, MoveValue, ReviewedTurn};
