//! Tests of `src/clock/allotment.rs`.

use pontifex::clock::{Allotment, Clock, TimeControl};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Color, Position, Rules};

fn allot(clock: &Clock) -> f64 {
    let allotment = clock.allot(&Position::new(Rules::default())).unwrap();
    let Allotment { usual, most } = allotment;
    assert!(usual <= most && most <= clock.left().0.max(usual));
    usual
}

fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
    Clock::new(TimeControl::ByoYomi { main, period, periods, moves })
}

#[test]
fn absolute_time_is_never_used_up() {
    let mut clock = Clock::new(TimeControl::Absolute(60.0));
    for _ in 0..200 {
        let seconds = allot(&clock);
        assert!(seconds < clock.left().0);
        clock.spend(seconds);
    }
}

#[test]
fn an_increment_is_spent_as_it_comes() {
    let mut clock = Clock::new(TimeControl::Fischer { main: 1.0, increment: 2.0 });
    for _ in 0..200 {
        let seconds = allot(&clock);
        assert!(seconds <= clock.left().0 * 0.9 + 1e-9);
        clock.spend(seconds);
    }
    assert!(allot(&clock) > 1.5);
}

#[test]
fn a_move_takes_at_least_a_period() {
    let mut clock = byo_yomi(10.0, 3.0, 2, 1);
    assert!((allot(&clock) - 3.0).abs() < 1e-9);
    clock.spend(15.0);
    assert!((allot(&clock) - 3.0).abs() < 1e-9);
}

#[test]
fn the_last_of_the_main_time_is_used_up_without_losing_a_period() {
    let mut clock = byo_yomi(60.0, 10.0, 3, 1);
    let mut turns = 0;
    while clock.left().2 == 0 {
        let seconds = allot(&clock);
        assert!(seconds >= 9.0, "{seconds} of {:?}", clock.left());
        clock.spend(seconds - 0.01);
        turns += 1;
    }
    assert!(turns >= 4 && clock.left() == (10.0, 3, 1), "{turns}: {:?}", clock.left());
    assert!((allot(&byo_yomi(1.0, 10.0, 1, 5)) - 2.8).abs() < 1e-9);
}

#[test]
fn canadian_byo_yomi_shares_the_period_among_its_moves() {
    let mut clock = byo_yomi(0.0, 10.0, 1, 5);
    for _ in 0..5 {
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
        clock.spend(2.0);
    }
    clock.set_left(4.0, 2);
    assert!((allot(&clock) - 2.0).abs() < 1e-9);
}

#[test]
fn time_left_makes_a_clock_where_none_was_set() {
    let mut clock = Clock::new(TimeControl::None);
    clock.set_left(0.1, 0);
    assert!(allot(&clock) < 0.1);
    clock = Clock::new(TimeControl::None);
    clock.set_left(6.0, 3);
    assert!((allot(&clock) - 2.0).abs() < 1e-9);
    assert_eq!(Clock::new(clock.control()).allot(&Position::new(Rules::default())), None);
}

#[test]
fn an_upper_bound_holds_for_every_clock() {
    let controls = [
        TimeControl::Absolute(600.0),
        TimeControl::Fischer { main: 600.0, increment: 5.0 },
        TimeControl::ByoYomi { main: 600.0, period: 30.0, periods: 3, moves: 1 },
        TimeControl::Move(20.0),
    ];
    let position = Position::new(Rules::default());
    for control in controls {
        let allotment = Clock::new(control).allot(&position).unwrap();
        assert!(allotment.most > 1.0);
        assert_eq!(allotment.at_most(1.0), Allotment { usual: 1.0, most: 1.0 }, "{control:?}");
        assert_eq!(allotment.at_most(1e6), allotment);
    }
}

#[test]
fn the_middle_of_a_game_gets_the_most_time_and_little_is_left_for_its_end() {
    let mut random = Random::new(1);
    let mut position = Position::new(Rules::default());
    let mut clock = Clock::new(TimeControl::Absolute(100.0));
    let mut shares = Vec::new();
    while !position.is_over() {
        if position.side() == Color::White {
            let Allotment { usual, .. } = clock.allot(&position).unwrap();
            clock.spend(usual);
            shares.push((position.candidates(Color::White).len(), usual));
        }
        rollout(&mut position, 1, &mut random);
    }
    let mean = |from: u32, to: u32| {
        let within = shares.iter().filter(|(room, _)| (from..to).contains(room));
        let seconds: Vec<f64> = within.map(|&(_, seconds)| seconds).collect();
        seconds.iter().sum::<f64>() / seconds.len() as f64
    };
    let (first, middle) = (mean(80, 101), mean(20, 50));
    assert!(middle > 1.3 * first, "{first} {middle}");
    let thought: f64 = shares.iter().filter(|&&(room, _)| room >= 12).map(|share| share.1).sum();
    assert!(thought > 90.0, "{thought}: {shares:?}");
}
