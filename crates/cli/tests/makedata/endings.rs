//! Lines for `endings.txt`: endings of engine games with values by brute force.

use pontifex::game::{Color, Move, Position, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver};

use crate::journal::Game;

use pontifex_testing::brute::Brute;

/// The limit of positions for brute force.
const BRUTE_LIMIT: u64 = 400_000;

/// Prints a line for most games.
pub(crate) fn print(games: &[Game]) {
    let mut solver = Solver::new(64 << 20);
    for (number, game) in games.iter().enumerate() {
        print_ending(&mut solver, game, number);
    }
}

/// Prints the earliest delicate position of a game that brute force solves, from `4 + number % 7`
/// to 4 turns before the end. In every fourth game the position need not be delicate.
fn print_ending(solver: &mut Solver, game: &Game, number: usize) {
    let mut stop = || false;
    let most = (4 + number % 7).min(game.moves.len());
    for turns in (4..=most).rev() {
        let position = game.before_end(turns).expect("not longer than the game");
        solver.clear();
        let mut budget = Budget { nodes: 100_000, stop: &mut stop };
        let guess = Value::from(position.outcome());
        let mut bounds = Bounds::UNKNOWN;
        let solution = solver.solve_exactly(&position, guess, &mut bounds, &mut budget);
        let Some(solution) = solution else { continue };
        let is_delicate = can_lose_value(solver, &position, solution.value);
        if !is_delicate && !number.is_multiple_of(4) {
            continue;
        }
        let Some(value) = Brute::new(BRUTE_LIMIT).value_near(&position, solution.value) else {
            continue;
        };
        assert_eq!(value, solution.value, "the solver is wrong: {position}");
        let mark = if is_delicate { '!' } else { '-' };
        println!("{value} {turns} {mark} {position}");
        return;
    }
}

/// Whether some turn of the side to move loses part of `value`, as far as the solver can prove in
/// 20,000 positions.
fn can_lose_value(solver: &mut Solver, position: &Position, value: Value) -> bool {
    let mut stop = || false;
    position.moves().into_iter().filter(|&mv| mv != Move::Swap).any(|mv| {
        let mut after = *position;
        mv.steps().for_each(|step| after.make(step));
        let number = value.get();
        let (alpha, beta) = match position.side() {
            Color::White => (Value::new(number - 1), value),
            Color::Red => (value, Value::new(number + 1)),
        };
        let mut budget = Budget { nodes: 20_000, stop: &mut stop };
        solver.solve(&after, alpha, beta, &mut budget).is_some_and(|bounds| match position.side() {
            Color::White => bounds.upper < value,
            Color::Red => bounds.lower > value,
        })
    })
}
