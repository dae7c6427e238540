//! The tests of the crate through its public items.

mod encoding;
mod file;
mod fit;
mod header;
mod job;
mod playing;
mod reader;
mod settings;
mod tally;
