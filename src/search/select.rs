//! Selection: which step of a node to follow.

use super::edge::Edge;
use super::forced::is_short;
use super::node::Node;
use super::node_pool::NodePool;
use super::params::Params;
use crate::game::{Color, Value};

/// The step to follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice<'a> {
    /// An opened step: its index and its edge.
    Edge(usize, Edge<'a>),
    /// The index of the next step to open: the unopened one with the highest
    /// prior.
    Open(usize),
}

/// How to select in one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    pub(super) mover: Color,
    /// The value of unopened steps while the node has no visits: what its
    /// parent expects of it.
    pub(super) first_value: f32,
    /// The factor of forced visits ([`is_short`]); 0 is none.
    pub(super) forced: f32,
    /// Whether a step may be opened.
    pub(super) may_open: bool,
}

/// The step with the highest upper confidence bound (PUCT) among those that
/// can still change the node's bounds; `None` when there is no such step. The
/// bound of a step with utility Q, prior P and n visits, in a node with N, is
/// Q + `exploration`·P·√N/(1 + n).
///
/// Unopened steps share one value (first-play urgency), so only the one with
/// the highest prior competes. A step short of forced visits goes first.
#[inline(never)]
pub(super) fn select<'a>(
    node: Node<'a>,
    pool: &'a NodePool,
    params: &Params,
    selection: Selection,
) -> Option<Choice<'a>> {
    let Selection { mover, first_value, forced, may_open } = selection;
    let total = node.visits();
    let exploration = params.exploration as f32 * (total.max(1) as f32).sqrt();
    let floor = node.bounds().seen_by(mover).lower;
    let mut best = None;
    let mut highest = f32::NEG_INFINITY;
    let mut opened_prior = 0.0;
    let mut opened = 0;
    for block in node.blocks(pool) {
        for (edge, index) in block.iter().map(Edge).zip(opened..) {
            let (visits, prior) = (edge.visits(), edge.prior());
            opened_prior += prior;
            let is_settled = || edge.has_bounds() && is_settled(edge, mover, floor);
            if forced > 0.0 && visits > 0 && is_short(visits, prior, total, forced) && !is_settled()
            {
                return Some(Choice::Edge(index, edge));
            }
            // NaN while unvisited; every comparison with NaN is false.
            let bound = edge.utility() + exploration * prior / (1 + visits) as f32;
            if bound > highest && !is_settled() {
                (best, highest) = (Some(Choice::Edge(index, edge)), bound);
            }
        }
        opened += block.len();
    }
    let widening = params.widening as f32;
    let is_wide = widening > 0.0 && opened as f32 >= 4.0 + widening * (total as f32).sqrt();
    if may_open && opened < node.len() && !(is_wide && best.is_some()) {
        let (_, prior) = node.step(opened);
        let value = if total == 0 { first_value } else { node.mean().utility };
        let value = value - params.first_play_reduction as f32 * opened_prior.sqrt();
        let bound = value + exploration * prior;
        if bound > highest {
            best = Some(Choice::Open(opened));
        }
    }
    best
}

/// Whether the step is solved, or cannot gain more than `floor`, which the
/// mover already has for sure.
fn is_settled(edge: Edge<'_>, mover: Color, floor: Value) -> bool {
    let bounds = edge.bounds().seen_by(mover);
    bounds.exact().is_some() || bounds.upper <= floor
}
