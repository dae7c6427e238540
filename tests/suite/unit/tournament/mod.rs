//! Tests of the module `tournament`.

mod crosstable;
mod entry;
mod journal;
mod openings;
mod program;
mod schedule;
mod spec;
