//! Tests of the allotment of time, `src/clock/mod.rs`.

use pontifex::clock::{Allotment, Clock, TimeControl};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Color, Position, Rules};

use super::s;

fn allot(clock: &Clock) -> f64 {
    let allotment = clock.allot(&Position::new(Rules::default())).unwrap();
    let Allotment { usual, most } = allotment;
    assert!(usual <= most && (most <= clock.left().0 || most == usual));
    usual.get()
}

fn byo_yomi(main: f64, period: f64, periods: u32, moves: u32) -> Clock {
    Clock::new(TimeControl::ByoYomi { main: s(main), period: s(period), periods, moves })
}

#[test]
fn absolute_time_is_never_used_up() {
    let mut clock = Clock::new(TimeControl::Absolute(s(60.0)));
    for _ in 0..200 {
        let seconds = allot(&clock);
        assert!(seconds < clock.left().0.get());
        clock.spend(s(seconds));
    }
}

#[test]
fn an_increment_is_spent_as_it_comes() {
    let mut clock = Clock::new(TimeControl::Fischer { main: s(1.0), increment: s(2.0) });
    for _ in 0..200 {
        let seconds = allot(&clock);
        assert!(seconds <= clock.left().0.get() * 0.9 + 1e-9);
        clock.spend(s(seconds));
    }
    assert!(allot(&clock) > 1.5);
}

#[test]
fn a_move_takes_at_least_a_period() {
    let mut clock = byo_yomi(10.0, 3.0, 2, 1);
    assert!((allot(&clock) - 3.0).abs() < 1e-9);
    clock.spend(s(15.0));
    assert!((allot(&clock) - 3.0).abs() < 1e-9);
}

#[test]
fn the_last_of_the_main_time_is_used_up_without_losing_a_period() {
    let mut clock = byo_yomi(60.0, 10.0, 3, 1);
    let mut turns = 0;
    while clock.left().2 == 0 {
        let seconds = allot(&clock);
        assert!(seconds >= 9.0, "{seconds} of {:?}", clock.left());
        clock.spend(s(seconds - 0.01));
        turns += 1;
    }
    assert!(turns >= 4 && clock.left() == (s(10.0), 3, 1), "{turns}: {:?}", clock.left());
    assert!((allot(&byo_yomi(1.0, 10.0, 1, 5)) - 2.8).abs() < 1e-9);
}

#[test]
fn canadian_byo_yomi_shares_the_period_among_its_moves() {
    let mut clock = byo_yomi(0.0, 10.0, 1, 5);
    for _ in 0..5 {
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
        clock.spend(s(2.0));
    }
    clock.set_time_left(s(4.0), 2);
    assert!((allot(&clock) - 2.0).abs() < 1e-9);
}

#[test]
fn time_left_makes_a_clock_where_none_was_set() {
    let mut clock = Clock::new(TimeControl::None);
    clock.set_time_left(s(0.1), 0);
    assert!(allot(&clock) < 0.1);
    clock = Clock::new(TimeControl::None);
    clock.set_time_left(s(6.0), 3);
    assert!((allot(&clock) - 2.0).abs() < 1e-9);
    assert_eq!(Clock::new(clock.control()).allot(&Position::new(Rules::default())), None);
}

#[test]
fn an_upper_bound_holds_for_every_clock() {
    let controls = [
        TimeControl::Absolute(s(600.0)),
        TimeControl::Fischer { main: s(600.0), increment: s(5.0) },
        TimeControl::ByoYomi { main: s(600.0), period: s(30.0), periods: 3, moves: 1 },
        TimeControl::Move(s(20.0)),
    ];
    let position = Position::new(Rules::default());
    for control in controls {
        let allotment = Clock::new(control).allot(&position).unwrap();
        assert!(allotment.most > s(1.0));
        assert_eq!(allotment.at_most(s(1.0)), Allotment::fixed(s(1.0)), "{control:?}");
        assert_eq!(allotment.at_most(s(1e6)), allotment);
    }
}

#[test]
fn the_middle_of_a_game_gets_the_most_time_and_little_is_left_for_its_end() {
    let mut random = Random::new(1);
    let mut position = Position::new(Rules::default());
    let mut clock = Clock::new(TimeControl::Absolute(s(100.0)));
    let mut shares = Vec::new();
    while !position.is_over() {
        if position.side() == Color::White {
            let Allotment { usual, .. } = clock.allot(&position).unwrap();
            clock.spend(usual);
            shares.push((position.open_cells(Color::White).len(), usual.get()));
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

/// `time_settings 10 2 1`, `time_left w 60 1`: not 60 seconds, and neither too much if the 60 were
/// those of the period.
#[test]
fn main_time_in_one_number_with_the_period_is_spread_over_the_game() {
    for (main, period, moves, time, left) in
        [(10.0, 2.0, 1, 60.0, 1), (5.0, 2.0, 1, 12.0, 1), (300.0, 10.0, 5, 60.0, 5)]
    {
        let mut clock = byo_yomi(main, period, 1, moves);
        clock.set_time_left(s(time), left);
        let share = period / f64::from(moves);
        let seconds = allot(&clock);
        assert!((share..=2.0 * share).contains(&seconds), "{time} {left}: {seconds}");
        // As many moves as were asked for are made within the time.
        let mut spent = 0.0;
        for _ in 0..left {
            let seconds = allot(&clock);
            spent += seconds;
            clock.spend(s(seconds));
        }
        assert!(spent <= time, "{time} {left}: {spent}");
    }
}

/// Whatever a controller means, a move never takes longer than the time that it reports.
#[test]
fn no_allotment_exceeds_the_time_reported() {
    let (main, increment) = (s(10.0), s(5.0));
    let mut controls = vec![
        TimeControl::None,
        TimeControl::Move(s(3.0)),
        TimeControl::Absolute(main),
        TimeControl::Fischer { main, increment },
        TimeControl::FischerCapped { main, increment, main_limit: None, move_limit: None },
    ];
    for (period, periods, moves) in [(2.0, 1, 1), (2.0, 5, 1), (0.3, 9, 1), (10.0, 1, 5)] {
        controls.push(TimeControl::ByoYomi { main, period: s(period), periods, moves });
    }
    let position = Position::new(Rules::default());
    for control in controls {
        for count in 0..12 {
            for hundredths in 1..2000 {
                let time = s(f64::from(hundredths) / 100.0);
                let mut clock = Clock::new(control);
                clock.set_time_left(time, count);
                let most = clock.allot(&position).unwrap().most;
                let is_main = count == 0 && matches!(control, TimeControl::ByoYomi { .. });
                assert!(is_main || most <= time, "{control:?} {time} {count}: {most}");
            }
        }
    }
}

#[test]
fn a_limit_for_each_move_bounds_capped_fischer_time() {
    let (main, increment) = (s(600.0), s(5.0));
    let capped = |move_limit| {
        let main_limit = None;
        Clock::new(TimeControl::FischerCapped { main, increment, main_limit, move_limit })
    };
    let position = Position::new(Rules::default());
    let bounded = capped(Some(s(4.0))).allot(&position).unwrap();
    assert_eq!(bounded, Allotment::fixed(s(4.0)));
    let free = Clock::new(TimeControl::Fischer { main, increment });
    assert_eq!(capped(None).allot(&position), free.allot(&position));
}
