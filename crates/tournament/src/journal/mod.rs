//! Journals: files that record the games of a tournament.
//!
//! A journal consists of JSON lines: first a [`Header`], then one [`Entry`] per
//! game, written as soon as the game ends. An incomplete last line was being
//! written when the process was killed; it is ignored and cut off. A run locks
//! the journal it writes.

pub(super) mod entry;
pub(super) mod file;
pub mod merge;
pub(super) mod results;

pub use entry::Entry;
pub use file::{Header, Journal, JournalError, read, read_games, read_records, write_new};
pub use results::{FAILURES, PairingResult, Results, TimeUse};
