//! The tests of the crate through its public items, and simulated matches.

mod crosstable;
mod entry;
mod journal;
mod openings;
mod program;
mod schedule;
mod simulated;
mod spec;
mod statistics;
