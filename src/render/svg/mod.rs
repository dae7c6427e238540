use std::fmt::Write;

use self::sheet::{Sheet, escape};
use super::text::{count, turn_line};
use crate::board::Cell;
use crate::game::{Color, Move, Position};

mod board;
mod candidates;
mod sheet;

/// A board as a picture: what is on it, and what is said about it.
///
/// ```
/// use pontifex::game::{Position, Rules};
/// use pontifex::render::Picture;
///
/// let mut position = Position::new(Rules::default());
/// position.play("d4,e6".parse()?)?;
/// let last = Some("d4,e6".parse()?);
/// let svg = Picture { last, ..Picture::of(&position) }.to_svg();
/// // Two on the board, and one beside White's score.
/// assert_eq!(svg.matches("class=\"tile white\"").count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The board.
    pub position: &'a Position,
    /// What stands over it; empty for nothing.
    pub title: &'a str,
    /// The move that led to the position: its tiles or its bridge are marked.
    pub last: Option<Move>,
    /// Moves to choose from, best first: numbered on the board and listed
    /// beside it, the first dozen of them.
    pub candidates: &'a [Candidate],
    /// Whose each cell will be, by [`Cell::index`]: from 1, White's, to -1,
    /// Red's. Shown on free cells.
    pub ownership: Option<&'a [f32; Cell::TABLE]>,
    /// Whether to mark the free cells where one colour or neither may lay a
    /// tile any more.
    pub closed: bool,
}

/// A move to choose, and what a search says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// How likely the side to move is to win with it, 0 to 1.
    pub winrate: f64,
    /// By how many points the side to move will be ahead.
    pub lead: f64,
    /// How often the search has tried it.
    pub visits: u64,
    /// How deep its colour is, 0 to 1: its share of the visits, say.
    pub weight: f32,
}

/// The edge of a cell, in the picture's units. All lengths are in these.
const CELL: f64 = 48.0;

/// Room for coordinates on every side of the board.
const MARGIN: f64 = 30.0;

/// The least width of what is under the board: a line of text has room.
const LEAST_WIDTH: f64 = 400.0;

/// The height of a title.
const TITLE: f64 = 34.0;

/// The height of what is told below the board.
const FOOT: f64 = 88.0;

/// How the elements look. A page that shows the picture can say otherwise.
const STYLE: &str = include_str!("style.css");

impl<'a> Picture<'a> {
    /// The board alone.
    pub fn of(position: &'a Position) -> Picture<'a> {
        Picture { position, title: "", last: None, candidates: &[], ownership: None, closed: false }
    }

    /// The picture as an `<svg>` element that needs nothing else, a line
    /// break at its end.
    ///
    /// What is drawn has classes for a page to style: `tile`, `island`,
    /// `bridge`, `network`, `last`, `candidate`, `only`, `dead`, `owner`, and
    /// with them `white` or `red`. Groups that stand for a cell or a move have
    /// it in `data-cell` or `data-move`.
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
        sheet.rect("paper", [0.0, 0.0], layout.size, 0.0);
        let title = fitted(self.title, (width - 2.0 * MARGIN) / 9.5);
        if !title.is_empty() {
            sheet.text("title", [width / 2.0, 25.0], &title);
        }
        board::water(&mut sheet, self, &layout);
        candidates::links(&mut sheet, self, &layout);
        board::tiles(&mut sheet, self, &layout);
        board::bridges(&mut sheet, self, &layout);
        board::networks(&mut sheet, self, &layout);
        candidates::marks(&mut sheet, self, &layout);
        candidates::list(&mut sheet, self, &layout);
        self.foot(&mut sheet, &layout);
        sheet.out.push_str("</svg>\n");
        sheet.out
    }

    /// The position in words.
    fn description(&self) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            let tiles: Vec<String> =
                self.position.tiles(color).into_iter().map(|cell| cell.to_string()).collect();
            let tiles = if tiles.is_empty() { "no tiles".to_owned() } else { tiles.join(" ") };
            let _ = write!(text, "{}: {tiles}. ", name(color));
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

    /// What both have, and whose turn it is.
    fn foot(&self, sheet: &mut Sheet, layout: &Layout) {
        let position = self.position;
        let [left, top] = layout.foot;
        for color in Color::BOTH {
            let y = top + 24.0 * color.index() as f64;
            board::tile(sheet, color, [left + 9.0, y + 9.0], 18.0);
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

/// Where things are.
struct Layout {
    size: [f64; 2],
    /// The board's upper left corner.
    board: [f64; 2],
    /// The board's edge, in cells.
    cells: u8,
    /// The upper left corner of the candidates' list.
    list: [f64; 2],
    /// The upper left corner of what stands below.
    foot: [f64; 2],
}

impl Layout {
    fn of(picture: &Picture<'_>) -> Layout {
        let cells = picture.position.size().get();
        let edge = CELL * f64::from(cells);
        let top = MARGIN + if picture.title.is_empty() { 0.0 } else { TITLE };
        let width = (edge + 2.0 * MARGIN).max(LEAST_WIDTH);
        let left = (width - edge) / 2.0;
        let [list_width, list_height] = candidates::list_size(picture);
        let height = edge.max(list_height);
        Layout {
            size: [width + list_width, top + height + MARGIN + FOOT],
            board: [left, top],
            cells,
            list: [width, top],
            foot: [left.min(MARGIN), top + height + MARGIN + 10.0],
        }
    }

    /// The middle of a cell.
    fn middle(&self, cell: Cell) -> [f64; 2] {
        let [left, top] = self.board;
        let column = f64::from(cell.column()) + 0.5;
        let row = f64::from(self.cells - 1 - cell.row()) + 0.5;
        [left + CELL * column, top + CELL * row]
    }
}

/// `White` or `Red`.
fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Red => "Red",
    }
}

/// The beginning of `text` that `chars` characters have room for.
fn fitted(text: &str, chars: f64) -> String {
    let chars = chars as usize;
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let begin: String = text.chars().take(chars.saturating_sub(1)).collect();
    format!("{}\u{2026}", begin.trim_end())
}
