//! What follows from the tiles on the board, kept up to date tile by tile: where
//! the next one of a colour may be placed, and the networks that they make.

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

/// The networks of tiles that sides or bridges connect, and their numbers of
/// islands: a union-find over cells with path halving.
///
/// An entry below 192 is the parent cell. An entry from 192 on is a root with
/// `entry - 192` islands, at most 36.
#[derive(Clone, Copy, Debug)]
pub(super) struct Networks([u8; Cell::TABLE]);

/// Entries from here on are roots.
const ROOT: u8 = Cell::TABLE as u8;

impl Networks {
    /// Every cell alone, without islands.
    pub(super) const ALONE: Networks = Networks([ROOT; Cell::TABLE]);

    /// The root of the network of `cell`.
    #[inline]
    pub(super) fn root(&self, cell: Cell) -> Cell {
        let mut at = cell.index();
        while self.0[at] < ROOT {
            at = self.0[at] as usize;
        }
        Cell::from_index(at as u8)
    }

    /// The number of islands in the network of `cell`.
    #[inline]
    pub(super) fn islands(&self, cell: Cell) -> u8 {
        self.0[self.root(cell).index()] - ROOT
    }

    /// Adds `cell`, a new tile, to the network of `neighbour`, directly below the
    /// root to keep later lookups short.
    #[inline]
    pub(super) fn hang(&mut self, cell: Cell, neighbour: Cell) {
        debug_assert_eq!(self.0[cell.index()], ROOT);
        self.0[cell.index()] = self.root(neighbour).index() as u8;
    }

    /// Joins the networks of two cells and returns the points gained. A network
    /// of n islands scores n(n+1)/2, so joining n and m islands gains n·m.
    #[inline]
    pub(super) fn join(&mut self, a: Cell, b: Cell) -> u16 {
        let (a, b) = (self.halve(a), self.halve(b));
        if a == b {
            return 0;
        }
        let (more, fewer) = if self.0[a] >= self.0[b] { (a, b) } else { (b, a) };
        let (n, m) = (self.0[more] - ROOT, self.0[fewer] - ROOT);
        self.0[more] += m;
        self.0[fewer] = more as u8;
        u16::from(n) * u16::from(m)
    }

    /// Adds an island to the network of `cell` and returns the points gained.
    #[inline]
    pub(super) fn add_island(&mut self, cell: Cell) -> u16 {
        let root = self.halve(cell);
        self.0[root] += 1;
        u16::from(self.0[root] - ROOT)
    }

    /// The index of the root. Halves the path to it.
    #[inline]
    fn halve(&mut self, cell: Cell) -> usize {
        let mut at = cell.index();
        loop {
            let parent = self.0[at];
            if parent >= ROOT {
                return at;
            }
            let grandparent = self.0[parent as usize];
            if grandparent >= ROOT {
                return parent as usize;
            }
            self.0[at] = grandparent;
            at = grandparent as usize;
        }
    }
}
