//! What a search finds of a step in one position bends the prior of the same
//! step in others.
//!
//! The history heuristic of alpha-beta (Schaeffer, 1989) for a tree with
//! priors: as the correction histories of Stockfish do for evaluations, it
//! learns only by how much the prior is wrong.

use super::edge::Edge;
use super::node::{CODES, Node, code};
use super::node_pool::NodePool;
use super::params::Params;
use crate::game::{Color, Step};

/// A factor for the prior of every step of either colour, as one thread has
/// learnt it in one search.
#[derive(Debug)]
pub(super) struct History([Vec<Entry>; 2]);

/// Sums over the nodes learnt from, and the factor that follows.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Shares of the visits that the step had.
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
    /// Multiplies the priors of the steps of `mover` by their factors; they
    /// add up to 1 again.
    pub(super) fn bend(&self, mover: Color, steps: &mut [(Step, f32)]) {
        let entries = &self.0[mover as usize];
        let mut sum = 0.0;
        for (step, prior) in &mut *steps {
            *prior *= entries[usize::from(code(*step))].factor;
            sum += *prior;
        }
        for (_, prior) in steps {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }

    /// Whether a node is learnt from at so many visits: each time these have
    /// doubled.
    pub(super) fn is_due(visits: u32, params: &Params) -> bool {
        params.history >= 0.5
            && visits.is_power_of_two()
            && f64::from(visits) >= params.history_after
    }

    /// Compares the visits of the steps of `node`, where `mover` is to move,
    /// with `steps`, their priors before they were bent. A step's first visit
    /// says only that it was opened, so it does not count; of the others more
    /// count more, by their square root.
    pub(super) fn learn(
        &mut self,
        node: Node<'_>,
        pool: &NodePool,
        mover: Color,
        steps: &[(Step, f32)],
        params: &Params,
    ) {
        let entries = &mut self.0[mover as usize];
        let again = |edge: Edge<'_>| edge.visits().saturating_sub(1) as f32;
        let sum: f32 = node.edges(pool).map(again).sum();
        let weight = sum.sqrt();
        for (index, edge) in node.edges(pool).enumerate() {
            let share = again(edge) / sum.max(1.0);
            entries[usize::from(code(node.step(index).0))].found += weight * share;
        }
        let doubt = params.history_doubt as f32;
        for &(step, prior) in steps {
            let entry = &mut entries[usize::from(code(step))];
            entry.foreseen += weight * prior;
            let ratio = (entry.found + doubt) / (entry.foreseen + doubt);
            entry.factor = ratio.sqrt().clamp(1.0 / MOST, MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::edge::Counting;
    use super::super::node_pool::Allocator;
    use super::*;
    use crate::game::{Position, Rules};

    fn params() -> Params {
        Params { history: 1.0, history_doubt: 2.0, ..Params::default() }
    }

    /// A history of White's from a node with steps of these priors, the first
    /// of which was visited twice, the second 34 times, and the others never.
    fn learnt(priors: [f32; 5], params: &Params) -> (History, Vec<(Step, f32)>) {
        let position = Position::new(Rules { pie: false, ..Rules::default() });
        let cells = position.tile_steps().into_iter().map(Step::Tile);
        let steps: Vec<(Step, f32)> = cells.zip(priors).collect();
        let pool = NodePool::new(1 << 20);
        let (allocator, keys) = (&mut Allocator::default(), &mut Vec::new());
        let node = Node::new(&pool, allocator, 1, &steps, keys).unwrap();
        for (index, visits) in [2, 34].into_iter().enumerate() {
            let edge = node.open(&pool, allocator, index).unwrap();
            for _ in 0..visits {
                edge.enter(Counting::Together);
            }
        }
        let mut history = History::default();
        history.learn(node, &pool, Color::White, &steps, params);
        (history, steps)
    }

    #[test]
    fn a_step_found_better_than_foreseen_is_likelier_elsewhere() {
        let (history, before) = learnt([0.5, 0.3, 0.1, 0.06, 0.04], &params());
        let (mut white, mut red) = (before.clone(), before.clone());
        history.bend(Color::White, &mut white);
        history.bend(Color::Red, &mut red);
        let sum: f32 = white.iter().map(|(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        // 1 and 33 visits but for the first, which weigh √34.
        let root = 34f32.sqrt();
        let shares = [1.0 / 34.0, 33.0 / 34.0, 0.0, 0.0, 0.0];
        let bent: Vec<f32> = (before.iter().zip(shares))
            .map(|((_, prior), share)| prior * ((root * share + 2.0) / (root * prior + 2.0)).sqrt())
            .collect();
        let sum: f32 = bent.iter().sum();
        for ((_, prior), bent) in white.iter().zip(bent) {
            assert!((prior - bent / sum).abs() < 1e-5, "{white:?}");
        }
        // The other colour has a history of its own.
        assert!(before.iter().zip(&red).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6));
    }

    #[test]
    fn no_factor_goes_far() {
        let params = Params { history_doubt: 1e-6, ..params() };
        let (history, before) = learnt([0.9998, 1e-4, 5e-5, 3e-5, 2e-5], &params);
        let mut after = before.clone();
        history.bend(Color::White, &mut after);
        let factors = before.iter().zip(&after).take(3).map(|(a, b)| b.1 / a.1);
        let (low, high) = factors.fold((f32::MAX, 0.0f32), |(a, b), x| (a.min(x), b.max(x)));
        assert!((high / low - MOST * MOST).abs() < 0.1, "{low} {high}");
    }

    #[test]
    fn nodes_are_learnt_from_when_their_visits_have_doubled() {
        let due = |params: &Params| -> Vec<u32> {
            (0..100).filter(|&visits| History::is_due(visits, params)).collect()
        };
        assert_eq!(due(&Params { history_after: 16.0, ..params() }), [16, 32, 64]);
        assert!(due(&Params { history: 0.0, ..params() }).is_empty());
    }
}
