//! History heuristic: corrects the prior of a step by how the same step fared in other positions of
//! the search.
//!
//! A tile on `d4` or a bridge `d4-e6` is often good, or bad, in the whole neighbourhood of a
//! position. The prior sees one position at a time and makes the same error in all of them. The
//! search discovers the error anew in each node, at the cost of many visits. The history carries
//! the correction over: for each step it compares the visits that nodes gave the step with those
//! that the prior predicted, and multiplies the prior in other nodes by
//!
//! ```text
//!             ┌ Σ weight · actual share    + pseudo-count ┐ ½
//!   factor =  │ ───────────────────────────────────────── │
//!             └ Σ weight · predicted share + pseudo-count ┘
//! ```
//!
//! The sums run over the nodes of the step's colour that have been learnt from. A step that is
//! visited as predicted has the factor 1. The pseudo-count keeps the factor of rare steps near 1,
//! and the square root halves the correction on a logarithmic scale (the power 0.75 measured +45
//! Elo [-21, +113] where the root measured +81 [+13, +152]).
//!
//! Three details decide whether this helps (docs/experiments.tsv, topic "history"):
//!
//! - The predicted shares are the *uncorrected* priors. The history would otherwise learn its own
//!   corrections and undo them.
//! - A step's first visit does not count: every opened step has one, whatever its worth. Without
//!   this rule the history measured -47 Elo [-134, +38] on 12×12, with it +35 [-64, +135].
//! - Nodes are refined again whenever the history learns from them, so that the corrections reach
//!   nodes that are already in the tree.
//!
//! As it stands it brings +67 Elo [+3, +133] on 10×10. Each search begins with an empty history:
//! keeping half of it for the next turn measured lower.
//!
//! The idea is the history heuristic of alpha-beta (Schaeffer, 1989), applied to priors. Like
//! Stockfish's correction histories, it learns only the error of an estimate.

use super::params::Params;
use super::tree::edge::Edge;
use super::tree::node::{CODES, Node, step_code};
use super::tree::pool::NodePool;
use crate::game::{Color, Step};

/// Factors for the priors of all steps of both colours. Each thread of a search has its own.
#[derive(Debug)]
pub(super) struct History([Vec<HistoryEntry>; 2]);

/// Weighted sums over the nodes learnt from, and the factor they give.
#[derive(Clone, Copy, Debug)]
struct HistoryEntry {
    /// Shares of the node's visits that the step received.
    actual: f32,
    /// Priors of the step: the shares that were predicted.
    predicted: f32,
    factor: f32,
}

/// Limit of a factor; its reciprocal is the lower limit. Set by judgement, as a guard against
/// extremes: the ratio must reach 100, which takes a sum of at least 198 with the default
/// pseudo-count of 2. Without a limit one step could take all of the prior in every node.
const MAX_FACTOR: f32 = 10.0;

impl Default for History {
    fn default() -> History {
        let entries = vec![HistoryEntry { actual: 0.0, predicted: 0.0, factor: 1.0 }; CODES];
        History([entries.clone(), entries])
    }
}

