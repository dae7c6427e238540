//! Matches and tournaments between engines, and the statistics of their results.
//!
//! A [`Tournament`] defines which engines play each other and how. A game passes through the crate
//! like this:
//!
//! ```text
//! Tournament ─> Schedule ─> GameKey     which games there are, in which order
//!                              │
//!            run: the games that Results lack, several at a time
//!                              │
//!            play_game ─> PlayedGame    one game between two Players, by the referee
//!                              │
//!    Entry ─> Journal, Results          written and counted
//!                              │
//!    report: Elo, ratings, SPRT         what the results mean
//! ```
//!
//! [`merge`](merge::merge) joins the journals of [`Shard`]s that were played on several machines.
//!
//! The modules from the ground up, each using only those before it: `settings`, [`statistics`] and
//! [`schedule`]; [`engines`]; [`adjudication`] and [`referee`]; [`journal`]; [`report`](mod@report)
//! and [`run`](run()). Beside them, [`openings`] reads and makes openings, and [`check`](check())
//! tests whether an engine can be refereed.

pub mod adjudication;
pub mod check;
pub mod engines;
pub mod journal;
pub mod openings;
mod plan;
pub mod referee;
pub mod report;
mod run;
pub mod schedule;
mod settings;
pub mod statistics;

pub use adjudication::{AdjudicatedBy, Adjudication, DrawRule, Evaluation, ResignRule};
pub use check::{CheckResult, CheckVerdict, check};
pub use engines::{
    EngineCommand, EngineSpec, Failure, FailureKind, Player, ProcessGroups, ProgramError,
    ProgramProblem, Question, SpecError,
};
pub use journal::{Entry, FAILURES, Journal, JournalError, PairingResult, Results, TimeUse, merge};
pub use openings::default_openings;
pub use plan::{Tournament, TournamentError};
pub use pontifex::clock::{Clock, Limit, LimitError};
pub use referee::{GameEnd, GameTask, PlayedGame, play_game};
pub use report::crosstable;
pub use run::{Ending, Observer, RunOptions, run};
pub use schedule::{Format, GameKey, Order, ParseShardError, Schedule, Shard};
pub use settings::SettingsError;
pub use statistics::{
    Anchor, Bootstrap, EloModel, Estimate, GameScore, GameTally, MarginTally, PairTally, Pairings,
    Ratings, Sprt, SprtState, Tally, Verdict, expected_score, logistic_elo,
};
