//! The board: water, tiles, islands, bridges, and the points of networks.

use std::fmt::Write;

use super::layout::{CELL, Layout, MARGIN};
use super::picture::Picture;
use super::sheet::Sheet;
use crate::board::{Cell, Cells, Site, Size};
use crate::game::{Color, Move, Position};
use crate::render::text::{color_name, count};

/// The edge of a tile.
const TILE: f64 = 41.0;

/// Draws the empty board, its coordinates, and the marks on free cells.
pub(super) fn water(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    let [left, top] = layout.board;
    let edge = CELL * f64::from(layout.cells);
    sheet.rect("water", layout.board, [edge, edge], 0.0);
    for cell in position.blocked() {
        let [x, y] = layout.centre(cell);
        sheet.rect("span", [x - CELL / 2.0, y - CELL / 2.0], [CELL, CELL], 0.0);
    }
    let mut grid = String::new();
    for n in 0..=layout.cells {
        let at = CELL * f64::from(n);
        let _ = write!(grid, "M{} {top}v{edge}M{left} {}h{edge}", left + at, top + at);
    }
    sheet.path("grid", &grid);
    for n in 0..layout.cells {
        let [x, y] = layout.centre(Cell::new(n, n));
        let letter = char::from(b'a' + n).to_string();
        for below in [top - 9.0, top + edge + 20.0] {
            sheet.text("coordinate", [x, below], &letter);
        }
        for beside in [left - MARGIN / 2.0, left + edge + MARGIN / 2.0] {
            sheet.text("coordinate", [beside, y + 5.0], &(n + 1).to_string());
        }
    }
    for cell in position.free() {
        if picture.closed {
            closed(sheet, position, cell, layout.centre(cell));
        }
        if let Some(ownership) = picture.ownership {
            owner(sheet, ownership[cell.index()], layout.centre(cell));
        }
    }
}

/// Marks a cell that is closed to a colour: a small tile of the only colour that
/// may be placed, or a cross if neither may.
fn closed(sheet: &mut Sheet, position: &Position, cell: Cell, [x, y]: [f64; 2]) {
    let may = Color::BOTH.map(|color| position.usable(color).contains(cell));
    let corner = [x - CELL / 2.0 + 9.0, y + CELL / 2.0 - 9.0];
    match may {
        [true, true] => {}
        [false, false] => {
            let [left, up] = [x - 7.0, y - 7.0];
            sheet.path("dead", &format!("M{left} {up}l14 14m0 -14l-14 14"));
        }
        [is_white, _] => {
            let color = if is_white { "white" } else { "red" };
            let corner = corner.map(|at| at - 5.0);
            sheet.rect(&format!("only {color}"), corner, [10.0, 10.0], 1.5);
        }
    }
}

/// Marks the predicted owner of a cell: a larger square is more certain.
fn owner(sheet: &mut Sheet, owner: f32, [x, y]: [f64; 2]) {
    let edge = 24.0 * f64::from(owner.abs().min(1.0)).sqrt();
    if edge >= 4.0 {
        let color = if owner > 0.0 { "white" } else { "red" };
        let corner = [x - edge / 2.0, y - edge / 2.0];
        sheet.rect(&format!("owner {color}"), corner, [edge, edge], 1.5);
    }
}

/// Draws a tile; Red's have a ring.
pub(super) fn tile(sheet: &mut Sheet, color: Color, [x, y]: [f64; 2], edge: f64) {
    let corner = |edge: f64| [x - edge / 2.0, y - edge / 2.0];
    sheet.rect(&format!("tile {color}"), corner(edge), [edge, edge], (edge / 9.0).round());
    if color == Color::Red {
        let inner = (edge * 0.7).round();
        sheet.rect("ring red", corner(inner), [inner, inner], (edge / 14.0).round());
    }
}

