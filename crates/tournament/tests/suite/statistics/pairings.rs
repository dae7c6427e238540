//! Tests of `src/statistics/tally.rs`.

use pontifex_tournament::{GameScore, PairTally, Pairings};

#[test]
fn tallies_are_mirrored_for_the_opponent() {
    let mut pairings = Pairings::new(3);
    pairings.add_pair(2, 0, GameScore::Win, GameScore::Draw);
    pairings.add_pair(0, 2, GameScore::Win, GameScore::Win);
    assert_eq!(pairings.tally(2, 0).counts(), [1, 0, 0, 1, 0]);
    assert_eq!(pairings.tally(0, 2).counts(), [0, 1, 0, 0, 1]);
    assert_eq!(pairings.total(0).counts(), [0, 1, 0, 0, 1]);
    assert_eq!(pairings.total(1).games(), 0);
    assert_eq!(pairings.tally(1, 1).games(), 0);
}

#[test]
fn groups_follow_chains() {
    let single_pair = PairTally::from_counts([0, 0, 1, 0, 0]);
    let mut pairings = Pairings::new(6);
    assert_eq!(pairings.groups(), [0, 1, 2, 3, 4, 5]);
    pairings.add(4, 5, single_pair);
    pairings.add(1, 3, single_pair);
    assert_eq!(pairings.groups(), [0, 1, 2, 1, 3, 3]);
    pairings.add(3, 5, single_pair);
    assert_eq!(pairings.groups(), [0, 1, 2, 1, 1, 1]);
    assert_eq!(pairings.played().collect::<Vec<_>>(), [(1, 3), (3, 5), (4, 5)]);
    assert!(Pairings::new(0).groups().is_empty());
}

#[test]
#[should_panic(expected = "no pairing of 1 and 1")]
fn an_engine_cannot_play_itself() {
    Pairings::new(2).add_pair(1, 1, GameScore::Win, GameScore::Win);
}
