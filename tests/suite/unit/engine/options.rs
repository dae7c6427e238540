//! What a library user may set: extreme options, and positions that are no start of a turn.

use std::time::{Duration, Instant};

use pontifex::board::{Cell, Size};
use pontifex::engine::{
    AnalysisRequest, Answer, Engine, Game, Options, SearchResult, Seconds, StopSignal, TimeControl,
    UnfinishedTurn, find_param,
};
use pontifex::game::{Color, Position, Step};
use pontifex::search::{Config, Limits, Searcher};

/// On 6×6, with one thread and little memory.
fn options() -> Options {
    let mut options = Options { playouts: 20, ..Options::default() };
    options.rules.size = Size::new(6).unwrap();
    (options.search.threads, options.search.memory) = (1, 16);
    options
}

fn plays(options: Options, control: TimeControl) {
    let mut engine = Engine::new(options);
    engine.set_time_control(control);
    let answer = engine.genmove(Color::White, &StopSignal::default()).unwrap();
    assert!(matches!(answer, Answer::Move(_)));
}

#[test]
fn the_longest_and_shortest_times_are_times() {
    let (none, year) = (Seconds::ZERO, Seconds::MAX);
    for time in [Some(none), Some(year), None] {
        for control in [
            TimeControl::None,
            TimeControl::Move(year),
            TimeControl::Absolute(none),
            TimeControl::Fischer { main: year, increment: year },
            TimeControl::ByoYomi { main: year, period: year, periods: u32::MAX, moves: u32::MAX },
        ] {
            plays(Options { time, move_overhead: u64::MAX, ..options() }, control);
        }
    }
    let mut engine = Engine::new(options());
    engine.set_time_left(Color::White, year, u32::MAX);
    engine.genmove(Color::White, &StopSignal::default()).unwrap();
}

#[test]
fn durations_of_a_search_may_have_any_length() {
    let mut options = Options { slice: Some(Duration::MAX), ..options() };
    options.playouts = 0;
    options.time = Some(Seconds::millis(20));
    plays(options, TimeControl::None);
    let (usual, time) = (Some(Duration::MAX), Some(Duration::MAX));
    let limits = Limits { usual, time, iterations: Some(3000), ..Limits::default() };
    let Options { rules, search, .. } = self::options();
    let position = Position::new(rules);
    Searcher::default().search(&position, &search, &limits, &StopSignal::default()).finish();
}

#[test]
fn any_number_of_mebibytes_and_iterations_is_a_limit() {
    let mut options = options();
    options.search.memory = usize::MAX;
    plays(options, TimeControl::None);
    let mut options = self::options();
    (options.search.memory, options.playouts) = (0, u64::MAX);
    options.time = Some(Seconds::millis(100));
    let start = Instant::now();
    plays(options, TimeControl::None);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn the_limits_of_the_parameters_are_those_of_the_search() {
    let mut options = options();
    for (name, most) in [("threads", Config::MAX_THREADS), ("memory", Config::MAX_MEMORY)] {
        let param = find_param(name).unwrap();
        assert_eq!(param.kind.range(), format!("1..{most}"));
        assert!(param.set(&mut options, &most.to_string()).is_ok());
        assert!(param.set(&mut options, &usize::MAX.to_string()).is_err());
    }
}

/// The analysis offered moves without a1, and `genmove` panicked.
#[test]
fn a_position_in_the_middle_of_a_turn_is_refused() {
    let mut engine = Engine::new(options());
    let mut position = *engine.position();
    let first_tile: Cell = "a1".parse().unwrap();
    position.make(Step::Tile(first_tile));
    let refusal = UnfinishedTurn { first_tile };
    assert_eq!(engine.set_position(position), Err(refusal));
    assert_eq!(Game::new(position), Err(refusal));
    assert_eq!(
        refusal.to_string(),
        "the turn is unfinished: a second tile must follow the one on a1"
    );
    assert!(engine.game().is_empty() && engine.position() != &position, "nothing changes");
    position.make(Step::Tile("b2".parse().unwrap()));
    assert_eq!(engine.set_position(position), Ok(()));
    let analysis = engine
        .analyze(&AnalysisRequest::default(), false, &StopSignal::default(), &mut |_| {})
        .finish();
    assert!(analysis.unwrap().moves.iter().all(|c| position.check(c.mv).is_ok()));
}

#[test]
fn a_search_after_clear_cache_is_as_the_first() {
    let mut options = options();
    options.rules.pie = false;
    let mut engine = Engine::new(options);
    engine.clear_board();
    let search = |engine: &mut Engine| {
        let SearchResult { best, winrate, nodes, .. } =
            engine.search(&StopSignal::default()).unwrap();
        (best, winrate, nodes)
    };
    let first = search(&mut engine);
    assert_ne!(search(&mut engine), first, "the tree is kept");
    engine.clear_cache();
    assert_eq!(search(&mut engine), first);
}
