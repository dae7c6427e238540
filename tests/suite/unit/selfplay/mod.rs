//! Tests of the module `selfplay`.

mod header;
mod job;
mod playing;
mod tally;
