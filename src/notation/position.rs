//! Position text, `ROWS SIDE BRIDGES STATE`: a board on one line.
//!
//! ROWS are the rows from the top to row 1, separated by `/`. `w` and `r` are tiles; a number is
//! that many empty cells. SIDE is `w` or `r`, BRIDGES is `a1-c1,...` or `-`, and STATE is `-`,
//! `pie`, `last` or `over`.
//!
//! ```text
//! 4 |  w . w .
//! 3 |  . . . .        w1w1/4/4/4 r a4-c4 -
//! 2 |  . . . .        Red to move, a bridge a4-c4, an ordinary turn
//! 1 |  . . . .
//!      a b c d
//! ```
//!
//! The notation resembles FEN, the position text of chess. Supply and pie rule are not part of it:
//! the caller of the parser passes them.

use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::error::RecordError;
use super::format::{Beginning, Format, Likeness};
use super::record::Record;
use crate::board::{Cell, Cells, Size};
use crate::game::{Color, Move, Position, Rules, Setup, SetupStage, Supply};
use crate::messages::excerpt;

/// The error for a text that is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// The number of fields is not four.
    #[error("a position text has four fields, ROWS SIDE BRIDGES STATE, not {found}")]
    Fields {
        /// The number of fields, separated by white space.
        found: usize,
    },
    /// No board has this many rows.
    #[error("a board has 4 to 12 rows, not {found}")]
    Rows {
        /// The number of rows, separated by `/`.
        found: usize,
    },
    /// A row has the wrong number of cells.
    #[error(
        "the text has {size} rows, but row {row} ('{text}') has {width} cells: a board is square"
    )]
    Width {
        /// The row, counted from 1 at the bottom.
        row: usize,
        /// The text of the row, or its beginning.
        text: String,
        /// The number of cells in the row.
        width: usize,
        /// The number of rows, which is also the number of cells that a row needs.
        size: Size,
    },
    /// A character is neither a tile nor a digit.
    #[error("'{found}' in row {row} is not w, r or a number of empty cells")]
    Character {
        /// The row, counted from 1 at the bottom.
        row: usize,
        /// The character, escaped if it cannot be printed.
        found: String,
    },
    /// A number of empty cells is out of range.
    #[error("'{number}' in row {row} is not a number of empty cells from 1 to 12")]
    Number {
        /// The row, counted from 1 at the bottom.
        row: usize,
        /// The digits as written, or the first of them.
        number: String,
    },
    /// The side to move is invalid.
    #[error("side to move '{0}' is not w or r")]
    Side(
        /// The second field.
        String,
    ),
    /// A bridge is invalid.
    #[error("'{0}' in the list of bridges is not CELL-CELL, as in a1-c1,d4-f5, or - for none")]
    Bridge(
        /// The entry of the list that is wrong.
        String,
    ),
    /// The state is invalid.
    #[error("state '{0}' is not -, pie, last or over")]
    State(
        /// The fourth field.
        String,
    ),
}

/// Position texts, one per line: games without moves. Empty lines and `#` comments are skipped.
pub static FORMAT: Format = Format {
    name: "position",
    aliases: &[],
    extension: "pos",
    media_type: "text/plain; charset=utf-8",
    titles: ["Position text", "Stellungstext", "Texte de la position"],
    is_position: true,
    likeness: |Beginning { word, .. }| {
        // A first word with other letters may be a position with a mistake. The reader reports
        // where the mistake is.
        let is_row = |b: u8| b.is_ascii_digit() || matches!(b, b'/' | b'w' | b'r' | b'W' | b'R');
        let may_be_row = |b: u8| b.is_ascii_alphanumeric() || b == b'/';
        match word.filter(|word| word.contains('/')) {
            Some(word) if word.bytes().all(is_row) => Likeness::Good,
            Some(word) if word.bytes().all(may_be_row) => Likeness::Fair,
            _ => Likeness::No,
        }
    },
    read: |text, assumed, max_games, _| {
        let read_line = |(n, line): (usize, &str)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            let setup = Setup::parse(line, assumed.supply, assumed.pie);
            let error = |reason| RecordError::Position { line: n + 1, reason };
            (!line.is_empty()).then(|| setup.map(Record::new).map_err(error))
        };
        text.lines().enumerate().filter_map(read_line).take(max_games).collect()
    },
    write: |records| {
        let line = |record: &Record| match record.position_after(record.moves.len()) {
            Ok(last) => format!("{last}\n"),
            Err(_) => format!("{}\n", record.start),
        };
        records.iter().map(line).collect()
    },
};

