//! Tests of the module `selfplay`.

mod encoding;
mod file;
mod header;
mod job;
mod playing;
mod reader;
mod settings;
mod tally;
