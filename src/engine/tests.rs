//! Tests of the engine: clocks, analyses and the moves they agree on.

use super::*;

fn engine() -> Engine {
    let mut engine = Engine::new(Options { playouts: 1, ..Options::default() });
    engine.set_size(Size::MIN);
    engine.set_time_control(TimeControl::Absolute(Seconds::whole(60)));
    engine
}

#[test]
fn players_take_their_clocks_along_in_a_swap() {
    let mut engine = engine();
    engine.play(Color::White, "a1,c2".parse().unwrap()).unwrap();
    engine.set_time_left(Color::White, Seconds::whole(10), 0);
    let [opener, other] = engine.clocks;
    assert_ne!(opener, other);
    engine.play(Color::Red, Move::Swap).unwrap();
    assert_eq!(engine.clocks, [other, opener]);
    engine.undo(1).unwrap();
    assert_eq!(engine.clocks, [opener, other]);
    let moves = [Move::Swap, "a1,a2".parse().unwrap()];
    assert!(engine.play_all(&moves).is_err());
    assert_eq!(engine.clocks, [opener, other]);
}

#[test]
fn only_a_move_that_is_played_takes_time() {
    let mut engine = engine();
    let before = engine.clocks;
    engine.think(Color::White, &StopSignal::default()).unwrap();
    assert_eq!(engine.clocks, before);
    engine.genmove(Color::White, &StopSignal::default()).unwrap();
    assert_ne!(engine.clocks, before);
}
