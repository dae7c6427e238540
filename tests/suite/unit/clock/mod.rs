//! Tests of the module `clock`.

mod allotment;
mod limit;
mod player_clock;
mod saved;
