//! Messages for people that contain text from outside.
//!
//! File names, values of configuration files, moves of journals, damaged
//! sessions and answers of engines may hold anything: line breaks, megabytes,
//! and sequences that a terminal obeys. Whatever prints an error, a warning or
//! a table makes it [`one_line`] or at least [`printable`]. An error that quotes
//! a value contains an [`excerpt`] of it, so that the rest of the message
//! remains.

use std::fmt::Display;
use std::io::{self, Write};

/// The maximum length of a quotation, in characters.
const MAX_EXCERPT: usize = 40;

/// The maximum length of a message, in characters; with `pontifex: ` before it
/// a line has at most 300.
const MAX_MESSAGE: usize = 290;

/// What remains of the end of a message that is too long: it often says what
/// would be right.
const END: usize = 90;

/// The beginning of `text` for an error message: one line of at most 40
/// characters, with control characters escaped.
pub fn excerpt(text: &str) -> String {
    let mut chars = text.chars();
    let mut quoted: String = chars.by_ref().take(MAX_EXCERPT).flat_map(shown).collect();
    if chars.next().is_some() {
        quoted.push('…');
    }
    quoted
}

/// The text on one line: white space of any length becomes a space, and what a
/// terminal might obey is escaped.
pub fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().flat_map(shown));
    }
    line
}

/// The text of a message: as of [`printable`], and without its middle if it has
/// more than 290 characters.
pub fn one_line(text: &str) -> String {
    let line = printable(text);
    let length = line.chars().count();
    if length <= MAX_MESSAGE {
        return line;
    }
    let begin = line.chars().take(MAX_MESSAGE - END - 1);
    begin.chain(['…']).chain(line.chars().skip(length - END)).collect()
}

/// Prints a message on stderr, as [`one_line`].
pub fn tell(message: impl Display) {
    let _ = writeln!(io::stderr(), "pontifex: {}", one_line(&message.to_string()));
}

/// A character as it is printed.
fn shown(c: char) -> impl Iterator<Item = char> {
    let escaped = is_obeyed(c).then(|| c.escape_default());
    let plain = if escaped.is_none() { Some(c) } else { None };
    escaped.into_iter().flatten().chain(plain)
}

/// Whether a terminal may obey the character rather than show it: controls, line
/// separators, and what changes the direction of the text around it.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    fn a_message_is_one_line_that_no_terminal_obeys() {
        assert_eq!(
            one_line(" a\r\n b\tc \u{1b}[31md\u{9b}\u{202e}é "),
            "a b c \\u{1b}[31md\\u{9b}\\u{202e}é"
        );
        let long = format!("bad: {}: 1 to 9 would do", "\u{1b}x".repeat(50_000));
        let message = one_line(&long);
        assert_eq!(message.chars().count(), 290);
        assert!(message.starts_with("bad: \\u{1b}x") && message.ends_with("x: 1 to 9 would do"));
        let fits = "é".repeat(290);
        assert_eq!(one_line(&fits), fits);
    }
}
