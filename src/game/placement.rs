use crate::board::{Cell, Cells, Geometry};

/// The tiles of one colour and where its next tile may lie.
///
/// The rules for tiles (groups of four at most, islands apart) speak of one
/// colour only; the other colour and the bridges merely take cells away. They
/// are hereditary (RULES.md, "Islands and sandbanks"), so `candidates` only
/// ever shrinks and a tile needs a look at its vicinity alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    /// All tiles.
    pub(super) tiles: Cells,
    /// Tiles that belong to islands.
    pub(super) islands: Cells,
    /// Free cells where one tile may be placed.
    pub(super) candidates: Cells,
    /// How many tiles a tile on a candidate would join, 0 to 3, in two bit
    /// planes: the low bits. Meaningless on other cells.
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

    /// How many tiles a tile on the candidate `cell` would join.
    #[inline]
    pub(super) fn joins(&self, cell: Cell) -> u8 {
        u8::from(self.joins_low.contains(cell)) + 2 * u8::from(self.joins_high.contains(cell))
    }

    /// The candidates by how many tiles a tile there would join.
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

    /// The group of `cell`, counting `cell` in whether or not it has a tile.
    #[inline]
    pub(super) fn group(&self, cell: Cell) -> Cells {
        self.tiles.flood(cell.into())
    }

    /// `seeds` and the tiles at most two side steps away: their whole groups,
    /// where those have three tiles at most.
    #[inline]
    fn sandbanks(&self, seeds: Cells) -> Cells {
        seeds.grown(self.tiles).grown(self.tiles)
    }

    /// Places a tile on the candidate `cell` and returns its group's size.
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
                // One tile and the new one: no cell touches both.
                let other = sides & self.tiles;
                let rim = other.sides() | sides;
                self.join_one_more(other.sides());
                self.join_two_more(sides);
                (other.with(cell), rim)
            }
            2 => {
                // Its sides now join three tiles; where another group comes
                // in, four and more. Where they complete an island, only
                // what they touch themselves differs between them.
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
        // Islands to be that would touch the new tile by a corner, with the
        // cell that completes them or with a tile they have already.
        let corners = geometry.corners(cell);
        let corner_tiles = (corners & self.tiles) - group;
        let mut spoilt = corners;
        if !corner_tiles.is_empty() {
            spoilt |= self.sandbanks(corner_tiles).sides();
        }
        self.candidates -= (spoilt & completing) - rim;
        joins + 1
    }

    /// Takes away those of the `suspects`, which complete islands, whose
    /// island would touch another tile.
    #[inline]
    fn strike_touching(&mut self, suspects: Cells) {
        for suspect in suspects {
            let island = self.sandbanks(suspect.into()).grown(self.tiles);
            if !((island.halo() & self.tiles) - island).is_empty() {
                self.candidates.remove(suspect);
            }
        }
    }

    #[inline]
    fn join_one_more(&mut self, at: Cells) {
        self.candidates -= at & self.joins_low & self.joins_high;
        self.joins_high |= at & self.joins_low;
        self.joins_low = self.joins_low ^ at;
    }

    #[inline]
    fn join_two_more(&mut self, at: Cells) {
        self.candidates -= at & self.joins_high;
        self.joins_high |= at;
    }

    /// Whether a second tile could follow one on the candidate `cell`.
    #[inline]
    pub(super) fn leaves_another(&self, geometry: &Geometry, cell: Cell) -> bool {
        if !(self.candidates - geometry.vicinity(cell)).is_empty() {
            return true;
        }
        let mut after = *self;
        after.place(geometry, cell);
        !after.candidates.is_empty()
    }

    /// The candidates that a second tile could follow: the cells of all legal
    /// pairs.
    pub(super) fn first_cells(&self, geometry: &Geometry) -> Cells {
        // Vicinities are mutual: a cell in those of all candidates is the only
        // kind that could leave none.
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
