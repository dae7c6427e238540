//! GTP 2 framing: from lines to requests, and from answers to framed text.
//!
//! Source: the GTP version 2 draft, "Protocol structure".

/// A request: a line split into number, command and arguments.
///
/// ```
/// use pontifex::gtp::Request;
///
/// let request = Request::parse(b"7 play\tw d4,e6 # the centre\r\n").unwrap();
/// assert_eq!(request.id.as_deref(), Some("7"));
/// assert_eq!(request.command, "play");
/// assert_eq!(request.arguments, "w d4,e6");
/// assert_eq!(Request::parse(b"# only a comment\n"), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The request number, exactly as written.
    pub id: Option<String>,
    /// The command, empty if the line is only a number.
    pub command: String,
    /// The rest of the line, without leading and trailing spaces.
    pub arguments: String,
}

impl Request {
    /// Parses a line, with or without its line feed. Returns `None` for an empty
    /// line or a comment, which get no answer.
    ///
    /// A tab counts as a space, other control characters are removed, and `#`
    /// begins a comment. Invalid UTF-8 becomes U+FFFD.
    pub fn parse(line: &[u8]) -> Option<Request> {
        let code = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let kept = code.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte });
        let bytes: Vec<u8> = kept.filter(|byte| !byte.is_ascii_control()).collect();
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(' ');
        if text.is_empty() {
            return None;
        }
        let (first, rest) = split_word(text);
        let numbered = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, (command, arguments)) = if numbered {
            (Some(first.to_owned()), split_word(rest))
        } else {
            (None, (first, rest))
        };
        Some(Request { id, command: command.to_owned(), arguments: arguments.to_owned() })
    }
}

/// Splits off the first word.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start_matches(' '))
}

/// Frames an answer: `=` or `?`, the number of the request, the text, and an
/// empty line.
///
/// The empty line at the end is the only one: empty lines in the text are
/// dropped. Control characters and Unicode line separators become spaces. A
/// text that begins with a line feed begins on the line after the sign.
///
/// ```
/// use pontifex::gtp::frame;
///
/// assert_eq!(frame(Some("7"), Ok("d4,e6")), "=7 d4,e6\n\n");
/// assert_eq!(frame(None, Ok("")), "=\n\n");
/// assert_eq!(frame(None, Err("cannot score")), "? cannot score\n\n");
/// ```
pub fn frame(id: Option<&str>, answer: Result<&str, &str>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let mut framed = String::with_capacity(text.len() + 16);
    framed.push(sign);
    framed.push_str(id.unwrap_or_default());
    for (number, line) in text.split('\n').enumerate() {
        let line = line.replace(breaks_lines, " ");
        let line = line.trim_end_matches(' ');
        if !line.is_empty() {
            framed.push(if number == 0 { ' ' } else { '\n' });
            framed.push_str(line);
        }
    }
    framed.push_str("\n\n");
    framed
}

/// Whether a reader might take `c` for a line break, or a terminal for a control
/// character.
fn breaks_lines(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty `id` stands for no number.
    #[track_caller]
    fn assert_parts(line: &[u8], id: &str, command: &str, arguments: &str) {
        let request = Request::parse(line).unwrap();
        assert_eq!(request.id.unwrap_or_default(), id);
        assert_eq!((request.command.as_str(), request.arguments.as_str()), (command, arguments));
    }

    #[test]
    fn requests_are_parsed() {
        assert_parts(b"name", "", "name", "");
        assert_parts(b"  12   play  w   a1,b2  \n", "12", "play", "w   a1,b2");
        assert_parts(b"0 name", "0", "name", "");
        assert_parts(b"007 name", "007", "name", "");
        assert_parts(b"-1 name", "", "-1", "name");
        assert_parts(b"1a name", "", "1a", "name");
        assert_parts(b"5", "5", "", "");
        assert_parts(b"5 6 name", "5", "6", "name");
    }

    #[test]
    fn control_characters_are_removed_and_tabs_are_spaces() {
        assert_parts(b"na\x00m\x07e\r\n", "", "name", "");
        assert_parts(b"\t3\tplay\tw\ta1,b2\t", "3", "play", "w a1,b2");
        assert_parts(b"play\x7f w", "", "play", "w");
    }

    #[test]
    fn comments_and_blank_lines_are_no_requests() {
        for line in [&b""[..], b"\n", b"\r\n", b" \t ", b"# 1 name", b"  #", b"\x00\x01\x1b"] {
            assert_eq!(Request::parse(line), None, "{line:?}");
        }
        assert_parts(b"name#comment", "", "name", "");
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_parts(b"4 na\xffme \xc3", "4", "na\u{fffd}me", "\u{fffd}");
        let long = vec![b'x'; 1 << 20];
        assert_eq!(Request::parse(&long).map(|request| request.command.len()), Some(1 << 20));
    }

    #[test]
    fn only_the_last_line_of_an_answer_is_empty() {
        assert_eq!(frame(None, Ok("a\n\nb\n")), "= a\nb\n\n");
        assert_eq!(frame(Some("1"), Ok("\n\n a \n \n\tb\r\n")), "=1\n a\n b\n\n");
        assert_eq!(frame(Some("1"), Ok("\n \n\r\n")), "=1\n\n");
        assert_eq!(frame(None, Err("x\u{85}y\u{2028}z\x0b\x1b")), "? x y z\n\n");
    }
}
