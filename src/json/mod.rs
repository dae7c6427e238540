//! Analyses as JSON lines, many positions at once, in the manner of `KataGo`'s
//! analysis engine. `docs/engine-json.md` describes it for users.
//!
//! A line is a query (`query`) or an action (`action`), read field by field
//! (`fields`); [`run`] queues the turns that are asked for (`queue`), has them
//! analysed by threads of their own (`worker`) and writes what they find
//! (`analysis`), in whatever order it comes.

mod action;
mod fields;
mod query;
mod queue;
mod run;
mod worker;

pub use run::{End, run};
