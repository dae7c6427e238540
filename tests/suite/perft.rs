//! Numbers of move sequences (`perft`), from data counted by the slow
//! reference, under all symmetries and with colours exchanged.
//!
//! `data/perft.txt` says of itself how it is written. To count it anew, after
//! the rules or the choice of positions changed (a few minutes):
//!
//! ```text
//! cargo test --release --test suite perft::write_data -- --ignored
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;

use pontifex::board::{Cell, Cells, Size, Symmetry};
use pontifex::game::reference::Reference;
use pontifex::game::{Move, Position, Rules, Setup, Stage, Step, Supply, perft, perft_divide};
use rayon::prelude::*;

use crate::random_games::Gambler;

const DATA: &str = include_str!("data/perft.txt");

/// A line of the data.
struct Case {
    rules: Rules,
    moves: Vec<Move>,
    /// Sequences of 1, 2, 3 ... turns.
    counts: Vec<u64>,
}

impl Case {
    fn parse(line: &str) -> Case {
        let mut fields = line.split(';');
        let mut words = || fields.next().expect("three fields").split_whitespace();
        let mut rules = words();
        let (size, supply) = (rules.next().unwrap(), rules.next().unwrap());
        Case {
            rules: Rules {
                size: Size::new(size.parse().unwrap()).unwrap(),
                supply: supply.parse().unwrap(),
                pie: true,
            },
            moves: words().map(|mv| mv.parse().unwrap()).collect(),
            counts: words().map(|count| count.parse().unwrap()).collect(),
        }
    }

    fn position(&self) -> Position {
        let mut position = Position::new(self.rules);
        for &mv in &self.moves {
            position.play(mv).unwrap();
        }
        position
    }

    fn reference(&self) -> Reference {
        let mut reference = Reference::new(self.rules);
        for &mv in &self.moves {
            reference.play(mv);
        }
        reference
    }

    fn name(&self) -> String {
        let Rules { size, supply, .. } = self.rules;
        let last = self.moves.last().map_or("the start".to_owned(), Move::to_string);
        format!("{size} {supply}, {} moves, last {last}", self.moves.len())
    }
}

fn cases() -> impl Iterator<Item = Case> {
    DATA.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(Case::parse)
}

fn cases_in_parallel() -> impl ParallelIterator<Item = Case> {
    cases().collect::<Vec<_>>().into_par_iter()
}

/// The board turned or mirrored.
fn image(setup: &Setup, symmetry: Symmetry) -> Setup {
    let size = setup.rules.size;
    let of_cells = |cells: Cells| cells.into_iter().map(|c| symmetry.apply(c, size)).collect();
    let of_cell = |cell: Cell| symmetry.apply(cell, size);
    Setup {
        tiles: setup.tiles.map(of_cells),
        bridges: setup.bridges.iter().map(|&(a, b)| (of_cell(a), of_cell(b))).collect(),
        ..setup.clone()
    }
}

/// The board with every tile of the other colour and the other side to move.
fn exchanged(setup: &Setup) -> Setup {
    let [white, red] = setup.tiles;
    Setup { tiles: [red, white], side: !setup.side, ..setup.clone() }
}

/// Whether somebody could pass in the next `turns` turns.
fn somebody_could_pass(position: &Position, turns: u32) -> bool {
    turns > 0
        && position.moves().into_iter().any(|mv| {
            let mut after = *position;
            after.play(mv).unwrap();
            mv == Move::Pass || somebody_could_pass(&after, turns - 1)
        })
}

#[test]
fn empty_standard_board() {
    for pie in [true, false] {
        let position = Position::new(Rules { pie, ..Rules::default() });
        assert_eq!(perft(&position, 0), 1);
        assert_eq!(perft(&position, 1), 4950);
        assert_eq!(perft(&position, 2), 23_527_350);
    }
}

#[test]
fn swap_is_not_counted() {
    let mut position = Position::new(Rules::default());
    position.play("d4,e6".parse().unwrap()).unwrap();
    assert!(position.moves().contains(&Move::Swap));
    assert_eq!(position.counts().total(), 4753 + 1);
    assert_eq!(perft(&position, 1), 4753);
    let divided: Vec<(Move, u64)> = perft_divide(&position, 1).collect();
    assert!(divided.iter().all(|&(mv, count)| mv != Move::Swap && count == 1));
    assert_eq!(divided.len(), 4753);
}

#[test]
fn data_covers_every_size() {
    for size in Size::all() {
        let of_size: Vec<Case> = cases().filter(|case| case.rules.size == size).collect();
        let mid_game = of_size.iter().filter(|case| case.moves.len() >= 4).count();
        assert!(mid_game >= 3 && of_size.iter().any(|case| case.moves.is_empty()), "{size}");
    }
}

#[test]
fn counts_under_all_symmetries() {
    cases_in_parallel().for_each(|case| {
        let setup = Setup::from(&case.position());
        let mut seen = HashSet::new();
        for symmetry in Symmetry::all() {
            let position = image(&setup, symmetry).validate().unwrap();
            if seen.insert(position.hash()) {
                for (depth, &count) in (1..).zip(&case.counts) {
                    assert_eq!(perft(&position, depth), count, "{}", case.name());
                }
            }
        }
    });
}

