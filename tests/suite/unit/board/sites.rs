//! Tests of sets of sites, `src/board/sites.rs`.

use pontifex::board::{Cell, Cells, Site, SiteSet};

#[test]
fn operations_agree_with_their_definitions() {
    let mut random = pontifex::eval::Random::new(7);
    for size in pontifex::board::Size::all() {
        let geometry = pontifex::board::Geometry::of(size);
        for _ in 0..50 {
            let mut half = || {
                let all = geometry.board().into_iter();
                all.filter(|_| random.chance(128)).collect::<Cells>()
            };
            let (a, b, c) = (half(), half(), half());
            let all = geometry.sites().iter();
            let set: SiteSet = all.filter(|site| c.contains(site.ends()[0])).collect();
            let joins = |site: &Site| {
                let [low, high] = site.ends();
                a.contains(low) && b.contains(high) || b.contains(low) && a.contains(high)
            };
            assert_eq!(set.between(a, b), set.iter().filter(joins).collect());
            let ends_on = |site: &Site| site.ends().map(|end| a.contains(end));
            let within: Vec<Site> = set.iter().filter(|s| ends_on(s) == [true; 2]).collect();
            assert_eq!(set.within(a), within.iter().copied().collect());
            assert!(set.within(a).iter().eq(within.iter().copied()), "not in order");
            for (n, &site) in within.iter().enumerate() {
                assert_eq!(set.within(a).nth(n as u32), Some(site));
            }
            assert_eq!(set.within(a).nth(within.len() as u32), None);
            let joined = |n: usize| {
                let to = |cell: Cell| {
                    let other = |[low, high]: [Cell; 2]| {
                        low == cell && a.contains(high) || high == cell && a.contains(low)
                    };
                    set.iter().filter(|site| other(site.ends())).count()
                };
                let cells = geometry.board().into_iter();
                cells.filter(|&cell| to(cell) >= n).collect::<Cells>()
            };
            let on_board = |cells: Cells| cells & geometry.board();
            assert_eq!(set.reach_counts(a).map(on_board), [joined(1), joined(2), joined(3)]);
            assert_eq!(on_board(set.reachable_from(a)), joined(1));
            let between = set.between(a, b);
            let common = within.iter().filter(|&&site| between.contains(site)).count();
            assert_eq!(set.within(a).in_common(&between), common as u32);
            assert_eq!(set.within(a).meets(&between), common > 0);
            let under = |n: usize| {
                let over = |cell: Cell| set.iter().filter(|s| s.span().contains(cell)).count();
                let cells = geometry.board().into_iter();
                cells.filter(|&cell| over(cell) >= n).collect::<Cells>()
            };
            assert_eq!(set.covered(), [under(1), under(2)]);
        }
    }
}
