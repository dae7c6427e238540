//! `pontifex engine-json`, run as a process.

mod answers;
mod fields;
mod katago;
mod speed;

use pontifex::game::{Position, Rules};
use serde_json::{Value, json};

use super::client::run;

/// A turn of a recorded game.
struct Turn {
    rules: Value,
    /// All moves of the game.
    moves: Vec<String>,
    /// The number of moves before the turn.
    number: usize,
}

impl Turn {
    fn position(&self) -> Position {
        let size = self.rules["board"].as_u64().unwrap();
        let supply = self.rules["supply"].as_str().unwrap().parse().unwrap();
        let size = pontifex::board::Size::new(size).unwrap();
        let mut position = Position::new(Rules { size, supply, pie: true });
        for mv in &self.moves[..self.number] {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }
}

/// Selects `count` turns of the test games, without first turns and ends of games.
fn test_turns(count: usize) -> Vec<Turn> {
    let games: Vec<Value> = include_str!("../../../../../tests/suite/data/games.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let turn = |index: usize| {
        let game = &games[index % games.len()];
        let moves: Vec<String> = serde_json::from_value(game["moves"].clone()).unwrap();
        let number = 2 + index * 7 % moves.len().saturating_sub(3).max(1);
        let rules = json!({ "board": game["size"], "supply": game["supply"] });
        Turn { rules, moves, number }
    };
    (0..).map(turn).filter(|turn| turn.number < turn.moves.len()).take(count).collect()
}

/// Runs `engine-json` on `input`, and returns the lines of its output.
fn run_session(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let output = run(&[&["engine-json"], arguments].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rest of a query whose search takes a minute.
const LONG_SEARCH: &str = "\"moves\":[\"d4,e6\",\"swap\",\"c3,g6\"],\"maxTime\":60";

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}
