//! Tables of neighbours, bridge sites, spans and crossings for each board size.
//!
//! The effects of a step on a position are looked up here: the neighbours of a cell, the sites that
//! a tile closes, the sites that a bridge closes. The tables of a size are computed lazily, for its
//! first position, and shared by all later ones.

use std::fmt;
use std::sync::OnceLock;

use super::{Cell, Cells, Site, SiteSet, Size};

/// The tables of one board size.
pub struct Geometry {
    size: Size,
    board: Cells,
    // Tables over `Cell::index`.
    sides: Box<[Cells; Cell::TABLE]>,
    corners: Box<[Cells; Cell::TABLE]>,
    vicinity: Box<[Cells; Cell::TABLE]>,
    sites: SiteSet,
    /// Over [`Site::index`].
    spans: Vec<Cells>,
    /// Over [`Cell::index`].
    sites_over: Vec<SiteSet>,
    /// Over [`Site::index`].
    crossed_by: Vec<SiteSet>,
}

impl Geometry {
    /// The tables for `size`.
    pub fn of(size: Size) -> &'static Geometry {
        static ALL: [OnceLock<Geometry>; Size::MAX.get() as usize + 1] =
            [const { OnceLock::new() }; _];
        ALL[size.get() as usize].get_or_init(|| Geometry::new(size))
    }

    fn new(size: Size) -> Geometry {
        let board = Cells::board(size);
        let table = || Box::new([Cells::EMPTY; Cell::TABLE]);
        let (mut sides, mut corners, mut vicinity) = (table(), table(), table());
        let mut sites = Vec::new();
        for cell in board {
            let index = cell.index();
            sides[index] = Cells::from(cell).sides() & board;
            corners[index] = (Cells::from(cell).halo() & board) - sides[index];
            corners[index].remove(cell);
            vicinity[index] = Cells::from(cell);
            for _ in 0..VICINITY {
                vicinity[index] = vicinity[index].halo() & board;
            }
            sites.extend(board.after(cell).into_iter().filter_map(|b| Site::between(cell, b)));
        }
        let mut spans = vec![Cells::EMPTY; Site::TABLE];
        let mut sites_over = vec![SiteSet::EMPTY; Cell::TABLE];
        let mut crossed_by = vec![SiteSet::EMPTY; Site::TABLE];
        for &site in &sites {
            let span = site.span();
            spans[site.index()] = span;
            for cell in span {
                sites_over[cell.index()].insert(site);
            }
            // Only nearby sites can cross, and testing all pairs would take far longer.
            let [low, _] = site.ends();
            let is_near = |other: &&Site| vicinity[low.index()].contains(other.ends()[0]);
            let crossed = sites.iter().filter(is_near).filter(|&&other| site.crosses(other));
            crossed_by[site.index()] = crossed.copied().collect();
        }
        let sites = sites.into_iter().collect();
        Geometry { size, board, sides, corners, vicinity, sites, spans, sites_over, crossed_by }
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Every cell of the board.
    #[inline]
    pub fn board(&self) -> Cells {
        self.board
    }

    /// The cells that touch `cell` by a side.
    #[inline]
    pub fn sides(&self, cell: Cell) -> Cells {
        self.sides[cell.index()]
    }

    /// The cells that touch `cell` by a corner only.
    #[inline]
    pub fn corners(&self, cell: Cell) -> Cells {
        self.corners[cell.index()]
    }

    /// The cells at most four columns and four rows away, `cell` included. A tile on `cell` does
    /// not change the legality of tiles of its colour elsewhere.
    #[inline]
    pub fn vicinity(&self, cell: Cell) -> Cells {
        self.vicinity[cell.index()]
    }

    /// Every bridge site of the board: 576 on 10×10, 880 on 12×12.
    #[inline]
    pub fn sites(&self) -> &SiteSet {
        &self.sites
    }

    /// The cells under a bridge on `site`, a site of the board.
    #[inline]
    pub fn span(&self, site: Site) -> Cells {
        self.spans[site.index()]
    }

    /// The sites that span `cell`. A tile there closes them.
    #[inline]
    pub fn sites_over(&self, cell: Cell) -> &SiteSet {
        &self.sites_over[cell.index()]
    }

    /// The sites that a bridge on `site` crosses, including `site` itself.
    #[inline]
    pub fn crossed_by(&self, site: Site) -> &SiteSet {
        &self.crossed_by[site.index()]
    }
}

impl fmt::Debug for Geometry {
    /// Writes only the size: the tables would be too long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Geometry").field("size", &self.size).finish_non_exhaustive()
    }
}

/// The reach of a tile's effect on the legality of its colour, in king's moves. The longest path is
/// along a group of three in a row that touches the tile by a corner: one move to the group, two
/// along it, and one to the cell that would complete it. With a smaller number
/// [`Position::tile_steps`](crate::game::Position::tile_steps) would offer first tiles that leave
/// no second one.
const VICINITY: usize = 4;
