//! Tests of single sites, `src/board/sites.rs`.

use pontifex::board::{Cell, Site};

fn site(text: &str) -> Site {
    let (a, b) = text.split_once('-').unwrap();
    Site::between(a.parse().unwrap(), b.parse().unwrap()).unwrap()
}

#[test]
fn spans_as_in_the_rules() {
    let cells = |text: &str| text.split(',').map(|c| c.parse::<Cell>().unwrap()).collect();
    for (bridge, span) in [
        ("d4-e6", "d5,e5"),
        ("d4-f5", "e4,e5"),
        ("d4-f4", "e4"),
        ("f2-d4", "e3"),
        ("d4-d6", "d5"),
        ("e2-d4", "d3,e3"),
        ("f3-d4", "e3,e4"),
    ] {
        assert_eq!(site(bridge).span(), cells(span), "{bridge}");
    }
    for other in ["d4", "d5", "e5", "g4", "g5", "a1"] {
        assert_eq!(Site::between("d4".parse().unwrap(), other.parse().unwrap()), None);
    }
}

#[test]
fn crossings_do_not_need_a_common_cell() {
    // The first pair has no spanned cell in common but crosses.
    for (a, b) in [
        ("c3-e5", "c6-e4"),
        ("c3-e5", "e3-c5"),
        ("c3-d5", "d3-c5"),
        ("a1-c1", "b1-d1"),
        ("a1-c2", "a2-c1"),
    ] {
        assert!(site(a).crosses(site(b)), "{a} {b}");
        assert!(site(b).crosses(site(a)), "{b} {a}");
    }
    for (a, b) in [
        ("d4-e6", "e4-f6"),
        ("c3-e5", "e5-g7"),
        ("c3-e3", "c4-e4"),
        ("a1-c3", "c1-d3"),
        ("a1-c1", "c1-e1"),
    ] {
        assert!(!site(a).crosses(site(b)), "{a} {b}");
    }
}
