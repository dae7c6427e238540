//! The tests that run the program, in one binary: one module per subject, and their helpers in
//! `support`.

mod agreement;
mod analyze;
mod cache;
mod cli;
mod contributing;
mod damaged;
mod engine_json;
mod experiments;
mod files;
mod fit;
mod gogui;
mod interruption;
mod levels;
mod marks;
mod messages;
mod notation;
mod openings;
mod pictures;
mod protocol;
mod puzzles;
mod random_lines;
mod readme;
mod referee;
mod review;
mod sabaki;
mod search;
mod selfplay;
mod serve;
mod start_up;
mod streams;
mod support;
mod teufel;
mod tournament;
#[cfg(unix)]
mod unread;
mod wasm;
mod weights;

use support::{client, root, transcript};
