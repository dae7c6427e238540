//! Tests of `src/board/geometry.rs`.

use pontifex::board::{Cells, Geometry, Site, Size};

#[test]
fn counts_of_sites() {
    let count = |n| Geometry::of(Size::new(n).unwrap()).sites().len();
    assert_eq!((count(4), count(8), count(10), count(12)), (48, 336, 576, 880));
}

#[test]
fn tables_agree_with_the_definitions() {
    for size in Size::all() {
        let geometry = Geometry::of(size);
        let sites: Vec<Site> = geometry.sites().iter().collect();
        for &site in &sites {
            let [a, b] = site.ends();
            assert!(a < b && a.is_on(size) && b.is_on(size));
            assert_eq!(Site::between(b, a), Some(site));
            assert_eq!(geometry.span(site), site.span());
            for cell in geometry.board() {
                let spans = geometry.sites_over(cell).contains(site);
                assert_eq!(spans, site.span().contains(cell));
            }
            for &other in &sites {
                let crosses = geometry.crossed_by(site).contains(other);
                assert_eq!(crosses, site.crosses(other), "{site} {other}");
            }
        }
    }
}

#[test]
fn sites_within_cells() {
    let geometry = Geometry::of(Size::STANDARD);
    let cells: Cells = geometry.board().into_iter().filter(|c| c.index() % 3 != 1).collect();
    let within = geometry.sites().within(cells);
    for site in geometry.sites().iter() {
        let [a, b] = site.ends();
        assert_eq!(within.contains(site), cells.contains(a) && cells.contains(b), "{site}");
    }
}
