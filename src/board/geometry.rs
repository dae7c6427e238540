use std::sync::OnceLock;

use super::{BridgeSite, Cell, Cells, Site, SiteSet, Size};

/// No bridge has that shape.
const NO_SITE: u16 = u16::MAX;

/// The tables of one board size, made once.
#[derive(Debug)]
pub struct Geometry {
    size: Size,
    board: Cells,
    sides: Box<[Cells; Cell::TABLE]>,
    corners: Box<[Cells; Cell::TABLE]>,
    vicinity: Box<[Cells; Cell::TABLE]>,
    sites: Vec<BridgeSite>,
    partners: Box<[Cells; Cell::TABLE]>,
    site_at: Box<[[u16; 25]; Cell::TABLE]>,
    killed_by_tile: Box<[SiteSet; Cell::TABLE]>,
    crossed_by: Vec<SiteSet>,
    killed_by_bridge: Vec<SiteSet>,
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
        let mut partners = table();
        let mut site_at = Box::new([[NO_SITE; 25]; Cell::TABLE]);
        let mut sites = Vec::new();
        for cell in board {
            let index = cell.index();
            sides[index] = Cells::from(cell).sides() & board;
            corners[index] = (Cells::from(cell).halo() & board) - sides[index];
            corners[index].remove(cell);
            let mut near = Cells::from(cell);
            for _ in 0..VICINITY {
                near = near.halo() & board;
            }
            vicinity[index] = near;
            for other in board.after(cell) {
                if let Some(span) = BridgeSite::span(cell, other) {
                    let number = sites.len() as u16;
                    site_at[index][pair(cell, other)] = number;
                    site_at[other.index()][pair(other, cell)] = number;
                    partners[index].insert(other);
                    partners[other.index()].insert(cell);
                    sites.push(BridgeSite { ends: [cell, other], span });
                }
            }
        }
        let where_site = |keep: &dyn Fn(&BridgeSite) -> bool| -> SiteSet {
            let kept = sites.iter().enumerate().filter(|(_, site)| keep(site));
            kept.map(|(number, _)| Site(number as u16)).collect()
        };
        let mut killed_by_tile = Box::new([SiteSet::EMPTY; Cell::TABLE]);
        for cell in board {
            killed_by_tile[cell.index()] = where_site(&|site| site.span.contains(cell));
        }
        let crossed_by: Vec<SiteSet> =
            sites.iter().map(|site| where_site(&|other| other.crosses(site))).collect();
        let killed_by_bridge = sites
            .iter()
            .zip(&crossed_by)
            .map(|(site, crossed)| {
                let mut killed =
                    where_site(&|other| other.ends.iter().any(|end| site.ends.contains(end)));
                killed.union(crossed);
                killed
            })
            .collect();
        Geometry {
            size,
            board,
            sides,
            corners,
            vicinity,
            sites,
            partners,
            site_at,
            killed_by_tile,
            crossed_by,
            killed_by_bridge,
        }
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

    /// The cells at most four columns and four rows away: a tile on `cell`
    /// changes what is legal for its colour nowhere else.
    #[inline]
    pub fn vicinity(&self, cell: Cell) -> Cells {
        self.vicinity[cell.index()]
    }

    /// Every bridge site of the board: 576 on 10×10, 880 on 12×12.
    #[inline]
    pub fn sites(&self) -> &[BridgeSite] {
        &self.sites
    }

    /// The ends and the span of `site`.
    ///
    /// # Panics
    /// When `site` is not one of this board's.
    #[inline]
    pub fn site(&self, site: Site) -> &BridgeSite {
        &self.sites[site.index()]
    }

    /// The site between two cells, in either order, if a bridge has that
    /// shape.
    #[inline]
    pub fn site_between(&self, a: Cell, b: Cell) -> Option<Site> {
        let columns = a.column().abs_diff(b.column());
        let rows = a.row().abs_diff(b.row());
        if columns > 2 || rows > 2 {
            return None;
        }
        match self.site_at[a.index()][pair(a, b)] {
            NO_SITE => None,
            number => Some(Site(number)),
        }
    }

