//! `pontifex match`: matches and tournaments of engines.
//!
//! `command` decides what to do: play, merge journals, check an engine, or play a queue. `options`
//! become a tournament, `run` plays it with its journal and its status line. A queue of experiments
//! is many runs, one after the other: `queue` with `experiment` and `queue_report`.

mod command;
mod experiment;
mod options;
mod queue;
mod queue_report;
mod run;

pub(super) use command::Match;
