//! Boards as SVG and PNG.

mod convert;
mod positions;

use std::fs;

use pontifex::board::{Cell, Size};
use pontifex::game::{Color, Move, Network, Position, Rules, Supply};
use pontifex::render::{Candidate, Picture, PngError, png};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use roxmltree::{Document, Node};

use crate::client::test_folder;

/// The elements that have all of `classes`.
fn elements<'d>(svg: &'d Document<'d>, classes: &str) -> Vec<Node<'d, 'd>> {
    let has = |node: &Node, class: &str| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|name| name == class))
    };
    svg.descendants().filter(|node| classes.split(' ').all(|class| has(node, class))).collect()
}

/// The contents of the text elements of a class.
fn texts<'d>(svg: &'d Document<'d>, class: &str) -> Vec<&'d str> {
    elements(svg, class).iter().map(|node| node.text().unwrap()).collect()
}

/// The number of networks with islands of a colour, and their total points.
fn networks(position: &Position, color: Color) -> (usize, u16) {
    let with_islands: Vec<_> =
        position.networks(color).filter(|network| network.islands > 0).collect();
    (with_islands.len(), with_islands.iter().map(Network::points).sum())
}

#[test]
fn everything_on_the_board_is_drawn() {
    for (name, position, last) in positions::all() {
        let text = Picture { last, title: name, ..Picture::of(&position) }.to_svg();
        let svg = Document::parse(&text).unwrap();
        let size = usize::from(position.size().get());
        assert_eq!(elements(&svg, "coordinate").len(), 4 * size, "{name}");
        assert_eq!(elements(&svg, "span").len() as u32, position.spanned_cells().len(), "{name}");
        assert_eq!(elements(&svg, "bridge").len() as u32, position.bridges().len(), "{name}");
        let mut bridges: Vec<_> = elements(&svg, "bridge")
            .iter()
            .map(|node| node.attribute("data-move").unwrap().parse::<Move>().unwrap())
            .collect();
        let sites = position.bridges().iter().map(|site| {
            let [a, b] = site.ends();
            Move::bridge(a, b)
        });
        let mut sites: Vec<Move> = sites.collect();
        bridges.sort_unstable();
        sites.sort_unstable();
        assert_eq!(bridges, sites, "{name}");
        for color in Color::BOTH {
            // One more tile stands next to the score.
            let tiles = elements(&svg, &format!("tile {color}")).len() as u32 - 1;
            assert_eq!(tiles, position.tiles(color).len(), "{name}");
            let score = position.score(color);
            let islands = elements(&svg, &format!("island {color}")).len();
            assert_eq!(islands, usize::from(score.islands), "{name}");
            let own_bridges = elements(&svg, &format!("bridge {color}")).len();
            assert_eq!(own_bridges, usize::from(score.bridges), "{name}");
            let (count, points) = networks(&position, color);
            assert_eq!(
                (elements(&svg, &format!("network {color}")).len(), points),
                (count, score.points)
            );
        }
        let points = texts(&svg, "points").into_iter().map(|text| text.parse::<u16>().unwrap());
        let both = Color::BOTH.map(|color| position.score(color).points);
        assert_eq!(points.sum::<u16>(), both.iter().sum::<u16>(), "{name}");
        let marks = match last {
            Some(Move::Tiles(..)) => 2,
            Some(Move::Bridge(..)) => 1,
            _ => 0,
        };
        assert_eq!(elements(&svg, "last").len(), marks, "{name}");
        assert_eq!(texts(&svg, "title"), [name]);
        assert_eq!(elements(&svg, "tile").len(), elements(&svg, "cell").len() + 2);
    }
}

/// The centre of the tile on a cell.
fn tile_centre(text: &str, cell: &str) -> (f64, f64) {
    let svg = Document::parse(text).unwrap();
    let cell =
        elements(&svg, "cell").into_iter().find(|node| node.attribute("data-cell") == Some(cell));
    let tile = cell.unwrap().first_element_child().unwrap();
    let number = |name: &str| tile.attribute(name).unwrap().parse::<f64>().unwrap();
    (number("x") + number("width") / 2.0, number("y") + number("height") / 2.0)
}

#[test]
fn a1_is_at_the_lower_left() {
    let position = positions::position("w8w/10/10/10/10/10/10/10/10/r8r r - -");
    let text = Picture::of(&position).to_svg();
    let [(ax, ay), (jx, jy)] = [tile_centre(&text, "a1"), tile_centre(&text, "j10")];
    assert_eq!((jx - ax, ay - jy), (9.0 * 48.0, 9.0 * 48.0));
    assert_eq!(tile_centre(&text, "a10"), (ax, jy));
}

