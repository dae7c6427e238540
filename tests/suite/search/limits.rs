//! When searches end.

use std::thread;
use std::time::{Duration, Instant};

use pontifex::board::Size;
use pontifex::engine::{Engine, Options};
use pontifex::game::Color;
use pontifex::search::{Limits, Report, Searcher, StopSignal, TimeControl};

use super::{config, start};

/// Does it in time, at least once in five attempts: other tests and other
/// programs want the processor, too.
fn in_time(most: Duration, mut attempt: impl FnMut() -> Duration) {
    let mut times = Vec::new();
    while times.last().is_none_or(|&time| time > most) {
        assert!(times.len() < 5, "{times:?}, {most:?} are allowed");
        times.push(attempt());
    }
}

fn search(threads: usize, limits: Limits) -> Report {
    let stop = StopSignal::default();
    Searcher::default().search(&start(10), &config(threads, 64), &limits, &stop)
}

#[test]
fn time_is_used_and_not_exceeded() {
    const TIME: Duration = Duration::from_millis(150);
    for threads in [1, 2] {
        in_time(Duration::from_millis(15), || {
            let start = Instant::now();
            let report = search(threads, Limits { time: Some(TIME), ..Limits::default() });
            assert!(start.elapsed() * 100 >= TIME * 99, "{report:?}");
            start.elapsed().saturating_sub(TIME)
        });
    }
}

#[test]
fn a_search_that_is_stopped_ends_at_once() {
    for threads in [1, 2] {
        let mut searcher = Searcher::default();
        in_time(Duration::from_millis(20), || {
            let stop = StopSignal::default();
            let (report, asked, ended) = thread::scope(|scope| {
                let asked = scope.spawn(|| {
                    thread::sleep(Duration::from_millis(100));
                    stop.request();
                    Instant::now()
                });
                let report =
                    searcher.search(&start(10), &config(threads, 64), &Limits::default(), &stop);
                let ended = Instant::now();
                (report, asked.join().unwrap(), ended)
            });
            assert!(report.iterations > 0);
            start(10).play(report.best).unwrap();
            ended.saturating_duration_since(asked)
        });
    }
}

#[test]
fn a_turn_that_is_not_in_doubt_takes_its_usual_time() {
    let (time, usual) = (Some(Duration::from_secs(20)), Some(Duration::from_millis(50)));
    let report = search(1, Limits { time, usual, ..Limits::default() });
    // In the greatest doubt a little more than three times as long, for each
    // of two plies.
    assert!(report.elapsed < Duration::from_secs(2), "{report:?}");
}

#[test]
fn what_is_decided_is_not_searched_to_the_limits() {
    // One bridge is all that can be made of this: nothing to think about.
    let setup = pontifex::game::Setup::parse(
        "w1w1/4/4/rr2 w - -",
        pontifex::game::Supply::Limited { tiles: 2, bridges: 1 },
        false,
    );
    let position = setup.unwrap().validate().unwrap();
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    let stop = StopSignal::default();
    let report = Searcher::default().search(&position, &config(1, 1), &limits, &stop);
    assert_eq!(report.best, "a4-c4".parse().unwrap());
    assert!(report.elapsed < Duration::from_secs(1), "{report:?}");

    // Of the turns of a game some are clear before the limit. That ends the
    // search where time can be saved, and nowhere else.
    let limits = Limits { iterations: Some(600), ..Limits::default() };
    let usual = Some(Duration::from_secs(20));
    let mut position = start(8);
    let mut early = 0;
    for _ in 0..12 {
        let search = |limits| Searcher::default().search(&position, &config(1, 64), &limits, &stop);
        let all = search(limits).iterations;
        assert_eq!(search(Limits { decide: true, ..limits }).iterations, all);
        let decided = search(Limits { decide: true, usual, ..limits });
        assert!(decided.iterations <= 600, "{decided:?}");
        early += u32::from(decided.iterations < all);
        position.play(decided.best).unwrap();
    }
    assert!(early >= 3, "{early}");
}

#[test]
fn a_game_never_takes_more_than_its_time() {
    const MAIN: Duration = Duration::from_secs(3);
    let mut options = Options { search: config(1, 64), ..Options::default() };
    options.rules.size = Size::new(8).unwrap();
    let mut engine = Engine::new(options);
    engine.clear_board();
    engine.set_time_control(TimeControl::Absolute(MAIN.as_secs_f64()));
    let mut spent = [Duration::ZERO; 2];
    // A swap exchanges the players.
    let mut seats = Color::BOTH;
    while !engine.position().is_over() {
        let side = engine.position().side();
        let player = seats.iter().position(|&seat| seat == side).unwrap();
        let start = Instant::now();
        let answer = engine.genmove(side, &StopSignal::default()).unwrap();
        spent[player] += start.elapsed();
        if answer == pontifex::engine::Answer::Move(pontifex::game::Move::Swap) {
            seats.swap(0, 1);
        }
    }
    println!("{spent:?} of {MAIN:?} in {} turns", engine.game().len());
    assert!(spent.iter().all(|&spent| spent < MAIN), "{spent:?}");
    assert!(spent.iter().all(|&spent| spent > MAIN / 4), "time was left unused: {spent:?}");
}
