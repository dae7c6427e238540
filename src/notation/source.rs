//! Source texts of records: line breaks, places, and quotations for error
//! messages.

use std::borrow::Cow;
use std::fmt;

/// A place in a text, counted from 1: `3:14` is line 3, character 14.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl Spot {
    /// The place of byte `at` of a normalized text.
    pub(super) fn of(text: &str, at: usize) -> Spot {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        Spot {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Removes a byte order mark and converts line breaks to line feeds.
pub(crate) fn normalize(text: &str) -> Cow<'_, str> {
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

/// The maximum length of a quotation, in characters.
const QUOTED: usize = 40;

/// The beginning of `text` for an error message: one line of at most 40
/// characters, with control characters escaped.
pub(crate) fn excerpt(text: &str) -> String {
    let mut chars = text.chars();
    let mut quoted = String::new();
    for c in chars.by_ref().take(QUOTED) {
        if c.is_control() {
            quoted.extend(c.escape_default());
        } else {
            quoted.push(c);
        }
    }
    if chars.next().is_some() {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(excerpt("d4,x9"), "d4,x9");
        assert_eq!(excerpt("a\nb\u{1b}"), "a\\nb\\u{1b}");
        assert_eq!(excerpt(&"é".repeat(50)), "é".repeat(40) + "…");
    }

    #[test]
    fn places_count_lines_and_characters() {
        let text = normalize("\u{feff}aé\r\nb\rcd");
        assert_eq!(text, "aé\nb\ncd");
        let places: Vec<String> =
            text.char_indices().map(|(at, _)| Spot::of(&text, at).to_string()).collect();
        assert_eq!(places.join(" "), "1:1 1:2 1:3 2:1 2:2 3:1 3:2");
        assert_eq!(Spot::of(&text, text.len()).to_string(), "3:3");
    }
}
