//! The openings of matches that name none.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::openings::text;
use pontifex::game::{Move, Position, Rules};

/// The shipped suites by board size.
const SUITES: [(u64, &str); 2] = [
    (10, include_str!("../../../../openings/10x10.txt")),
    (12, include_str!("../../../../openings/12x12.txt")),
];

/// How many random openings are made for boards without a suite.
const RANDOM: usize = 500;

/// The default openings of a match: the shipped suite of the board, if there is
/// one and its openings are legal with the supply, else 500 random openings.
pub fn default_openings(rules: Rules, seed: u64) -> Vec<Vec<Move>> {
    SUITES
        .iter()
        .find(|(board, _)| *board == u64::from(rules.size.get()))
        .and_then(|(_, suite)| text::parse(suite, rules).ok())
        .unwrap_or_else(|| random_openings(rules, seed))
}

/// Random openings: each side places two tiles once on boards below
/// 8×8, twice on larger ones. The same seed gives the same openings.
fn random_openings(rules: Rules, seed: u64) -> Vec<Vec<Move>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let turns = if rules.size.get() < 8 { 2 } else { 4 };
    (0..RANDOM).map(|_| random_opening(rules, turns, &mut rng)).collect()
}

fn random_opening(rules: Rules, turns: usize, rng: &mut impl RngExt) -> Vec<Move> {
    let mut position = Position::new(Rules { pie: false, ..rules });
    let mut opening = Vec::new();
    for _ in 0..turns {
        let moves = position.moves();
        let pairs: Vec<&Move> = moves.iter().filter(|mv| matches!(mv, Move::Tiles(..))).collect();
        let Some(&&mv) = pairs.choose(rng) else { break };
        if position.play(mv).is_err() || position.is_over() {
            break;
        }
        opening.push(mv);
    }
    opening
}
