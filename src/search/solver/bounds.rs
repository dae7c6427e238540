//! Bounds on the value of a position that hold whatever is played.
//!
//! Open cells, open sites and possible islands (connected sets of four cells) only become fewer and
//! scores never fall, so what is possible now bounds a colour's final score:
//!
//! ```text
//! White's score now  ≤  White's final score  ≤  White's ceiling
//! Red's score now    ≤  Red's final score    ≤  Red's ceiling
//!
//! value  ≥  White's score now against Red's ceiling
//! value  ≤  White's ceiling against Red's score now
//! ```
//!
//! A ceiling must never be too low, or the solver would prove something false. If it is too high,
//! the solver only proves less. It is computed for points, islands and bridges separately, as if
//! the colour achieved everything that it still can ([`ceiling`]):
//!
//! - **Islands.** Two islands of a colour may not touch, not even by a corner. So at most one of
//!   the possible islands with a cell in the same 2×2 block can be completed:
//!
//!   ```text
//!   a a . .      Both shapes have a cell in the block of ( ) cells:
//!   a(a b)b      a and b would touch.
//!   .(. b)b
//!   ```
//!
//!   If every shape meets one of a set of blocks, the number of these blocks is an upper bound on
//!   new islands. Any such set will do; a greedy choice is close to the smallest, and cheap
//!   ([`greedy_cover`]).
//! - **Points.** All networks that some bridge or chain of tiles may still join are taken as joined
//!   (union-find), and the new islands with them. n(n + 1)/2 grows faster than n, so one large
//!   network is the best case.
//! - **Bridges.** Every site where the colour may still build, or the supply if that is less.
//!
//! A node of the solver computes its [`Outlook`] before it tries any move. Its possible islands are
//! filtered from those of its parent instead of being listed again.

use std::collections::HashSet;
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::board::{Cell, Cells, Geometry, SiteSet};
use crate::game::{Color, Position, Score, Stage, Value, compare};

/// The cells where `color` may still place tiles: none when it cannot place two, because it never
/// will again.
pub(super) fn reachable(position: &Position, color: Color) -> Cells {
    let open_cells = position.open_cells(color);
    let is_half_turn = position.is_half_turn() && position.side() == color;
    // A player never places one tile alone, so one left over is as good as none.
    let needed = if is_half_turn { 1 } else { 2 };
    let lacks_tiles = position.tiles_left(color).is_some_and(|left| left < needed);
    if lacks_tiles || open_cells.len() < u32::from(needed) { Cells::EMPTY } else { open_cells }
}

/// The sites where `color` may still build.
pub(super) fn sites(position: &Position, color: Color, open_cells: Cells) -> SiteSet {
    if position.bridges_left() == Some(0) {
        return SiteSet::EMPTY;
    }
    let ends = (position.tiles(color) | open_cells) - position.bridge_ends();
    position.open_sites().within(ends)
}

/// With more possible islands than this, points and islands are not bounded. The bound would be
/// useless, and expensive: the greedy choice of blocks compares each shape with all others. Set by
/// judgement, not measured.
const MAX_SHAPES: usize = 96;

/// The ceiling of points when nothing is known: more points than any board allows.
const NO_CEILING: u16 = 9_999;

/// Union-find over cells: networks that may still be joined.
struct Unions {
    parent: [u8; Cell::TABLE],
}

impl Unions {
    const fn identity() -> [u8; Cell::TABLE] {
        let mut parent = [0; Cell::TABLE];
        let mut n = 0;
        while n < Cell::TABLE {
            parent[n] = n as u8;
            n += 1;
        }
        parent
    }

    fn new() -> Unions {
        const IDENTITY: [u8; Cell::TABLE] = Unions::identity();
        Unions { parent: IDENTITY }
    }

    fn find(&mut self, mut index: usize) -> usize {
        // Path halving: each cell on the way is linked to its grandparent.
        while self.parent[index] as usize != index {
            let grandparent = self.parent[self.parent[index] as usize];
            self.parent[index] = grandparent;
            index = grandparent as usize;
        }
        index
    }

    /// Unites two sets without regard to their sizes: there are at most 144 cells, and each
    /// structure is used once.
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a] = b as u8;
    }
}

