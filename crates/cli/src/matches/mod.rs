//! `pontifex match`: matches and tournaments of engines.

mod command;
mod experiment;
mod options;
mod queue;
mod queue_report;
mod run;

pub(super) use command::Match;
