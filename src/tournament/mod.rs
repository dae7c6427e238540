//! Matches and tournaments between engines, and what their results mean.
//!
//! A [`Tournament`] says who plays whom and how; its [`Schedule`] has the
//! games. [`run`] plays those that are missing in [`Results`], each by
//! [`play_game`] between two [`Player`]s, and writes every one into a
//! [`Journal`] as it ends. [`merge`](merge::merge) joins the journals of
//! [`Shard`]s.
//!
//! Elo with its uncertainty, sequential tests, ratings and crosstables:
//! results are counted as they come in, in pairs of games that share an
//! opening: a [`PairTally`] for two engines, [`Pairings`] for more. Everything
//! else is computed from the counts and never changes them, and is defined for
//! every count: nothing here returns NaN or an infinity.
//!
//! [`openings`] are what the games of a pair begin with.

pub mod check;
pub mod engines;
pub mod journal;
pub mod openings;
mod plan;
pub mod referee;
pub mod report;
mod run;
pub mod schedule;
pub mod statistics;

pub use crate::clock::{Limit, LimitError, SeatClock};
pub use check::{CheckResult, CheckVerdict, check};
pub use engines::{
    EngineCommand, EngineSpec, Failure, FailureKind, Opponent, PathError, Player, ProcessGroups,
    Question, SpecError, WordsError,
};
pub use journal::entry::Entry;
pub use journal::merge;
pub use journal::results::{FAILURES, PairingResult, Results, TimeUse};
pub use journal::{Journal, JournalError};
pub use plan::{Tournament, TournamentError};
pub use referee::{GameEnd, GameTask, PlayedGame, play_game};
pub use report::{crosstable, json, table};
pub use run::{Ending, Observer, run};
pub use schedule::{Format, GameKey, Order, ParseScheduleError, Schedule, Shard, default_openings};
pub use statistics::{
    Anchor, Bootstrap, EloModel, Estimate, GameScore, GameTally, MarginTally, PairTally, Pairings,
    Ratings, Sprt, SprtError, SprtState, Tally, Verdict, expected_score, logistic_elo,
};
