//! The smallest boards, opening by opening: what is proved of them, and that
//! the engine finds it too.

mod openings;

use std::env;

use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::game::{Color, Position, Value};
use pontifex::search::solver::{Budget, Solver};
use pontifex::search::{Bounds, Config, Limits, Report, Searcher, StopSignal};

use self::openings::{Opening, empty, placements, print_openings};

const SMALL_BOARDS: &str = include_str!("../data/small_boards.txt");

fn openings() -> impl Iterator<Item = Opening> {
    SMALL_BOARDS.lines().filter(|line| !line.starts_with('#')).map(Opening::parse)
}

#[test]
fn each_opening_is_there_once() {
    for (size, count) in [(4, 21), (5, 49)] {
        let size = Size::new(size).unwrap();
        let all = placements(size);
        assert_eq!(all.len(), count);
        let listed: Vec<Opening> = openings().filter(|opening| opening.size == size).collect();
        for opening in &listed {
            let same = listed.iter().filter(|other| other.placement == opening.placement);
            assert_eq!(same.count(), 1, "{opening}");
            assert!(all.contains(&opening.placement), "{opening}");
        }
        println!("{size:?}: {} of {count} openings", listed.len());
        assert!(size != Size::MIN || listed.len() == count);
    }
}

/// Four times the positions that a line took with what was known from the
/// lines before it.
fn budget(nodes: u64, stop: &mut dyn FnMut() -> bool) -> Budget<'_> {
    Budget { nodes: 4 * nodes + 100_000, stop }
}

#[test]
fn what_is_cheap_is_solved_again() {
    const CHEAP: u64 = 100_000;
    let mut solver = Solver::new(16 << 20);
    let mut stop = || false;
    let mut count = 0;
    for opening in openings().filter(|opening| opening.nodes <= CHEAP) {
        solver.clear();
        let Bounds { lower, upper } = opening.bounds;
        let position = opening.position();
        // Whether it is at most the upper bound, and at least the lower.
        if upper < Value::MAX {
            let above = Value::new(upper.get() + 1);
            let budget = &mut budget(opening.nodes, &mut stop);
            let found = solver.solve(&position, upper, above, budget).expect("it was cheap");
            assert!(found.upper <= upper, "{opening}: {found:?}");
        }
        if lower > Value::MIN {
            let below = Value::new(lower.get() - 1);
            let budget = &mut budget(opening.nodes, &mut stop);
            let found = solver.solve(&position, below, lower, budget).expect("it was cheap");
            assert!(found.lower >= lower, "{opening}: {found:?}");
        }
        count += 1;
    }
    println!("{count} solved again");
    assert!(count >= 21);
}

fn search(searcher: &mut Searcher, position: &Position, iterations: u64) -> Report {
    let config = Config { threads: 1, memory: 64, ..Options::default().search };
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    searcher.search(position, &config, &limits, &StopSignal::default())
}

#[test]
fn the_engine_proves_that_four_by_four_is_a_draw() {
    let report = search(&mut Searcher::default(), &empty(Size::MIN), 60_000);
    println!("{report:?}");
    assert_eq!(report.bounds.exact(), Some(Value::DRAW));
}

#[test]
fn the_engine_holds_four_by_four_against_perfect_play() {
    let mut stop = || false;
    for us in Color::BOTH {
        let mut searcher = Searcher::default();
        let mut solver = Solver::new(16 << 20);
        let mut position = empty(Size::MIN);
        while !position.is_over() {
            if position.side() == us {
                let report = search(&mut searcher, &position, 2_000);
                position.play(report.best).expect("a legal move");
            } else {
                let budget = &mut Budget { nodes: u64::MAX, stop: &mut stop };
                let mut bounds = Bounds::UNKNOWN;
                let found = solver.solve_exactly(&position, Value::DRAW, &mut bounds, budget);
                position.make(found.and_then(|found| found.best).expect("a step"));
            }
        }
        assert!(position.outcome().winner().is_none_or(|winner| winner == us), "{us:?} {position}");
    }
}

/// What it proves is true, and it sees who is better.
#[test]
fn the_engine_agrees_about_five_by_five() {
    let iterations = if cfg!(debug_assertions) { 500 } else { 5_000 };
    let mut searcher = Searcher::default();
    let (mut count, mut agreeing) = (0, 0);
    for opening in openings().filter(|opening| opening.size != Size::MIN) {
        searcher.clear();
        let report = search(&mut searcher, &opening.position(), iterations);
        let together = report.bounds.and(opening.bounds);
        assert!(together.lower <= together.upper, "{opening}: {report:?}");
        if opening.bounds.is_decided() && opening.bounds.exact() != Some(Value::DRAW) {
            let is_red = opening.bounds.upper < Value::DRAW;
            count += 1;
            agreeing += usize::from((report.winrate > 0.5) == is_red);
            println!("{:.2} {opening}", report.winrate);
        }
    }
    println!("{agreeing} of {count} agree");
    assert_eq!(agreeing, count);
}

/// Prints lines of `data/small_boards.txt` for the board `PONTIFEX_BOARD`, with
/// `PONTIFEX_NODES` positions at most for each of three questions, of all
/// openings or of those in `PONTIFEX_OPENINGS`, separated by `/`:
///
/// `PONTIFEX_BOARD=5 PONTIFEX_NODES=5000000 cargo test --release make_small_boards -- --ignored --nocapture`
#[test]
#[ignore = "makes the data file: a quarter of an hour for 5x5"]
fn make_small_boards() {
    let number = |name| env::var(name).expect(name).parse::<u64>().expect("a number");
    let size = Size::new(number("PONTIFEX_BOARD")).expect("a board size");
    let chosen = env::var("PONTIFEX_OPENINGS").map_or_else(
        |_| placements(size),
        |text| text.split('/').map(|mv| mv.parse().expect("a move")).collect(),
    );
    print_openings(size, chosen, number("PONTIFEX_NODES"));
}
