//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod illegal;
mod random_games;
mod reference;
mod cli;
mod client;
mod interruption;
mod protocol;
mod random_lines;
mod sabaki;
mod start_up;
mod transcript;
mod vectors;