impl History {
    /// Multiplies the priors of `mover`'s steps by their factors and normalises them to sum to 1.
    pub(super) fn correct(&self, mover: Color, steps: &mut [(Step, f32)]) {
        let entries = &self.0[mover as usize];
        let mut sum = 0.0;
        for (step, prior) in &mut *steps {
            *prior *= entries[usize::from(step_code(*step))].factor;
            sum += *prior;
        }
        for (_, prior) in steps {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }

    /// Whether to learn from a node with this many visits: each time they have doubled. A node that
    /// is learnt from several times counts several times, each time with better shares and a larger
    /// weight.
    pub(super) fn is_due(visits: u32, params: &Params) -> bool {
        params.history && visits.is_power_of_two() && f64::from(visits) >= params.history_after
    }

    /// Learns from `node`, where `mover` is to move, by comparing the visits of its steps with
    /// `steps`, their uncorrected priors. A step's first visit does not count: every opened step
    /// has one. The node's weight is the square root of the visits that count.
    pub(super) fn learn(
        &mut self,
        node: Node<'_>,
        pool: &NodePool,
        mover: Color,
        steps: &[(Step, f32)],
        params: &Params,
    ) {
        let entries = &mut self.0[mover as usize];
        let counted_visits = |edge: Edge<'_>| edge.visits().saturating_sub(1) as f32;
        // Other threads may add visits between the two passes; the shares then sum to slightly more
        // than 1.
        let sum: f32 = node.edges(pool).map(counted_visits).sum();
        let weight = sum.sqrt();
        for (index, edge) in node.edges(pool).enumerate() {
            let share = counted_visits(edge) / sum.max(1.0);
            entries[usize::from(step_code(node.step(index).0))].actual += weight * share;
        }
        let pseudo_count = params.history_doubt as f32;
        // All steps, not only the opened ones: visits were predicted for the others, too.
        for &(step, prior) in steps {
            let entry = &mut entries[usize::from(step_code(step))];
            entry.predicted += weight * prior;
            let ratio = (entry.actual + pseudo_count) / (entry.predicted + pseudo_count);
            entry.factor = ratio.sqrt().clamp(1.0 / MAX_FACTOR, MAX_FACTOR);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::edge::CounterAccess;
    use super::super::tree::pool::Allocator;
    use super::*;
    use crate::game::{Position, Rules};

    fn params() -> Params {
        Params { history: true, history_doubt: 2.0, ..Params::default() }
    }

    /// A history that has learnt from one node of White's whose steps have these priors and 2, 34,
    /// 0, 0 and 0 visits.
    fn learn_one_node(priors: [f32; 5], params: &Params) -> (History, Vec<(Step, f32)>) {
        let position = Position::new(Rules { pie: false, ..Rules::default() });
        let cells = position.tile_steps().into_iter().map(Step::Tile);
        let steps: Vec<(Step, f32)> = cells.zip(priors).collect();
        let pool = NodePool::new(1 << 20);
        let (allocator, keys) = (&mut Allocator::default(), &mut Vec::new());
        let node = Node::new(&pool, allocator, 1, &steps, keys).unwrap();
        for (index, visits) in [2, 34].into_iter().enumerate() {
            let edge = node.open(&pool, allocator, index).unwrap();
            for _ in 0..visits {
                edge.begin_visits(1, CounterAccess::Shared);
            }
        }
        let mut history = History::default();
        history.learn(node, &pool, Color::White, &steps, params);
        (history, steps)
    }

    #[test]
    fn a_step_with_more_visits_than_predicted_gains_prior() {
        let (history, before) = learn_one_node([0.5, 0.3, 0.1, 0.06, 0.04], &params());
        let (mut white, mut red) = (before.clone(), before.clone());
        history.correct(Color::White, &mut white);
        history.correct(Color::Red, &mut red);
        let sum: f32 = white.iter().map(|(_, prior)| prior).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        // 1 and 33 visits count; the node's weight is √34.
        let root = 34f32.sqrt();
        let shares = [1.0 / 34.0, 33.0 / 34.0, 0.0, 0.0, 0.0];
        let corrected: Vec<f32> = (before.iter().zip(shares))
            .map(|((_, prior), share)| prior * ((root * share + 2.0) / (root * prior + 2.0)).sqrt())
            .collect();
        let sum: f32 = corrected.iter().sum();
        for ((_, prior), corrected) in white.iter().zip(corrected) {
            assert!((prior - corrected / sum).abs() < 1e-5, "{white:?}");
        }
        // Each colour has its own history.
        assert!(before.iter().zip(&red).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6));
    }

    #[test]
    fn factors_are_limited() {
        let params = Params { history_doubt: 1e-6, ..params() };
        let (history, before) = learn_one_node([0.9998, 1e-4, 5e-5, 3e-5, 2e-5], &params);
        let mut after = before.clone();
        history.correct(Color::White, &mut after);
        let factors = before.iter().zip(&after).take(3).map(|(a, b)| b.1 / a.1);
        let (low, high) = factors.fold((f32::MAX, 0.0f32), |(a, b), x| (a.min(x), b.max(x)));
        assert!((high / low - MAX_FACTOR * MAX_FACTOR).abs() < 0.1, "{low} {high}");
    }

    #[test]
    fn learning_is_due_when_visits_have_doubled() {
        let due = |params: &Params| -> Vec<u32> {
            (0..100).filter(|&visits| History::is_due(visits, params)).collect()
        };
        assert_eq!(due(&Params { history_after: 16.0, ..params() }), [16, 32, 64]);
        assert!(due(&Params { history: false, ..params() }).is_empty());
    }
}
