//! The record formats: names, detection, reading and writing.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::abstractplay::{self, AbstractPlayError};
use super::move_list::{self, MoveListError};
use super::position::ParsePositionError;
use super::record::{Assumed, Record};
use super::sgf::{self, SgfError};
use super::text::{Text, Warning, normalize};
use crate::game::Setup;
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
        let text = normalize(text);
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

/// A text is not a record in any format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is empty.
    #[error(
        "the text is empty: an SGF file, an Abstract Play record, a list of moves or a position is needed"
    )]
    Empty,
    /// The bytes are those of a picture or another file without text.
    #[error("this is not a text")]
    Binary,
    /// An error in a text that looks like SGF.
    #[error("{0}")]
    Sgf(#[from] SgfError),
    /// An error in a text that looks like JSON.
    #[error("{0}")]
    AbstractPlay(#[from] AbstractPlayError),
    /// An error in a text that looks like a move list or like no other format.
    #[error("{0}")]
    MoveList(#[from] MoveListError),
    /// An error in a text that looks like positions, one per line.
    #[error("line {line}: {reason}")]
    Position {
        /// The line number, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: ParsePositionError,
    },
}

impl Record {
    /// Parses a record of any format, with the published rules where the text
    /// gives none. If there are several games, reads the first.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        Record::parse_with(text, &Assumed::default())
    }

    /// Parses a record of any format. If there are several games, reads the first.
    pub fn parse_with(text: &str, assumed: &Assumed) -> Result<Record, RecordError> {
        Record::read(text, assumed).map(|(record, _)| record)
    }

    /// Parses all games of a text of any format, at least one.
    pub fn parse_all(text: &str, assumed: &Assumed) -> Result<Vec<Record>, RecordError> {
        Record::read_all(text, assumed).map(|(records, _)| records)
    }

    /// Reads a record of any format, and what had to be mended for it. If there
    /// are several games, reads the first. The bytes of a file are a
    /// [`Text::decode`].
    pub fn read<'t>(
        text: impl Into<Text<'t>>,
        assumed: &Assumed,
    ) -> Result<(Record, Vec<Warning>), RecordError> {
        let text = text.into();
        let mut warnings = text.warnings().to_vec();
        let format = format_of(&text)?;
        let text = text.as_str();
        let mut record = match format {
            Format::Sgf => sgf::read(text, assumed, &mut warnings)?,
            Format::Json => abstractplay::read(text, &mut warnings)?,
            Format::Moves => move_list::read(text, assumed, &mut warnings)?,
            Format::Position => {
                positions(text, assumed).next().unwrap_or(Err(RecordError::Empty))?
            }
        };
        warnings.extend(record.check_result(None));
        Ok((record, warnings))
    }

    /// Reads all games of a text of any format, at least one, and what had to be
    /// mended for it.
    pub fn read_all<'t>(
        text: impl Into<Text<'t>>,
        assumed: &Assumed,
    ) -> Result<(Vec<Record>, Vec<Warning>), RecordError> {
        let text = text.into();
        let mut warnings = text.warnings().to_vec();
        let format = format_of(&text)?;
        let text = text.as_str();
        let mut records = match format {
            Format::Sgf => sgf::read_all(text, assumed, &mut warnings)?,
            Format::Json => abstractplay::read_all(text, &mut warnings)?,
            Format::Moves => move_list::read_all(text, assumed, &mut warnings)?,
            Format::Position => positions(text, assumed).collect::<Result<_, _>>()?,
        };
        let is_one = records.len() == 1;
        for (index, record) in records.iter_mut().enumerate() {
            warnings.extend(record.check_result((!is_one).then_some(index + 1)));
        }
        Ok((records, warnings))
    }
}

fn format_of(text: &Text<'_>) -> Result<Format, RecordError> {
    if text.is_binary() {
        return Err(RecordError::Binary);
    }
    Format::detect(text.as_str()).ok_or(RecordError::Empty)
}

/// Parses positions, one per line. Empty lines and `#` comments are skipped.
fn positions<'a>(
    text: &'a str,
    assumed: &'a Assumed,
) -> impl Iterator<Item = Result<Record, RecordError>> + 'a {
    let read = |(n, line): (usize, &str)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then(|| {
            Setup::parse(line, assumed.supply, assumed.pie)
                .map(Record::new)
                .map_err(|reason| RecordError::Position { line: n + 1, reason })
        })
    };
    text.lines().enumerate().filter_map(read)
}
