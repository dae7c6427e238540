//! Properties of every position, tested on random games.

use std::collections::BTreeSet;

use pontifex::board::{Cell, Cells, Symmetry};
use pontifex::game::{Color, Move, Position, Setup, SetupStage, Step};
use proptest::prelude::*;

use pontifex_testing::scripts::{config, script};

/// The move with each of its cells changed.
fn changed(mv: Move, change: impl Fn(Cell) -> Cell) -> Move {
    match mv {
        Move::Tiles(a, b) => Move::Tiles(change(a), change(b)),
        Move::Bridge(a, b) => Move::Bridge(change(a), change(b)),
        Move::Pass | Move::Swap => mv,
    }
}

/// Whether `after` is a subset of `before`.
fn is_within(after: Cells, before: Cells) -> bool {
    (after - before).is_empty()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn symmetry_changes_nothing(script in script()) {
        let size = script.rules.size;
        for symmetry in Symmetry::all() {
            let of_cells = |cells: Cells| -> Cells {
                cells.into_iter().map(|cell| symmetry.apply(cell, size)).collect()
            };
            let mut position = Position::new(script.rules);
            let mut image = position;
            for mv in script.moves() {
                position.play(mv).unwrap();
                image.play(changed(mv, |cell| symmetry.apply(cell, size))).unwrap();
                prop_assert_eq!(position.counts(), image.counts());
                prop_assert_eq!(position.outcome(), image.outcome());
                prop_assert_eq!((position.side(), position.stage()), (image.side(), image.stage()));
                for color in Color::BOTH {
                    prop_assert_eq!(position.score(color), image.score(color));
                    prop_assert_eq!(of_cells(position.open_cells(color)), image.open_cells(color));
                    prop_assert_eq!(of_cells(position.islands(color)), image.islands(color));
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_tiles_of_a_turn_does_not_matter(script in script()) {
        for mv in script.moves().into_iter().scan(Position::new(script.rules), |position, mv| {
            let before = *position;
            position.play(mv).unwrap();
            Some((before, mv, *position))
        }) {
            let (before, Move::Tiles(a, b), after) = mv else { continue };
            let mut other_way = before;
            prop_assert_eq!(before.check(Move::Tiles(b, a)), Ok(()));
            other_way.make(Step::Tile(b));
            other_way.make(Step::Tile(a));
            prop_assert!(other_way == after && other_way.hash() == after.hash());
            prop_assert_eq!(other_way.counts(), after.counts());
        }
    }

    #[test]
    fn a_pair_is_legal_in_both_orders_or_in_neither(script in script()) {
        let position = script.end();
        let moves: BTreeSet<Move> = position.moves().into_iter().collect();
        let candidates = position.open_cells(position.side());
        for a in candidates {
            for b in candidates.after(a) {
                let (one_way, other_way) = (Move::Tiles(a, b), Move::Tiles(b, a));
                let is_legal = position.check(one_way).is_ok();
                prop_assert_eq!(is_legal, position.check(other_way).is_ok(), "{}", one_way);
                prop_assert_eq!(is_legal, moves.contains(&one_way), "{}", one_way);
            }
        }
    }

    #[test]
    fn turns_of_a_player_can_be_transposed(script in script()) {
        let moves = script.moves();
        let mut position = Position::new(script.rules);
        for window in moves.windows(3) {
            let play = |order: [Move; 3]| {
                let mut after = position;
                order.into_iter().all(|mv| after.play(mv).is_ok()).then_some(after)
            };
            let &[first, between, second] = window else { unreachable!() };
            let straight = play([first, between, second]).expect("as it was played");
            // Around a swap, the first and the third turn belong to different players.
            if !window.contains(&Move::Swap)
                && let Some(transposed) = play([second, between, first])
            {
                prop_assert!(transposed == straight && transposed.hash() == straight.hash());
                prop_assert_eq!(transposed.counts(), straight.counts());
            }
            position.play(first).unwrap();
        }
    }

    #[test]
    fn candidates_only_shrink(script in script()) {
        for step in script.positions().windows(2) {
            for color in Color::BOTH {
                prop_assert!(is_within(step[1].open_cells(color), step[0].open_cells(color)));
                prop_assert!(is_within(step[0].islands(color), step[1].islands(color)));
                prop_assert!(step[0].score(color).points <= step[1].score(color).points);
            }
            let (before, after) = (step[0].open_sites(), step[1].open_sites());
            prop_assert!(after.iter().all(|site| before.contains(site)));
        }
    }

    #[test]
    fn a_position_without_one_of_its_tiles_is_legal(script in script()) {
        let position = script.end();
        let setup = Setup { stage: SetupStage::Plain, ..Setup::from(&position) };
        for color in Color::BOTH {
            for cell in position.tiles(color) - position.bridge_ends() {
                let mut without = setup.clone();
                without.tiles[color.index()].remove(cell);
                let without = without.validate();
                prop_assert!(without.is_ok(), "{} {}: {:?}", color, cell, without.err());
                let without = without.unwrap();
                prop_assert!(without.open_cells(color).contains(cell));
                for color in Color::BOTH {
                    let fewer = position.open_cells(color);
                    prop_assert!(is_within(fewer, without.open_cells(color)));
                }
            }
        }
    }
}

#[test]
fn a_position_has_the_documented_size() {
    // Line breaks in the comment do not matter.
    let words: Vec<&str> = include_str!("../../src/game/position.rs")
        .split_whitespace()
        .filter(|&w| w != "///")
        .collect();
    let size = size_of::<Position>();
    assert!(words.join(" ").contains(&format!("It takes {size} bytes")), "it takes {size} bytes");
    assert!(size < 1536);
}
