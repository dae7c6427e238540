//! Analyses as JSON lines, many positions at once, in the manner of `KataGo`'s
//! analysis engine. `docs/engine-json.md` describes it for users.
//!
//! A line is a query (`query`: `game`, `selection`, `settings`) or an action
//! (`action`), read field by field (`fields`). A reader thread (`reader`) queues
//! the requested positions (`queue`), worker threads (`worker`) analyse them
//! (`response`), and [`run`] writes the answers (`output`) in the order in which
//! they arrive.

mod action;
mod fields;
mod game;
mod output;
mod query;
mod queue;
mod reader;
mod response;
mod run;
mod selection;
mod settings;
mod worker;

pub use run::{End, Settings, run};