    /// The other ends of all bridge sites that end on `cell`.
    #[inline]
    pub fn partners(&self, cell: Cell) -> Cells {
        self.partners[cell.index()]
    }

    /// The sites that span `cell`: a tile there makes them unusable.
    #[inline]
    pub fn killed_by_tile(&self, cell: Cell) -> &SiteSet {
        &self.killed_by_tile[cell.index()]
    }

    /// The sites a bridge on `site` crosses.
    #[inline]
    pub fn crossed_by(&self, site: Site) -> &SiteSet {
        &self.crossed_by[site.index()]
    }

    /// The sites that a bridge on `site` makes unusable, `site` itself among
    /// them: those it crosses and those that end on one of its ends.
    #[inline]
    pub fn killed_by_bridge(&self, site: Site) -> &SiteSet {
        &self.killed_by_bridge[site.index()]
    }
}

/// How far the effect of a tile on its colour's legality reaches, in king's
/// steps: along a group that touches it by a corner (1 + 2) and one side on.
const VICINITY: usize = 4;

/// Where the difference of two cells at most two apart stands in a 5×5 table.
#[inline]
fn pair(from: Cell, to: Cell) -> usize {
    let columns = to.column() as usize + 2 - from.column() as usize;
    let rows = to.row() as usize + 2 - from.row() as usize;
    columns * 5 + rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(text: &str) -> BridgeSite {
        let (a, b) = text.split_once('-').unwrap();
        let (a, b): (Cell, Cell) = (a.parse().unwrap(), b.parse().unwrap());
        BridgeSite { ends: [a.min(b), a.max(b)], span: BridgeSite::span(a, b).unwrap() }
    }

    #[test]
    fn counts_of_sites() {
        let count = |n| Geometry::of(Size::new(n).unwrap()).sites().len();
        assert_eq!((count(4), count(8), count(10), count(12)), (48, 336, 576, 880));
        assert_eq!(Geometry::of(Size::MAX).sites().len(), super::super::MAX_SITES);
    }

    #[test]
    fn spans_as_in_the_rules() {
        let cells = |text: &str| text.split(',').map(|c| c.parse::<Cell>().unwrap()).collect();
        assert_eq!(site("d4-e6").span, cells("d5,e5"));
        assert_eq!(site("d4-f5").span, cells("e4,e5"));
        assert_eq!(site("d4-f4").span, cells("e4"));
        assert_eq!(site("f2-d4").span, cells("e3"));
        for other in ["d4", "d5", "e5", "g4", "g5", "a1"] {
            assert_eq!(BridgeSite::span("d4".parse().unwrap(), other.parse().unwrap()), None);
        }
    }

    #[test]
    fn crossings() {
        // The first pair shares no spanned cell, the field's usual mistake.
        for (a, b) in
            [("c3-e5", "c6-e4"), ("c3-e5", "e3-c5"), ("c3-d5", "d3-c5"), ("a1-c1", "b1-d1")]
        {
            assert!(site(a).crosses(&site(b)), "{a} {b}");
            assert!(site(b).crosses(&site(a)), "{b} {a}");
        }
        for (a, b) in
            [("d4-e6", "e4-f6"), ("c3-e5", "e5-g7"), ("c3-e3", "c4-e4"), ("a1-c3", "c1-d3")]
        {
            assert!(!site(a).crosses(&site(b)), "{a} {b}");
        }
    }

    #[test]
    fn tables_agree_with_the_definitions() {
        for size in Size::all() {
            let geometry = Geometry::of(size);
            for (number, one) in geometry.sites().iter().enumerate() {
                let number = Site(number as u16);
                let [a, b] = one.ends;
                assert_eq!(geometry.site_between(a, b), Some(number));
                assert_eq!(geometry.site_between(b, a), Some(number));
                assert!(geometry.partners(a).contains(b) && geometry.partners(b).contains(a));
                assert!(geometry.killed_by_bridge(number).contains(number));
                for cell in geometry.board() {
                    let spans = geometry.killed_by_tile(cell).contains(number);
                    assert_eq!(spans, one.span.contains(cell));
                }
            }
        }
    }
}
