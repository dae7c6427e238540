use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::source::{self, excerpt};
use super::{Record, abstractplay, move_list, sgf};

/// A form in which games are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Smart Game Format, `GM[PonteDelDiavolo]`: see [`sgf`]. Boardspace's is
    /// read as well.
    Sgf,
    /// Abstract Play's game record: see [`abstractplay`].
    Json,
    /// Moves with white space between: see [`move_list`].
    Moves,
    /// Position text, one a line: a start without moves.
    Position,
}

/// The text is not a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("format '{0}' is not sgf, json, moves or position")]
pub struct ParseFormatError(
    /// The text.
    pub String,
);

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Sgf, Format::Json, Format::Moves, Format::Position];

    /// What a text seems to be, by its first signs; `None` when it is empty.
    /// What looks like nothing else is taken for a list of moves.
    ///
    /// ```
    /// use pontifex::notation::Format;
    ///
    /// assert_eq!(Format::detect("(;FF[4]GM[PonteDelDiavolo])"), Some(Format::Sgf));
    /// assert_eq!(Format::detect("# a game\nd4,e6 swap"), Some(Format::Moves));
    /// assert_eq!(Format::detect(" \n"), None);
    /// ```
    pub fn detect(text: &str) -> Option<Format> {
        let text = source::normalize(text);
        let text = text.trim_start();
        match text.chars().next()? {
            '{' | '[' => return Some(Format::Json),
            '(' => return Some(Format::Sgf),
            _ => {}
        }
        let word = text.lines().find_map(|line| line.split('#').next()?.split_whitespace().next());
        Some(match word {
            Some(word) if move_list::has_word(word) => Format::Moves,
            Some(word) if has_rows(word) => Format::Position,
            Some(_) if sgf::begins(text).is_some() => Format::Sgf,
            _ => Format::Moves,
        })
    }

    /// What it is called: `sgf`, `json`, `moves`, `position`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Json => "json",
            Format::Moves => "moves",
            Format::Position => "position",
        }
    }

    /// What its files end with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Json => "json",
            Format::Moves => "txt",
            Format::Position => "pos",
        }
    }

    /// Writes `records` as one text: an SGF collection, a JSON array when
    /// there is not exactly one, move lists between lines of `---`; as
    /// positions the start of each, one a line.
    pub fn write(self, records: &[Record]) -> String {
        match self {
            Format::Sgf => records.iter().map(sgf::write).collect(),
            Format::Json => abstractplay::write_all(records),
            Format::Moves => move_list::write_all(records),
            Format::Position => {
                let mut lines = String::new();
                for record in records {
                    lines.push_str(&record.start.to_string());
                    lines.push('\n');
                }
                lines
            }
        }
    }
}

/// Whether the word looks like the rows of position text.
fn has_rows(word: &str) -> bool {
    word.contains('/') && word.bytes().all(|b| b == b'/' || b.is_ascii_alphanumeric())
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        Format::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseFormatError(excerpt(text)))
    }
}
