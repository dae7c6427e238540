//! Journals: files that record the games of a tournament, so that an interrupted run can continue
//! where it stopped.
//!
//! A journal consists of JSON lines: a [`Header`], then one [`Entry`] for each finished game. The
//! module `file` explains how the file survives a crash. [`merge`](merge::merge) joins the journals
//! of a tournament's shards. [`Results`] are never stored but counted from the entries, so they
//! cannot contradict them.

pub(super) mod entry;
pub(super) mod file;
pub mod merge;
pub(super) mod results;

pub use entry::Entry;
pub use file::{Header, Journal, JournalError, read, read_games, read_records, write_new};
pub use results::{FAILURES, PairingResult, Results, TimeUse};
