//! Analyses as JSON lines, many positions at once, in the manner of KataGo's analysis engine.
//! `docs/engine-json.md` describes it for users.
//!
//! Clients send many positions and want each answer as soon as it is ready, so answers come in any
//! order and carry the `id` of their query. Three kinds of threads share the work:
//!
//! ```text
//! input ─> reader ──jobs──> queue ──jobs──> workers ──answers──> writer ─> output
//!             │                                                    │
//!             └──────────── refusals, acknowledgements ───────────>┘
//! ```
//!
//! In the order of reading:
//!
//! - `run`: the threads, and how a session ends;
//! - `queue`: how the threads exchange jobs and answers, and how queries are terminated;
//! - `query`, `game`, `fields`: from a line to the positions to analyse, field by field;
//! - `response`: from an analysis to the answer.

mod fields;
mod game;
mod query;
mod queue;
mod response;
mod run;

pub use run::{End, Settings, run};
