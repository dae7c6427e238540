//! Analyses as JSON lines, many positions at once, in the manner of `KataGo`'s
//! analysis engine. `docs/engine-json.md` describes it for users.
//!
//! A line is a query or an action (`query`; a query's game is read by `game`),
//! read field by field (`fields`). A reader thread queues the requested positions
//! (`queue`), worker threads analyse them (`response`), and [`run`] writes the
//! answers in the order in which they arrive.

mod fields;
mod game;
mod query;
mod queue;
mod response;
mod run;

pub use run::{End, Settings, run};
