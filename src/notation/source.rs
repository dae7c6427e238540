//! Source texts of records: line breaks and places.

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
    use super::*;

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
