//! Tests of `src/clock/player_clock.rs`.

use pontifex::clock::{Clock, Limit, TimeControl};

fn clock(text: &str) -> Clock {
    Clock::new(text.parse::<Limit>().unwrap())
}

fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
    Clock::new(TimeControl::ByoYomi { main, period, periods, moves })
}

#[test]
fn an_increment_comes_after_the_move() {
    let mut clock = clock("tc=2+0.5");
    assert_eq!(clock.allowed(), Some(2.0));
    clock.spend(1.0);
    assert_eq!((clock.allowed(), clock.time_left()), (Some(1.5), Some((1.5, 0))));
    // More than was left, as a referee's margin permits.
    clock.spend(1.6);
    assert_eq!((clock.allowed(), clock.overhead(1.0)), (Some(0.5), None));
}

#[test]
fn byo_yomi_starts_after_the_main_time() {
    let mut clock = byo_yomi(10.0, 3.0, 2, 1);
    for (spent, left) in
        [(11.0, (3.0, 2, 1)), (1.0, (3.0, 2, 1)), (4.0, (3.0, 1, 1)), (9.0, (3.0, 1, 1))]
    {
        clock.spend(spent);
        assert_eq!(clock.left(), left, "{spent}");
    }
}

#[test]
fn periods_are_lost_when_a_move_takes_longer() {
    let mut clock = clock("byoyomi=10+2x3");
    assert_eq!((clock.allowed(), clock.time_left()), (Some(16.0), Some((10.0, 0))));
    clock.spend(9.0);
    assert_eq!((clock.allowed(), clock.time_left()), (Some(7.0), Some((1.0, 0))));
    clock.spend(2.5);
    assert_eq!((clock.allowed(), clock.time_left()), (Some(6.0), Some((2.0, 3))));
    clock.spend(2.0 - 1e-9);
    assert_eq!(clock.allowed(), Some(6.0));
    clock.spend(4.5);
    assert_eq!((clock.allowed(), clock.overhead(2.25)), (Some(2.0), Some(0.25)));
    clock.spend(2.1);
    assert_eq!((clock.allowed(), clock.time_left()), (Some(2.0), Some((2.0, 1))));
}

#[test]
fn periods_of_no_length_are_lost_at_once() {
    let mut clock = byo_yomi(0.0, 0.0, u32::MAX, 1);
    clock.spend(1.0);
    assert_eq!(clock.left(), (0.0, 1, 1));
}

#[test]
fn canadian_byo_yomi_counts_moves() {
    let mut clock = byo_yomi(0.0, 10.0, 1, 5);
    for left in (1..=5).rev() {
        assert_eq!(clock.left().2, left);
        assert_eq!(clock.time_left(), Some((clock.left().0, left)));
        clock.spend(2.0);
    }
    assert_eq!(clock.left(), (10.0, 1, 5));
    // The move that enters a period counts in it.
    let mut entering = byo_yomi(1.0, 10.0, 1, 5);
    entering.spend(3.0);
    assert_eq!(entering.left(), (8.0, 1, 4));
}

#[test]
fn a_running_clock_shows_the_period_it_is_in() {
    let mut clock = clock("byoyomi=10+2x3");
    for (spent, shown) in [(4.0, (6.0, 3)), (11.0, (1.0, 3)), (13.5, (0.5, 2)), (17.0, (0.0, 0))] {
        assert_eq!(clock.shown(spent), Some(shown), "{spent}");
    }
    clock.spend(13.5);
    assert_eq!(clock.shown(0.5), Some((1.5, 2)));
    let fischer = Clock::new(TimeControl::Fischer { main: 2.0, increment: 1.0 });
    assert_eq!((fischer.shown(1.5), fischer.shown(5.0)), (Some((0.5, 0)), Some((0.0, 0))));
}

#[test]
fn a_time_for_each_move_stays() {
    let mut timed = clock("time=0.5");
    timed.spend(0.4);
    assert_eq!((timed.allowed(), timed.time_left()), (Some(0.5), None));
    assert!((timed.overhead(0.4).unwrap() + 0.1).abs() < 1e-12);
    assert_eq!(clock("playouts=5").allowed(), None);
}

#[test]
fn unused_time_is_saved_unless_the_move_has_a_time_of_its_own() {
    let saves = |control| Clock::new(control).saves();
    assert!(!saves(TimeControl::None) && !saves(TimeControl::Move(3.0)));
    assert!(saves(TimeControl::Absolute(3.0)));
    assert!(saves(TimeControl::Fischer { main: 3.0, increment: 1.0 }));
    assert!(byo_yomi(5.0, 3.0, 1, 1).saves() && !byo_yomi(0.0, 3.0, 1, 1).saves());
    let mut canadian = byo_yomi(0.0, 3.0, 1, 2);
    assert!(canadian.saves());
    canadian.spend(1.0);
    assert!(!canadian.saves());
}

#[test]
fn time_left_sets_the_periods_of_japanese_byo_yomi() {
    let mut clock = byo_yomi(10.0, 3.0, 5, 1);
    clock.set_left(2.5, 4);
    assert_eq!(clock.left(), (2.5, 4, 1));
}
