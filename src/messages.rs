//! Messages for people that contain text from outside.
//!
//! File names, values of configuration files, moves of journals, damaged sessions and answers of
//! engines may hold anything: line breaks, megabytes, and sequences that a terminal obeys. Such a
//! sequence can clear the screen or rename the window. So whatever prints an error, a warning or a
//! table passes it through [`one_line`] or at least [`printable`]. An error that quotes a value
//! contains only an [`excerpt`] of it, so that the rest of the message remains.

use std::fmt::Display;
use std::io::{self, Write};

/// The maximum length of a quotation, in characters. Set by judgement: half a line of a terminal,
/// enough to find the place.
const MAX_EXCERPT: usize = 40;

/// The maximum length of a message, in characters; with `pontifex: ` before it a line has at
/// most 300.
const MAX_MESSAGE: usize = 290;

/// The number of characters kept at the end of a message that is too long, because the end often
/// says what would be right.
const KEPT_END: usize = 90;

/// The beginning of `text` for an error message: one line of at most 40 characters, with control
/// characters escaped.
pub fn excerpt(text: &str) -> String {
    let mut chars = text.chars();
    let mut quoted: String = chars.by_ref().take(MAX_EXCERPT).flat_map(escaped_char).collect();
    if chars.next().is_some() {
        quoted.push('…');
    }
    quoted
}

/// The text on one line: white space of any length becomes a space, and what a terminal might obey
/// is escaped.
pub fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().flat_map(escaped_char));
    }
    line
}

/// The text of a message: [`printable`], without the error codes of the operating system, and
/// without its middle if it has more than 290 characters.
pub fn one_line(text: &str) -> String {
    let line = printable(&without_os_codes(text));
    let length = line.chars().count();
    if length <= MAX_MESSAGE {
        return line;
    }
    let begin = line.chars().take(MAX_MESSAGE - KEPT_END - 1);
    begin.chain(['…']).chain(line.chars().skip(length - KEPT_END)).collect()
}

/// The text without the error codes of the operating system, such as ` (os error 2)`.
fn without_os_codes(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        match part[digits..].strip_prefix(')') {
            Some(rest) if digits > 0 => plain.push_str(rest),
            _ => plain.extend([" (os error ", part]),
        }
    }
    plain
}

/// An error of serde, or of parsing a number, in our words: what the value must be. Names of Rust
/// types are left out, and so is the position where the name of the field says more.
///
/// Only the text of such an error is public, so the text is translated. This must happen where the
/// error is caught: later it would be mixed with file names and moves, which may contain the same
/// words. Any other text is returned unchanged.
pub fn data_error(error: &impl Display) -> String {
    let text = error.to_string();
    let matches = PHRASES
        .iter()
        .filter_map(|(phrase, translate)| Some((text.find(phrase)?, phrase, translate)));
    // The first phrase in the text: later ones may be part of a value that it quotes.
    let first = matches.min_by_key(|&(index, ..)| index);
    let Some((index, phrase, translate)) = first else { return text };
    let (before, rest) = (&text[..index], &text[index + phrase.len()..]);
    let rest = rest.rsplit_once(" at line ").map_or(rest, |(rest, _)| rest);
    let translation = translate(rest);
    match before.strip_suffix(": ") {
        Some(field) if translation.starts_with("must ") => format!("{field} {translation}"),
        _ => format!("{before}{translation}"),
    }
}

/// Translates a phrase, given the text that follows it.
type Translation = fn(&str) -> String;

/// Beginnings of phrases of serde and of the standard library, each with its translation. The tests
/// below take the texts from `serde_json` 1 and the standard library.
const PHRASES: [(&str, Translation); 14] = [
    ("EOF while parsing ", |rest| format!("the text ends in the middle of {rest}")),
    ("missing field ", |rest| format!("{} is missing", without_backticks(rest))),
    ("duplicate field ", |rest| format!("{} is given twice", without_backticks(rest))),
    ("unknown field ", |rest| {
        let (field, known) = rest.split_once(", ").unwrap_or((rest, ""));
        let known = known.trim_start_matches("expected ").trim_start_matches("one of ");
        match known {
            "" | "there are no fields" => {
                format!("there is no field '{}'", without_backticks(field))
            }
            known => format!(
                "there is no field '{}'; there are {}",
                without_backticks(field),
                without_backticks(known)
            ),
        }
    }),
    ("unknown variant ", |rest| {
        let (given, known) = rest.split_once(", expected ").unwrap_or((rest, "something else"));
        let known = without_backticks(known.strip_prefix("one of ").unwrap_or(known));
        let known: Vec<&str> = known.split(", ").collect();
        format!("must be {}, not '{}'", one_of(&known), without_backticks(given))
    }),
    ("invalid type: ", wrong_value),
    ("invalid value: ", wrong_value),
    ("invalid length ", |rest| {
        let (given, wanted) = rest.split_once(", expected ").unwrap_or((rest, "another number"));
        format!("must be {}, not a list of {given}", wanted_form(wanted))
    }),
    ("data did not match any variant of untagged enum", |_| "has none of the known forms".into()),
    ("invalid digit found in string", |_| "must be a whole number from 0".into()),
    ("cannot parse integer from empty string", |_| "must be a whole number from 0".into()),
    ("number too large to fit in target type", |_| "must be a smaller number".into()),
    ("invalid float literal", |_| "must be a number".into()),
    ("cannot parse float from empty string", |_| "must be a number".into()),
];

/// Names without serde's backticks.
fn without_backticks(names: &str) -> String {
    names.replace('`', "")
}

