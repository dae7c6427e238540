//! Tests of the module `engine`.

mod analysis;
mod params;

use pontifex::engine::{Engine, Options, StopSignal, TimeControl};
use pontifex::game::Color;

#[test]
fn a_time_a_turn_bounds_a_turn_under_every_clock() {
    let controls = [
        TimeControl::Absolute(6000.0),
        TimeControl::Fischer { main: 6000.0, increment: 50.0 },
        TimeControl::ByoYomi { main: 600.0, period: 30.0, periods: 3, moves: 1 },
    ];
    for control in controls {
        let mut engine = Engine::new(Options { time: Some(0.05), ..Options::default() });
        engine.set_time_control(control);
        let start = std::time::Instant::now();
        engine.genmove(Color::White, &StopSignal::default()).unwrap();
        assert!(start.elapsed().as_secs() < 3, "{control:?}");
    }
}
