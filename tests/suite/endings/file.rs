//! Endings of engine games, with values by brute force, in a file.

use std::fs;

use pontifex::board::Size;
use pontifex::game::{Color, Move, Position, Rules, Supply, Value};
use pontifex::search::solver::{Bounds, Budget, Solver};
use serde_json::Value as Json;

use super::brute::Brute;

/// How many positions brute force may look at for a line of the file.
const BRUTE_LIMIT: u64 = 400_000;

/// Whether a turn of the mover throws away some of `value`, as far as the
/// solver can tell.
fn is_delicate(solver: &mut Solver, position: &Position, value: Value) -> bool {
    let mut stop = || false;
    position.moves().into_iter().filter(|&mv| mv != Move::Swap).any(|mv| {
        let mut after = *position;
        position.plies_of(mv).for_each(|ply| after.make(ply));
        let number = value.get();
        let (alpha, beta) = match position.side() {
            Color::White => (Value::new(number - 1), value),
            Color::Red => (value, Value::new(number + 1)),
        };
        let mut budget = Budget { nodes: 20_000, stop: &mut stop };
        solver.solve(&after, alpha, beta, &mut budget).is_some_and(|bounds| {
            match position.side() {
                Color::White => bounds.upper < value,
                Color::Red => bounds.lower > value,
            }
        })
    })
}

/// Prints lines of `data/endings.txt` from the journals of `pontifex match`
/// that `PONTIFEX_JOURNALS` names, separated by commas:
///
/// `PONTIFEX_JOURNALS=a.jsonl cargo test --release make_endings -- --ignored --nocapture`
#[test]
#[ignore = "makes the data file: hours of brute force"]
fn make_endings() {
    let files = std::env::var("PONTIFEX_JOURNALS").expect("PONTIFEX_JOURNALS");
    let mut solver = Solver::new(64 << 20);
    for file in files.split(',') {
        let text = fs::read_to_string(file).expect("a journal");
        let mut lines = text.lines();
        let header: Json = serde_json::from_str(lines.next().unwrap_or("")).expect("a header");
        let size = header["config"]["board"].as_u64().expect("a board");
        let size = Size::new(size).expect("a board size");
        let rules = Rules { size, supply: Supply::Standard, pie: false };
        for (number, line) in lines.enumerate() {
            let Ok(entry) = serde_json::from_str::<Json>(line) else { break };
            let moves: Vec<Move> = entry["moves"]
                .as_str()
                .expect("moves")
                .split(' ')
                .map(|mv| mv.parse().expect("a move"))
                .collect();
            print_ending(&mut solver, rules, &moves, number);
        }
    }
}

/// Prints the earliest position of a game, from 4 to 10 turns (in turn) before its
/// end to 4,
/// that brute force gets to the bottom of and that is delicate; of every
/// fourth game one that need not be.
fn print_ending(solver: &mut Solver, rules: Rules, moves: &[Move], number: usize) {
    let mut stop = || false;
    let most = (4 + number % 7).min(moves.len());
    for turns in (4..=most).rev() {
        let mut position = Position::new(rules);
        for &mv in &moves[..moves.len() - turns] {
            position.play(mv).expect("a legal game");
        }
        solver.clear();
        let mut budget = Budget { nodes: 100_000, stop: &mut stop };
        let guess = Value::from(position.outcome());
        let solution =
            solver.solve_exactly(&position, guess, &mut Bounds::UNKNOWN.clone(), &mut budget);
        let Some(solution) = solution else { continue };
        let is_delicate = is_delicate(solver, &position, solution.value);
        if !is_delicate && number % 4 != 0 {
            continue;
        }
        let Some(value) = Brute::new(BRUTE_LIMIT).value_near(&position, solution.value) else {
            continue;
        };
        let mark = if is_delicate { '!' } else { '-' };
        println!("{value} {turns} {mark} {position}");
        assert_eq!(value, solution.value, "the solver is wrong");
        return;
    }
}
