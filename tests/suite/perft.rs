//! Numbers of move sequences (`perft`) against `data/perft.txt`, which the reference rules counted,
//! under all symmetries and with colours exchanged.

use std::collections::HashSet;

use pontifex::board::{Cell, Cells, Size, Symmetry};
use pontifex::game::{Move, Position, Rules, Setup, Stage, perft, perft_divide};
use pontifex_testing::reference_rules::Reference;
use rayon::prelude::*;

const DATA: &str = include_str!("data/perft.txt");

/// A line of the data.
struct Case {
    rules: Rules,
    moves: Vec<Move>,
    /// The numbers of sequences of 1, 2, 3 ... turns.
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

/// The position turned or mirrored.
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

/// The position with colours exchanged, the side to move included.
fn exchanged(setup: &Setup) -> Setup {
    let [white, red] = setup.tiles;
    Setup { tiles: [red, white], side: !setup.side, ..setup.clone() }
}

/// Whether a pass is possible in the next `turns` turns.
fn can_pass(position: &Position, turns: u32) -> bool {
    turns > 0
        && position.moves().into_iter().any(|mv| {
            let mut after = *position;
            after.play(mv).unwrap();
            mv == Move::Pass || can_pass(&after, turns - 1)
        })
}

#[test]
fn empty_standard_board() {
    for (pie, two) in [(true, 23_532_300), (false, 23_527_350)] {
        let position = Position::new(Rules { pie, ..Rules::default() });
        assert_eq!(perft(&position, 0), 1);
        assert_eq!(perft(&position, 1), 4950);
        assert_eq!(perft(&position, 2), two);
    }
}

#[test]
fn a_swap_is_a_turn() {
    let mut position = Position::new(Rules::default());
    position.play("d4,e6".parse().unwrap()).unwrap();
    assert!(position.moves().contains(&Move::Swap));
    assert_eq!(perft(&position, 1), 4753 + 1);
    let divided: Vec<(Move, u64)> = perft_divide(&position, 1).collect();
    assert_eq!(divided.last(), Some(&(Move::Swap, 1)));
    assert_eq!(divided.len(), 4754);
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

/// White and Red have the same moves, but the game ends differently: Red has a turn after White's
/// pass, White has none after Red's. So the counts agree as long as no turn before the last one
/// counted can be a pass.
#[test]
fn counts_with_colours_exchanged() {
    let compared = cases_in_parallel().map(|case| {
        let position = case.position();
        if position.stage() != Stage::Normal {
            return 0;
        }
        let other = exchanged(&Setup::from(&position)).validate().unwrap();
        let depths = (1..).zip(&case.counts);
        let without_pass = depths.take_while(|&(depth, _)| !can_pass(&position, depth - 1));
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
                break; // Deeper counts take the reference too long.
            }
            assert_eq!(reference.perft(depth), count, "{}", case.name());
            nodes = count;
        }
    });
}

/// It never returned.
#[test]
fn no_first_move_is_counted_at_depth_0() {
    let position = Position::new(Rules::default());
    assert_eq!((perft(&position, 0), perft_divide(&position, 0).count()), (1, 0));
}
