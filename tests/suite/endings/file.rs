//! Endings of engine games, with values by brute force, in a file.

use std::fs;

use pontifex::board::Size;
use pontifex::game::{Color, Move, Position, Rules, Setup, Supply, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver};
use serde_json::Value as Json;

use super::brute::Brute;

const ENDINGS: &str = include_str!("../data/endings.txt");

/// A line of the file.
pub(crate) struct Ending {
    /// What it is worth, as text.
    pub(crate) value: String,
    is_delicate: bool,
    pub(crate) position: Position,
}

impl Ending {
    /// What it is worth.
    pub(crate) fn number(&self) -> Value {
        let found = (-1000..1000).map(Value::new).find(|value| value.to_string() == self.value);
        found.expect("the text of a value")
    }
}

/// All positions of the file.
pub(crate) fn endings() -> impl Iterator<Item = Ending> {
    ENDINGS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.splitn(4, ' ');
        let mut field = || fields.next().expect("four fields");
        let (value, _turns, mark, text) = (field(), field(), field(), field());
        let setup = Setup::parse(text, Supply::Standard, false).expect("a position");
        let position = setup.validate().expect("a legal position");
        Ending { value: value.to_owned(), is_delicate: mark == "!", position }
    })
}

#[test]
fn the_solver_proves_the_values_in_the_file() {
    let mut solver = Solver::new(16 << 20);
    let (mut count, mut delicate, mut solved) = (0, 0, 0);
    for Ending { value, is_delicate, position } in endings() {
        count += 1;
        delicate += usize::from(is_delicate);
        solver.clear();
        let mut stop = || false;
        let mut budget = Budget { nodes: 60_000, stop: &mut stop };
        let mut bounds = Bounds::UNKNOWN;
        let guess = Value::from(position.outcome());
        let solution = solver.solve_exactly(&position, guess, &mut bounds, &mut budget);
        if let Some(solution) = solution {
            solved += 1;
            assert_eq!(solution.value.to_string(), value, "{position}");
        }
    }
    println!("{solved} of {count} solved, {delicate} delicate");
    assert!(count >= 300 && delicate * 2 >= count, "{count} {delicate}");
    assert!(solved * 100 >= count * 97, "{solved} of {count}");
}

#[test]
fn leaves_get_bounds_that_hold() {
    let mut solver = Solver::new(1 << 20);
    let mut decided = 0;
    let mut count = 0;
    for Ending { value, position, .. } in endings() {
        count += 1;
        let bounds = solver.solve_leaf(&position, 200);
        decided += usize::from(bounds.is_decided());
        let winner = match value.chars().next() {
            Some('W') => Some(Color::White),
            Some('R') => Some(Color::Red),
            _ => None,
        };
        assert!(winner != Some(Color::White) || bounds.upper > Value::DRAW, "{position}");
        assert!(winner != Some(Color::Red) || bounds.lower < Value::DRAW, "{position}");
        assert!(
            !bounds.is_decided()
                || bounds.lower.winner() == winner
                || bounds.upper.winner() == winner
        );
    }
    println!("{decided} of {count} decided");
    assert!(decided * 3 > count, "{decided} of {count}");
}

/// How many positions brute force may look at for a line of the file.
const BRUTE_LIMIT: u64 = 400_000;

/// Whether a turn of the mover throws away some of `value`, as far as the
/// solver can tell.
fn is_delicate(solver: &mut Solver, position: &Position, value: Value) -> bool {
    let mut stop = || false;
    position.moves().into_iter().filter(|&mv| mv != Move::Swap).any(|mv| {
        let mut after = *position;
        position.steps_of(mv).for_each(|step| after.make(step));
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

/// Prints lines of `data/endings.txt` from the journals of `pontifex match`
/// that `PONTIFEX_JOURNALS` names, separated by commas:
///
/// `PONTIFEX_JOURNALS=a.jsonl cargo test --release make_endings -- --ignored --nocapture`
#[test]
#[ignore = "makes the data file: minutes of brute force"]
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
        if !is_delicate && !number.is_multiple_of(4) {
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
