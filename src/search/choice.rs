//! The final choice: which step of a searched node to play.
//!
//! The most visited step is not always the best: a step that the search discovered late has a
//! better mean and fewer visits. The mean alone would be worse, because a few lucky visits would
//! win. The lower confidence bound, the mean less some standard errors, weighs both. Leela Zero
//! chooses in the same way. Against the choice by visits it brings +15 Elo [-11, +41] and 0.8
//! points a game (docs/strength.md).

use super::params::Params;
use super::tree::Tree;
use super::tree::edge::Edge;
use super::tree::node::Node;
use crate::game::{Color, Position, Step, Value};

/// The best step of `root` for `mover`, and its edge, which is `None` when no step was opened.
///
/// Proved bounds come first: the best proved win, and never a proved loss if there is another step.
/// Otherwise the highest lower confidence bound wins among steps with at least a tenth of the most
/// visits, or the most visits when [`Params::confidence`] is 0.
pub(super) fn best_step<'a>(
    tree: &'a Tree,
    root: Node<'a>,
    mover: Color,
    params: &Params,
) -> (Step, Option<Edge<'a>>) {
    let edges: Vec<Edge<'a>> = root.edges(tree.pool()).collect();
    let most_visits = edges.iter().map(|edge| edge.visits()).max().unwrap_or(0);
    let rank = |edge: &Edge<'_>| {
        let bounds = edge.bounds().seen_by(mover);
        let visits = edge.visits();
        let merit = if visits == 0 {
            -1.0
        } else if params.confidence > 0.0 && is_well_visited(visits, most_visits) {
            // The factor ranks these above any number of visits, which is below 2³²: at the default
            // confidence the sum is at least 1.25, because no error exceeds 0.5. A 32-bit float
            // still tells utilities apart that differ by 0.0000005.
            let error = (edge.variance() / visits as f32).sqrt();
            1e10 * (2.0 + edge.utility() - params.confidence as f32 * error)
        } else {
            visits as f32
        };
        // A proved win counts by its margin, a proved loss as well; between them, in most
        // positions, nothing is proved and the merit decides. A proved draw is not better than an
        // unproved step.
        (bounds.lower.max(Value::DRAW), bounds.upper.min(Value::DRAW), merit)
    };
    // A tie goes to the step opened first, which has the higher prior.
    let better = |a: usize, b: usize| if rank(&edges[b]) > rank(&edges[a]) { b } else { a };
    match (0..edges.len()).reduce(better) {
        Some(index) => (root.step(index).0, Some(edges[index])),
        None => (root.step(0).0, None),
    }
}

/// Whether `visits` are at least a tenth of `most_visits`. The share was chosen: with a much
/// smaller one, steps with few visits and luck would compete; with a share near 1 the most visited
/// step would always win.
fn is_well_visited(visits: u32, most_visits: u32) -> bool {
    visits >= most_visits.div_ceil(10)
}

/// The lead in visits of the most visited step of `root` over the next step that belongs to another
/// move: the same two tiles may be placed in either order.
pub(super) fn visit_lead(tree: &Tree, root: Node<'_>, position: &Position) -> u64 {
    let mut ranked: Vec<(u32, usize)> =
        root.edges(tree.pool()).enumerate().map(|(index, edge)| (edge.visits(), index)).collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&(most, first)) = ranked.first() else { return 0 };
    // The two first tiles of one move share their visits between them. Without this the search of a
    // clear move would rarely end early: its two orders would compete.
    let partner = second_tile(tree, root, position, first);
    let is_same_move = |index: usize| {
        partner.is_some()
            && Some(root.step(index).0) == partner
            && second_tile(tree, root, position, index) == Some(root.step(first).0)
    };
    let next = ranked[1..]
        .iter()
        .find(|&&(_, index)| !is_same_move(index))
        .map_or(0, |&(visits, _)| visits);
    u64::from(most - next)
}

/// The most visited second tile after step `index` of `root`.
fn second_tile(tree: &Tree, root: Node<'_>, position: &Position, index: usize) -> Option<Step> {
    let is_first_tile = matches!(root.step(index).0, Step::Tile(_)) && !position.is_half_turn();
    let edge = root.edges(tree.pool()).nth(index).filter(|_| is_first_tile)?;
    let child = root.child(tree.pool(), edge)?;
    let edges = child.edges(tree.pool()).enumerate();
    let (best, _) = edges.max_by_key(|(_, edge)| edge.visits())?;
    Some(child.step(best).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_most_visits_is_enough() {
        assert!(is_well_visited(44, 440) && !is_well_visited(43, 440) && is_well_visited(0, 0));
        // Ten times as many would overflow 32 bits.
        assert!(is_well_visited(440_000_000, 440_000_000) && is_well_visited(u32::MAX, u32::MAX));
        assert!(!is_well_visited(43_999_999, 440_000_000));
    }
}
