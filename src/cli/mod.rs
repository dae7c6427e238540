//! The command line: one file per subcommand.
//!
//! Arguments are processed in two stages: clap parses them, and then they are
//! resolved (configuration file, parameters, position text) before anything
//! runs.

mod analyze;
mod arguments;
mod bench;
mod completions;
mod config;
mod convert;
mod engine_json;
mod exit;
mod fit;
mod gtp;
mod input;
mod interrupt;
mod matches;
mod openings;
mod options;
mod output;
mod perft;
mod picture;
mod progress;
mod puzzles;
mod review;
mod selfplay;
#[cfg(feature = "web")]
mod serve;
#[cfg(feature = "web")]
mod site;
mod status_line;
#[cfg(feature = "teufel")]
mod teufel;

pub use arguments::main;
