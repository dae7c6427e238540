//! What a search finds of a ply in one position bends the prior of the same
//! ply in others.
//!
//! The history heuristic of alpha-beta (Schaeffer, 1989) for a tree with
//! priors: as the correction histories of Stockfish do for evaluations, it
//! learns only by how much the prior is wrong.

use super::arena::Arena;
use super::node::{CODES, Node, code};
use super::params::Params;
use crate::game::{Color, Ply};

/// A factor for the prior of every ply of either colour, as one thread has
/// learnt it in one search.
#[derive(Debug)]
pub(super) struct History([Vec<Entry>; 2]);

/// Sums over the nodes learnt from, and the factor that follows.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Shares of the visits that the ply had.
    found: f32,
    /// Priors: what these shares should have been.
    foreseen: f32,
    factor: f32,
}

/// How far a factor may be from 1, either way.
const MOST: f32 = 10.0;

impl Default for History {
    fn default() -> History {
        let entries = vec![Entry { found: 0.0, foreseen: 0.0, factor: 1.0 }; CODES];
        History([entries.clone(), entries])
    }
}

impl History {
    /// Multiplies the priors of the plies of `mover` by their factors; they
    /// add up to 1 again.
    pub(super) fn bend(&self, mover: Color, plies: &mut [(Ply, f32)]) {
        let entries = &self.0[mover as usize];
        let mut sum = 0.0;
        for (ply, prior) in &mut *plies {
            *prior *= entries[usize::from(code(*ply))].factor;
            sum += *prior;
        }
        for (_, prior) in plies {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }

    /// Whether a node is learnt from at so many visits: each time these have
    /// doubled.
    pub(super) fn is_due(visits: u32, params: &Params) -> bool {
        params.history > 0.0
            && visits.is_power_of_two()
            && f64::from(visits) >= params.history_after
    }

    /// Compares the visits of the plies of `node`, where `mover` is to move,
    /// with `plies`, their priors as they were before they were bent. More
    /// visits count more, by their square root.
    pub(super) fn learn(
        &mut self,
        node: Node<'_>,
        arena: &Arena,
        mover: Color,
        plies: &[(Ply, f32)],
        params: &Params,
    ) {
        let entries = &mut self.0[mover as usize];
        let visits = node.visits() as f32;
        let weight = visits.sqrt();
        for (index, slot) in node.slots(arena).enumerate() {
            entries[usize::from(code(node.ply(index).0))].found +=
                weight * slot.visits() as f32 / visits;
        }
        let (trust, doubt) = (params.history as f32, params.history_doubt as f32);
        for &(ply, prior) in plies {
            let entry = &mut entries[usize::from(code(ply))];
            entry.foreseen += weight * prior;
            let ratio = (entry.found + doubt) / (entry.foreseen + doubt);
            entry.factor = ratio.powf(trust).clamp(1.0 / MOST, MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::Allocator;
    use super::super::node::Payoff;
    use super::*;
    use crate::game::{Position, Rules};

    /// A node whose second ply was visited 30 times of 32, the first twice.
    fn learnt(params: &Params) -> (History, Vec<(Ply, f32)>) {
        let position = Position::new(Rules { pie: false, ..Rules::default() });
        let plies: Vec<(Ply, f32)> =
            position.tile_plies().into_iter().map(|cell| (Ply::Tile(cell), 0.01)).collect();
        let arena = Arena::new(1 << 20);
        let (allocator, keys) = (&mut Allocator::default(), &mut Vec::new());
        let node = Node::new(&arena, allocator, 1, &plies, keys).unwrap();
        for (index, visits) in [2, 30].into_iter().enumerate() {
            let slot = node.open(&arena, allocator, index).unwrap();
            for _ in 0..visits {
                slot.enter();
                node.reward(Payoff { utility: 0.5, win: 0.5, lead: 0.0 }, 0.0);
            }
        }
        let ordered = (0..plies.len()).map(|index| node.ply(index)).collect();
        let mut history = History::default();
        history.learn(node, &arena, Color::White, &plies, params);
        (history, ordered)
    }

    #[test]
    fn a_ply_found_good_is_likelier_elsewhere() {
        let params = Params { history: 0.5, history_doubt: 2.0, ..Params::default() };
        let (history, before) = learnt(&params);
        let (mut white, mut red) = (before.clone(), before.clone());
        history.bend(Color::White, &mut white);
        history.bend(Color::Red, &mut red);
        let sum: f32 = white.iter().map(|(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        // 32 visits weigh √32; of the others each was foreseen with 1/100.
        let weight = 32f32.sqrt();
        let factor = |share: f32| ((weight * share + 2.0) / (weight * before[0].1 + 2.0)).sqrt();
        let [first, second, third] = [0, 1, 2].map(|n| white[n].1);
        assert!((second / third - factor(30.0 / 32.0) / factor(0.0)).abs() < 1e-3);
        assert!((first / third - factor(2.0 / 32.0) / factor(0.0)).abs() < 1e-3);
        // The other colour has a history of its own.
        assert!(before.iter().zip(&red).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-5));
    }

    #[test]
    fn a_history_of_nothing_changes_nothing() {
        let params = Params { history: 0.0, ..Params::default() };
        let (history, before) = learnt(&params);
        let mut after = before.clone();
        history.bend(Color::White, &mut after);
        assert!(before.iter().zip(&after).all(|(a, b)| (a.1 - b.1).abs() < 1e-5));
        assert!(!History::is_due(64, &params));
    }

    #[test]
    fn nodes_are_learnt_from_when_their_visits_have_doubled() {
        let params = Params { history: 0.5, history_after: 16.0, ..Params::default() };
        let due = (0..100).filter(|&visits| History::is_due(visits, &params));
        assert_eq!(due.collect::<Vec<_>>(), [16, 32, 64]);
    }
}
