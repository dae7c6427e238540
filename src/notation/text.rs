//! Decoding input, from bytes to characters and lines, with warnings about repairs.
//!
//! Programs and mail mark, encode and damage texts in many ways. If the meaning is clear, a text is
//! read, and a [`Warning`] says what was repaired.
//!
//! The encoding of a file is decided once, by the first of these that applies:
//!
//! 1. a byte-order mark: UTF-8 or UTF-16;
//! 2. `CA[...]` in the first game of an SGF file;
//! 3. UTF-8, if all bytes are valid in it, or if at least one character beyond ASCII is: then the
//!    rest is damaged, and is replaced;
//! 4. Windows-1252, which gives every byte a meaning and was common in old Western programs.
//!
//! After that all readers get the same form: characters, line feeds, no mark.

use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, Read};

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, WINDOWS_1252};
use strum::{IntoStaticStr, VariantNames};
use thiserror::Error;

use super::value::GameResult;
use crate::game::Outcome;

/// A text to read: decoded, without a byte-order mark, with line feeds only.
///
/// ```
/// use pontifex::notation::{DefaultRules, Record, Tag, Text, Warning};
///
/// let bytes = b"(;GM[PonteDelDiavolo]CA[latin1]PW[Andr\xe9];W[d4,e6]";
/// let (record, warnings) = Record::read(Text::decode(bytes), &DefaultRules::default())?;
/// assert_eq!(record.tag(Tag::White), Some("André"));
/// assert!(matches!(warnings[..], [Warning::MissingParenthesis { .. }]));
/// # Ok::<(), pontifex::notation::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Text<'t> {
    text: Cow<'t, str>,
    warnings: Vec<Warning>,
}

/// A repair that was needed to read a text whose meaning is clear: one line each.
#[derive(Clone, PartialEq, Eq, Debug, Error, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// The bytes are not UTF-8, and nothing names their encoding. Letters with accents may be
    /// wrong.
    #[error("the text is not UTF-8 and names no other encoding: it was read as Windows-1252")]
    GuessedEncoding,
    /// Bytes are not valid in the encoding of the text.
    #[error("some characters are not valid {encoding} and were replaced")]
    ReplacedCharacters {
        /// The encoding's name in the WHATWG standard.
        encoding: &'static str,
    },
    /// There is text before, between or after the games of an SGF file.
    #[error("{at}: text outside the game was skipped: '{text}'")]
    SkippedText {
        /// The first place of such text.
        at: Spot,
        /// The beginning of the text that was skipped there, at most 40 characters.
        text: String,
    },
    /// A game in SGF is followed by an unmatched `)`.
    #[error("{at}: a ')' too many was skipped")]
    SurplusParenthesis {
        /// The first such parenthesis.
        at: Spot,
    },
    /// An SGF file ends within a game.
    #[error("{at}: the '(' here is never closed: the game was read to the end of the text")]
    MissingParenthesis {
        /// The place of the first parenthesis of the game.
        at: Spot,
    },
    /// The result is in an unknown form and is left out.
    #[error("'{text}' is no known result and was left out: W+5, R+i1, W+R and 0 are some")]
    UnknownResult {
        /// The beginning of the result, at most 40 characters.
        text: String,
    },
    /// The result differs from that of the game on the board.
    #[error("{}the record says {recorded}, but the game ended {outcome}: that is taken", game_prefix(*.game))]
    WrongResult {
        /// The number of the game in a text with several, from 1; `None` if it is the only one.
        game: Option<usize>,
        /// The result in the record.
        recorded: GameResult,
        /// The result on the board, which replaces it.
        outcome: Outcome,
    },
}

/// The beginning of a message: `game 3: `, or nothing if there is only one game.
fn game_prefix(game: Option<usize>) -> String {
    game.map_or(String::new(), |number| format!("game {number}: "))
}

