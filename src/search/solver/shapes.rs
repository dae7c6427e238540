//! Possible islands: connected sets of four cells.

use std::collections::HashSet;

use crate::board::{Cells, Geometry};
use crate::game::{Color, Position};

/// Four cells that could become an island.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The four cells.
    pub(super) cells: Cells,
    /// The cells that touch them by a side or a corner.
    pub(super) rim: Cells,
}

impl Shape {
    /// Whether the shape may still become an island of a colour with these
    /// `tiles` and `candidates`; `open` is both together. Candidates only become
    /// fewer, so each cell must be a tile or a candidate now, and no other tile
    /// of the colour may touch the shape.
    #[inline]
    pub(super) fn is_possible(&self, open: Cells, tiles: Cells, candidates: Cells) -> bool {
        (self.cells - open).is_empty()
            && (self.rim & tiles).is_empty()
            && !(self.cells & candidates).is_empty()
    }
}

/// Every connected set of four cells on the board.
pub(super) fn all_shapes(geometry: &Geometry) -> Vec<Shape> {
    let board = geometry.board();
    let mut shapes: Vec<Cells> = board.into_iter().map(Cells::from).collect();
    for _ in 1..4 {
        let larger = shapes.iter().flat_map(|&shape| {
            let rim = (shape.sides() & board) - shape;
            rim.into_iter().map(move |cell| shape.with(cell))
        });
        let mut seen = HashSet::new();
        shapes = larger.filter(|&shape| seen.insert(shape)).collect();
    }
    let rim = |cells: Cells| (cells.halo() & board) - cells;
    shapes.into_iter().map(|cells| Shape { cells, rim: rim(cells) }).collect()
}

/// Appends to `list` its shapes in `range` that are still possible for `color`
/// with these `candidates`.
#[inline]
pub(super) fn keep_possible(
    list: &mut Vec<Shape>,
    range: std::ops::Range<usize>,
    position: &Position,
    color: Color,
    candidates: Cells,
) {
    let tiles = position.tiles(color);
    let open = tiles | candidates;
    for n in range {
        let shape = list[n];
        if shape.is_possible(open, tiles, candidates) {
            list.push(shape);
        }
    }
}
