//! The registry of record formats: detecting the format of a text, and reading and writing in any
//! of them.
//!
//! Users need not name the format of a text. Every format says how much the beginning of a text
//! looks like it ([`Likeness`]), and the most likely one reads it. The fallback is a move list; its
//! error names the first word that is not a move. File extensions are ignored: text from a browser
//! or a pipe has none.

use std::fmt;

use thiserror::Error;

use super::error::RecordError;
use super::record::{DefaultRules, Record};
use super::text::{Text, Warning, normalize};
use super::{abstractplay, move_list, position, sgf};
use crate::messages::excerpt;

/// Every format, in the order of lists. The module of each defines it.
pub static FORMATS: [&Format; 4] =
    [&sgf::FORMAT, &abstractplay::FORMAT, &move_list::FORMAT, &position::FORMAT];

/// A format of game records.
#[derive(Debug)]
pub struct Format {
    /// The format's name, for options and messages.
    pub name: &'static str,
    /// Other accepted names of the format.
    pub(super) aliases: &'static [&'static str],
    /// The file extension, without the dot.
    pub extension: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// What a text in this format is called, in English, German and French.
    pub titles: [&'static str; 3],
    /// Whether a text has positions, one per line, instead of games. A game is then written as its
    /// last position, or as its first if a move is illegal.
    pub is_position: bool,
    /// How much a text looks like this format. It must not begin with white space.
    pub(super) likeness: fn(&Beginning<'_>) -> Likeness,
    pub(super) read: ReadGames,
    /// Writes records as one text.
    pub(super) write: fn(&[Record]) -> String,
}

/// Reads a normalized text. The other arguments are the rules to assume if the text gives none, the
/// maximum number of games, and a list to which warnings are added.
type ReadGames =
    fn(&str, &DefaultRules, usize, &mut Vec<Warning>) -> Result<Vec<Record>, RecordError>;

/// A text, and its first word outside of `#` comments.
pub(super) struct Beginning<'t> {
    pub(super) text: &'t str,
    pub(super) word: Option<&'t str>,
}

/// How much a text looks like a format, from less to more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Likeness {
    /// The text does not look like the format at all.
    No,
    /// The text looks like the format as much as any text does: only move lists return this.
    Poor,
    /// The text's first word may belong to the format, with a mistake.
    Fair,
    /// A game in the format begins further down.
    Within,
    /// The text's first word is typical of the format.
    Good,
    /// The text's first characters occur in no other format.
    Sure,
}

/// The error for a text that is not the name of a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("format '{0}' is none of {names}", names = FORMATS.map(|format| format.name).join(", "))]
pub struct UnknownFormat(
    /// The text that was given, or its beginning.
    pub String,
);

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Format {
    /// Writes the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Format {
    /// Detects the format of a text from its beginning. Returns `None` for an empty text. The
    /// fallback is a list of moves.
    ///
    /// ```
    /// use pontifex::notation::{Format, move_list, sgf};
    ///
    /// assert_eq!(Format::detect("(;FF[4]GM[PonteDelDiavolo])"), Some(&sgf::FORMAT));
    /// assert_eq!(Format::detect("# a game\nd4,e6 swap"), Some(&move_list::FORMAT));
    /// assert_eq!(Format::detect(" \n"), None);
    /// ```
    pub fn detect(text: &str) -> Option<&'static Format> {
        let text = normalize(text);
        let text = text.trim_start();
        let word = text.lines().find_map(|line| line.split('#').next()?.split_whitespace().next());
        let beginning = Beginning { text, word };
        // `max_by_key` takes the last of several equally likely formats. But no two are equally
        // likely: the texts for which a format returns `Good` or `Sure` are its own.
        let format = FORMATS.into_iter().max_by_key(|format| (format.likeness)(&beginning));
        format.filter(|_| !text.is_empty())
    }

    /// Returns the format with this name or alias, in either case.
    ///
    /// # Errors
    /// An unknown name. The message lists the known ones.
    pub fn named(name: &str) -> Result<&'static Format, UnknownFormat> {
        let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
        let is_named =
            |format: &&Format| is_name(&format.name) || format.aliases.iter().any(is_name);
        FORMATS.into_iter().find(is_named).ok_or_else(|| UnknownFormat(excerpt(name)))
    }

    /// Writes records as one text: an SGF collection, a JSON array (unless there is exactly one
    /// record), move lists separated by lines of `---`, or the last positions, one per line.
    pub fn write(&self, records: &[Record]) -> String {
        (self.write)(records)
    }
}

impl Record {
    /// Parses a record of any format, with the published rules where the text gives none. If there
    /// are several games, reads the first. Warnings are dropped: [`Record::read`] returns them.
    ///
    /// # Errors
    /// Why the text is not a record, and where.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        Record::read(text, &DefaultRules::default()).map(|(record, _)| record)
    }

    /// Parses all games of a text of any format, at least one. Warnings are dropped:
    /// [`Record::read_all`] returns them.
    ///
    /// # Errors
    /// Why the text is not a record, and where. The games before that place are lost.
    pub fn parse_all(text: &str, assumed: &DefaultRules) -> Result<Vec<Record>, RecordError> {
        Record::read_all(text, assumed).map(|(records, _)| records)
    }

    /// Reads a record of any format, and returns it with the warnings. If there are several games,
    /// reads the first. For the bytes of a file use [`Text::decode`].
    ///
    /// # Errors
    /// Why the text is not a record, and where.
    pub fn read<'t>(
        text: impl Into<Text<'t>>,
        assumed: &DefaultRules,
    ) -> Result<(Record, Vec<Warning>), RecordError> {
        let (mut records, warnings) = read_games(&text.into(), assumed, 1)?;
        Ok((records.remove(0), warnings))
    }

    /// Reads all games of a text of any format, at least one, and returns them with the warnings.
    ///
    /// # Errors
    /// Why the text is not a record, and where. The games before that place are lost.
    pub fn read_all<'t>(
        text: impl Into<Text<'t>>,
        assumed: &DefaultRules,
    ) -> Result<(Vec<Record>, Vec<Warning>), RecordError> {
        read_games(&text.into(), assumed, usize::MAX)
    }
}

/// Reads at most `max_games` games, at least one.
fn read_games(
    text: &Text<'_>,
    assumed: &DefaultRules,
    max_games: usize,
) -> Result<(Vec<Record>, Vec<Warning>), RecordError> {
    if text.is_binary() {
        return Err(RecordError::Binary);
    }
    let mut warnings = text.warnings().to_vec();
    let format = Format::detect(text.as_str()).ok_or(RecordError::Empty)?;
    let mut records = (format.read)(text.as_str(), assumed, max_games, &mut warnings)?;
    // If there is only one game, a warning need not say which one it is about.
    let is_single = records.len() == 1;
    for (index, record) in records.iter_mut().enumerate() {
        warnings.extend(record.check_result((!is_single).then_some(index + 1)));
    }
    if records.is_empty() { Err(RecordError::Empty) } else { Ok((records, warnings)) }
}
