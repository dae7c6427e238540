//! Pictures of boards: what they show, where their parts are, and the SVG elements of which they
//! consist. `draw` and `candidates` draw them.

use std::fmt::{Display, Write};

use crate::board::Cell;
use crate::game::{Move, Position};

/// A picture of a board: the position and what to show about it.
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
    /// The position on the board.
    pub position: &'a Position,
    /// The title above the board, empty for none.
    pub title: &'a str,
    /// The last move, whose tiles or bridge are marked; `None` to mark nothing.
    pub last: Option<Move>,
    /// Candidate moves, best first. The first twelve are numbered on the board and listed beside
    /// it.
    pub candidates: &'a [Candidate],
    /// The predicted owner of each cell, by [`Cell::index`]: 1 is White, -1 is Red. Shown on free
    /// cells. `None` to show no owners.
    pub ownership: Option<&'a [f32; Cell::TABLE]>,
    /// Whether to mark free cells where only one colour or neither may place a tile.
    pub closed: bool,
}

/// A candidate move with its evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// A move of the side to move. Whether it is legal is not checked.
    pub mv: Move,
    /// The win rate for the side to move, from 0 to 1.
    pub winrate: f64,
    /// The expected lead of the side to move, in points; negative if it is behind.
    pub lead: f64,
    /// How often the search went through the move.
    pub visits: u64,
    /// The depth of the candidate's colour, from 0 to 1, for example its share of the visits.
    pub weight: f32,
}

impl<'a> Picture<'a> {
    /// A picture of the position alone.
    pub fn of(position: &'a Position) -> Picture<'a> {
        Picture { position, title: "", last: None, candidates: &[], ownership: None, closed: false }
    }
}

// All lengths are in units of the picture, each of which becomes two pixels of a PNG unless a width
// is given. They were chosen by eye, with the text sizes in `style.css`.

/// The edge of a cell.
pub(super) const CELL: f64 = 48.0;

/// The margin around the board, which holds the coordinates.
pub(super) const MARGIN: f64 = 30.0;

/// The minimum width, which leaves room for the text below the board.
const MIN_WIDTH: f64 = 400.0;

/// The height of a title.
const TITLE: f64 = 34.0;

/// The height of the text below the board.
const FOOT: f64 = 88.0;

/// The number of candidates that are drawn and listed. Set by judgement: more ranks would hide the
/// board.
pub(super) const MAX_LISTED: usize = 12;

/// The width of the list of candidates.
const LIST_WIDTH: f64 = 300.0;

/// The height of a row of the list.
pub(super) const ROW: f64 = 26.0;

/// The size of a picture and the places of its parts.
pub(super) struct Layout {
    /// Width and height.
    pub(super) size: [f64; 2],
    /// The upper left corner of the board.
    pub(super) board: [f64; 2],
    /// The number of cells along each edge of the board.
    pub(super) cells_per_edge: u8,
    /// The upper left corner of the list of candidates.
    pub(super) list: [f64; 2],
    /// The upper left corner of the text below the board.
    pub(super) foot: [f64; 2],
}

impl Layout {
    pub(super) fn of(picture: &Picture<'_>) -> Layout {
        let cells_per_edge = picture.position.size().get();
        let edge = CELL * f64::from(cells_per_edge);
        let top = MARGIN + if picture.title.is_empty() { 0.0 } else { TITLE };
        let width = (edge + 2.0 * MARGIN).max(MIN_WIDTH);
        let left = (width - edge) / 2.0;
        let [list_width, list_height] = list_size(picture);
        let height = edge.max(list_height);
        Layout {
            size: [width + list_width, top + height + MARGIN + FOOT],
            board: [left, top],
            cells_per_edge,
            list: [width, top],
            foot: [left.min(MARGIN), top + height + MARGIN + 10.0],
        }
    }

    pub(super) fn centre(&self, cell: Cell) -> [f64; 2] {
        let [left, top] = self.board;
        let column = f64::from(cell.column()) + 0.5;
        let row = f64::from(self.cells_per_edge - 1 - cell.row()) + 0.5;
        [left + CELL * column, top + CELL * row]
    }
}

/// The width and height of the list of candidates.
fn list_size(picture: &Picture<'_>) -> [f64; 2] {
    match picture.candidates.len() {
        0 => [0.0, 0.0],
        // A row of headings, and one for the number of the rest.
        n if n > MAX_LISTED => [LIST_WIDTH, ROW * (MAX_LISTED + 2) as f64],
        n => [LIST_WIDTH, ROW * (n + 1) as f64],
    }
}

/// An SVG document that is being written. Writing to a `String` cannot fail, so the results of
/// `write!` are dropped here and in `draw`.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) out: String,
}

/// Rounds a length to a tenth of a unit. The difference is invisible, and the SVG shorter.
fn to_tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

impl Sheet {
    /// Opens a group of a class, with the attribute `data-NAME`. A nonempty `title` is shown when
    /// the pointer rests on it.
    pub(super) fn open(&mut self, class: &str, data: (&str, &dyn Display), title: &str) {
        let (name, value) = data;
        let _ = write!(self.out, "<g class=\"{class}\" data-{name}=\"{value}\">");
        if !title.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escape(title));
        }
    }

    /// Closes the innermost group.
    pub(super) fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// Draws a rectangle from its upper left corner, with round corners.
    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], size: [f64; 2], radius: f64) {
        let [x, y, width, height] = [x, y, size[0], size[1]].map(to_tenths);
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{radius}\"/>"
        );
    }

    /// Draws a circle. A nonempty `fill` overrides that of the class.
    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let [x, y] = [x, y].map(to_tenths);
        let fill = if fill.is_empty() { String::new() } else { format!(" fill=\"{fill}\"") };
        let _ = writeln!(
            self.out,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{fill}/>"
        );
    }

    /// Draws a straight line. `attributes` are added to those of its place and class.
    pub(super) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2], attributes: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(to_tenths);
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{space}\
             {attributes}/>"
        );
    }

    /// Draws a path in the syntax of SVG.
    pub(super) fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Writes a line of text. Its class determines the alignment to `anchor`.
    pub(super) fn text(&mut self, class: &str, anchor: [f64; 2], text: &str) {
        let [x, y] = anchor.map(to_tenths);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(text)
        );
    }
}

/// Escapes a text for use in text or attributes, and drops characters that XML cannot express.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            // XML 1.0 cannot express these, not even as references.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
