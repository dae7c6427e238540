//! The weights of steps: what they are called, and in which order they come.
//!
//! First those of the planes, then of the edge classes, then of the sources at
//! every offset, then of bridges, then one of passing.

use super::bridge_features::BRIDGE;
use super::tile_features::{JOINS, MARKS, OTHERS, PLANES, SOURCE_NAMES, SOURCES};
use crate::board::{Cell, Size};

/// The largest distance, in columns and in rows, of a source that counts.
pub const REACH: usize = 3;

/// The offsets of a source from a tile, up to symmetry: the larger, then the
/// smaller of the distances in columns and rows.
pub const OFFSETS: [(usize, usize); 9] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)];

/// The number of edge classes.
pub(super) const EDGES: usize = (EDGE + 1) * (EDGE + 2) / 2;

/// Distances to an edge from this one on count as the same.
const EDGE: usize = 5;

/// The first weight of the edge classes.
pub const EDGE_AT: usize = PLANES;
/// The first weight of the sources.
pub const KERNEL_AT: usize = EDGE_AT + EDGES;
/// The first weight of bridges.
pub const BRIDGE_AT: usize = KERNEL_AT + SOURCES * OFFSETS.len();
/// The weight of passing.
pub const PASS: usize = BRIDGE_AT + BRIDGE.len();

/// The number of weights of tiles, which come first.
pub const TILE: usize = BRIDGE_AT;
/// The number of weights of one kind of step at one phase.
pub const PARAMETERS: usize = PASS + 1;

/// The names of the weights, in order.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let joins = (0..JOINS)
        .flat_map(|own| OTHERS.iter().map(move |other| format!("tile.joins.{own}.other.{other}")));
    let marks = MARKS.iter().map(|mark| format!("tile.{mark}"));
    let edges = (0..=EDGE).flat_map(|a| (a..=EDGE).map(move |b| format!("tile.edge.{a}.{b}")));
    let kernels = SOURCE_NAMES
        .iter()
        .flat_map(|source| OFFSETS.iter().map(move |(a, b)| format!("near.{source}.{a}.{b}")));
    let bridges = BRIDGE.iter().map(|name| format!("bridge.{name}"));
    let all = joins.chain(marks).chain(edges).chain(kernels).chain(bridges);
    all.chain(std::iter::once("pass".to_owned()))
}

/// The edge class of `cell`, below [`EDGES`]: its distances to the nearest
/// vertical and horizontal edge, at most [`EDGE`] each, up to symmetry.
pub fn edge(cell: Cell, size: Size) -> usize {
    let last = size.get() - 1;
    let distance = |x: u8| usize::from(x.min(last - x)).min(EDGE);
    let (a, b) = (distance(cell.column()), distance(cell.row()));
    let (a, b) = (a.min(b), a.max(b));
    // Rows of EDGE + 1, EDGE, ... classes come before row a.
    a * (EDGE + 1) - a * a.saturating_sub(1) / 2 + (b - a)
}
