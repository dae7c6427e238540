//! The record formats: detection, names, writing.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::record::Record;
use super::source;
use super::{abstractplay, move_list, sgf};
use crate::messages::excerpt;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Smart Game Format with `GM[PonteDelDiavolo]`, see [`sgf`]. Boardspace's
    /// form of it is read too.
    Sgf,
    /// Abstract Play's game record, see [`abstractplay`].
    Json,
    /// A list of moves, see [`move_list`].
    Moves,
    /// Position texts, one per line: games without moves.
    Position,
}

/// A text does not name a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("format '{0}' is not sgf, json, moves or position")]
pub struct ParseFormatError(
    /// The text.
    pub String,
);

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Sgf, Format::Json, Format::Moves, Format::Position];

    /// Detects the format of a text from its beginning. Returns `None` for an empty
    /// text. The fallback is a list of moves.
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
        let first = text.chars().next()?;
        if first == '(' || begins_json(text) {
            return Some(if first == '(' { Format::Sgf } else { Format::Json });
        }
        let word = text.lines().find_map(|line| line.split('#').next()?.split_whitespace().next());
        // A sentence before a game in SGF may begin with any word.
        let has_game = sgf::begins(text).is_some();
        Some(match word {
            Some(word) if move_list::has_word(word) => Format::Moves,
            Some(word) if has_rows(word, has_game) => Format::Position,
            Some(_) if has_game => Format::Sgf,
            _ if matches!(first, '{' | '[') => Format::Json,
            _ => Format::Moves,
        })
    }

    /// The name: `sgf`, `json`, `moves` or `position`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Json => "json",
            Format::Moves => "moves",
            Format::Position => "position",
        }
    }

    /// The file extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Json => "json",
            Format::Moves => "txt",
            Format::Position => "pos",
        }
    }

    /// Writes records as one text: an SGF collection, a JSON array (unless there
    /// is exactly one record), move lists separated by lines of `---`, or the
    /// start positions, one per line.
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

/// Whether a text begins like a JSON object or an array of objects.
fn begins_json(text: &str) -> bool {
    match text.split_at_checked(1) {
        Some(("{", rest)) => rest.trim_start().starts_with(['"', '}']),
        Some(("[", rest)) => rest.trim_start().starts_with(['{', '[', ']']),
        _ => false,
    }
}

/// Whether a word looks like the rows of a position text, or, strictly, is made of
/// their characters alone.
fn has_rows(word: &str, is_strict: bool) -> bool {
    let fits = |b: u8| match b {
        b'/' => true,
        _ if is_strict => b.is_ascii_digit() || matches!(b, b'w' | b'r' | b'W' | b'R'),
        _ => b.is_ascii_alphanumeric(),
    };
    word.contains('/') && word.bytes().all(fits)
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
