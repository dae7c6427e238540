//! `data/small_boards.txt`: White's first turns on the smallest boards, solved. The solver proves
//! them again, and the engine agrees.

use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::game::{Color, Position, Value};
use pontifex::search::solver::{Budget, Solver};
use pontifex::search::{Bounds, Config, Limits, SearchResult, Searcher, StopSignal};

use pontifex_testing::small_boards::{Opening, empty, placements};

const SMALL_BOARDS: &str = include_str!("../data/small_boards.txt");

fn openings() -> impl Iterator<Item = Opening> {
    SMALL_BOARDS.lines().filter(|line| !line.starts_with('#')).map(Opening::parse)
}

#[test]
fn every_opening_is_listed_once() {
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

/// Four times the positions in the file, whose proofs could use the hash table entries of the lines
/// before.
fn budget(nodes: u64, stop: &mut dyn FnMut() -> bool) -> Budget<'_> {
    Budget { nodes: 4 * nodes + 100_000, stop }
}

#[test]
fn the_solver_solves_cheap_openings() {
    const CHEAP: u64 = 100_000;
    let mut solver = Solver::new(16 << 20);
    let mut stop = || false;
    let mut count = 0;
    for opening in openings().filter(|opening| opening.nodes <= CHEAP) {
        solver.clear();
        let Bounds { lower, upper } = opening.bounds;
        let position = opening.position();
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

fn search(searcher: &mut Searcher, position: &Position, iterations: u64) -> SearchResult {
    let config = Config { threads: 1, memory: 64, ..Options::default().search };
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    searcher.search(position, &config, &limits, &StopSignal::default()).finish()
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

/// Its proofs are true, and its win rates favour the winner.
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
