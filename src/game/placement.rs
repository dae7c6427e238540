//! Where the tiles of one colour may be placed.

use crate::board::{Cell, Cells, Geometry};

/// The tiles of one colour and the cells for its next tile.
///
/// The rules for tiles concern one colour only; tiles of the other colour and
/// bridges only occupy cells. A set of tiles that breaks a rule breaks it with
/// more tiles as well (docs/rules.md, "Islands and sandbanks"), so `candidates`
/// only shrinks, and a tile changes it only in its vicinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// All tiles.
    pub(super) tiles: Cells,
    /// Tiles that belong to islands.
    pub(super) islands: Cells,
    /// The cells where one tile may be placed.
    pub(super) candidates: Cells,
    /// The low bits of the numbers of tiles, 0 to 3, that a tile on each
    /// candidate would join. Undefined on other cells.
    joins_low: Cells,
    /// The high bits.
    joins_high: Cells,
}

impl Placement {
    pub(super) fn new(geometry: &Geometry) -> Placement {
        Placement {
            tiles: Cells::EMPTY,
            islands: Cells::EMPTY,
            candidates: geometry.board(),
            joins_low: Cells::EMPTY,
            joins_high: Cells::EMPTY,
        }
    }

    /// The number of tiles that a tile on the candidate `cell` would join.
    #[inline]
    pub(super) fn joins(&self, cell: Cell) -> u8 {
        u8::from(self.joins_low.contains(cell)) + 2 * u8::from(self.joins_high.contains(cell))
    }

    /// The candidates by the number of tiles that a tile there would join.
    #[inline]
    pub(super) fn joining(&self) -> [Cells; 4] {
        let (low, high) = (self.joins_low & self.candidates, self.joins_high & self.candidates);
        [self.candidates - low - high, low - high, high - low, low & high]
    }

    /// The candidates that would complete an island.
    #[inline]
    pub(super) fn completing(&self) -> Cells {
        self.candidates & self.joins_low & self.joins_high
    }

    /// The group of the tile on `cell`, or that a tile there would make.
    #[inline]
    pub(super) fn group(&self, cell: Cell) -> Cells {
        self.tiles.flood(cell.into())
    }

    /// `seeds` and the groups of at most three tiles that contain or touch them.
    #[inline]
    fn sandbanks(&self, seeds: Cells) -> Cells {
        seeds.grown(self.tiles).grown(self.tiles)
    }

    /// Places a tile on the candidate `cell` and returns the size of its group.
    #[inline]
    pub(super) fn place(&mut self, geometry: &Geometry, cell: Cell) -> u8 {
        debug_assert!(self.candidates.contains(cell));
        let joins = self.joins(cell);
        self.tiles.insert(cell);
        self.candidates.remove(cell);
        let sides = geometry.sides(cell);
        let (group, rim) = match joins {
            0 => {
                self.join_one_more(sides);
                (Cells::from(cell), sides)
            }
            1 => {
                // No cell touches both tiles of a group of two.
                let other = sides & self.tiles;
                let rim = other.sides() | sides;
                self.join_one_more(other.sides());
                self.join_two_more(sides);
                (other.with(cell), rim)
            }
            2 => {
                // The cells around the group now join three tiles, or more if
                // they also touch another group. A cell completes a legal
                // island unless the group or the cell touches another tile.
                let group = self.sandbanks(cell.into());
                let others = self.tiles - group;
                let rim = group.sides();
                let illegal = if (group.halo() & others).is_empty() { others.halo() } else { rim };
                self.candidates -= rim & illegal;
                self.joins_low |= rim;
                self.joins_high |= rim;
                (group, rim)
            }
            _ => {
                let island = self.sandbanks(cell.into()).grown(self.tiles);
                self.islands |= island;
                self.candidates -= island.halo();
                return 4;
            }
        };
        let completing = self.completing();
        if completing.is_empty() {
            return joins + 1;
        }
        if joins < 2 {
            self.strike_touching(rim & completing);
        }
        // Other islands can no longer be completed if they would touch the new
        // tile by a corner, with the completing cell or with a tile.
        let corners = geometry.corners(cell);
        let corner_tiles = (corners & self.tiles) - group;
        let mut spoilt = corners;
        if !corner_tiles.is_empty() {
            spoilt |= self.sandbanks(corner_tiles).sides();
        }
        self.candidates -= (spoilt & completing) - rim;
        joins + 1
    }

    /// Removes those of `suspects`, which complete islands, whose island would
    /// touch another tile.
    #[inline]
    fn strike_touching(&mut self, suspects: Cells) {
        for suspect in suspects {
            let island = self.sandbanks(suspect.into()).grown(self.tiles);
            if !((island.halo() & self.tiles) - island).is_empty() {
                self.candidates.remove(suspect);
            }
        }
    }

    /// A tile at the cells of `at` now joins one tile more.
    #[inline]
    fn join_one_more(&mut self, at: Cells) {
        self.candidates -= at & self.joins_low & self.joins_high;
        self.joins_high |= at & self.joins_low;
        self.joins_low = self.joins_low ^ at;
    }

    /// A tile at the cells of `at` now joins two tiles more.
    #[inline]
    fn join_two_more(&mut self, at: Cells) {
        self.candidates -= at & self.joins_high;
        self.joins_high |= at;
    }

    /// Whether a second tile can follow a tile on the candidate `cell`.
    #[inline]
    pub(super) fn leaves_another(&self, geometry: &Geometry, cell: Cell) -> bool {
        if !(self.candidates - geometry.vicinity(cell)).is_empty() {
            return true;
        }
        let mut after = *self;
        after.place(geometry, cell);
        !after.candidates.is_empty()
    }

    /// The candidates that a second tile can follow.
    pub(super) fn first_cells(&self, geometry: &Geometry) -> Cells {
        // A tile leaves all candidates outside its vicinity. So only cells in
        // the vicinity of every candidate can leave none.
        let mut doubtful = self.candidates;
        for cell in self.candidates {
            doubtful &= geometry.vicinity(cell);
            if doubtful.is_empty() {
                return self.candidates;
            }
        }
        let ends = doubtful.into_iter().filter(|&cell| !self.leaves_another(geometry, cell));
        self.candidates - ends.collect()
    }

    /// Whether two tiles can be placed.
    #[inline]
    pub(super) fn has_pair(&self, geometry: &Geometry) -> bool {
        self.candidates.into_iter().any(|cell| self.leaves_another(geometry, cell))
    }
}