impl Setup {
    /// Parses a position text. The board size comes from the text, the other rules from the
    /// arguments. Any white space may separate the fields, letters may be in either case, and the
    /// ends of a bridge in either order. A byte-order mark is skipped.
    ///
    /// Only [`Setup::validate`] checks whether the position obeys the rules.
    ///
    /// ```
    /// use pontifex::board::Size;
    /// use pontifex::game::{Setup, Supply};
    ///
    /// let setup = Setup::parse("w1w1/4/4/4 r a4-c4 -", Supply::Standard, true)?;
    /// assert_eq!(setup.rules.size, Size::MIN);
    /// assert_eq!(setup.to_string(), "w1w1/4/4/4 r a4-c4 -");
    /// # Ok::<(), pontifex::notation::ParsePositionError>(())
    /// ```
    pub fn parse(text: &str, supply: Supply, pie: bool) -> Result<Setup, ParsePositionError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[rows, side, bridges, state] = fields.as_slice() else {
            return Err(ParsePositionError::Fields { found: fields.len() });
        };
        let rows: Vec<&str> = rows.split('/').collect();
        let size = Size::new(rows.len() as u64)
            .map_err(|_| ParsePositionError::Rows { found: rows.len() })?;
        let mut tiles = [Cells::EMPTY; 2];
        for (row, text) in (0..size.get()).rev().zip(rows) {
            read_row(text, row, size, &mut tiles)?;
        }
        Ok(Setup {
            rules: Rules { size, supply, pie },
            tiles,
            bridges: read_bridges(bridges)?,
            side: match side {
                "w" | "W" => Color::White,
                "r" | "R" => Color::Red,
                _ => return Err(ParsePositionError::Side(excerpt(side))),
            },
            stage: SetupStage::from_word(state)
                .ok_or_else(|| ParsePositionError::State(excerpt(state)))?,
        })
    }
}

fn read_row(
    text: &str,
    row: u8,
    size: Size,
    tiles: &mut [Cells; 2],
) -> Result<(), ParsePositionError> {
    let number = usize::from(row) + 1;
    let mut column = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let token_len = if digits == 0 { first.len_utf8() } else { digits };
        let (token, remaining) = rest.split_at(token_len);
        rest = remaining;
        let quoted = || excerpt(token);
        // A row that is too long is read to its end, so that the error can state its width.
        let mut place_tile = |color: Color| {
            if column < usize::from(size.get()) {
                tiles[color.index()].insert(Cell::new(column as u8, row));
            }
            1
        };
        column += match first {
            'w' | 'W' => place_tile(Color::White),
            'r' | 'R' => place_tile(Color::Red),
            '0'..='9' => token
                .parse()
                .ok()
                // A number that would fit a larger board is accepted: the error is then about the
                // row's width.
                .filter(|n| first != '0' && (1..=usize::from(Size::MAX.get())).contains(n))
                .ok_or_else(|| ParsePositionError::Number { row: number, number: quoted() })?,
            _ => return Err(ParsePositionError::Character { row: number, found: quoted() }),
        };
    }
    if column == usize::from(size.get()) {
        Ok(())
    } else {
        Err(ParsePositionError::Width { row: number, text: excerpt(text), width: column, size })
    }
}

fn read_bridges(text: &str) -> Result<Vec<(Cell, Cell)>, ParsePositionError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let parse_bridge = |text: &str| match text.parse() {
        Ok(Move::Bridge(a, b)) => Ok((a, b)),
        _ => Err(ParsePositionError::Bridge(excerpt(text))),
    };
    text.split(',').map(parse_bridge).collect()
}

impl SetupStage {
    /// The state in position texts and records, `-` for an ordinary turn.
    pub(super) fn word(self) -> &'static str {
        match self {
            SetupStage::Plain => "-",
            SetupStage::Pie => "pie",
            SetupStage::Last => "last",
            SetupStage::Over => "over",
        }
    }

    /// The state with the name `word`, in either case.
    pub(super) fn from_word(word: &str) -> Option<SetupStage> {
        [SetupStage::Plain, SetupStage::Pie, SetupStage::Last, SetupStage::Over]
            .into_iter()
            .find(|stage| stage.word().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Setup {
    /// Writes the position text, with the bridges in order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.rules.size.get();
        let color_at =
            |cell| Color::BOTH.into_iter().find(|color| self.tiles[color.index()].contains(cell));
        for row in (0..size).rev() {
            let mut empty = 0;
            for column in 0..size {
                let tile = color_at(Cell::new(column, row));
                if let (Some(_), 1..) = (tile, empty) {
                    write!(f, "{empty}")?;
                }
                if let Some(color) = tile {
                    write!(f, "{}", color.letter())?;
                    empty = 0;
                } else {
                    empty += 1;
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", self.side.letter())?;
        let mut bridges: Vec<(Cell, Cell)> =
            self.bridges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        bridges.sort_unstable();
        for (n, (a, b)) in bridges.iter().enumerate() {
            write!(f, "{}{a}-{b}", if n == 0 { "" } else { "," })?;
        }
        let placeholder = if bridges.is_empty() { "-" } else { "" };
        write!(f, "{placeholder} {}", self.stage.word())
    }
}

impl fmt::Display for Position {
    /// Writes the position text. The first tile of an unfinished turn is included, but the text
    /// does not say that the turn is unfinished.
    ///
    /// ```
    /// use pontifex::game::{Position, Rules};
    ///
    /// let position = Position::new(Rules::default());
    /// assert_eq!(position.to_string(), "10/10/10/10/10/10/10/10/10/10 w - -");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl Serialize for Position {
    /// Serializes the position text. It has no supply and pie rule: to read it back, parse a
    /// [`Setup`] with those of the game and validate it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
