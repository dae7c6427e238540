//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod arena_statistics;
mod vectors;
