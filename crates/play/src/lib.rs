//! A game between people and engines as a page shows it: a state machine.
//!
//! A [`Session`] takes [`Event`]s (a page's request, a job's report, the
//! time) and answers with [`Effect`]s (messages to send, jobs to start or
//! cancel, the session to save). It has no thread, socket, file or clock of
//! its own: a host performs the effects. The messages are documented in
//! `docs/web.md`.
//!
//! From the ground up: `terms` and `tree`; the `table` with `record` and
//! `saved`; the messages, `request` from pages and `view` to them; `effect` and
//! `review`; the session's `state`, the `requests`, what engines do (`turns`,
//! `studies`, `advice`), and the `session`. Beside it, `thinking` does the jobs
//! of the built-in engine, and `practice` answers questions about puzzles and
//! lessons.

#![allow(missing_docs, reason = "docs/web.md describes the fields of requests and messages")]

mod advice;
mod effect;
mod practice;
mod record;
mod request;
mod requests;
mod review;
mod saved;
mod session;
mod state;
mod studies;
mod table;
mod terms;
mod thinking;
mod tree;
mod turns;
mod view;

#[cfg(test)]
mod tests;

pub use effect::{
    Effect, EngineTurn, Event, Job, JobId, Lane, MessageKind, Outcome, Reply, Report, Search,
};
pub use practice::{Practice, exercises, practise};
pub use record::{Converted, Form, read_record};
pub use request::{Request, Sent, add_mended, error, mended, read, with_id};
pub use saved::SavedSession;
pub use session::Session;
pub use table::Table;
pub use terms::{BUILT_IN, Level, info, no_engine};
pub use thinking::{analyze, take_turn};
pub use view::{bad_setup, board, entry, found, illegal};
