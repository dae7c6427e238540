//! Groups of tiles as sets of cells.

use crate::board::Cells;

/// Those of `completing` that are the only way to complete their group: no
/// other cell of `completing` is beside them or beside their group.
///
/// `completing` are the cells where a tile brings groups of `tiles` to one
/// size, at most four.
#[inline(always)]
pub(super) fn only_completions(tiles: Cells, completing: Cells) -> Cells {
    let beside = completing.sides();
    let mut others = beside;
    let mut grown = beside & tiles;
    while let Some(tile) = grown.first() {
        let group = groups(tiles, tile.into());
        grown -= group;
        let rim = group.sides() & completing;
        if rim.len() > 1 {
            others |= rim;
        }
    }
    completing - others
}

/// The tiles of the groups of `ends`, the tiles with bridges.
#[inline(always)]
pub(super) fn linked(tiles: Cells, ends: Cells) -> Cells {
    if ends.is_empty() { ends } else { groups(tiles, ends) }
}

/// The groups of `tiles`, of at most four each, that contain or touch `seeds`.
#[inline(always)]
pub(super) fn groups(tiles: Cells, seeds: Cells) -> Cells {
    seeds.grown(tiles).grown(tiles).grown(tiles)
}
