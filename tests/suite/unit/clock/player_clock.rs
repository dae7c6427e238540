//! Tests of clocks, `src/clock/mod.rs`.

use pontifex::clock::{Clock, Limit, Seconds, TimeControl};

use super::s;

fn clock(text: &str) -> Clock {
    Clock::new(text.parse::<Limit>().unwrap())
}

fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
    Clock::new(TimeControl::ByoYomi { main: s(main), period: s(period), periods, moves })
}

/// What is left, as numbers.
fn left(clock: &Clock) -> (f64, u32, u32) {
    let (left, periods, moves) = clock.left();
    (left.get(), periods, moves)
}

fn allowed(clock: &Clock) -> Option<f64> {
    clock.allowed().map(Seconds::get)
}

fn time_left(clock: &Clock) -> Option<(f64, u32)> {
    clock.time_left().map(|(left, moves)| (left.get(), moves))
}

fn shown(clock: &Clock, spent: f64) -> Option<(f64, u32)> {
    clock.reading(s(spent)).map(|(left, periods)| (left.get(), periods))
}

#[test]
fn an_increment_comes_after_the_move() {
    let mut clock = clock("tc=2+0.5");
    assert_eq!(allowed(&clock), Some(2.0));
    clock.spend(s(1.0));
    assert_eq!((allowed(&clock), time_left(&clock)), (Some(1.5), Some((1.5, 0))));
    // More than was left, as a referee's margin permits.
    clock.spend(s(1.6));
    assert_eq!((allowed(&clock), clock.overhead(s(1.0))), (Some(0.5), Some(0.5)));
}

#[test]
fn byo_yomi_starts_after_the_main_time() {
    let mut clock = byo_yomi(10.0, 3.0, 2, 1);
    for (spent, expected) in
        [(11.0, (3.0, 2, 1)), (1.0, (3.0, 2, 1)), (4.0, (3.0, 1, 1)), (9.0, (3.0, 1, 1))]
    {
        clock.spend(s(spent));
        assert_eq!(left(&clock), expected, "{spent}");
    }
}

#[test]
fn periods_are_lost_when_a_move_takes_longer() {
    let mut clock = clock("byoyomi=10+2x3");
    assert_eq!((allowed(&clock), time_left(&clock)), (Some(16.0), Some((10.0, 0))));
    clock.spend(s(9.0));
    assert_eq!((allowed(&clock), time_left(&clock)), (Some(7.0), Some((1.0, 0))));
    clock.spend(s(2.5));
    assert_eq!((allowed(&clock), time_left(&clock)), (Some(6.0), Some((2.0, 3))));
    clock.spend(s(2.0 - 1e-9));
    assert_eq!(allowed(&clock), Some(6.0));
    clock.spend(s(4.5));
    assert_eq!((allowed(&clock), clock.overhead(s(2.25))), (Some(2.0), Some(0.25)));
    clock.spend(s(2.1));
    assert_eq!((allowed(&clock), time_left(&clock)), (Some(2.0), Some((2.0, 1))));
}

#[test]
fn periods_of_no_length_are_lost_at_once() {
    let mut clock = byo_yomi(0.0, 0.0, u32::MAX, 1);
    clock.spend(s(1.0));
    assert_eq!(left(&clock), (0.0, 1, 1));
}

#[test]
fn canadian_byo_yomi_counts_moves() {
    let mut clock = byo_yomi(0.0, 10.0, 1, 5);
    for moves in (1..=5).rev() {
        assert_eq!(left(&clock).2, moves);
        assert_eq!(time_left(&clock), Some((left(&clock).0, moves)));
        clock.spend(s(2.0));
    }
    assert_eq!(left(&clock), (10.0, 1, 5));
    // The move that enters a period counts in it.
    let mut entering = byo_yomi(1.0, 10.0, 1, 5);
    entering.spend(s(3.0));
    assert_eq!(left(&entering), (8.0, 1, 4));
}

#[test]
fn a_running_clock_shows_the_period_it_is_in() {
    let mut clock = clock("byoyomi=10+2x3");
    for (spent, expected) in [(4.0, (6.0, 3)), (11.0, (1.0, 3)), (13.5, (0.5, 2)), (17.0, (0.0, 0))]
    {
        assert_eq!(shown(&clock, spent), Some(expected), "{spent}");
    }
    clock.spend(s(13.5));
    assert_eq!(shown(&clock, 0.5), Some((1.5, 2)));
    let fischer = Clock::new(TimeControl::Fischer { main: s(2.0), increment: s(1.0) });
    assert_eq!((shown(&fischer, 1.5), shown(&fischer, 5.0)), (Some((0.5, 0)), Some((0.0, 0))));
}

#[test]
fn a_time_for_each_move_stays() {
    let mut timed = clock("time=0.5");
    timed.spend(s(0.4));
    assert_eq!((allowed(&timed), time_left(&timed)), (Some(0.5), None));
    assert!((timed.overhead(s(0.4)).unwrap() + 0.1).abs() < 1e-12);
    assert_eq!(clock("playouts=5").allowed(), None);
}

#[test]
fn unused_time_is_saved_unless_the_move_has_a_time_of_its_own() {
    let saves = |control| Clock::new(control).can_save_time();
    assert!(!saves(TimeControl::None) && !saves(TimeControl::Move(s(3.0))));
    assert!(saves(TimeControl::Absolute(s(3.0))));
    assert!(saves(TimeControl::Fischer { main: s(3.0), increment: s(1.0) }));
    assert!(byo_yomi(5.0, 3.0, 1, 1).can_save_time() && !byo_yomi(0.0, 3.0, 1, 1).can_save_time());
    let mut canadian = byo_yomi(0.0, 3.0, 1, 2);
    assert!(canadian.can_save_time());
    canadian.spend(s(1.0));
    assert!(!canadian.can_save_time());
}