/// The highest score `color` can still reach, for each component of [`Score`] separately.
///
/// `open_cells` are the cells where it may still place tiles, `sites` the sites where it may still
/// build, `shapes` its possible islands.
pub(super) fn ceiling(
    position: &Position,
    color: Color,
    open_cells: Cells,
    sites: &SiteSet,
    shapes: &[Shape],
) -> Score {
    let score = position.score(color);
    let tiles = position.tiles(color);
    let site_count = sites.len();
    let bridges_left = position.bridges_left().map_or(u32::MAX, u32::from);
    let bridges = u32::from(score.bridges) + site_count.min(bridges_left);
    let mut highest = Score { bridges: bridges.min(255) as u8, ..score };

    // A bridge joins islands only if each end has, or may get, neighbours.
    let usable = tiles | open_cells;
    let worth_joining = (usable.sides() & usable) | position.islands(color);
    let joining = sites.within(worth_joining);
    if shapes.is_empty() && (score.islands < 2 || (joining.is_empty() && open_cells.is_empty())) {
        return highest;
    }
    if shapes.len() > MAX_SHAPES {
        return Score { points: NO_CEILING, islands: u8::MAX, ..highest };
    }

    let root = |cell| network_root(position, tiles, cell);
    let mut unions = Unions::new();
    for site in joining.iter() {
        let [a, b] = site.ends();
        unions.unite(root(a), root(b));
    }
    // A tile on an open cell may connect the networks beside it.
    for cell in open_cells {
        for neighbour in position.geometry().sides(cell) & usable {
            unions.unite(cell.index(), root(neighbour));
        }
    }
    let new = greedy_cover(shapes, |a, b| unions.unite(root(a), root(b)));
    highest.islands += new.len() as u8;
    highest.points = points(position, color, &mut unions, &new);
    highest
}

/// The index of the root of `cell`'s network, or of the cell itself if it has no tile of the
/// colour.
fn network_root(position: &Position, tiles: Cells, cell: Cell) -> usize {
    if tiles.contains(cell) { position.network_root(cell).index() } else { cell.index() }
}

/// The points of `color` if all networks in a union are joined and there are new islands on the
/// cells `new`.
fn points(position: &Position, color: Color, unions: &mut Unions, new: &[Cell]) -> u16 {
    let mut islands = [0u8; Cell::TABLE];
    let mut roots = Cells::EMPTY;
    for &cell in new {
        let root = unions.find(network_root(position, position.tiles(color), cell));
        roots.insert(Cell::from_index(root as u8));
        islands[root] += 1;
    }
    let mut seen = Cells::EMPTY;
    for cell in position.islands(color) {
        let network = position.network_root(cell);
        if !seen.contains(network) {
            seen.insert(network);
            let root = unions.find(network.index());
            roots.insert(Cell::from_index(root as u8));
            islands[root] += position.network_islands(network);
        }
    }
    let counts = roots.into_iter().map(|cell| u16::from(islands[cell.index()]));
    counts.map(|n| n * (n + 1) / 2).sum()
}

/// Chooses 2×2 blocks greedily until every shape meets one, and returns a cell of each block. There
/// is room for at most as many new islands.
///
/// Calls `join` with cells of shapes that share a block.
fn greedy_cover(shapes: &[Shape], mut join: impl FnMut(Cell, Cell)) -> ArrayVec<Cell, MAX_SHAPES> {
    let mut rest: ArrayVec<u16, MAX_SHAPES> = (0..shapes.len() as u16).collect();
    let mut new = ArrayVec::new();
    while let Some(&leader) = rest.first() {
        let leader = shapes[usize::from(leader)].cells;
        let shapes_met = |block: Cells| {
            let meets = |&&n: &&u16| !(shapes[usize::from(n)].cells & block).is_empty();
            rest.iter().filter(meets).count()
        };
        let blocks = leader.into_iter().flat_map(blocks_of);
        let Some(block) = blocks.max_by_key(|&block| shapes_met(block)) else { break };
        let mut anchor = None;
        rest.retain(|n| {
            let cells = shapes[usize::from(*n)].cells;
            let Some(cell) = (cells & block).first() else { return true };
            join(cell, *anchor.get_or_insert(cell));
            false
        });
        new.extend(anchor);
    }
    new
}

