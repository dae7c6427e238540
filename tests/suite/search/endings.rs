//! Searches play endings well and prove nothing false about them.
//!
//! The positions of `data/endings.txt` have exact values by brute force. The exact solver judges
//! the positions after the engine's moves.

use std::time::Duration;

use pontifex::game::{Color, Value};
use pontifex::search::solver::{Budget, Solver};
use pontifex::search::{Bounds, Limits, SearchResult, Searcher, StopSignal};

use super::config;
use crate::endings::file::{Ending, endings};

/// Counts over the positions searched.
#[derive(Debug, Default)]
struct Tally {
    positions: u32,
    /// Moves that keep the value.
    kept: u32,
    /// Reports with the exact value.
    exact: u32,
    /// Moves that the solver could not judge.
    unknown: u32,
    /// Positions with a false proof.
    wrong: Vec<String>,
}

impl Tally {
    /// Judges a search of `ending`.
    fn add(&mut self, ending: &Ending, report: &SearchResult, solver: &mut Solver) {
        let Ending { value: expected, position, .. } = ending;
        let mut after = *position;
        after.play(report.best).expect("a legal move");
        let value = ending.number();
        let mover = position.side();
        self.positions += 1;
        let reported = report.bounds.seen_by(mover);
        // No lower bound may exceed the value.
        let mut is_wrong = reported.lower > value.seen_by(mover);
        match value_of(&after, value, solver) {
            None => self.unknown += 1,
            Some(worth) => {
                assert!(worth.seen_by(mover) <= value.seen_by(mover), "the solver is wrong");
                self.kept += u32::from(worth == value);
                is_wrong |= worth < report.bounds.lower || report.bounds.upper < worth;
            }
        }
        self.exact += u32::from(report.bounds == Bounds::of(value));
        if is_wrong {
            self.wrong.push(format!("{position}: {expected}, {report:?}"));
        }
    }

    fn print(&self, what: &str) {
        let Tally { positions, kept, exact, unknown, wrong } = self;
        let share = |count: &u32| 100.0 * f64::from(*count) / f64::from(*positions);
        println!(
            "{what}: {positions} positions, value kept in {kept} ({:.1} %), exact in {exact} \
             ({:.1} %), {unknown} not judged, {} wrong proofs",
            share(kept),
            share(exact),
            wrong.len()
        );
    }

    fn check(&self, least_kept: u32, least_exact: u32) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        let judged = self.positions - self.unknown;
        assert!(self.unknown * 50 <= self.positions, "{self:?}");
        // Debug builds search few positions: one or two are a large share.
        let slack = if cfg!(debug_assertions) { 2 } else { 0 };
        assert!((self.kept + slack) * 100 >= judged * least_kept, "{self:?}");
        assert!((self.exact + slack) * 100 >= self.positions * least_exact, "{self:?}");
    }
}

/// The exact value of a position, expected to be `guess`; `None` when the solver runs out of
/// budget.
fn value_of(
    position: &pontifex::game::Position,
    guess: Value,
    solver: &mut Solver,
) -> Option<Value> {
    let mut budget = Budget { nodes: 3_000_000, stop: &mut || false };
    let mut bounds = Bounds::UNKNOWN;
    solver.clear();
    solver.solve_exactly(position, guess, &mut bounds, &mut budget).map(|found| found.value)
}

fn search(ending: &Ending, threads: usize, limits: &Limits) -> SearchResult {
    Searcher::default()
        .search(&ending.position, &config(threads, 64), limits, &StopSignal::default())
        .finish()
}

#[test]
fn short_searches_keep_the_value_and_prove_nothing_false() {
    let limits = Limits { iterations: Some(3_000), ..Limits::default() };
    let mut solver = Solver::new(32 << 20);
    // Searches on two threads differ from run to run.
    for (threads, least_kept) in [(1, 99), (2, 97)] {
        let mut tally = Tally::default();
        // Every second position each, so every one once; debug builds take a tenth.
        let step = if cfg!(debug_assertions) { 20 } else { 2 };
        for ending in endings().skip(threads - 1).step_by(step) {
            tally.add(&ending, &search(&ending, threads, &limits), &mut solver);
        }
        tally.print(&format!("{threads} threads, 3000 iterations"));
        tally.check(least_kept, 90);
    }
}

/// After few iterations there are often bounds but no exact value.
#[test]
fn bounds_of_very_short_searches_are_true() {
    let limits = Limits { iterations: Some(200), ..Limits::default() };
    for (number, ending) in endings().enumerate() {
        if cfg!(debug_assertions) && number % 10 != 0 {
            continue;
        }
        let report = search(&ending, 1 + number % 2, &limits);
        let value = ending.number();
        let mover = ending.position.side();
        assert!(report.bounds.seen_by(mover).lower <= value.seen_by(mover), "{report:?}");
    }
}

/// Searches every position on two threads for a second, or for `PONTIFEX_ENDINGS_SECONDS`.
#[test]
#[ignore = "takes a second per position"]
fn long_searches_keep_the_value() {
    let seconds = std::env::var("PONTIFEX_ENDINGS_SECONDS").unwrap_or_else(|_| "1".to_owned());
    let time = Duration::from_secs_f64(seconds.parse().expect("a number of seconds"));
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mut solver = Solver::new(64 << 20);
    let mut tally = Tally::default();
    let mut by_color = [0; 2];
    for ending in endings() {
        by_color[usize::from(ending.position.side() == Color::Red)] += 1;
        tally.add(&ending, &search(&ending, 2, &limits), &mut solver);
    }
    println!("{by_color:?} positions with White and Red to move");
    tally.print(&format!("2 threads, {seconds} s"));
    tally.check(99, 90);
}
