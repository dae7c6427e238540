use super::edge::Edge;
use super::forced::is_owed;
use super::node::Node;
use super::node_pool::NodePool;
use super::params::Params;
use crate::game::{Color, Value};

/// What to look at next in a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice<'a> {
    /// A step that is opened.
    Edge(usize, Edge<'a>),
    /// The likeliest step that is not.
    Open(usize),
}

/// The step with the highest upper bound (PUCT) of those that can still change
/// what is proved of `node`; `None` when none can.
///
/// Unopened steps share one value, so only the likeliest of them competes;
/// it is the mean of the node or, before there is one, `value`. A step that is
/// owed visits by `forced` (see there) is looked at first. Without `may_open`
/// none is opened.
#[inline(never)]
pub(super) fn select<'a>(
    node: Node<'a>,
    pool: &'a NodePool,
    mover: Color,
    value: f32,
    forced: f32,
    may_open: bool,
    params: &Params,
) -> Option<Choice<'a>> {
    let visits = node.visits();
    let exploration = params.exploration as f32 * (visits.max(1) as f32).sqrt();
    let floor = node.bounds().seen_by(mover).lower;
    let mut best = None;
    let mut highest = f32::NEG_INFINITY;
    let mut seen = 0.0;
    let mut opened = 0;
    for block in node.blocks(pool) {
        for (edge, index) in block.iter().map(Edge).zip(opened..) {
            let (visits, prior) = (edge.visits(), edge.prior());
            seen += prior;
            let is_settled = || edge.is_proved_of() && is_settled(edge, mover, floor);
            if forced > 0.0
                && visits > 0
                && is_owed(visits, prior, node.visits(), forced)
                && !is_settled()
            {
                return Some(Choice::Edge(index, edge));
            }
            // Not a number without any visit: that is never higher.
            let bound = edge.utility() + exploration * prior / (1 + visits) as f32;
            if bound > highest && !is_settled() {
                (best, highest) = (Some(Choice::Edge(index, edge)), bound);
            }
        }
        opened += block.len();
    }
    let widening = params.widening as f32;
    let is_narrow = widening > 0.0 && opened as f32 >= 4.0 + widening * (visits as f32).sqrt();
    if may_open && opened < node.len() && !(is_narrow && best.is_some()) {
        let (_, prior) = node.step(opened);
        let value = if visits == 0 { value } else { node.mean().utility };
        let value = value - params.first_play_reduction as f32 * seen.sqrt();
        let bound = value + exploration * prior;
        if bound > highest {
            best = Some(Choice::Open(opened));
        }
    }
    best
}

/// Whether nothing more of the step can matter to a mover who has `floor` for
/// sure.
fn is_settled(edge: Edge<'_>, mover: Color, floor: Value) -> bool {
    let bounds = edge.bounds().seen_by(mover);
    bounds.exact().is_some() || bounds.upper <= floor
}