/// The 2×2 blocks that contain `cell`; they may extend beyond the board.
fn blocks_of(cell: Cell) -> impl Iterator<Item = Cells> {
    let index = cell.index();
    // A column takes 16 indices, of which boards use at most 12. 17 is one column and one row back.
    // A block that would begin below index 0 is left out: another block has its cells, too.
    let block = move |column: usize, row: usize| {
        let corner = (index + 16 * column + row).checked_sub(17)?;
        let cells = [corner, corner + 1, corner + 16, corner + 17];
        let is_on_board = |index: &usize| index & 15 < 12 && *index < Cell::TABLE;
        Some(cells.into_iter().filter(is_on_board).map(|n| Cell::from_index(n as u8)).collect())
    };
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().filter_map(move |(column, row)| block(column, row))
}

/// Four cells that could become an island.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The four cells.
    pub(super) cells: Cells,
    /// The cells that touch them by a side or a corner.
    pub(super) rim: Cells,
}

impl Shape {
    /// Whether the shape may still become an island of a colour with these `tiles` and
    /// `open_cells`; `usable` is their union. Open cells only become fewer, so each cell must be a
    /// tile or an open cell now, and no other tile of the colour may touch the shape.
    #[inline]
    pub(super) fn is_possible(&self, usable: Cells, tiles: Cells, open_cells: Cells) -> bool {
        (self.cells - usable).is_empty()
            && (self.rim & tiles).is_empty()
            && !(self.cells & open_cells).is_empty()
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

/// Appends to `shapes` those of its shapes in `range` that are still possible for `color` with
/// these `open_cells`.
#[inline]
pub(super) fn append_possible(
    shapes: &mut Vec<Shape>,
    range: Range<usize>,
    position: &Position,
    color: Color,
    open_cells: Cells,
) {
    let tiles = position.tiles(color);
    let usable = tiles | open_cells;
    for n in range {
        let shape = shapes[n];
        if shape.is_possible(usable, tiles, open_cells) {
            shapes.push(shape);
        }
    }
}

/// The ranges of a node's possible islands, by colour, in the list of shapes.
pub(super) type Ranges = [Range<usize>; 2];

/// What both colours can still do in a position.
pub(super) struct Outlook {
    /// The cells where each may still place tiles.
    pub(super) open_cells: [Cells; 2],
    /// The sites where each may still build.
    pub(super) sites: [SiteSet; 2],
    /// Their possible islands.
    pub(super) shapes: Ranges,
}

impl Outlook {
    /// The outlook of `position`. Its possible islands are appended to `shapes`; `parent` are the
    /// ranges of an earlier position of the line.
    pub(super) fn new(position: &Position, parent: &Ranges, shapes: &mut Vec<Shape>) -> Outlook {
        let open_cells = Color::BOTH.map(|color| reachable(position, color));
        let sites = Color::BOTH.map(|color| sites(position, color, open_cells[color.index()]));
        let shapes = Color::BOTH.map(|color| {
            let start = shapes.len();
            let open_cells = open_cells[color.index()];
            if !open_cells.is_empty() {
                let range = parent[color.index()].clone();
                append_possible(shapes, range, position, color, open_cells);
            }
            start..shapes.len()
        });
        Outlook { open_cells, sites, shapes }
    }

    /// Bounds on the value for the side to move, from each colour's score and its ceiling.
    pub(super) fn bounds(&self, position: &Position, shapes: &[Shape]) -> (i16, i16) {
        let scores = Color::BOTH.map(|color| position.score(color));
        let mut ceilings = Color::BOTH.map(|color| {
            let n = color.index();
            let shapes = &shapes[self.shapes[n].clone()];
            ceiling(position, color, self.open_cells[n], &self.sites[n], shapes)
        });
        // White has passed: nothing is added to their score.
        if position.stage() == Stage::Last {
            ceilings[Color::White.index()] = scores[0];
        }
        let lower = Value::from(compare(scores[0], ceilings[1]));
        let upper = Value::from(compare(ceilings[0], scores[1]));
        match position.side() {
            Color::White => (lower.get(), upper.get()),
            Color::Red => (-upper.get(), -lower.get()),
        }
    }
}
