//! Endings of random games of all sizes and supplies, some between the two tiles of a turn.

use std::collections::HashMap;
use std::ops::Range;

use pontifex::board::Size;
use pontifex::game::{Position, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver};
use rayon::prelude::*;

use pontifex_testing::brute::{Brute, minimax};
use pontifex_testing::random_games::Gambler;

/// No limit, for small positions.
pub(crate) fn unlimited(stop: &mut dyn FnMut() -> bool) -> Budget<'_> {
    Budget { nodes: u64::MAX, stop }
}

/// The positions of a random game, after every step.
fn positions(gambler: &mut Gambler, size: Size) -> Vec<Position> {
    let mut position = Position::new(gambler.rules(size));
    let mut all = vec![position];
    while let Some(step) = gambler.step(&position) {
        position.make(step);
        all.push(position);
    }
    all
}

/// Endings of random game `number` with values by brute force: the earliest position that is solved
/// in `limit` positions, and a later one.
fn endings_of_game(number: u64, limit: u64) -> impl Iterator<Item = (Position, Value)> {
    const SIZES: [u64; 8] = [4, 5, 6, 7, 10, 4, 5, 6];
    let size = Size::new(SIZES[number as usize % SIZES.len()]).expect("a board size");
    let mut gambler = Gambler::new(number);
    let positions = positions(&mut gambler, size);
    let mut brute = Brute::new(limit);
    let mut solved: Vec<(Position, Value)> = Vec::new();
    for position in positions.into_iter().rev() {
        match brute.value(&position) {
            Some(value) => solved.push((position, value)),
            None => break,
        }
    }
    let earliest = solved.last().copied();
    let other = solved.get(gambler.below(solved.len() as u32) as usize).copied();
    earliest.into_iter().chain(other)
}

/// Endings of the first `games` random games.
fn endings(games: u64, limit: u64) -> impl Iterator<Item = (Position, Value)> {
    (0..games).flat_map(move |number| endings_of_game(number, limit))
}

#[test]
fn brute_force_is_minimax() {
    for (position, value) in endings(60, 300) {
        assert_eq!(minimax(&position, &mut HashMap::new()), value);
    }
}

/// Solves the endings of some random games with one solver and compares the values. Returns the
/// number of endings, and of those within a turn.
fn compare(games: Range<u64>) -> (u32, u32) {
    let mut solver = Solver::new(1 << 20);
    let mut stop = || false;
    let mut half_turns = 0;
    let mut count = 0;
    for (position, value) in games.flat_map(|number| endings_of_game(number, 2_000)) {
        count += 1;
        half_turns += u32::from(position.is_half_turn());
        if count % 3 == 0 {
            solver.clear();
        }
        let mut bounds = Bounds::UNKNOWN;
        let guess = Value::from(position.outcome());
        let solution = solver
            .solve_exactly(&position, guess, &mut bounds, &mut unlimited(&mut stop))
            .expect("no limit");
        assert_eq!(solution.value, value, "{}", position.hash());
        assert_eq!(bounds.exact(), Some(value));
        let Some(best) = solution.best else { continue };
        let mut after = position;
        after.make(best);
        assert_eq!(Brute::new(u64::MAX).value_near(&after, value), Some(value), "{best:?}");
    }
    (count, half_turns)
}

#[test]
fn the_solver_agrees_with_brute_force() {
    let (count, half_turns) = (0..40_u64)
        .into_par_iter()
        .map(|part| compare(50 * part..50 * (part + 1)))
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    assert!(count > 3_000 && half_turns > 800, "{count} {half_turns}");
}

#[test]
fn results_respect_the_window() {
    let mut stop = || false;
    for (number, (position, value)) in endings(300, 500).enumerate() {
        let mut solver = Solver::new(1 << 16);
        let mut gambler = Gambler::new(number as u64);
        for _ in 0..6 {
            let alpha = gambler.below(20) as i16 - 10;
            let beta = alpha + 1 + gambler.below(4) as i16;
            let (alpha, beta) = (Value::new(alpha), Value::new(beta));
            let bounds =
                solver.solve(&position, alpha, beta, &mut unlimited(&mut stop)).expect("no limit");
            assert!(bounds.lower <= value && value <= bounds.upper, "{bounds:?} {value}");
            match value {
                _ if value <= alpha => assert!(bounds.upper <= alpha),
                _ if value >= beta => assert!(bounds.lower >= beta),
                _ => assert_eq!(bounds.exact(), Some(value)),
            }
        }
    }
}

/// Also when the hash table has entries from other questions.
#[test]
fn the_best_step_keeps_the_proved_value() {
    let mut stop = || false;
    let mut count = 0;
    for (number, (position, value)) in endings(1_000, 1_000).enumerate() {
        if position.is_over() {
            continue;
        }
        let mut solver = Solver::new(1 << 20);
        let mut gambler = Gambler::new(number as u64);
        let mover = position.side();
        let mut lower = Value::MIN;
        let mut brute = Brute::new(u64::MAX);
        for _ in 0..6 {
            let alpha = value.get() + gambler.below(9) as i16 - 5;
            let (alpha, beta) = (Value::new(alpha), Value::new(alpha + 1));
            let budget = &mut unlimited(&mut stop);
            let bounds = solver.solve(&position, alpha, beta, budget).expect("no limit");
            lower = lower.max(bounds.seen_by(mover).lower);
            if lower == Value::MIN {
                continue;
            }
            let best = solver.best_step(&position, lower.seen_by(mover), budget).expect("no limit");
            let mut after = position;
            after.make(best);
            let worth = brute.value(&after).expect("no limit");
            assert!(worth.seen_by(mover) >= lower, "{position} {best:?} {worth} {lower}");
            count += 1;
        }
    }
    assert!(count > 4_000, "{count}");
}

#[test]
fn a_solution_in_slices_has_the_same_value() {
    for (position, value) in endings(100, 20_000) {
        let mut solver = Solver::new(1 << 20);
        let mut bounds = Bounds::UNKNOWN;
        let mut slices = 0;
        let solution = loop {
            let mut stop = || false;
            let mut budget = Budget { nodes: 3_000, stop: &mut stop };
            if let Some(found) = solver.solve_exactly(&position, value, &mut bounds, &mut budget) {
                break found;
            }
            slices += 1;
            assert!(slices < 1_000, "no progress");
        };
        assert_eq!(solution.value, value);
    }
}
