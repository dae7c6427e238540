//! Tests of the module `notation`.

mod result;
mod sgf;
