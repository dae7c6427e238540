//! A game between people and engines as a page shows it: a state machine.
//!
//! A [`Session`] takes [`Event`]s (a page's request, a job's report, the
//! time) and answers with [`Effect`]s (messages to send, jobs to start or
//! cancel, the session to save). It has no thread, socket, file or clock of
//! its own: a host performs the effects. The messages are documented in
//! `docs/web.md`.
//!
//! From the ground up: `terms`, `tree` and `clocks`; the `table` with `record`
//! and `saved`; the messages `view`, `findings` and `illegal`; `job`, `review`
//! and `effect`; the session's `state` with what engines do in it (`turns`,
//! `studies`, `advice`), the `requests` with `refusal`, `reading` and
//! `questions`, and the `session`. Beside it, `thinking` does the jobs of the
//! built-in engine, `practice` answers questions about puzzles and lessons,
//! `convert` writes games in other formats, and `info` tells what there is.

#![allow(missing_docs, reason = "docs/web.md describes the fields of requests and messages")]

mod advice;
mod clocks;
mod convert;
mod effect;
mod findings;
mod illegal;
mod info;
mod job;
mod practice;
mod questions;
mod reading;
mod record;
mod refusal;
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

pub use convert::{Converted, Form, read_record};
pub use effect::{Effect, Event, MessageKind, Reply};
pub use findings::found;
pub use illegal::{bad_setup, illegal};
pub use info::info;
pub use job::{EngineTurn, Job, JobId, Lane, Outcome, Report, Search};
pub use practice::{Practice, exercises, practise};
pub use reading::mended;
pub use reading::{Sent, add_mended};
pub use request::{Request, error, read, with_id};
pub use saved::SavedSession;
pub use session::Session;
pub use table::Table;
pub use terms::{BUILT_IN, Level, no_engine};
pub use thinking::{analyze, take_turn};
pub use view::board;
pub use view::entry;