/// The translation for a value of the wrong type or range, from a text such as ``integer `5`,
/// expected a string``.
fn wrong_value(rest: &str) -> String {
    let Some((given, wanted)) = rest.rsplit_once(", expected ") else {
        return format!("must not be {}", given_value(rest));
    };
    format!("must be {}, not {}", wanted_form(wanted), given_value(given))
}

/// The value in serde's description of it, which begins with the type.
fn given_value(given: &str) -> String {
    match given {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" => "null".to_owned(),
        given => {
            let types = ["integer ", "floating point ", "boolean ", "character ", "string "];
            let value = types.iter().find_map(|name| given.strip_prefix(name)).unwrap_or(given);
            without_backticks(value)
        }
    }
}

/// What serde expects, in words for people who write JSON or TOML.
fn wanted_form(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        wanted if wanted.contains("struct ") || wanted.contains("enum ") => "an object".to_owned(),
        wanted => without_backticks(wanted),
    }
}

/// Lists words as in a sentence: `linear or rollout`, and consecutive numbers as a range:
/// `max or 1 to 10`.
pub fn one_of(words: &[&str]) -> String {
    let number = |word: &&str| word.parse::<u64>().ok();
    let from = words.iter().position(|word| number(word).is_some()).unwrap_or(words.len());
    let numbers: Vec<u64> = words[from..].iter().filter_map(number).collect();
    let is_range = numbers.len() > 2
        && numbers.len() == words.len() - from
        && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let range = is_range.then(|| format!("{} to {}", numbers[0], numbers[numbers.len() - 1]));
    let single_words = if is_range { &words[..from] } else { words };
    let mut items: Vec<&str> = single_words.iter().copied().chain(range.as_deref()).collect();
    match (items.pop(), items.is_empty()) {
        (Some(last), false) => format!("{} or {last}", items.join(", ")),
        (last, _) => last.unwrap_or_default().to_owned(),
    }
}

/// Prints a message on stderr, as [`one_line`].
pub fn tell(message: impl Display) {
    // Nothing can be done if stderr is closed.
    let _ = writeln!(io::stderr(), "pontifex: {}", one_line(&message.to_string()));
}

/// The character as it is printed: escaped if a terminal may obey it.
fn escaped_char(c: char) -> impl Iterator<Item = char> {
    let escaped = is_obeyed(c).then(|| c.escape_default());
    let plain = if escaped.is_none() { Some(c) } else { None };
    escaped.into_iter().flatten().chain(plain)
}

/// Whether a terminal may obey the character rather than show it: controls, line separators, and
/// what changes the direction of the text around it.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code)]
        kind: Kind,
        #[expect(dead_code)]
        count: u8,
        #[expect(dead_code)]
        names: Option<Vec<String>>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Open,
        Play,
        Why,
    }

    #[test]
    fn errors_of_libraries_are_put_in_plain_words() {
        let cases = [
            (r#"{"kind":"open"}"#, "count is missing"),
            (r#"{"kind":"fly","count":1}"#, "must be open, play or why, not 'fly'"),
            (r#"{"kind":"open","count":-1}"#, "must be a whole number from 0, not -1"),
            (r#"{"kind":"open","count":"x"}"#, "must be a whole number from 0, not \"x\""),
            (r#"{"kind":"open","count":[]}"#, "must be a whole number from 0, not a list"),
            (r#"{"kind":"open","count":1,"names":5}"#, "must be a list, not 5"),
            (r#"{"kind":"open","count":1,"names":[{}]}"#, "must be a string, not an object"),
            (r#"{"count":1,"count":1}"#, "count is given twice"),
            (r#"{"cont":1}"#, "there is no field 'cont'; there are kind, count, names"),
            ("5", "must be an object, not 5"),
        ];
        for (text, expected) in cases {
            let error = serde_json::from_str::<Sample>(text).unwrap_err().to_string();
            assert_eq!(data_error(&error), expected, "{text}: {error}");
        }
        let error = serde_json::from_str::<Sample>(r#"{"kind":"open","count":1,"#).unwrap_err();
        assert_eq!(data_error(&error), "the text ends in the middle of a value");
        for (text, expected) in [("-1", "from 0"), ("", "from 0"), ("300", "a smaller number")] {
            let error = text.parse::<u8>().unwrap_err();
            assert!(data_error(&error).ends_with(expected), "{text}: {error}");
        }
        for text in ["", "x"] {
            let error = text.parse::<f64>().unwrap_err();
            assert_eq!(data_error(&error), "must be a number");
        }
        let own = "name: there is no field of that kind";
        assert_eq!(data_error(&own), own);
    }

    #[test]
    fn words_are_listed_as_in_a_sentence() {
        assert_eq!(one_of(&["a"]), "a");
        assert_eq!(one_of(&["on", "off"]), "on or off");
        assert_eq!(one_of(&["max", "1", "2", "3"]), "max or 1 to 3");
        assert_eq!(one_of(&["1", "2", "4"]), "1, 2 or 4");
        assert_eq!(one_of(&[]), "");
    }

    #[test]
    fn error_codes_of_the_system_are_left_out() {
        let error = io::Error::from_raw_os_error(2).to_string();
        assert!(error.ends_with("(os error 2)"), "{error}");
        let plain = one_line(&format!("a.sgf: {error}; b.sgf: {error}"));
        assert!(plain.starts_with("a.sgf: ") && !plain.contains("os error"), "{plain}");
        assert_eq!(plain.matches("; b.sgf: ").count(), 1);
        // Text that only looks like an error code is kept.
        for own in ["a (os error x).sgf", "a (os error 2.sgf", "no missing field b.sgf: gone"] {
            assert_eq!(one_line(own), own);
        }
    }

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
