//! Tests of `src/schedule.rs`.

use std::collections::HashSet;

use pontifex_tournament::{Format, GameKey, Order, Schedule};

fn shuffled_schedule(format: Format, engines: usize, openings: usize, rounds: usize) -> Schedule {
    Schedule::new(format, engines, openings, rounds, Order::Shuffled, 7)
}

/// The openings of a pairing, round by round.
fn openings_of(schedule: &Schedule, pairing: [usize; 2]) -> Vec<usize> {
    let ours = |key: &GameKey| key.pairing == pairing && !key.exchanged;
    schedule.games().filter(ours).map(|key| key.opening).collect()
}

#[test]
fn formats_have_their_pairings() {
    assert_eq!(Format::Match.pairings(2), [[0, 1]]);
    assert_eq!(Format::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
    assert_eq!(Format::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
}

#[test]
fn every_opening_is_played_with_both_colours() {
    let schedule = shuffled_schedule(Format::RoundRobin, 4, 5, 12);
    let games: Vec<GameKey> = schedule.games().collect();
    assert_eq!(games.len(), schedule.len());
    assert_eq!(games.iter().collect::<HashSet<_>>().len(), 6 * 12 * 2);
    for pair in games.chunks(2) {
        assert_eq!((pair[0].pair(), pair[0].opening), (pair[1].pair(), pair[1].opening));
        let [a, b] = pair[0].seats();
        assert_eq!(pair[1].seats(), [b, a]);
    }
    for &pairing in schedule.pairings() {
        let openings = openings_of(&schedule, pairing);
        for lap in openings.chunks_exact(5) {
            assert_eq!(lap.iter().collect::<HashSet<_>>().len(), 5, "{openings:?}");
        }
    }
}

#[test]
fn pairings_have_orders_of_their_own() {
    let shuffled = shuffled_schedule(Format::Gauntlet, 3, 50, 50);
    assert_ne!(openings_of(&shuffled, [0, 1]), openings_of(&shuffled, [0, 2]));
    let sequential = Schedule::new(Format::Gauntlet, 3, 50, 3, Order::Sequential, 7);
    assert_eq!(openings_of(&sequential, [0, 1]), [0, 1, 2]);
    assert_eq!(openings_of(&sequential, [0, 2]), [25, 26, 27]);
}

#[test]
fn more_rounds_begin_with_the_same_games() {
    let (long, short) =
        (shuffled_schedule(Format::Match, 2, 4, 11), shuffled_schedule(Format::Match, 2, 4, 6));
    assert!(short.games().eq(long.games().take(12)));
}

#[test]
fn shards_partition_the_pairs() {
    for (rounds, count) in [(10, 3), (7, 8), (8, 1)] {
        let whole = shuffled_schedule(Format::RoundRobin, 3, 4, rounds);
        let mut games = Vec::new();
        for number in 1..=count {
            let part = whole.clone().with_shard(Some(format!("{number}/{count}").parse().unwrap()));
            let ours: Vec<GameKey> = part.games().collect();
            assert_eq!(ours.len(), part.len(), "{number}/{count} of {rounds}");
            assert!(ours.chunks(2).all(|pair| pair[0].pair() == pair[1].pair()));
            games.extend(ours);
        }
        games.sort_unstable();
        let mut all: Vec<GameKey> = whole.games().collect();
        all.sort_unstable();
        assert_eq!(games, all);
    }
}

#[test]
fn seeds_differ() {
    let seeds: HashSet<u64> =
        shuffled_schedule(Format::RoundRobin, 5, 9, 50).games().map(|key| key.seed(1)).collect();
    assert_eq!(seeds.len(), 10 * 50 * 2);
}

/// A journal is continued by the schedule that began it, perhaps with a later version of this
/// program. So a new version of the crate `rand`, whose shuffle it is, must not change the order.
#[test]
fn the_order_of_a_seed_is_fixed() {
    let schedule = Schedule::new(Format::RoundRobin, 2, 8, 16, Order::Shuffled, 7);
    let laps = [5, 4, 2, 6, 7, 3, 1, 0, 7, 2, 5, 1, 0, 3, 6, 4];
    assert_eq!(openings_of(&schedule, [0, 1]), laps);
}
