//! Tests of the module `statistics`.

mod elo;
mod likelihood;
mod margin;
mod pairings;
mod ratings;
mod sprt;
mod sprt_text;
mod tally;
