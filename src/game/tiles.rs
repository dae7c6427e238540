//! State derived from the tiles on the board and updated with every tile: where the next tile of a
//! colour may be placed, and the networks that the tiles make.
//!
//! After every tile, in the tree and in rollouts alike, a search asks where the next one may go and
//! what the score is. Neither answer is recomputed from the board. Both are stored, and a tile
//! changes them only nearby.
//!
//! # Open cells
//!
//! [`Placement`] holds, for one colour, the set of cells where a tile is legal now. The rules for
//! tiles are hereditary: what breaks a rule breaks it with more tiles as well (docs/rules.md,
//! "Islands and sandbanks"). So the set only shrinks. A closed cell is never checked again, and
//! placing a tile means finding the cells that it closes.
//!
//! A tile on an open cell joins 0 to 3 tiles, the sum over the groups beside the cell. Two bit
//! planes hold this number for all cells at once:
//!
//! ```text
//! 3  . . . . .      3  0 2 2 0 0
//! 2  . w w . .      2  2 w w 2 1
//! 1  . . . . w      1  0 2 2 1 w
//!    a b c d e         a b c d e
//! ```
//!
//! A new tile adds to the numbers around its group. There are two reasons to close a cell:
//!
//! - Its number would exceed 3: a tile there would make a group of five.
//! - Its number is 3, so that a tile there would complete an island, and this island would touch
//!   another tile of the colour by a corner.
//!
//! Once an island is complete, all cells around it are closed, corners included.
//!
//! In the drawing, a tile on d2 makes a group of three that touches e1 by a corner. A fourth tile
//! would break the distance rule wherever it is placed, so every cell beside the group is closed:
//! the three tiles can never become an island.
//!
//! Invariant: `open_cells` is exactly the set of free cells where one tile obeys the rules. The
//! numbers of other cells are meaningless and never read. A cell that stays open by mistake
//! corrupts everything after it, because [`Placement::place`] trusts that no group exceeds four
//! tiles. `tests/suite/reference.rs` compares random games with a slow and plain implementation of
//! the rules, step by step.
//!
//! # Networks
//!
//! [`Networks`] is a union-find over cells whose roots count the islands of their network. Merging
//! two networks gains the product of their counts, so the score is never summed over the networks.
//! Tiles and bridges are never removed, so networks only merge, and that is all a union-find can
//! do.
//!
//! Nothing here can be undone. Path halving and the count of an absorbed root would both need an
//! undo log. Instead, a position is small enough to copy: a search copies the position of its root
//! for each iteration and plays forward from there.

use crate::board::{Cell, Cells, Geometry};

/// The tiles of one colour and the cells for its next tile.
///
/// The rules for tiles concern one colour only. Tiles of the other colour and bridges merely occupy
/// cells: [`Position`](super::Position) removes those from `open_cells` itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    pub(super) tiles: Cells,
    /// The tiles that belong to islands.
    pub(super) islands: Cells,
    /// The cells where one tile may be placed, whether or not a second one can follow.
    pub(super) open_cells: Cells,
    /// The low bit of the number of tiles, 0 to 3, that a tile on each open cell would join.
    /// Undefined on other cells.
    joins_low: Cells,
    /// The high bit of the number of tiles that a tile on each open cell would join.
    joins_high: Cells,
}

impl Placement {
    pub(super) fn new(geometry: &Geometry) -> Placement {
        Placement {
            tiles: Cells::EMPTY,
            islands: Cells::EMPTY,
            open_cells: geometry.board(),
            joins_low: Cells::EMPTY,
            joins_high: Cells::EMPTY,
        }
    }

    /// The number of tiles that a tile on the open cell `cell` would join.
    #[inline]
    pub(super) fn join_count(&self, cell: Cell) -> u8 {
        u8::from(self.joins_low.contains(cell)) + 2 * u8::from(self.joins_high.contains(cell))
    }

    /// The open cells by the number of tiles that a tile there would join.
    #[inline]
    pub(super) fn cells_by_join_count(&self) -> [Cells; 4] {
        let (low, high) = (self.joins_low & self.open_cells, self.joins_high & self.open_cells);
        [self.open_cells - low - high, low - high, high - low, low & high]
    }

    /// The open cells that would complete an island.
    #[inline]
    pub(super) fn completing_cells(&self) -> Cells {
        self.open_cells & self.joins_low & self.joins_high
    }

    /// The group of the tile on `cell`, or the group that a tile there would make.
    #[inline]
    pub(super) fn group(&self, cell: Cell) -> Cells {
        self.tiles.flood(cell.into())
    }

