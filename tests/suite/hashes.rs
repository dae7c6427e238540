//! Hashes are equal exactly when positions are. `properties` tests that move orders with the same
//! position have the same hash.

use std::collections::HashMap;

use pontifex::board::Size;
use pontifex::game::{Color, Position, Rules, Setup, SetupStage, Supply};

use pontifex_testing::random_games::{Gambler, size_of_game};

/// Everything that distinguishes two positions.
fn description(position: &Position) -> impl Eq + std::hash::Hash + use<> {
    let rules = position.rules();
    (
        (rules.size, rules.pie, rules.supply.limits(rules.size)),
        Color::BOTH.map(|color| position.tiles(color)),
        *position.bridges(),
        (position.side(), position.stage(), position.is_half_turn()),
    )
}

#[test]
fn hashes_are_equal_exactly_when_positions_are() {
    let mut hash_of = HashMap::new();
    let mut seen: HashMap<u64, Position> = HashMap::new();
    let mut meet = |position: &Position| {
        let hash = *hash_of.entry(description(position)).or_insert(position.hash());
        assert_eq!(hash, position.hash(), "one position, two hashes");
        let other = seen.entry(hash).or_insert(*position);
        assert!(other == position, "two positions, one hash:\n{other:?}\n{position:?}");
    };
    for number in 0..1500 {
        let mut gambler = Gambler::new(number);
        let rules = gambler.rules(size_of_game(number));
        let mut position = Position::new(rules);
        while let Some(step) = gambler.step(&position) {
            position.make(step);
            meet(&position);
            if gambler.one_in(8) {
                other_turns(&position).for_each(|position| meet(&position));
            }
        }
    }
    assert!(seen.len() > 50_000, "only {} positions were met", seen.len());
}

/// The same tiles and bridges with every side to move and stage.
fn other_turns(position: &Position) -> impl Iterator<Item = Position> {
    let setup = Setup::from(position);
    let stages = [SetupStage::Plain, SetupStage::Pie, SetupStage::Last, SetupStage::Over];
    Color::BOTH
        .into_iter()
        .flat_map(move |side| stages.map(|stage| Setup { side, stage, ..setup.clone() }))
        .filter_map(|setup| setup.validate().ok())
}

#[test]
fn supplies_with_the_same_limits_are_equal() {
    let start =
        |size, supply| Position::new(Rules { size: Size::new(size).unwrap(), supply, pie: true });
    let published = Supply::Limited { tiles: 40, bridges: 15 };
    for (same, size, one, other) in [
        (true, 8, Supply::Standard, Supply::Unlimited),
        (true, 10, Supply::Standard, published),
        (false, 10, Supply::Standard, Supply::Unlimited),
        (false, 12, Supply::Standard, published),
    ] {
        let (one, other) = (start(size, one), start(size, other));
        assert_eq!(one == other, same);
        assert_eq!(one.hash() == other.hash(), same);
    }
    assert!(start(8, Supply::Unlimited) != start(9, Supply::Unlimited));
}