impl Warning {
    /// A name for programs, as in `guessed_encoding`.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl<'t> Text<'t> {
    /// Decodes the bytes of a file. The encoding is that of a byte-order mark, or else that of an
    /// SGF game's `CA[...]`, with any label that browsers know. Without either the bytes are UTF-8,
    /// or Windows-1252 with a warning. Decoding never fails.
    pub fn decode(bytes: &'t [u8]) -> Text<'t> {
        let mark = Encoding::for_bom(bytes);
        let encoding = mark.map(|(encoding, _)| encoding).or_else(|| named_encoding(bytes));
        let bytes = &bytes[mark.map_or(0, |(_, length)| length)..];
        let encoding = encoding.unwrap_or(UTF_8);
        let (mut text, is_damaged) = encoding.decode_without_bom_handling(bytes);
        let mut warnings = Vec::new();
        // One character of UTF-8 beyond ASCII shows that the rest is damaged. A text without any is
        // in another encoding.
        let is_foreign = |c: char| !c.is_ascii() && c != char::REPLACEMENT_CHARACTER;
        if is_damaged && encoding == UTF_8 && mark.is_none() && !text.chars().any(is_foreign) {
            text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
            warnings.push(Warning::GuessedEncoding);
        } else if is_damaged {
            warnings.push(Warning::ReplacedCharacters { encoding: encoding.name() });
        }
        Text::new(text, warnings)
    }

    fn new(text: Cow<'t, str>, warnings: Vec<Warning>) -> Text<'t> {
        let text = match text {
            Cow::Borrowed(text) => normalize(text),
            Cow::Owned(text) => Cow::Owned(normalize(&text).into_owned()),
        };
        Text { text, warnings }
    }

    /// The decoded text, without a byte-order mark and with line feeds only.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The warnings so far.
    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether the bytes are those of a picture or another binary file: they needed repair and
    /// contain a NUL, which no text does.
    pub(super) fn is_binary(&self) -> bool {
        !self.warnings.is_empty() && self.text.contains('\0')
    }
}

impl<'t> From<&'t String> for Text<'t> {
    fn from(text: &'t String) -> Text<'t> {
        Text::from(text.as_str())
    }
}

impl<'t> From<&'t str> for Text<'t> {
    /// Takes a text that is already decoded, so `CA[...]` is ignored.
    fn from(text: &'t str) -> Text<'t> {
        Text::new(Cow::Borrowed(text), Vec::new())
    }
}

/// The number of bytes from the beginning of an SGF game in which its `CA[...]` must be. Set by
/// judgement: programs write it among the first properties, and with a much larger number a `CA[`
/// in a comment would be taken for it.
const HEAD_BYTES: usize = 4096;

/// Returns the encoding that the first SGF game of a text names; `None` if there is no name or an
/// unknown one. The bytes around the name are in an unknown encoding, in which a character may
/// contain the byte of a bracket. So the name is searched for and not parsed.
fn named_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    // Plain ASCII reads the same in all encodings but ISO-2022-JP, which has ESC.
    if bytes.iter().all(|&byte| byte.is_ascii() && byte != 0x1b) {
        return None;
    }
    let starts_game = |&index: &usize| bytes[index + 1..].trim_ascii_start().starts_with(b";");
    let start = (0..bytes.len()).filter(|&index| bytes[index] == b'(').find(starts_game)?;
    let head = &bytes[start..];
    let head = &head[..head.len().min(HEAD_BYTES)];
    let encoding_at = |index: usize| {
        let name = head[index..].strip_prefix(b"CA")?.trim_ascii_start().strip_prefix(b"[")?;
        // `CA` must not be the end of another property's name, as in `MCA[`.
        let preceding = head[index.checked_sub(1)?];
        let is_name = preceding.is_ascii_whitespace() || matches!(preceding, b';' | b']');
        let end = name.iter().position(|&byte| byte == b']').filter(|_| is_name)?;
        Encoding::for_label(&name[..end])
    };
    let encoding = (0..head.len()).find_map(encoding_at)?;
    // A name that is found as ASCII bytes rules out UTF-16.
    let is_possible = encoding.is_ascii_compatible() || encoding == encoding_rs::ISO_2022_JP;
    (is_possible && encoding != REPLACEMENT).then_some(encoding)
}

/// Decodes the bytes of a file that must be UTF-8, or UTF-16 with a byte-order mark. The mark is
/// skipped.
///
/// # Errors
/// The first byte that is not valid.
pub(crate) fn plain_text(bytes: &[u8]) -> Result<String, NotUtf8> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes)
        && encoding != UTF_8
        && let Some(text) =
            encoding.decode_without_bom_handling_and_without_replacement(&bytes[length..])
    {
        return Ok(text.into_owned());
    }
    let text = std::str::from_utf8(without_mark(bytes));
    text.map(str::to_owned).map_err(|error| NotUtf8 {
        byte: bytes.len() - without_mark(bytes).len() + error.valid_up_to() + 1,
    })
}