    /// `seeds` and the tiles at most two steps away from them through tiles.
    ///
    /// No two tiles of a group of three are further apart, so this is the whole sandbank of a seed
    /// that is part of one. It is a [`flood`](Cells::flood) without a loop.
    #[inline]
    fn with_sandbanks(&self, seeds: Cells) -> Cells {
        seeds.grown(self.tiles).grown(self.tiles)
    }

    /// Places a tile on the open cell `cell` and returns the size of its group.
    #[inline]
    pub(super) fn place(&mut self, geometry: &Geometry, cell: Cell) -> u8 {
        debug_assert!(self.open_cells.contains(cell));
        let join_count = self.join_count(cell);
        self.tiles.insert(cell);
        self.open_cells.remove(cell);
        let sides = geometry.sides(cell);
        // The new group and the cells beside it. The rim may contain tiles and bits off the board:
        // it only selects open cells.
        let (group, rim) = match join_count {
            0 => {
                self.add_one_to_join_counts(sides);
                (Cells::from(cell), sides)
            }
            1 => {
                // No cell is beside both tiles of a group of two: neighbours have different colours
                // on a chessboard. The cells beside the old tile join the new one as well, those
                // beside the new one join both.
                let other = sides & self.tiles;
                let rim = other.sides() | sides;
                self.add_one_to_join_counts(other.sides());
                self.add_two_to_join_counts(sides);
                (other.with(cell), rim)
            }
            2 => {
                // The cells around the group now join three tiles, or more if they are also beside
                // another group. A cell completes a legal island unless the group or the cell
                // touches another tile. Both conditions are masks here, so no cell is checked
                // individually.
                let group = self.with_sandbanks(cell.into());
                let others = self.tiles - group;
                let rim = group.sides();
                let illegal = if (group.halo() & others).is_empty() { others.halo() } else { rim };
                self.open_cells -= rim & illegal;
                self.joins_low |= rim;
                self.joins_high |= rim;
                (group, rim)
            }
            _ => {
                // An island of four may reach one step further than a sandbank.
                let island = self.with_sandbanks(cell.into()).grown(self.tiles);
                self.islands |= island;
                self.open_cells -= island.halo();
                return 4;
            }
        };
        // Group sizes are settled now; what remains is the distance rule, which concerns only cells
        // that would complete an island.
        let completing_cells = self.completing_cells();
        if completing_cells.is_empty() {
            return join_count + 1;
        }
        // A completing cell beside a group of one or two joins other groups as well, so each makes
        // a different island. For a group of three the masks above have decided.
        if join_count < 2 {
            self.close_touching(rim & completing_cells);
        }
        // Other islands can no longer be completed if they would touch the new tile by a corner,
        // with the completing cell or with a tile. The cells of the rim have been dealt with: their
        // island contains the new tile.
        let corners = geometry.corners(cell);
        let corner_tiles = (corners & self.tiles) - group;
        let mut too_close = corners;
        if !corner_tiles.is_empty() {
            too_close |= self.with_sandbanks(corner_tiles).sides();
        }
        self.open_cells -= (too_close & completing_cells) - rim;
        join_count + 1
    }

    /// Removes the cells of `completing_cells` whose island would touch another tile.
    #[inline]
    fn close_touching(&mut self, completing_cells: Cells) {
        for cell in completing_cells {
            let island = self.with_sandbanks(cell.into()).grown(self.tiles);
            if !((island.halo() & self.tiles) - island).is_empty() {
                self.open_cells.remove(cell);
            }
        }
    }

    /// Adds 1 to the numbers of `cells`, all at once. A cell that had 3 is closed.
    #[inline]
    fn add_one_to_join_counts(&mut self, cells: Cells) {
        self.open_cells -= cells & self.joins_low & self.joins_high;
        self.joins_high |= cells & self.joins_low;
        self.joins_low = self.joins_low ^ cells;
    }

    /// Adds 2 to the numbers of `cells`, all at once. A cell that had 2 or 3 is closed.
    #[inline]
    fn add_two_to_join_counts(&mut self, cells: Cells) {
        self.open_cells -= cells & self.joins_high;
        self.joins_high |= cells;
    }

    /// Whether a second tile can follow a tile on the open cell `cell`.
    #[inline]
    pub(super) fn leaves_another(&self, geometry: &Geometry, cell: Cell) -> bool {
        // Almost always there is an open cell out of the tile's reach. Only near the end of a game
        // is the tile placed on a copy.
        if !(self.open_cells - geometry.vicinity(cell)).is_empty() {
            return true;
        }
        let mut after = *self;
        after.place(geometry, cell);
        !after.open_cells.is_empty()
    }

