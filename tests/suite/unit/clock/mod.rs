//! Tests of the module `clock`.

mod allotment;
mod limit;
mod player_clock;
mod saved;

use pontifex::clock::Seconds;

fn s(seconds: f64) -> Seconds {
    Seconds::new(seconds).unwrap()
}
