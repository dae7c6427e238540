//! Tests of the module `tournament`.

mod crosstable;
mod program;
mod schedule;
