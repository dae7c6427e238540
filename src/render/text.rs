//! Boards as text.

use std::cmp::Ordering;
use std::fmt;

use anstyle::Color::Ansi as Color16;
use anstyle::{AnsiColor, Style};

use crate::board::{Cell, Cells, Site};
use crate::game::{Color, Position, Stage};

/// The board as text with coordinates, scores, supplies and the side to move. No line is empty, and
/// the last has no line break.
///
/// Islands are `W` and `R`, sandbanks `w` and `r`. Tiles with a bridge are in parentheses. Cells
/// under a bridge show its direction: `-`, `|`, `/` or `\`.
///
/// ```
/// use pontifex::game::{Setup, Supply};
/// use pontifex::render;
///
/// let setup = Setup::parse("w3/2w1/4/rr2 r a4-c3 -", Supply::Standard, true)?;
/// let text = render::text(&setup.validate()?);
/// let rows: Vec<&str> = text.lines().take(6).collect();
/// assert_eq!(rows, [
///     "    a  b  c  d",
///     "4  (w) \\  .  .   4",
///     "3   .  \\ (w) .   3",
///     "2   .  .  .  .   2",
///     "1   r  r  .  .   1",
///     "    a  b  c  d",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(position: &Position) -> String {
    marked(position, &[], false)
}

/// A mark on cells without a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The marked cells. Those with a tile show the tile.
    pub cells: Cells,
    /// The character to show, one column wide.
    pub sign: char,
}

/// The board as in [`text`], with marks. If several marks share a cell, the first is shown.
/// `is_colored` adds terminal colours; the first mark has its own.
///
/// ```
/// use pontifex::game::{Setup, Supply};
/// use pontifex::render::{Mark, marked};
///
/// let setup = Setup::parse("4/4/4/rr2 w - -", Supply::Standard, true)?;
/// let mark = Mark { cells: ["c1".parse()?, "d2".parse()?].into_iter().collect(), sign: '1' };
/// let text = marked(&setup.validate()?, &[mark], false);
/// let rows: Vec<&str> = text.lines().skip(3).take(2).collect();
/// assert_eq!(rows, ["2   .  .  .  1   2", "1   r  r  1  .   1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn marked(position: &Position, marks: &[Mark], is_colored: bool) -> String {
    Board { position, water: Water::of(position), marks, is_colored }.to_string()
}

struct Board<'p> {
    position: &'p Position,
    water: Water,
    marks: &'p [Mark],
    is_colored: bool,
}

// The styles of tiles, of the first mark and of other marks.
const WHITE: Style = Style::new().bold();
const RED: Style = Style::new().bold().fg_color(Some(Color16(AnsiColor::Red)));
const FIRST: Style = Style::new().bold().fg_color(Some(Color16(AnsiColor::Green)));
const OTHERS: Style = Style::new().fg_color(Some(Color16(AnsiColor::Cyan)));

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let size = position.size().get();
        let digits = if size < 10 { 1 } else { 2 };
        let letters = |f: &mut fmt::Formatter<'_>| {
            write!(f, "{:digits$} ", "")?;
            (b'a'..b'a' + size).try_for_each(|letter| write!(f, "  {}", letter as char))?;
            writeln!(f)
        };
        letters(f)?;
        for row in (0..size).rev() {
            write!(f, "{:>digits$}  ", row + 1)?;
            (0..size).try_for_each(|column| self.write_cell(f, Cell::new(column, row)))?;
            writeln!(f, "  {:>digits$}", row + 1)?;
        }
        letters(f)?;
        for color in Color::BOTH {
            self.write_side(f, color)?;
        }
        if let Some(left) = position.bridges_left() {
            writeln!(f, "Bridges left: {left}")?;
        }
        f.write_str(&turn_line(position))
    }
}

