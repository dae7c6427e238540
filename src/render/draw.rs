//! Drawing a picture as SVG: the board with water, tiles, islands, bridges and the points of
//! networks, and the text around it.

use std::fmt::Write;

use super::candidates;
use super::picture::{CELL, Layout, MARGIN, Picture, Sheet, escape};
use super::text::{color_name, count, turn_line};
use crate::board::{Cell, Cells, Site, Size};
use crate::game::{Color, Move, Position};

/// The style of the elements. A page that shows the picture can override it.
const STYLE: &str = include_str!("style.css");

/// The average width of a character of the title, because the width of an SVG text is not known
/// before it is shown. Set by judgement for the font size in `style.css`, 17 units.
const TITLE_CHARACTER: f64 = 9.5;

/// The edge of a tile, a little less than that of a cell, so that neighbours stay apart.
const TILE: f64 = 41.0;

impl Picture<'_> {
    /// Draws the picture as a self-contained `<svg>` element with a line break at the end.
    ///
    /// The elements have classes that a page can style: `tile`, `island`, `bridge`, `network`,
    /// `last`, `candidate`, `only`, `dead` and `owner`, with `white` or `red`. Groups that
    /// represent a cell or a move have the attribute `data-cell` or `data-move`.
    pub fn to_svg(&self) -> String {
        let layout = Layout::of(self);
        let mut sheet = Sheet::default();
        let [width, height] = layout.size;
        let _ = write!(
            sheet.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pontifex\" role=\"img\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<style>\n{STYLE}</style>\n",
            escape(if self.title.is_empty() { "Ponte del Diavolo" } else { self.title }),
            escape(&self.description()),
        );
        // Later elements lie on top: water, tiles, bridges, numbers.
        sheet.rect("paper", [0.0, 0.0], layout.size, 0.0);
        let title = shorten(self.title, (width - 2.0 * MARGIN) / TITLE_CHARACTER);
        if !title.is_empty() {
            sheet.text("title", [width / 2.0, 25.0], &title);
        }
        draw_water(&mut sheet, self, &layout);
        candidates::draw_links(&mut sheet, self, &layout);
        draw_tiles(&mut sheet, self, &layout);
        draw_bridges(&mut sheet, self, &layout);
        draw_networks(&mut sheet, self, &layout);
        candidates::draw_marks(&mut sheet, self, &layout);
        candidates::draw_list(&mut sheet, self, &layout);
        self.draw_foot(&mut sheet, &layout);
        sheet.out.push_str("</svg>\n");
        sheet.out
    }

    /// Describes the position in words.
    fn description(&self) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            let tiles: Vec<String> =
                self.position.tiles(color).into_iter().map(|cell| cell.to_string()).collect();
            let tiles = if tiles.is_empty() { "no tiles".to_owned() } else { tiles.join(" ") };
            let _ = write!(text, "{}: {tiles}. ", color_name(color));
        }
        let bridges = self.position.bridges().iter().map(|site| {
            let [a, b] = site.ends();
            format!("{a}-{b}")
        });
        let mut bridges: Vec<String> = bridges.collect();
        bridges.sort_unstable();
        if !bridges.is_empty() {
            let _ = write!(text, "Bridges: {}. ", bridges.join(" "));
        }
        if let Some(last) = self.last {
            let _ = write!(text, "Last move: {last}. ");
        }
        text + &turn_line(self.position)
    }

    /// Draws the scores and the side to move.
    fn draw_foot(&self, sheet: &mut Sheet, layout: &Layout) {
        let position = self.position;
        let [left, top] = layout.foot;
        for color in Color::BOTH {
            let y = top + 24.0 * color.index() as f64;
            draw_tile(sheet, color, [left + 9.0, y + 9.0], 18.0);
            let score = position.score(color);
            let mut text = format!(
                "{}, {}, {}",
                count(score.points, "point"),
                count(score.islands.into(), "island"),
                count(score.bridges.into(), "bridge")
            );
            if let Some(tiles) = position.tiles_left(color) {
                let _ = write!(text, ", {} left", count(tiles, "tile"));
            }
            sheet.text("score", [left + 28.0, y + 14.0], &text);
        }
        let mut text = turn_line(position);
        if let Some(bridges) = position.bridges_left() {
            let _ = write!(text, " \u{2022} {} left", count(bridges, "bridge"));
        }
        if let Some(last) = self.last {
            let _ = write!(text, " \u{2022} last {last}");
        }
        sheet.text("turn", [left, top + 62.0], &text);
    }
}

/// Shortens `text` to at most `chars` characters, the last an ellipsis.
fn shorten(text: &str, chars: f64) -> String {
    let chars = chars as usize;
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let begin: String = text.chars().take(chars.saturating_sub(1)).collect();
    format!("{}\u{2026}", begin.trim_end())
}

