//! `pontifex match`: matches and tournaments of engines.

mod command;
mod options;
mod plan;
mod queue;
mod records;
mod run;
mod status;

pub(super) use command::Match;
