//! When searches end.

use std::thread;
use std::time::{Duration, Instant};

use pontifex::board::Size;
use pontifex::clock::{Seconds, TimeControl};
use pontifex::engine::{AnalysisRequest, Answer, Engine, Options};
use pontifex::game::{Color, Supply};
use pontifex::search::{Early, Limits, SearchResult, Searcher, StopSignal};

use super::{config, start};

/// A limit that no search in these tests should reach, even on a busy machine.
const LONG: Duration = Duration::from_secs(120);

fn search(threads: usize, limits: Limits) -> SearchResult {
    let stop = StopSignal::default();
    Searcher::default().search(&start(10), &config(threads, 64), &limits, &stop).finish()
}

#[test]
fn a_search_ends_at_its_time_limit() {
    const TIME: Duration = Duration::from_millis(150);
    for threads in [1, 2] {
        let start = Instant::now();
        let report = search(threads, Limits { time: Some(TIME), ..Limits::default() });
        let elapsed = start.elapsed();
        assert!(elapsed * 100 >= TIME * 99, "{report:?}");
        assert!(elapsed < LONG / 2, "{report:?}");
    }
}

/// Without limits, only the stop signal ends these searches.
#[test]
fn a_stopped_search_ends_and_has_a_move() {
    for threads in [1, 2] {
        let stop = StopSignal::default();
        let report = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                stop.request();
            });
            let limits = Limits::default();
            Searcher::default().search(&start(10), &config(threads, 64), &limits, &stop).finish()
        });
        assert!(report.iterations > 0);
        start(10).play(report.best).unwrap();
    }
}

#[test]
fn every_thread_ends_within_an_iteration_of_the_stop_signal() {
    let stop = StopSignal::default();
    stop.request();
    for threads in [1, 2] {
        let (config, limits) = (config(threads, 64), Limits::default());
        let report = Searcher::default().search(&start(10), &config, &limits, &stop).finish();
        // A turn has two steps.
        assert!(report.iterations <= 2 * threads as u64, "{report:?}");
    }
}

#[test]
fn a_turn_takes_about_its_usual_time() {
    let (time, usual) = (Some(LONG), Some(Duration::from_millis(50)));
    let report = search(1, Limits { time, usual, ..Limits::default() });
    // Even in greatest doubt a step takes little more than three times as long.
    assert!(report.elapsed < LONG / 2, "{report:?}");
}

#[test]
fn proved_and_decided_turns_end_early() {
    // The only thing left to do is one bridge.
    let setup = pontifex::game::Setup::parse(
        "w1w1/4/4/rr2 w - -",
        pontifex::game::Supply::Limited { tiles: 2, bridges: 1 },
        false,
    );
    let position = setup.unwrap().validate().unwrap();
    let limits = Limits { time: Some(LONG), ..Limits::default() };
    let stop = StopSignal::default();
    let report = Searcher::default().search(&position, &config(1, 1), &limits, &stop).finish();
    assert_eq!(report.best, "a4-c4".parse().unwrap());
    assert!(report.elapsed < LONG / 2, "{report:?}");

    // Some turns of a game are decided before the limit and end there; none exceeds the limit.
    let limits = Limits { iterations: Some(600), ..Limits::default() };
    let mut position = start(8);
    let mut decided = 0;
    for _ in 0..12 {
        let search = |early| {
            let limits = Limits { early, ..limits };
            Searcher::default().search(&position, &config(1, 64), &limits, &stop).finish()
        };
        let [never, forced, early] = [Early::Never, Early::Forced, Early::Decided].map(search);
        assert_eq!(never.iterations, forced.iterations);
        assert!(early.iterations <= never.iterations && never.iterations <= 600, "{early:?}");
        decided += u32::from(early.iterations < never.iterations);
        position.play(early.best).unwrap();
    }
    assert!(decided >= 3, "{decided}");
}

fn engine(time: Seconds, control: TimeControl) -> Engine {
    let mut options = Options { search: config(1, 64), time: Some(time), ..Options::default() };
    (options.rules.size, options.rules.pie) = (Size::new(8).unwrap(), false);
    let mut engine = Engine::new(options);
    engine.clear_board();
    engine.set_time_control(control);
    engine
}

