//! Puzzles: positions in which few turns keep the result, proved by the exact
//! solver.
//!
//! A [`Puzzle`] is a line of the `collection`. The [`Finder`] makes new ones
//! from positions of games; [`Judge`] tells whether a turn is right. The
//! [`Theme`] of a turn says what it does. `docs/puzzles.md` describes the file.

mod finder;
mod judge;
mod proof;
mod puzzle;
mod theme;

pub use finder::{Counts, Finder, Limits};
pub use judge::{Judge, Verdict};
pub use proof::{Proof, Unproved, is_beyond_greed, keeps, right_turns, turns_that_keep};
pub use puzzle::{Goal, ParsePuzzleError, Puzzle, collection, identity};
pub use theme::{Theme, joining_sites};
