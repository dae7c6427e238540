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

mod bradley_terry;
mod builtin;
mod check;
mod client;
mod clock;
mod crosstable;
mod default_openings;
mod elo;
mod entry;
mod failure;
mod game;
mod groups;
pub mod journal;
mod likelihood;
mod limit;
mod margin;
pub mod merge;
pub mod openings;
mod opponent;
mod pairings;
mod player;
mod process;
mod quantile;
mod ratings;
mod remote;
mod report;
mod results;
mod run;
mod schedule;
mod shell_words;
mod spec;
mod sprt;
mod sprt_text;
mod tail;
mod tally;
mod tournament;

pub use check::{CheckResult, CheckVerdict, check};
pub use clock::SeatClock;
pub use crosstable::crosstable;
pub use default_openings::default_openings;
pub use elo::{Estimate, expected_score, logistic_elo};
pub use entry::Entry;
pub use failure::{Failure, FailureKind};
pub use game::{GameEnd, GameTask, PlayedGame, play_game};
pub use groups::ProcessGroups;
pub use journal::{Journal, JournalError};
pub use limit::{Limit, LimitError};
pub use margin::MarginTally;
pub use opponent::{Opponent, Question};
pub use pairings::Pairings;
pub use player::Player;
pub use ratings::{Anchor, Bootstrap, Ratings};
pub use report::{json, table};
pub use results::{FAILURES, PairingResult, Results, TimeUse};
pub use run::{Ending, Observer, run};
pub use schedule::{Format, GameKey, Order, ParseScheduleError, Schedule, Shard};
pub use shell_words::WordsError;
pub use spec::{EngineCommand, EngineSpec, PathError, SpecError};
pub use sprt::{EloModel, Sprt, SprtState, Verdict};
pub use sprt_text::SprtError;
pub use tally::{GameScore, GameTally, PairTally, Tally};
pub use tournament::{Tournament, TournamentError};
