//! Tests of the module `selfplay`.

mod file;
mod header;
mod job;
mod playing;
mod reader;
mod tally;
