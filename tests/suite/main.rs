//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod cli;
mod client;
mod illegal;
mod interruption;
mod notation;
mod protocol;
mod random_games;
mod random_lines;
mod referee;
mod reference;
mod sabaki;
mod start_up;
mod transcript;
mod vectors;
