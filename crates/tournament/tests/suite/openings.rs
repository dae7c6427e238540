//! Tests of `src/openings/text.rs`.

use pontifex::board::Size;
use pontifex::game::{Rules, Supply};
use pontifex_tournament::default_openings;

#[test]
fn suites_are_the_default_where_there_are_any() {
    let openings = |size, supply| {
        let size = Size::new(size).unwrap();
        default_openings(Rules { size, supply, ..Rules::default() }, 3)
    };
    let [suite, random] = [openings(10, Supply::Standard), openings(9, Supply::Standard)];
    let large = openings(12, Supply::Unlimited);
    assert!(suite.len() >= 500, "only {} openings", suite.len());
    assert!(large.len() >= 500, "only {} openings", large.len());
    assert!(suite.iter().any(|opening| opening.len() != random[0].len()));
    // The suite needs more tiles than these.
    let few = openings(10, Supply::Limited { tiles: 2, bridges: 1 });
    assert_eq!(few.len(), 500);
    assert!(few.iter().all(|opening| opening.len() <= 2));
}

#[test]
fn random_openings_are_legal_and_repeatable() {
    for (size, turns) in [(6, 2), (9, 4)] {
        let rules = Rules { size: Size::new(size).unwrap(), ..Rules::default() };
        let openings = default_openings(rules, 5);
        assert_eq!(openings, default_openings(rules, 5));
        assert_ne!(openings, default_openings(rules, 6));
        assert!(openings.iter().all(|opening| opening.len() == turns));
    }
}
