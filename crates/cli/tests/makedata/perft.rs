//! `perft.txt`: numbers of move sequences, counted by the reference rules.

use std::fmt::Write as _;

use pontifex::board::Size;
use pontifex::game::{Move, Position, Rules, Step, Supply};
use pontifex_testing::reference_rules::Reference;
use rayon::prelude::*;
use serde_json::Value as Json;

use pontifex_testing::random_games::Gambler;

const HEADER: &str = "\
# Numbers of move sequences, counted by the reference rules. Made by
# `cargo test --release --test makedata -- perft`.
#
# SIZE SUPPLY ; MOVES FROM THE EMPTY BOARD ; COUNT FOR 1 TURN, 2 TURNS, ...
#
# The pie rule is on, and a swap is a turn. A sequence in which the game ends before
# the last turn is not counted.
";

/// The last count of a line is the first above this number. It is just large enough for two turns
/// on the standard board, whose count is published.
const NODES: u64 = 5000;

/// A position: the rules and the moves from the empty board.
struct Line {
    rules: Rules,
    moves: Vec<Move>,
}

/// Prints the whole file.
pub(crate) fn print() {
    println!("{HEADER}");
    let mut is_first = true;
    let mut print = |title: &str, lines: Vec<Line>| {
        if !is_first {
            println!();
        }
        is_first = false;
        println!("# {title}");
        let lines: Vec<String> = lines.into_par_iter().map(|line| counted(&line)).collect();
        println!("{}", lines.join("\n"));
    };
    for size in Size::all() {
        let rules = Rules { size, ..Rules::default() };
        let mut lines = vec![Line { rules, moves: Vec::new() }];
        for supply in [Supply::Standard, Supply::Limited { tiles: 9, bridges: 3 }] {
            let number = 100 * lines.len() + usize::from(size.get());
            lines.extend(random_lines(number as u64, Rules { supply, ..rules }));
        }
        print(&format!("{size}x{size}: the start, two random games"), lines);
    }
    for number in [0, 20, 40, 60, 140, 180, 200] {
        print(&format!("game {number} of games.jsonl"), recorded_lines(number));
    }
}

/// The text of a line, with its counts.
fn counted(line: &Line) -> String {
    let Rules { size, supply, .. } = line.rules;
    let moves: Vec<String> = line.moves.iter().map(Move::to_string).collect();
    let mut text = format!("{size} {supply} ; {} ;", moves.join(" "));
    let mut reference = Reference::new(line.rules);
    for &mv in &line.moves {
        reference.play(mv);
    }
    for depth in 1..=5 {
        let count = reference.perft(depth);
        write!(text, " {count}").expect("a string takes all text");
        if count == 0 || count > NODES {
            break;
        }
    }
    text
}

/// Positions of a random game: near its start, in its middle, near its end.
fn random_lines(number: u64, rules: Rules) -> Vec<Line> {
    let mut gambler = Gambler::new(number);
    let mut position = Position::new(rules);
    let mut moves = Vec::new();
    while let Some(step) = gambler.step(&position) {
        position.make(step);
        moves.push(match step {
            Step::Tile(a) => match gambler.step(&position) {
                Some(second @ Step::Tile(b)) => {
                    position.make(second);
                    Move::tiles(a, b)
                }
                other => panic!("{other:?} in the middle of a turn"),
            },
            Step::Bridge(site) => {
                let [a, b] = site.ends();
                Move::bridge(a, b)
            }
            Step::Pass => Move::Pass,
            Step::Swap => Move::Swap,
        });
    }
    let turns = moves.len();
    let cuts = [4, turns / 2, turns * 3 / 4, turns.saturating_sub(5), turns - 2];
    cut(rules, &moves, &cuts)
}

/// Positions of a game of `games.jsonl`.
fn recorded_lines(number: usize) -> Vec<Line> {
    let line = include_str!("../../../../tests/suite/data/games.jsonl")
        .lines()
        .nth(number)
        .expect("a game");
    let game: Json = serde_json::from_str(line).expect("JSON");
    let size = Size::new(game["size"].as_u64().expect("a size")).expect("a board size");
    let supply = game["supply"].as_str().expect("a supply").parse().expect("a supply");
    let rules = Rules { size, supply, pie: true };
    let moves = game["moves"].as_array().expect("moves").iter();
    let moves: Vec<Move> =
        moves.map(|mv| mv.as_str().expect("a move").parse().expect("a move")).collect();
    let turns = moves.len();
    let cuts = [1, turns / 2, turns * 5 / 8, turns * 3 / 4, turns - 8, turns - 4, turns - 1, turns];
    cut(rules, &moves, &cuts)
}

/// The positions after the given numbers of turns, without repetitions.
fn cut(rules: Rules, moves: &[Move], cuts: &[usize]) -> Vec<Line> {
    let mut cuts: Vec<usize> = cuts.iter().copied().filter(|&cut| cut <= moves.len()).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.into_iter().map(|turns| Line { rules, moves: moves[..turns].to_vec() }).collect()
}
