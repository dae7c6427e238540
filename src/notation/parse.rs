//! Reading records of any format.

use thiserror::Error;

use super::abstractplay::{self, AbstractPlayError};
use super::format::Format;
use super::move_list::{self, MoveListError};
use super::position::ParsePositionError;
use super::record::{Assumed, Record};
use super::sgf::{self, SgfError};
use super::text::{Text, Warning};
use crate::game::Setup;

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
        let record = match format {
            Format::Sgf => sgf::read(text, assumed, &mut warnings)?,
            Format::Json => abstractplay::read(text)?,
            Format::Moves => move_list::read(text, assumed)?,
            Format::Position => {
                positions(text, assumed).next().unwrap_or(Err(RecordError::Empty))?
            }
        };
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
        let records = match format {
            Format::Sgf => sgf::read_all(text, assumed, &mut warnings)?,
            Format::Json => abstractplay::read_all(text)?,
            Format::Moves => move_list::read_all(text, assumed)?,
            Format::Position => positions(text, assumed).collect::<Result<_, _>>()?,
        };
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
