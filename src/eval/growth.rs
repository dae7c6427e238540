//! Which sandbanks can still become islands.

use crate::board::{Cell, Cells};
use crate::game::{Color, Position};

/// The sandbanks of `color` that can still become islands by the cells that are
/// open to it, whatever else is placed.
pub fn hopeful_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut rest = position.tiles(color) - position.islands(color);
    let mut groups = Vec::new();
    while let Some(cell) = rest.first() {
        let group = rest.flood(Cells::from(cell));
        rest -= group;
        if may_be_island(position, color, group) {
            groups.push(group);
        }
    }
    groups
}

/// Whether `shape` can be extended to an island by tiles and candidates of
/// `color`, with no other tile of that colour around.
fn may_be_island(position: &Position, color: Color, shape: Cells) -> bool {
    let tiles = position.tiles(color);
    if shape.len() == 4 {
        return ((shape.halo() - shape) & tiles).is_empty();
    }
    let open = tiles | position.candidates(color);
    let next = (shape.sides() & open) - shape;
    next.into_iter().any(|cell: Cell| may_be_island(position, color, shape.with(cell)))
}