    /// The open cells that a second tile can follow.
    pub(super) fn first_cells(&self, geometry: &Geometry) -> Cells {
        // A tile leaves all open cells outside its vicinity. So only cells in the vicinity of every
        // open cell can leave none.
        let mut doubtful = self.open_cells;
        for cell in self.open_cells {
            doubtful &= geometry.vicinity(cell);
            if doubtful.is_empty() {
                return self.open_cells;
            }
        }
        let leave_none = doubtful.into_iter().filter(|&cell| !self.leaves_another(geometry, cell));
        self.open_cells - leave_none.collect()
    }

    /// Whether two tiles can be placed, one after the other. Usually the first open cell already
    /// leaves another.
    #[inline]
    pub(super) fn has_pair(&self, geometry: &Geometry) -> bool {
        self.open_cells.into_iter().any(|cell| self.leaves_another(geometry, cell))
    }
}

/// The networks of tiles that sides or bridges connect, and their numbers of islands: a union-find
/// over cells with path halving.
///
/// An entry below 192 is the index of the parent cell. An entry from 192 on is a root with
/// `entry - 192` islands. A board of 144 cells has at most 36 islands, so a byte holds either, and
/// copying a position copies only 192 bytes of this. Every cell without a tile is a root without
/// islands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Networks([u8; Cell::TABLE]);

/// Entries from here on are roots. No cell has such an index.
const ROOT: u8 = Cell::TABLE as u8;

impl Networks {
    /// Every cell alone, without islands.
    pub(super) const ALONE: Networks = Networks([ROOT; Cell::TABLE]);

    /// Returns the root of the network of `cell` without shortening the path, so that it works on a
    /// position that is only read.
    #[inline]
    pub(super) fn root(&self, cell: Cell) -> Cell {
        let mut index = cell.index();
        while self.0[index] < ROOT {
            index = self.0[index] as usize;
        }
        Cell::from_index(index as u8)
    }

    /// The number of islands in the network of `cell`.
    #[inline]
    pub(super) fn islands(&self, cell: Cell) -> u8 {
        self.0[self.root(cell).index()] - ROOT
    }

    /// Adds `cell`, a new tile, to the network of `neighbour`. The tile has no islands, so no
    /// points are gained, and it goes directly below the root, which keeps later lookups short.
    #[inline]
    pub(super) fn attach(&mut self, cell: Cell, neighbour: Cell) {
        debug_assert_eq!(self.0[cell.index()], ROOT);
        self.0[cell.index()] = self.root(neighbour).index() as u8;
    }

    /// Merges the networks of two cells and returns the points gained. A network of n islands
    /// scores n(n+1)/2, so merging networks of n and m islands gains n·m.
    #[inline]
    pub(super) fn merge(&mut self, a: Cell, b: Cell) -> u16 {
        let (a, b) = (self.root_halving(a), self.root_halving(b));
        // A bridge within a network, or a tile that closes a ring of a network.
        if a == b {
            return 0;
        }
        // The usual rule is union by size. Here islands stand in for the tiles, which are not
        // counted; path halving keeps the paths short in any case.
        let (more, fewer) = if self.0[a] >= self.0[b] { (a, b) } else { (b, a) };
        let (n, m) = (self.0[more] - ROOT, self.0[fewer] - ROOT);
        self.0[more] += m;
        self.0[fewer] = more as u8;
        u16::from(n) * u16::from(m)
    }

    /// Adds an island to the network of `cell` and returns the points gained: the n-th island of a
    /// network brings n.
    #[inline]
    pub(super) fn add_island(&mut self, cell: Cell) -> u16 {
        let root = self.root_halving(cell);
        self.0[root] += 1;
        u16::from(self.0[root] - ROOT)
    }

    /// The index of the root of the network of `cell`. On the way, every other cell is moved up to
    /// its grandparent: path halving (Tarjan and van Leeuwen, "Worst-case analysis of set union
    /// algorithms", 1984).
    #[inline]
    fn root_halving(&mut self, cell: Cell) -> usize {
        let mut index = cell.index();
        loop {
            let parent = self.0[index];
            if parent >= ROOT {
                return index;
            }
            let grandparent = self.0[parent as usize];
            if grandparent >= ROOT {
                return parent as usize;
            }
            self.0[index] = grandparent;
            index = grandparent as usize;
        }
    }
}
