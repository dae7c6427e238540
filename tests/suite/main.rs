//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod analyze;
mod cli;
mod client;
mod endings;
mod engine_json;
mod experiments;
mod fit;
mod gogui;
mod hashes;
mod illegal;
mod interruption;
mod linear;
mod notation;
mod openings;
mod perft;
mod pictures;
mod play;
mod properties;
mod protocol;
mod random_games;
mod random_lines;
mod readme;
mod referee;
mod reference;
mod refusals;
mod review;
mod sabaki;
mod scripts;
mod search;
mod selfplay;
#[cfg(feature = "web")]
mod serve;
mod small_boards;
mod start_up;
mod streams;
mod tactics;
mod tournament;
mod tournament_statistics;
mod transcript;
mod vectors;
mod weights;
