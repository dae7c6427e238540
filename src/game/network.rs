use crate::board::Cell;

/// From here on an entry is a root and its number of islands.
const ROOT: u8 = Cell::TABLE as u8;

/// Which tiles are connected, by sides or by bridges, and how many islands
/// each network has: a union-find over cells with path halving.
///
/// An entry below 192 is the parent cell, one from 192 on a root with
/// `entry - 192` islands: a network of one colour has 36 at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Networks([u8; Cell::TABLE]);

impl Networks {
    /// Every cell by itself, without islands.
    pub(super) const ALONE: Networks = Networks([ROOT; Cell::TABLE]);

    /// The cell that stands for the network of `cell`.
    #[inline]
    pub(super) fn root(&self, cell: Cell) -> Cell {
        let mut at = cell.index();
        while self.0[at] < ROOT {
            at = self.0[at] as usize;
        }
        Cell::from_index(at as u8)
    }

    /// Islands in the network of `cell`.
    #[inline]
    pub(super) fn islands(&self, cell: Cell) -> u8 {
        self.0[self.root(cell).index()] - ROOT
    }

    /// Puts `cell`, a new tile by itself, into the network of `neighbour`,
    /// right under its root: it is looked for far more often than put there.
    #[inline]
    pub(super) fn hang(&mut self, cell: Cell, neighbour: Cell) {
        debug_assert_eq!(self.0[cell.index()], ROOT);
        self.0[cell.index()] = self.root(neighbour).index() as u8;
    }

    /// Joins the networks of two cells. Returns how many points that brings:
    /// a network of n islands is worth n(n+1)/2, so joining n and m adds n·m.
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

    /// Counts an island in the network of `cell`. Returns how many points
    /// that brings.
    #[inline]
    pub(super) fn add_island(&mut self, cell: Cell) -> u16 {
        let root = self.halve(cell);
        self.0[root] += 1;
        u16::from(self.0[root] - ROOT)
    }

    /// The root's index; every other cell on the way is hung one higher.
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