#[test]
fn time_left_sets_the_periods_of_japanese_byo_yomi() {
    let mut clock = byo_yomi(10.0, 3.0, 5, 1);
    clock.set_time_left(s(2.5), 4);
    assert_eq!(left(&clock), (2.5, 4, 1));
}

/// `time_settings 10 2 1` and `time_left w 60 1`: a server's main and period time in one number.
#[test]
fn time_left_beyond_the_periods_is_main_time() {
    let mut clock = byo_yomi(10.0, 2.0, 1, 1);
    clock.set_time_left(s(60.0), 1);
    assert_eq!((left(&clock), allowed(&clock)), ((58.0, 1, 0), Some(60.0)));
    clock = byo_yomi(5.0, 2.0, 3, 1);
    clock.set_time_left(s(10.0), 3);
    assert_eq!((left(&clock), allowed(&clock)), ((4.0, 3, 0), Some(10.0)));
    // Canadian: the whole period follows, whatever part of it was meant.
    clock = byo_yomi(300.0, 10.0, 1, 5);
    clock.set_time_left(s(12.0), 3);
    assert_eq!((left(&clock), allowed(&clock)), ((2.0, 1, 0), Some(12.0)));
    clock.set_time_left(s(9.0), 3);
    assert_eq!(left(&clock), (9.0, 1, 3));
}

#[test]
fn time_left_of_several_periods_in_one_number_is_of_the_running_one_and_those_behind_it() {
    let mut clock = byo_yomi(5.0, 2.0, 5, 1);
    for (sum, count, expected) in [
        (9.0, 5, (1.0, 5, 1)),
        (3.5, 5, (1.5, 2, 1)),
        (4.0, 3, (2.0, 2, 1)),
        (2.0, 3, (2.0, 3, 1)),
        // Rounded up by a controller.
        (2.01, 3, (2.0, 3, 1)),
        (6.01, 3, (2.0, 3, 1)),
        (0.0, 3, (0.0, 3, 1)),
    ] {
        clock.set_time_left(s(sum), count);
        assert_eq!(left(&clock), expected, "{sum} {count}");
    }
    let mut empty = byo_yomi(5.0, 0.0, 5, 1);
    empty.set_time_left(s(3.0), 2);
    assert_eq!(left(&empty), (3.0, 2, 0));
}

#[test]
fn a_time_for_each_move_is_shortened_by_time_left_for_one_move() {
    let mut clock = clock("time=5");
    clock.set_time_left(s(2.0), 0);
    assert_eq!(allowed(&clock), Some(2.0));
    clock.spend(s(1.0));
    assert_eq!(allowed(&clock), Some(5.0));
    clock.set_time_left(s(60.0), 0);
    assert_eq!(allowed(&clock), Some(5.0));
}

#[test]
fn capped_fischer_time_is_cut_after_the_increment_and_limited_for_each_move() {
    let (main, increment) = (s(60.0), s(10.0));
    let capped = |main_limit, move_limit| {
        Clock::new(TimeControl::FischerCapped { main, increment, main_limit, move_limit })
    };
    let mut clock = capped(Some(s(65.0)), Some(s(20.0)));
    assert_eq!(allowed(&clock), Some(20.0));
    clock.spend(s(1.0));
    assert_eq!((time_left(&clock), allowed(&clock)), (Some((65.0, 0)), Some(20.0)));
    clock.spend(s(15.0));
    assert_eq!(time_left(&clock), Some((60.0, 0)));
    assert_eq!((shown(&clock, 19.0), shown(&clock, 20.0)), (Some((41.0, 0)), Some((0.0, 0))));
    clock.set_time_left(s(7.0), 0);
    assert_eq!(allowed(&clock), Some(7.0));
    let mut free = capped(None, None);
    free.spend(s(1.0));
    assert_eq!(allowed(&free), Some(69.0));
}

#[test]
fn seconds_are_finite_not_negative_and_at_most_a_year() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -1e-9, 31_536_001.0, 1e300] {
        let error = Seconds::new(wrong).unwrap_err().to_string();
        assert!(error.ends_with("is not a time in seconds, 0 to 31536000"), "{error}");
        assert!(error.len() < 100 && wrong.to_string().parse::<Seconds>().is_err(), "{error}");
    }
    assert_eq!(Seconds::new(-0.0).unwrap().to_string(), "0");
    assert_eq!(Seconds::saturating(f64::NAN), Seconds::ZERO);
    assert_eq!(Seconds::saturating(f64::INFINITY), Seconds::MAX);
    assert_eq!(Seconds::from(std::time::Duration::MAX), Seconds::MAX);
    assert!(serde_json::from_str::<Seconds>("1e300").is_err());
    assert_eq!(serde_json::to_string(&s(2.5)).unwrap(), "2.5");
}

/// Sums of periods go far beyond a year.
#[test]
fn no_clock_is_too_long_for_its_arithmetic() {
    let year = Seconds::MAX;
    for control in [
        TimeControl::Absolute(year),
        TimeControl::Fischer { main: year, increment: year },
        TimeControl::ByoYomi { main: year, period: year, periods: u32::MAX, moves: 1 },
        TimeControl::ByoYomi { main: year, period: year, periods: u32::MAX, moves: u32::MAX },
    ] {
        let mut clock = Clock::new(control);
        clock.spend(Seconds::ZERO);
        assert_eq!(clock.allowed(), Some(year));
        clock.set_time_left(year, u32::MAX);
        clock.spend(year);
        assert!(clock.allowed() <= Some(year));
    }
}
