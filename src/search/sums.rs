//! Sums of results on their way to the tree.

use super::value::SearchValue;
use crate::game::Color;

/// Scale of the fixed-point sums of utilities and win rates.
pub(super) const FIXED: f32 = (1 << 24) as f32;
/// Scale of fixed-point sums of leads.
pub(super) const LEAD_FIXED: f32 = (1 << 16) as f32;

/// Results of visits to a node and one of its edges, as sums in fixed point
/// that are still to be added to the tree.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Sums {
    /// The number of results.
    pub(super) visits: u64,
    /// Of the edge: the mover's utility, and its square.
    pub(super) edge_utility: u64,
    pub(super) edge_squares: u64,
    /// Of the node: the mover's utility and win rate, White's lead.
    pub(super) utility: u64,
    pub(super) win: u64,
    pub(super) lead: u64,
}

impl Sums {
    /// Counts one visit: White's result for the edge, and for the node, whose
    /// bounds may have clamped it.
    pub(super) fn add(&mut self, edge: SearchValue, node: SearchValue, mover: Color) {
        let utility = edge.seen_by(mover).utility;
        let seen = node.seen_by(mover);
        self.visits += 1;
        self.edge_utility += fixed(utility);
        self.edge_squares += fixed(utility * utility);
        self.utility += fixed(seen.utility);
        self.win += fixed(seen.win);
        self.lead = self.lead.wrapping_add((node.lead * LEAD_FIXED) as i64 as u64);
    }
}

/// Converts a utility or win rate, 0 to 1, to fixed point.
fn fixed(value: f32) -> u64 {
    (value * FIXED) as u64
}
