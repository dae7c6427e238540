//! What a search says of a position, and of whole games: every turn's loss,
//! the mistakes, what they add up to for each player.
//!
//! A [`Subject`] is a recorded game; [`look_through`] searches its positions,
//! each by itself, so that they can be searched in any order, side by side
//! and kept in a [`Cache`]. Of the [`Look`]s at all its positions
//! [`Review::of`] makes the review, which becomes [`text()`], JSON, an annotated
//! record ([`sgf`]) or a [`page`].

mod cache;
mod grade;
mod look;
pub mod page;
mod players;
mod report;
mod search;
pub mod sgf;
mod subject;
mod text;
mod turn;

pub use cache::{Cache, CacheError, Opened};
pub use grade::{Grade, ParseThresholdsError, Thresholds};
pub use look::{Look, LookedMove, Root};
pub use players::{Players, Summary};
pub use report::{End, Opening, Review};
pub use search::{Done, look_through};
pub use subject::Subject;
pub use text::text;
pub use turn::{Loss, Played, Side, Turn};