impl Board<'_> {
    /// Writes a cell, three characters wide.
    fn write_cell(&self, f: &mut fmt::Formatter<'_>, cell: Cell) -> fmt::Result {
        let Some(color) = self.position.tile_at(cell) else {
            return self.write_water(f, cell);
        };
        let is_island = self.position.islands(color).contains(cell);
        let letter = color.letter();
        let letter = if is_island { letter.to_ascii_uppercase() } else { letter };
        let style = self.style(if color == Color::White { WHITE } else { RED });
        if self.position.bridge_ends().contains(cell) {
            write!(f, "{style}({letter}){style:#}")
        } else {
            write!(f, " {style}{letter}{style:#} ")
        }
    }

    /// Writes a cell without a tile.
    fn write_water(&self, f: &mut fmt::Formatter<'_>, cell: Cell) -> fmt::Result {
        match self.marks.iter().position(|mark| mark.cells.contains(cell)) {
            None => write!(f, " {} ", self.water.mark(cell)),
            Some(rank) => {
                let style = self.style(if rank == 0 { FIRST } else { OTHERS });
                write!(f, " {style}{}{style:#} ", self.marks[rank].sign)
            }
        }
    }

    /// The style, or no style without colours.
    fn style(&self, style: Style) -> Style {
        if self.is_colored { style } else { Style::new() }
    }

    /// Writes the score and the supply of a colour, for example
    /// `White: 3 points, 2 islands, 1 bridge (d4-e6), 28 tiles left`.
    fn write_side(&self, f: &mut fmt::Formatter<'_>, color: Color) -> fmt::Result {
        let position = self.position;
        let score = position.score(color);
        write!(f, "{}: {}", color_name(color), count(score.points, "point"))?;
        write!(f, ", {}", count(score.islands.into(), "island"))?;
        write!(f, ", {}", count(score.bridges.into(), "bridge"))?;
        let own = position.bridges().iter().map(Site::ends);
        let mut own: Vec<_> = own.filter(|ends| position.tiles(color).contains(ends[0])).collect();
        own.sort_unstable();
        if !own.is_empty() {
            let own: Vec<String> = own.iter().map(|[a, b]| format!("{a}-{b}")).collect();
            write!(f, " ({})", own.join(" "))?;
        }
        if let Some(left) = position.tiles_left(color) {
            write!(f, ", {} left", count(left, "tile"))?;
        }
        writeln!(f)
    }
}

/// The cells under bridges, by the direction of the bridge.
struct Water {
    marks: [(char, Cells); 4],
}

impl Water {
    fn of(position: &Position) -> Water {
        let mut marks = ['-', '|', '/', '\\'].map(|mark| (mark, Cells::EMPTY));
        for site in position.bridges().iter() {
            let [a, b] = site.ends();
            let mark = match (b.column().cmp(&a.column()), b.row().cmp(&a.row())) {
                (_, Ordering::Equal) => '-',
                (Ordering::Equal, _) => '|',
                (columns, rows) if columns == rows => '/',
                _ => '\\',
            };
            for (own, cells) in &mut marks {
                if *own == mark {
                    *cells |= site.span();
                }
            }
        }
        Water { marks }
    }

    /// The mark on a cell without a tile. There is at most one, since bridges over the same cell
    /// that do not cross are parallel.
    fn mark(&self, cell: Cell) -> char {
        let entry = self.marks.iter().find(|(_, cells)| cells.contains(cell));
        entry.map_or('.', |&(mark, _)| mark)
    }
}

/// A number with its noun: `1 island`, `2 islands`.
pub(crate) fn count(n: u16, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// `White` or `Red`.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Red => "Red",
    }
}

/// The side to move, or the result.
pub(crate) fn turn_line(position: &Position) -> String {
    let side = color_name(position.side());
    let note = match (position.stage(), position.is_half_turn()) {
        (Stage::Over, _) => return format!("The game is over: {}", position.outcome()),
        (_, true) => ", the second tile",
        (Stage::Pie, false) => ", may swap",
        (Stage::Last, false) => ", the last turn",
        (Stage::Opening | Stage::Normal, false) => "",
    };
    format!("{side} to move{note}")
}