/// Draws the empty board, its coordinates, and the marks on free cells.
fn draw_water(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    let [left, top] = layout.board;
    let edge = CELL * f64::from(layout.cells_per_edge);
    sheet.rect("water", layout.board, [edge, edge], 0.0);
    for cell in position.spanned_cells() {
        let [x, y] = layout.centre(cell);
        sheet.rect("span", [x - CELL / 2.0, y - CELL / 2.0], [CELL, CELL], 0.0);
    }
    let mut grid = String::new();
    for n in 0..=layout.cells_per_edge {
        let offset = CELL * f64::from(n);
        let _ = write!(grid, "M{} {top}v{edge}M{left} {}h{edge}", left + offset, top + offset);
    }
    sheet.path("grid", &grid);
    for n in 0..layout.cells_per_edge {
        let [x, y] = layout.centre(Cell::new(n, n));
        let letter = char::from(b'a' + n).to_string();
        for below in [top - 9.0, top + edge + 20.0] {
            sheet.text("coordinate", [x, below], &letter);
        }
        for beside in [left - MARGIN / 2.0, left + edge + MARGIN / 2.0] {
            sheet.text("coordinate", [beside, y + 5.0], &(n + 1).to_string());
        }
    }
    for cell in position.free_cells() {
        if picture.closed {
            mark_closed(sheet, position, cell, layout.centre(cell));
        }
        if let Some(ownership) = picture.ownership {
            mark_owner(sheet, ownership[cell.index()], layout.centre(cell));
        }
    }
}

/// Marks a cell that is closed to a colour: a small tile of the only colour that may be placed, or
/// a cross if neither may.
fn mark_closed(sheet: &mut Sheet, position: &Position, cell: Cell, [x, y]: [f64; 2]) {
    let placeable = Color::BOTH.map(|color| position.placeable_cells(color).contains(cell));
    let corner = [x - CELL / 2.0 + 9.0, y + CELL / 2.0 - 9.0];
    match placeable {
        [true, true] => {}
        [false, false] => {
            let [left, up] = [x - 7.0, y - 7.0];
            sheet.path("dead", &format!("M{left} {up}l14 14m0 -14l-14 14"));
        }
        [is_white, _] => {
            let color = if is_white { "white" } else { "red" };
            let corner = corner.map(|coordinate| coordinate - 5.0);
            sheet.rect(&format!("only {color}"), corner, [10.0, 10.0], 1.5);
        }
    }
}

/// Marks the predicted owner of a cell: the larger the square, the more certain the owner.
fn mark_owner(sheet: &mut Sheet, owner: f32, [x, y]: [f64; 2]) {
    // The square root makes the area, which the eye compares, proportional.
    let edge = 24.0 * f64::from(owner.abs().min(1.0)).sqrt();
    if edge >= 4.0 {
        let color = if owner > 0.0 { "white" } else { "red" };
        let corner = [x - edge / 2.0, y - edge / 2.0];
        sheet.rect(&format!("owner {color}"), corner, [edge, edge], 1.5);
    }
}

/// Draws a tile. Red tiles have a ring, so that the sides also differ in black and white.
fn draw_tile(sheet: &mut Sheet, color: Color, [x, y]: [f64; 2], edge: f64) {
    let corner = |edge: f64| [x - edge / 2.0, y - edge / 2.0];
    sheet.rect(&format!("tile {color}"), corner(edge), [edge, edge], (edge / 9.0).round());
    if color == Color::Red {
        let inner = (edge * 0.7).round();
        sheet.rect("ring red", corner(inner), [inner, inner], (edge / 14.0).round());
    }
}

/// Draws all tiles and the ground of islands, and marks the last move.
fn draw_tiles(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    for color in Color::BOTH {
        let mut remaining = position.islands(color);
        while let Some(cell) = remaining.first() {
            let island = position.group(color, cell);
            remaining -= island;
            draw_ground(sheet, island, color, position.size(), layout);
        }
        for cell in position.tiles(color) {
            sheet.open("cell", ("cell", &cell), "");
            draw_tile(sheet, color, layout.centre(cell), TILE);
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
fn draw_ground(sheet: &mut Sheet, island: Cells, color: Color, size: Size, layout: &Layout) {
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
fn draw_bridges(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    for site in position.bridges().iter() {
        let [a, b] = site.ends();
        let color = position.tile_at(a).unwrap_or(Color::White);
        let is_last = picture.last == Some(Move::bridge(a, b));
        let title = format!("{} bridge {a}-{b}", color_name(color));
        sheet.open(&format!("bridge {color}"), ("move", &Move::bridge(a, b)), &title);
        draw_bridge(sheet, site, is_last, layout);
        sheet.close();
    }
}

/// Draws a bridge: planks between two posts.
fn draw_bridge(sheet: &mut Sheet, site: Site, is_last: bool, layout: &Layout) {
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

/// Draws the points of every network with an island, on a tile of its first island: if possible,
/// one without another mark.
fn draw_networks(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let position = picture.position;
    let mut marked = position.bridge_ends();
    if let Some(Move::Tiles(a, b)) = picture.last {
        marked = marked.with(a).with(b);
    }
    for color in Color::BOTH {
        for network in position.networks(color) {
            let Some(first) = (network.tiles & position.islands(color)).first() else { continue };
            let island = position.group(color, first);
            let plain = (island - marked).first();
            let (islands, points) = (u16::from(network.islands), network.points());
            let words = format!(
                "{}: {} in a network, {}",
                color_name(color),
                count(islands, "island"),
                count(points, "point")
            );
            let [x, y] = layout.centre(plain.unwrap_or(first));
            let [x, y] = if plain.is_some() { [x, y] } else { [x - 15.0, y - 15.0] };
            let width = if points > 9 { 27.0 } else { 20.0 };
            sheet.open(&format!("network {color}"), ("cell", &first), &words);
            sheet.rect("badge", [x - width / 2.0, y - 10.0], [width, 20.0], 10.0);
            sheet.text("points", [x, y + 5.0], &points.to_string());
            sheet.close();
        }
    }
}
