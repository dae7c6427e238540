//! The integration tests, in one binary: one module per subject, and their
//! helpers in `support`.

mod analyze;
mod cli;
mod damaged;
mod endings;
mod engine_json;
mod experiments;
mod files;
mod fit;
mod framing;
mod gogui;
mod hashes;
mod hints;
mod illegal;
mod interruption;
mod levels;
mod linear;
mod marks;
mod messages;
mod notation;
mod openings;
mod perft;
mod pictures;
mod play;
mod properties;
mod protocol;
mod puzzles;
mod random_lines;
mod readme;
mod referee;
mod reference;
mod refusals;
mod review;
mod sabaki;
mod search;
mod selfplay;
#[cfg(feature = "web")]
mod serve;
mod small_boards;
mod start_up;
mod streams;
mod support;
mod tactics;
#[cfg(feature = "teufel")]
mod teufel;
mod tournament;
mod tournament_statistics;
mod unit;
#[cfg(unix)]
mod unread;
mod vectors;
mod wasm;
mod weights;

use support::{client, random_games, reference_rules, scripts, transcript};
