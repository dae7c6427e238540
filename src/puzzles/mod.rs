//! Puzzles: positions in which few turns keep the result, proved by the exact
//! solver.
//!
//! A [`Puzzle`] is a line of the `collection`. The [`Finder`] makes new ones
//! from positions of games; [`Judge`] tells whether a turn is right. The
//! [`Theme`] of a turn says what it does. A [`Tactic`] is too large for the solver:
//! deep searches say what is right, found by a [`TacticFinder`]. `docs/puzzles.md` describes the file.

mod finder;
mod proof;
mod puzzle;
mod tactic;

pub use finder::{Check, CheckCounts, Finder, PuzzleLimits};
pub use proof::{
    Judge, Proof, Unproved, Verdict, is_beyond_greed, keeps, right_turns, turns_that_keep,
};
pub use puzzle::{Goal, ParsePuzzleError, Puzzle, Theme, collection, identity, joining_sites};
pub use tactic::{GAP, Rated, Tactic, TacticCheck, TacticFinder, tactics};
