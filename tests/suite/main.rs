//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod illegal;
mod random_games;
mod reference;
mod vectors;
