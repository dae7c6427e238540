//! Networks of tiles as a union-find structure.

use crate::board::Cell;

/// Entries from here on are roots.
const ROOT: u8 = Cell::TABLE as u8;

/// The networks of tiles that sides or bridges connect, and their numbers of
/// islands: a union-find over cells with path halving.
///
/// An entry below 192 is the parent cell. An entry from 192 on is a root with
/// `entry - 192` islands, at most 36.
#[derive(Clone, Copy, Debug)]
pub(super) struct Networks([u8; Cell::TABLE]);

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
