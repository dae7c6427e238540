//! Splitting a command line into words, as a POSIX shell does.

use thiserror::Error;

/// The text cannot be split into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WordsError {
    /// An unclosed quotation mark.
    #[error("a quotation mark ({0}) is not closed")]
    OpenQuote(
        /// The mark.
        char,
    ),
    /// A backslash at the end.
    #[error("a backslash at the end escapes nothing")]
    LastBackslash,
}

/// Splits `text` at white space. `'...'` is literal; within `"..."` a
/// backslash escapes `"`, `\`, `$` and `` ` ``, outside it any character.
/// Nothing is expanded.
pub(super) fn split(text: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err(WordsError::OpenQuote('\'')),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some(c) => word.extend(['\\', c]),
                            None => return Err(WordsError::OpenQuote('"')),
                        },
                        Some(c) => word.push(c),
                        None => return Err(WordsError::OpenQuote('"')),
                    }
                }
            }
            '\\' => {
                let escaped = chars.next().ok_or(WordsError::LastBackslash)?;
                word.get_or_insert_default().push(escaped);
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        for (text, words) in [
            ("", &[][..]),
            ("  \t ", &[]),
            ("./a gtp  --x=1", &["./a", "gtp", "--x=1"]),
            ("'a b' \"c d\" e\\ f", &["a b", "c d", "e f"]),
            ("a'b'\"c\"d", &["abcd"]),
            ("'' \"\"", &["", ""]),
            (r#""a\"b\\c\nd" 'e\f'"#, &["a\"b\\c\\nd", "e\\f"]),
            ("$HOME *.x a;b", &["$HOME", "*.x", "a;b"]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn open_ends_are_refused() {
        assert_eq!(split("a 'b"), Err(WordsError::OpenQuote('\'')));
        assert_eq!(split("a \"b'"), Err(WordsError::OpenQuote('"')));
        assert_eq!(split("a \"b\\"), Err(WordsError::OpenQuote('"')));
        assert_eq!(split("a\\"), Err(WordsError::LastBackslash));
    }
}
