//! Everything the library and the binary must show, in one test binary: each
//! module is a subject.

mod notation;
mod vectors;