/// Draws all tiles and the ground of islands, and marks the last move.
pub(super) fn tiles(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    for color in Color::BOTH {
        let mut left = position.islands(color);
        while let Some(cell) = left.first() {
            let island = position.group(color, cell);
            left -= island;
            ground(sheet, island, color, position.size(), layout);
        }
        for cell in position.tiles(color) {
            sheet.open("cell", ("cell", &cell), "");
            tile(sheet, color, layout.centre(cell), TILE);
            if let Some(Move::Tiles(a, b)) = picture.last
                && [a, b].contains(&cell)
            {
                sheet.circle(&format!("last {color}"), layout.centre(cell), 7.0, "");
            }
            sheet.close();
        }
    }
}

/// Draws the ground and the shore of an island.
fn ground(sheet: &mut Sheet, island: Cells, color: Color, size: Size, layout: &Layout) {
    let mut ground = String::new();
    let mut shore = String::new();
    let has = |cell: Cell, columns: i8, rows: i8| {
        cell.offset(columns, rows, size).is_some_and(|beside| island.contains(beside))
    };
    for cell in island {
        let [x, y] = layout.centre(cell);
        let (left, up) = (x - CELL / 2.0, y - CELL / 2.0);
        let _ = write!(ground, "M{left} {up}h{CELL}v{CELL}h-{CELL}z");
        for (columns, rows, edge) in [
            (0, 1, format!("M{left} {up}h{CELL}")),
            (0, -1, format!("M{left} {}h{CELL}", up + CELL)),
            (-1, 0, format!("M{left} {up}v{CELL}")),
            (1, 0, format!("M{} {up}v{CELL}", left + CELL)),
        ] {
            if !has(cell, columns, rows) {
                shore.push_str(&edge);
            }
        }
    }
    sheet.path(&format!("island {color}"), &ground);
    sheet.path(&format!("shore {color}"), &shore);
}

/// Draws all bridges and marks the last move.
pub(super) fn bridges(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    for site in position.bridges().iter() {
        let [a, b] = site.ends();
        let color = position.tile_at(a).unwrap_or(Color::White);
        let is_last = picture.last == Some(Move::bridge(a, b));
        let title = format!("{} bridge {a}-{b}", color_name(color));
        sheet.open(&format!("bridge {color}"), ("move", &Move::bridge(a, b)), &title);
        bridge(sheet, site, is_last, layout);
        sheet.close();
    }
}

/// Draws a bridge: planks between two posts.
fn bridge(sheet: &mut Sheet, site: Site, is_last: bool, layout: &Layout) {
    let [from, to] = site.ends().map(|cell| layout.centre(cell));
    if is_last {
        sheet.line("border", from, to, "");
        sheet.line("last", from, to, "");
    }
    for class in ["rail", "way", "planks"] {
        sheet.line(class, from, to, "");
    }
    for post in [from, to] {
        sheet.circle("post", post, 5.5, "");
    }
}

/// Draws the points of every network with an island, on a tile of its first
/// island: if possible, one without another mark.
pub(super) fn networks(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    let mut marked = position.bridge_ends();
    if let Some(Move::Tiles(a, b)) = picture.last {
        marked = marked.with(a).with(b);
    }
    for color in Color::BOTH {
        let mut done = Cells::EMPTY;
        for first in position.islands(color) {
            let network = position.network(first);
            if done.contains(network) {
                continue;
            }
            done.insert(network);
            let island = position.group(color, first);
            let plain = (island - marked).first();
            let islands = u16::from(position.network_islands(first));
            let points = islands * (islands + 1) / 2;
            let words = format!(
                "{}: {} in a network, {}",
                color_name(color),
                count(islands, "island"),
                count(points, "point")
            );
            let [x, y] = layout.centre(plain.unwrap_or(first));
            let [x, y] = if plain.is_some() { [x, y] } else { [x - 15.0, y - 15.0] };
            let wide = if points > 9 { 27.0 } else { 20.0 };
            sheet.open(&format!("network {color}"), ("cell", &first), &words);
            sheet.rect("badge", [x - wide / 2.0, y - 10.0], [wide, 20.0], 10.0);
            sheet.text("points", [x, y + 5.0], &points.to_string());
            sheet.close();
        }
    }
}
