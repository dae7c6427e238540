//! Puzzles: positions in which few moves keep the result, proved by the exact solver.
//!
//! ```text
//!                 ending, small enough for a proof     middle game
//!   found by      Finder                               TacticFinder
//!   is a          Puzzle                               Tactic
//!   right is      what the solver proves               what deep searches prefer by far
//!   judged by     Judge                                Tactic::judge
//! ```
//!
//! A [`Puzzle`] is a line of the `collection`. The [`Finder`] makes new ones from positions of
//! games; [`Judge`] tells whether a move is right. The [`Theme`] of a move says what it does. A
//! [`Tactic`] is too large for the solver, and a [`TacticFinder`] finds it. `docs/puzzles.md`
//! describes both files.

mod finder;
mod proof;
mod puzzle;
mod tactic;

pub use finder::{Check, CheckCounts, Finder, PuzzleLimits};
pub use proof::{
    Judge, Proof, Unproved, Verdict, is_beyond_greed, keeps_value, moves_that_keep, right_moves,
};
pub use puzzle::{Goal, ParsePuzzleError, Puzzle, Theme, collection, identity, joining_sites};
pub use tactic::{GAP, RatedMove, Tactic, TacticCheck, TacticFinder, tactics};