#[test]
fn candidates_are_numbered_and_listed() {
    let position = positions::named("middle of a game");
    let candidates = positions::candidates(&position);
    let text = Picture { candidates: &candidates, ..Picture::of(&position) }.to_svg();
    let svg = Document::parse(&text).unwrap();
    assert_eq!(elements(&svg, "candidate row").len(), 12);
    assert_eq!(texts(&svg, "move").len(), 12);
    assert_eq!(texts(&svg, "more"), [format!("and {} more", candidates.len() - 12)]);
    let cells: Vec<Cell> = candidates[..12]
        .iter()
        .filter_map(|candidate| match candidate.mv {
            Move::Tiles(a, b) => Some([a, b]),
            _ => None,
        })
        .flatten()
        .collect();
    let mut different = cells.clone();
    different.sort_unstable();
    different.dedup();
    assert!(different.len() < cells.len(), "no cell has several candidates");
    assert_eq!(elements(&svg, "candidate tiles").len(), different.len());
    assert_eq!(elements(&svg, "link").len(), cells.len() / 2);
    let bridges = candidates[..12]
        .iter()
        .filter(|candidate| matches!(candidate.mv, Move::Bridge(..)))
        .count();
    assert_eq!(elements(&svg, "candidate bridge").len(), bridges);
    assert!(bridges > 0);
    let first = candidates[0];
    assert_eq!(texts(&svg, "move")[0], first.mv.to_string());
    assert!(texts(&svg, "number").contains(&format!("{:.0}%", 100.0 * first.winrate).as_str()));
}

#[test]
fn a_pass_is_only_in_the_list_of_candidates() {
    let position = positions::position("4/4/4/4 w - -");
    let pass = Candidate { mv: Move::Pass, winrate: 0.0, lead: -1.0, visits: 1234, weight: 2.0 };
    let text = Picture { candidates: &[pass], ..Picture::of(&position) }.to_svg();
    let svg = Document::parse(&text).unwrap();
    assert_eq!(texts(&svg, "move"), ["pass"]);
    assert_eq!(elements(&svg, "heat").len(), 1);
    assert_eq!(texts(&svg, "number")[3..], ["0%", "\u{2212}1.0", "1,234"]);
}

#[test]
fn closed_cells_and_owners_are_marked() {
    let position = positions::position(positions::MIDDLE);
    let ownership = positions::ownership();
    let picture = Picture { closed: true, ownership: Some(&ownership), ..Picture::of(&position) };
    let text = picture.to_svg();
    let svg = Document::parse(&text).unwrap();
    let [white, red] = Color::BOTH.map(|color| position.open_cells(color));
    let free = position.free_cells();
    assert_eq!(elements(&svg, "only white").len() as u32, (white - red).len());
    assert_eq!(elements(&svg, "only red").len() as u32, (red - white).len());
    assert_eq!(elements(&svg, "dead").len() as u32, (free - white - red).len());
    assert!(!(free - white - red).is_empty(), "every free cell is open to a colour");
    assert!(!(red - white).is_empty(), "no cell is open to Red alone");
    let owned =
        |sign: f32| free.into_iter().filter(|cell| ownership[cell.index()] * sign >= 0.1).count();
    assert_eq!(elements(&svg, "owner white").len(), owned(1.0));
    assert_eq!(elements(&svg, "owner red").len(), owned(-1.0));
}

#[test]
fn a_colour_without_tiles_can_use_no_cell() {
    let supply = Supply::Limited { tiles: 3, bridges: 1 };
    let rules = Rules { size: Size::MIN, supply, pie: false };
    let mut position = Position::new(rules);
    position.play("a1,a2".parse().unwrap()).unwrap();
    let text = Picture { closed: true, ..Picture::of(&position) }.to_svg();
    let svg = Document::parse(&text).unwrap();
    assert_eq!(elements(&svg, "only red").len() as u32, position.open_cells(Color::Red).len());
    assert_eq!(elements(&svg, "only white").len(), 0);
}

#[test]
fn titles_are_escaped_and_cut() {
    let position = positions::position("4/4/4/4 w - -");
    let title = "<b> & \"Žofie\" ]]>\u{1}\u{ffff}\n\u{1F309} ".repeat(9);
    let text = Picture { title: &title, ..Picture::of(&position) }.to_svg();
    let svg = Document::parse(&text).unwrap();
    let [drawn] = texts(&svg, "title").try_into().unwrap();
    assert!(drawn.starts_with("<b> & \"Žofie\" ]]>") && drawn.ends_with('…'), "{drawn}");
    assert!(drawn.chars().count() < 50, "{drawn}");
    png(&text, None).unwrap();
}

