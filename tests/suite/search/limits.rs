//! When searches end.

use std::thread;
use std::time::{Duration, Instant};

use pontifex::board::Size;
use pontifex::clock::TimeControl;
use pontifex::engine::{AnalysisRequest, Answer, Engine, Options};
use pontifex::game::Color;
use pontifex::search::{Early, Limits, Report, Searcher, StopSignal};

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
    // of two steps.
    assert!(report.elapsed < Duration::from_secs(2), "{report:?}");
}

#[test]
fn what_is_proved_or_decided_is_not_searched_to_the_limits() {
    // One bridge is all that can be made of this.
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

    // Of the turns of a game some are decided before the limit, and none is
    // searched any further where that ends it.
    let limits = Limits { iterations: Some(600), ..Limits::default() };
    let mut position = start(8);
    let mut decided = 0;
    for _ in 0..12 {
        let search = |early| {
            let limits = Limits { early, ..limits };
            Searcher::default().search(&position, &config(1, 64), &limits, &stop)
        };
        let [never, forced, early] = [Early::Never, Early::Forced, Early::Decided].map(search);
        assert_eq!(never.iterations, forced.iterations);
        assert!(early.iterations <= never.iterations && never.iterations <= 600, "{early:?}");
        decided += u32::from(early.iterations < never.iterations);
        position.play(early.best).unwrap();
    }
    assert!(decided >= 3, "{decided}");
}

fn engine(time: f64, control: TimeControl) -> Engine {
    let mut options = Options { search: config(1, 64), time: Some(time), ..Options::default() };
    (options.rules.size, options.rules.pie) = (Size::new(8).unwrap(), false);
    let mut engine = Engine::new(options);
    engine.clear_board();
    engine.set_time_control(control);
    engine
}

#[test]
fn time_that_no_later_move_may_use_is_used() {
    const TIME: f64 = 0.1;
    let period = TimeControl::ByoYomi { main: 0.0, period: TIME, periods: 9, moves: 1 };
    for control in [TimeControl::None, TimeControl::Move(TIME), period] {
        let mut engine = engine(TIME, control);
        for _ in 0..6 {
            let start = Instant::now();
            let answer = engine.genmove(engine.position().side(), &StopSignal::default());
            // A bridge takes nine tenths; a tenth, 10 ms, is kept for the way.
            let elapsed = start.elapsed().as_secs_f64();
            assert!(elapsed > TIME * 0.9 * 0.89, "{control:?}: {elapsed} for {answer:?}");
        }
    }
}

#[test]
fn where_one_step_can_be_made_a_move_comes_at_once_and_an_analysis_does_not() {
    let bridge = "d4-e6".parse().unwrap();
    let request = AnalysisRequest { allow: vec![bridge], ..AnalysisRequest::default() };
    let stop = StopSignal::default();
    let start = |time| {
        let mut engine = engine(time, TimeControl::None);
        engine.play_all(&["d4,e6", "a1,h1"].map(|mv| mv.parse().unwrap())).unwrap();
        (engine, Instant::now())
    };
    let (mut engine, begun) = start(20.0);
    let (answer, _) = engine.genmove_analyze(Color::White, &request, &stop, &mut |_| ()).unwrap();
    assert_eq!(answer, Answer::Move(bridge));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let (mut engine, begun) = start(0.3);
    engine.analyze(&request, false, &stop, &mut |_| ()).unwrap();
    assert!(begun.elapsed() > Duration::from_millis(200), "{:?}", begun.elapsed());
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
        if answer == Answer::Move(pontifex::game::Move::Swap) {
            seats.swap(0, 1);
        }
    }
    println!("{spent:?} of {MAIN:?} in {} turns", engine.game().len());
    assert!(spent.iter().all(|&spent| spent < MAIN), "{spent:?}");
    assert!(spent.iter().all(|&spent| spent > MAIN / 4), "time was left unused: {spent:?}");
}
