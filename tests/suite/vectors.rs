//! Test vectors for the rules from an independent program: whole games with counts, checksums and
//! scores before every move; single rules; scoring.

use std::fmt::Write as _;

use arrayvec::ArrayString;

use pontifex::board::{Cell, Cells, Size};
use pontifex::game::{Color, Move, Position, Rules, Score, Setup, SetupStage, Supply};
use rayon::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Game {
    size: u64,
    supply: String,
    moves: Vec<String>,
    /// Counts, a checksum and scores before each move.
    #[serde(rename = "plies")]
    steps: Vec<[u64; 11]>,
    #[serde(rename = "final")]
    end: End,
}

#[derive(Deserialize)]
struct End {
    white: [u64; 3],
    red: [u64; 3],
    winner: String,
}

fn numbers(score: Score) -> [u64; 3] {
    [score.points.into(), score.islands.into(), score.bridges.into()]
}

fn winner(position: &Position) -> String {
    position.outcome().winner().map_or("draw".to_owned(), |color| color.to_string())
}

/// The CRC-32 of the sorted texts of all moves except swap, one per line.
fn checksum(position: &Position) -> u32 {
    let text = |mv: Move| {
        let mut text = ArrayString::<7>::new();
        write!(text, "{mv}").unwrap();
        text
    };
    let moves = position.moves().into_iter().filter(|&mv| mv != Move::Swap);
    let mut texts: Vec<ArrayString<7>> = moves.map(text).collect();
    texts.sort_unstable();
    let mut lines = String::with_capacity(8 * texts.len());
    for text in &texts {
        lines.push_str(text);
        lines.push('\n');
    }
    crc32fast::hash(lines.trim_end().as_bytes())
}

/// Replays a game; the number of its turns.
fn replay(number: usize, game: &Game) -> usize {
    let rules = Rules {
        size: Size::new(game.size).unwrap(),
        supply: game.supply.parse().unwrap(),
        pie: true,
    };
    let mut position = Position::new(rules);
    for (turn, (mv, expected)) in game.moves.iter().zip(&game.steps).enumerate() {
        let counts = position.counts();
        let [wp, wi, wb] = numbers(position.score(Color::White));
        let [rp, ri, rb] = numbers(position.score(Color::Red));
        let found = [
            counts.cells.into(),
            counts.pairs.into(),
            counts.bridges.into(),
            counts.pass.into(),
            checksum(&position).into(),
            wp,
            wi,
            wb,
            rp,
            ri,
            rb,
        ];
        assert_eq!(found, *expected, "game {number}, turn {turn}, before {mv}");
        position.play(mv.parse().unwrap()).unwrap();
    }
    assert!(position.is_over(), "game {number}");
    assert_eq!(numbers(position.score(Color::White)), game.end.white, "game {number}");
    assert_eq!(numbers(position.score(Color::Red)), game.end.red, "game {number}");
    assert_eq!(winner(&position), game.end.winner, "game {number}");
    game.moves.len()
}

#[test]
fn games() {
    let lines: Vec<&str> = include_str!("data/games.jsonl").lines().collect();
    let turns = lines
        .par_iter()
        .enumerate()
        .map(|(number, line)| replay(number, &serde_json::from_str(line).unwrap()));
    let turns: usize = turns.sum();
    assert!(turns > 10_000, "only {turns} turns were tested");
}

#[derive(Deserialize)]
struct CaseSetup {
    white: Vec<String>,
    red: Vec<String>,
    bridges: Vec<(String, String)>,
    #[serde(default)]
    white_passed: bool,
}

#[derive(Deserialize)]
struct CaseSupply {
    tiles_per_colour: u16,
    bridges: u16,
}

fn color(text: &str) -> Color {
    if text == "red" { Color::Red } else { Color::White }
}

fn position(size: u64, setup: &CaseSetup, to_move: &str, supply: Option<&CaseSupply>) -> Position {
    let cells = |names: &[String]| names.iter().map(|c| c.parse::<Cell>().unwrap()).collect();
    let supply = supply.map_or(Supply::Unlimited, |supply| Supply::Limited {
        tiles: supply.tiles_per_colour,
        bridges: supply.bridges,
    });
    let ends = |(a, b): &(String, String)| (a.parse().unwrap(), b.parse().unwrap());
    Setup {
        rules: Rules { size: Size::new(size).unwrap(), supply, pie: true },
        tiles: [cells(&setup.white), cells(&setup.red)] as [Cells; 2],
        bridges: setup.bridges.iter().map(ends).collect(),
        side: color(to_move),
        stage: if setup.white_passed { SetupStage::Last } else { SetupStage::Plain },
    }
    .validate()
    .unwrap()
}

#[derive(Deserialize)]
struct RuleCase {
    name: String,
    size: u64,
    setup: CaseSetup,
    to_move: String,
    supply: Option<CaseSupply>,
    query: Query,
    legal: bool,
    after_game_over: Option<bool>,
}

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "move")]
    mv: String,
}

#[test]
fn rule_cases() {
    let cases: Vec<RuleCase> = serde_json::from_str(include_str!("data/rule_cases.json")).unwrap();
    for case in &cases {
        let mut position = position(case.size, &case.setup, &case.to_move, case.supply.as_ref());
        let mv: Move = case.query.mv.parse().unwrap();
        assert_eq!(position.moves().contains(&mv), case.legal, "{}", case.name);
        let played = position.play(mv);
        assert_eq!(played.is_ok(), case.legal, "{}: {played:?}", case.name);
        if let Some(over) = case.after_game_over {
            assert_eq!(position.is_over(), over, "{}", case.name);
        }
    }
    assert_eq!(cases.len(), 63);
}

#[derive(Deserialize)]
struct ScoringCase {
    name: String,
    size: u64,
    setup: CaseSetup,
    to_move: String,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    white: Counts,
    red: Counts,
    winner: String,
}

#[derive(Deserialize)]
struct Counts {
    points: u64,
    islands: u64,
    bridges: u64,
}

#[test]
fn scoring_cases() {
    let cases: Vec<ScoringCase> =
        serde_json::from_str(include_str!("data/scoring_cases.json")).unwrap();
    for case in &cases {
        let position = position(case.size, &case.setup, &case.to_move, None);
        for (color, counts) in
            [(Color::White, &case.expected.white), (Color::Red, &case.expected.red)]
        {
            let expected = [counts.points, counts.islands, counts.bridges];
            assert_eq!(numbers(position.score(color)), expected, "{} {color}", case.name);
        }
        assert_eq!(winner(&position), case.expected.winner, "{}", case.name);
    }
    assert_eq!(cases.len(), 10);
}