/// The width and height in the header of a PNG file.
fn dimensions(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |offset: usize| u32::from_be_bytes(png[offset..offset + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn all_positions_are_drawn_as_png() {
    let folder = test_folder("pictures");
    let ownership = positions::ownership();
    // Drawing is slow in unoptimized builds.
    let width = if cfg!(debug_assertions) { 150 } else { 600 };
    for (name, position, last) in positions::all() {
        let candidates = positions::candidates(&position);
        let plain = Picture { last, title: name, ..Picture::of(&position) };
        let mut pictures = vec![("", plain)];
        if ["middle of a game", "small"].contains(&name) {
            let (candidates, ownership) = (&candidates, Some(&ownership));
            pictures.push((" closed", Picture { closed: true, ..plain }));
            pictures.push((" candidates", Picture { candidates, ownership, ..plain }));
        }
        for (suffix, picture) in pictures {
            let svg = picture.to_svg();
            let image = png(&svg, Some(width)).unwrap();
            let document = Document::parse(&svg).unwrap();
            let root = document.root_element();
            let number = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
            let height = (f64::from(width) * number("height") / number("width")).round() as u32;
            assert_eq!(dimensions(&image), (width, height));
            let pixels = Pixmap::decode_png(&image).unwrap();
            let water = |pixel: &&PremultipliedColorU8| {
                (pixel.red(), pixel.green(), pixel.blue()) == (0xcf, 0xe2, 0xec)
            };
            assert!(pixels.pixels().iter().filter(water).count() > 100, "{name}");
            assert!(pixels.pixels().iter().all(|pixel| pixel.alpha() == 255), "{name}");
            // For inspection by hand.
            fs::write(folder.join(format!("{name}{suffix}.png")), image).unwrap();
        }
    }
}

#[test]
fn png_uses_the_built_in_fonts() {
    let letters = |text: &str| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 300 40\">\
             <text y=\"30\" font-size=\"20\" font-family=\"sans-serif\">{text}</text></svg>"
        );
        png(&svg, None).unwrap()
    };
    let blank = letters("");
    for text in ["a", "Ž", "Ж", "λ", "\u{2212}", "\u{2022}", "\u{2026}"] {
        assert_ne!(letters(text), blank, "{text}");
    }
    assert_ne!(letters("a"), letters("b"));
}

#[test]
fn texts_are_drawn_in_their_style() {
    // The first and the last column and the number of pixels with ink.
    let ink = |style: &str, attributes: &str| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 300 40\">\
             <style>.a text {{ font-size: 10px }} .a .b {{ {style} }}</style>\
             <g class=\"a\"><text class=\"b\" x=\"150\" y=\"30\" {attributes}>HH</text></g></svg>"
        );
        let pixels = Pixmap::decode_png(&png(&svg, Some(300)).unwrap()).unwrap();
        let dark = pixels.pixels().iter().enumerate().filter(|(_, pixel)| pixel.green() < 128);
        let columns: Vec<usize> = dark.map(|(n, _)| n % 300).collect();
        (*columns.iter().min().unwrap(), *columns.iter().max().unwrap(), columns.len())
    };
    let (left, right, count) = ink("", "");
    // DejaVu's H is 0.75 em wide.
    assert!((150..152).contains(&left) && (163..166).contains(&right), "{left} to {right}");
    let (left, right, _) = ink("text-anchor: middle", "");
    assert!((142..144).contains(&left) && (156..158).contains(&right), "{left} to {right}");
    assert!(ink("text-anchor: end", "").1 < 150);
    assert_eq!(ink("", "text-anchor=\"end\""), ink("text-anchor: end", ""));
    assert_eq!(ink("font-size: 30px", "font-size=\"9\""), ink("font-size: 30px", ""));
    assert!(ink("font-size: 20px", "").2 > 2 * count);
    assert!(ink("font-weight: bold", "").2 > count);
    assert_eq!(ink("fill: #f00", ""), ink("", ""));
}

#[test]
fn invalid_pictures_are_refused() {
    assert!(matches!(png("(;GM[1])", None), Err(PngError::Svg(_))));
    let svg = Picture::of(&positions::position("4/4/4/4 w - -")).to_svg();
    for width in [0, 16_385] {
        let error = png(&svg, Some(width)).unwrap_err();
        assert!(matches!(error, PngError::Size(found, _) if found == width), "{error}");
    }
    assert_eq!(dimensions(&png(&svg, Some(1)).unwrap()), (1, 1));
}