/// The error for a file that is not UTF-8 text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("this is not text in UTF-8: byte {byte} is invalid")]
pub(crate) struct NotUtf8 {
    /// The first byte that is not valid, counted from 1.
    byte: usize,
}

/// The bytes without UTF-8's byte-order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The maximum length of a line, in bytes. It bounds the memory that input without a line feed can
/// take. Set by judgement: longer than any query for a whole game.
pub const MAX_LINE: usize = 1 << 20;

/// Reads a line, and whether it was cut at [`MAX_LINE`]. Returns `None` at the end of input or
/// after an error.
pub fn read_line(input: &mut impl BufRead) -> Option<(Vec<u8>, bool)> {
    let mut line = Vec::new();
    let mut limited = input.by_ref().take(MAX_LINE as u64);
    let length = limited.read_until(b'\n', &mut line).unwrap_or_default();
    if length == 0 {
        return None;
    }
    let is_cut = length == MAX_LINE && line.last() != Some(&b'\n') && skip_line(input);
    Some((line, is_cut))
}

/// Skips the rest of a line. Returns whether anything was skipped.
fn skip_line(input: &mut impl BufRead) -> bool {
    let mut has_skipped = false;
    loop {
        let Ok(buffer) = input.fill_buf() else { return has_skipped };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        has_skipped |= end.unwrap_or(length) > 0;
        input.consume(length);
        if end.is_some() || length == 0 {
            return has_skipped;
        }
    }
}

/// A place in a text, counted from 1: `3:14` is line 3, character 14.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1. A byte-order mark does not count.
    pub column: usize,
}

impl Spot {
    /// The place of byte `offset` of a normalized text.
    pub(super) fn of(text: &str, offset: usize) -> Spot {
        // An offset within a character means the end of the text.
        let preceding = text.get(..offset).unwrap_or(text);
        let line_start = preceding.rfind('\n').map_or(0, |n| n + 1);
        Spot {
            line: preceding.bytes().filter(|&b| b == b'\n').count() + 1,
            column: preceding[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Removes a byte-order mark and converts line breaks to line feeds. Most texts have neither and
/// are not copied.
pub fn normalize(text: &str) -> Cow<'_, str> {
    line_feeds(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Converts line breaks to line feeds.
pub(super) fn line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn lengths(text: &[u8]) -> Vec<(usize, bool)> {
        let mut input = Cursor::new(text);
        std::iter::from_fn(|| read_line(&mut input)).map(|(line, cut)| (line.len(), cut)).collect()
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(lengths(b""), []);
        assert_eq!(lengths(b"name\n\nquit"), [(5, false), (1, false), (4, false)]);
        let mut exact = vec![b'x'; MAX_LINE];
        exact.extend(b"\nname\n");
        assert_eq!(lengths(&exact), [(MAX_LINE, false), (5, false)]);
        let mut long = vec![b'x'; 3 * MAX_LINE];
        long.extend(b"\nname");
        assert_eq!(lengths(&long), [(MAX_LINE, true), (4, false)]);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let text = normalize("\u{feff}aé\r\nb\rcd");
        assert_eq!(text, "aé\nb\ncd");
        let places: Vec<String> =
            text.char_indices().map(|(offset, _)| Spot::of(&text, offset).to_string()).collect();
        assert_eq!(places.join(" "), "1:1 1:2 1:3 2:1 2:2 3:1 3:2");
        assert_eq!(Spot::of(&text, text.len()).to_string(), "3:3");
    }
}