#[test]
fn time_that_cannot_be_saved_is_used() {
    const TIME: Seconds = Seconds::millis(100);
    let period = TimeControl::ByoYomi { main: Seconds::ZERO, period: TIME, periods: 9, moves: 1 };
    for control in [TimeControl::None, TimeControl::Move(TIME), period] {
        let mut engine = engine(TIME, control);
        for _ in 0..6 {
            let start = Instant::now();
            let answer = engine.genmove(engine.position().side(), &StopSignal::default());
            // A bridge ends the turn after the first step, with nine tenths of the time; the move
            // overhead takes another tenth, 10 ms.
            let elapsed = start.elapsed().as_secs_f64();
            assert!(elapsed > TIME.get() * 0.9 * 0.89, "{control:?}: {elapsed} for {answer:?}");
        }
    }
}

#[test]
fn a_forced_move_is_played_at_once_but_analysed_to_the_limit() {
    let bridge = "d4-e6".parse().unwrap();
    let request = AnalysisRequest { allow: vec![bridge], ..AnalysisRequest::default() };
    let stop = StopSignal::default();
    let start = |time| {
        let mut engine = engine(time, TimeControl::None);
        engine.play_all(&["d4,e6", "a1,h1"].map(|mv| mv.parse().unwrap())).unwrap();
        (engine, Instant::now())
    };
    let (mut engine, begun) = start(LONG.into());
    let (answer, _) =
        engine.genmove_analyze(Color::White, &request, &stop, &mut |_| ()).finish().unwrap();
    assert_eq!(answer, Answer::Move(bridge));
    assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    let (mut engine, begun) = start(Seconds::millis(300));
    engine.analyze(&request, false, &stop, &mut |_| ()).finish().unwrap();
    assert!(begun.elapsed() > Duration::from_millis(200), "{:?}", begun.elapsed());
}

/// Each of these clocks alone would allow minutes.
#[test]
fn the_time_of_a_move_bounds_it_under_every_clock() {
    const TIME: Seconds = Seconds::millis(100);
    let main = Seconds::whole(10_000);
    for control in [
        TimeControl::Absolute(main),
        TimeControl::Fischer { main, increment: main },
        TimeControl::ByoYomi { main, period: main, periods: 3, moves: 1 },
        TimeControl::ByoYomi { main: Seconds::ZERO, period: main, periods: 3, moves: 20 },
        TimeControl::Move(main),
    ] {
        let mut options = Options { search: config(2, 64), time: Some(TIME), ..Options::default() };
        // There is no book for such a supply.
        options.rules.supply = Supply::Limited { tiles: 30, bridges: 10 };
        options.rules.size = Size::new(8).unwrap();
        let mut engine = Engine::new(options);
        engine.set_time_control(control);
        let start = Instant::now();
        engine.genmove(Color::White, &StopSignal::default()).unwrap();
        assert!(start.elapsed() > TIME.duration() / 2, "{control:?}");
        assert!(start.elapsed() < LONG / 2, "{control:?}");
    }
}

/// Plays a game with `main` time for each player; returns the time they spent.
fn game_on_the_clock(main: Duration) -> [Duration; 2] {
    let mut options = Options { search: config(1, 64), ..Options::default() };
    options.rules.size = Size::new(8).unwrap();
    let mut engine = Engine::new(options);
    engine.clear_board();
    engine.set_time_control(TimeControl::Absolute(main.into()));
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
    spent
}

/// A busy machine may suspend the test for longer than the move overhead allows for, a little in
/// every turn; hence the slack of half the time, and more than one game if need be.
#[test]
fn a_game_stays_within_its_time_and_uses_it() {
    const MAIN: Duration = Duration::from_secs(2);
    let mut games = Vec::new();
    for _ in 0..5 {
        let spent = game_on_the_clock(MAIN);
        assert!(spent.iter().all(|&spent| spent > MAIN / 4), "time was left unused: {spent:?}");
        if spent.iter().all(|&spent| spent < MAIN * 3 / 2) {
            return;
        }
        games.push(spent);
    }
    panic!("{games:?} of {MAIN:?}");
}
