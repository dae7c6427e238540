use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Move, Position, Rules};

/// Openings of random early turns, `count` of them: what is played where
/// nobody has chosen openings. Each side places two tiles once on boards
/// below 8×8, twice on larger ones. The same seed gives the same openings.
pub fn random_openings(rules: Rules, count: usize, seed: u64) -> Vec<Vec<Move>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let turns = if rules.size.get() < 8 { 2 } else { 4 };
    (0..count).map(|_| random_opening(rules, turns, &mut rng)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn openings_are_legal_repeatable_and_many() {
        for (size, turns) in [(6, 2), (10, 4)] {
            let rules = Rules { size: Size::new(size).unwrap(), ..Rules::default() };
            let openings = random_openings(rules, 30, 5);
            assert_eq!(openings, random_openings(rules, 30, 5));
            assert_ne!(openings, random_openings(rules, 30, 6));
            assert!(openings.iter().all(|opening| opening.len() == turns));
        }
    }
}
