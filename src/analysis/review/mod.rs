//! The review of whole games: the loss of every move, the mistakes, and a summary for each player.
//!
//! ```text
//!   record ──► RecordedGame ──► ReviewPlan ◄──► search_positions, or any other scheduler
//!                                   │                    │ each result, as soon as it is ready
//!                                   │                  Cache (a file)
//!                                   ▼
//!                       turn by turn: ReviewedTurn ──► Review ──► text, JSON, sgf
//! ```
//!
//! A [`ReviewPlan`] lists the searches that a [`RecordedGame`] needs and takes their results, in
//! any order; [`search_positions`] runs them on threads, and a [`Cache`] keeps the results.
//! [`Review::of`] makes the review from a complete plan. It is written as [`text()`], JSON or an
//! annotated record ([`sgf`]).
//!
//! `turn` says how a move is judged, and why by three searches.

mod cache;
mod game_review;
mod plan;
pub mod sgf;
mod text;
mod turn;

pub use cache::{Cache, CacheError, Opened};
pub use game_review::{
    OpeningReview, Players, Review, Summary, TableRow, WorstMove, turning_points,
};
pub use plan::{PositionSearch, RecordedGame, ReviewPlan, SearchedPosition, search_positions};
pub use text::{table_text, text};
pub use turn::{
    Expectation, FinalPosition, Grade, Loss, MoveValue, ParseThresholdsError, ReviewedTurn,
    Thresholds,
};
