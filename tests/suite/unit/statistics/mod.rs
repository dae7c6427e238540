//! Tests of the module `statistics`.

mod elo;
mod margin;
mod pairings;
mod ratings;
mod sprt;
mod sprt_text;
mod tally;