/// White and Red have the same moves in the same place, but not the same end:
/// after White's pass Red has a turn, after Red's there is none. So counts
/// agree as long as a pass comes no earlier than in the last turn counted.
#[test]
fn counts_with_colours_exchanged() {
    let compared = cases_in_parallel().map(|case| {
        let position = case.position();
        if position.stage() != Stage::Normal {
            return 0;
        }
        let other = exchanged(&Setup::from(&position)).validate().unwrap();
        let depths = (1..).zip(&case.counts);
        let without_pass =
            depths.take_while(|&(depth, _)| !somebody_could_pass(&position, depth - 1));
        let compare = |(depth, &count)| assert_eq!(perft(&other, depth), count, "{}", case.name());
        without_pass.map(compare).count()
    });
    let compared: usize = compared.sum();
    assert!(compared > 60, "only {compared} counts were compared");
}

#[test]
fn divided_counts_add_up() {
    for case in cases() {
        let position = case.position();
        for (depth, &count) in (1..).zip(&case.counts).filter(|&(_, &count)| count < 20_000) {
            let divided: u64 = perft_divide(&position, depth).map(|(_, count)| count).sum();
            assert_eq!(divided, count, "{}", case.name());
        }
    }
}

#[test]
fn reference_counts_the_same() {
    cases_in_parallel().for_each(|case| {
        let reference = case.reference();
        let mut nodes = 1;
        for (depth, &count) in (1..).zip(&case.counts) {
            if nodes > 60 {
                break; // The data's writer went on.
            }
            assert_eq!(reference.perft(depth), count, "{}", case.name());
            nodes = count;
        }
    });
}

const HEADER: &str = "\
# Numbers of move sequences, counted by the slow reference (perft.rs says how).
#
# SIZE SUPPLY ; MOVES FROM THE EMPTY BOARD ; COUNT FOR 1 TURN, 2 TURNS, ...
#
# The pie rule is on, but swap is not counted: these are moves on the board. A
# sequence that ends with the game before its last turn is not counted either.
";

/// Positions the reference reaches in reasonable time, with their counts.
#[test]
#[ignore = "writes data/perft.txt"]
fn write_data() {
    let mut text = HEADER.to_owned();
    let mut write = |title: &str, cases: Vec<Case>| {
        write!(text, "\n# {title}\n").unwrap();
        let lines: Vec<String> = cases.into_par_iter().map(|case| line(&case)).collect();
        text.extend(lines);
    };
    for size in Size::all() {
        let rules = Rules { size, ..Rules::default() };
        let mut cases = vec![Case { rules, moves: Vec::new(), counts: Vec::new() }];
        for supply in [Supply::Standard, Supply::Limited { tiles: 9, bridges: 3 }] {
            let number = 100 * cases.len() + usize::from(size.get());
            cases.extend(random_cases(number as u64, Rules { supply, ..rules }));
        }
        write(&format!("{size}x{size}: the start, two random games"), cases);
    }
    for number in [0, 20, 40, 60, 140, 180, 200] {
        write(&format!("game {number} of games.jsonl"), recorded_cases(number));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/data/perft.txt");
    std::fs::write(path, text).unwrap();
}

/// One line, as deep as it is counted in a moment.
fn line(case: &Case) -> String {
    // The published number for two turns, on the standard board, goes in.
    const NODES: u64 = 5000;
    let Rules { size, supply, .. } = case.rules;
    let moves: Vec<String> = case.moves.iter().map(Move::to_string).collect();
    let mut line = format!("{size} {supply} ; {} ;", moves.join(" "));
    let reference = case.reference();
    for depth in 1..=5 {
        let count = reference.perft(depth);
        write!(line, " {count}").unwrap();
        if count == 0 || count > NODES {
            break;
        }
    }
    line + "\n"
}

/// A random game, cut where it begins, at its middle and near its end.
fn random_cases(number: u64, rules: Rules) -> Vec<Case> {
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

fn recorded_cases(number: usize) -> Vec<Case> {
    let line = include_str!("data/games.jsonl").lines().nth(number).unwrap();
    let game: serde_json::Value = serde_json::from_str(line).unwrap();
    let rules = Rules {
        size: Size::new(game["size"].as_u64().unwrap()).unwrap(),
        supply: game["supply"].as_str().unwrap().parse().unwrap(),
        pie: true,
    };
    let moves = game["moves"].as_array().unwrap();
    let moves: Vec<Move> = moves.iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect();
    let turns = moves.len();
    let cuts = [1, turns / 2, turns * 5 / 8, turns * 3 / 4, turns - 8, turns - 4, turns - 1, turns];
    cut(rules, &moves, &cuts)
}

fn cut(rules: Rules, moves: &[Move], cuts: &[usize]) -> Vec<Case> {
    let mut cuts: Vec<usize> = cuts.iter().copied().filter(|&cut| cut <= moves.len()).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let case = |turns| Case { rules, moves: moves[..turns].to_vec(), counts: Vec::new() };
    cuts.into_iter().map(case).collect()
}
