//! GTP 2 framing: from lines to requests, and from answers to framed text, whole or streamed line
//! by line while the command runs.
//!
//! ```text
//! 7 genmove w          =7 d4,e6         ? cannot score
//!                      (empty line)     (empty line)
//! ```
//!
//! Only the empty line ends an answer. One inside the text would end it early, and the controller
//! would take the rest for the answer to its next request, and so on for the whole session. No text
//! of a command can do this: [`frame`] and [`Stream::line`] drop empty lines, and [`frame`]
//! replaces every other character that a reader might take for a line break. Streamed lines consist
//! of moves and numbers only.
//!
//! A streamed answer has sent its `=` before the command ends, so it can no longer become an error.
//! If the command fails after that, the error goes to standard error and the answer ends. A
//! successful analysis ends without the empty line: its answer stays open until the next line of
//! input, when `run` closes it.
//!
//! Source: the GTP version 2 draft, "Protocol structure".

use std::io;

use super::error::CommandError;
use crate::engine::StopSignal;
use crate::messages::{one_line, tell};
use crate::notation::without_mark;

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
    /// Parses a line, with or without its line feed. Returns `None` for an empty line or a comment,
    /// which get no answer.
    ///
    /// A tab counts as a space, other control characters are removed, and `#` begins a comment.
    /// Invalid UTF-8 becomes U+FFFD, and a byte-order mark at the start is skipped.
    pub fn parse(line: &[u8]) -> Option<Request> {
        let code = without_mark(line).split(|&byte| byte == b'#').next().unwrap_or_default();
        let untabbed = code.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte });
        let bytes: Vec<u8> = untabbed.filter(|byte| !byte.is_ascii_control()).collect();
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(' ');
        if text.is_empty() {
            return None;
        }
        let (first, rest) = split_word(text);
        // A number of any length: it is only echoed.
        let has_id = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, (command, arguments)) =
            if has_id { (Some(first.to_owned()), split_word(rest)) } else { (None, (first, rest)) };
        Some(Request { id, command: command.to_owned(), arguments: arguments.to_owned() })
    }
}

/// Splits off the first word.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim_start_matches(' '))
}

/// Frames an answer: `=` or `?`, the number of the request, a space and the text, and an empty
/// line. An answer without a text has no space. An error is one line of at most 290 characters.
///
/// The empty line at the end is the only one: empty lines in the text are dropped. Control
/// characters and Unicode line separators become spaces. If the text begins with a line feed, its
/// first line follows the space and the line feed: `GoGui` cuts an answer at its first space,
/// wherever that is.
///
/// ```
/// use pontifex::gtp::frame;
///
/// assert_eq!(frame(Some("7"), Ok("d4,e6")), "=7 d4,e6\n\n");
/// assert_eq!(frame(Some("8"), Ok("\n. w\nr .")), "=8 \n. w\nr .\n\n");
/// assert_eq!(frame(None, Ok("")), "=\n\n");
/// assert_eq!(frame(None, Err("cannot score")), "? cannot score\n\n");
/// ```
pub fn frame(id: Option<&str>, answer: Result<&str, &str>) -> String {
    let error;
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => {
            error = one_line(text);
            ('?', error.as_str())
        }
    };
    let text = text.trim_end();
    // 16 bytes hold the sign, a number of usual length and the end.
    let mut framed = String::with_capacity(text.len() + 16);
    framed.push(sign);
    framed.push_str(id.unwrap_or_default());
    framed.push_str(if text.is_empty() { "" } else { " " });
    for (number, line) in text.split('\n').enumerate() {
        let line = line.replace(breaks_lines, " ");
        let line = line.trim_end_matches(' ');
        if number > 0 && !line.is_empty() {
            framed.push('\n');
        }
        framed.push_str(line);
    }
    framed.push_str("\n\n");
    framed
}

/// Whether a reader might take `c` for a line break, or a terminal for a control character.
fn breaks_lines(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Sends whole lines and flushes them.
pub(super) type Outlet<'a> = dyn FnMut(&str) -> io::Result<()> + Send + 'a;

/// The answer to one request: streamed if [`Stream::begin`] is called, otherwise whole.
pub(super) struct Stream<'a> {
    send: &'a mut Outlet<'a>,
    id: Option<&'a str>,
    has_begun: bool,
    stays_open: bool,
    /// The error of the first line that could not be sent. Nothing is sent after it.
    failure: Option<io::Error>,
}

impl<'a> Stream<'a> {
    /// An answer to the request with number `id`.
    pub(super) fn new(id: Option<&'a str>, send: &'a mut Outlet<'a>) -> Stream<'a> {
        Stream { send, id, has_begun: false, stays_open: false, failure: None }
    }

    /// Sends the first line of a successful answer.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
        self.line(&format!("={}", self.id.unwrap_or_default()));
    }

    /// Sends a line. Empty lines are dropped, since they would end the answer. Returns whether
    /// lines can still be sent.
    pub(super) fn line(&mut self, line: &str) -> bool {
        debug_assert!(!line.contains('\n'), "{line:?} breaks the frame");
        if self.failure.is_none() && !line.is_empty() {
            self.failure = (self.send)(&format!("{line}\n")).err();
        }
        self.failure.is_none()
    }

    /// Sends a line of a running search. If that fails, stops the search.
    pub(super) fn report(&mut self, line: &str, stop: &StopSignal) {
        if !self.line(line) {
            // Not `request`, which would have to be withdrawn: the session ends with this request,
            // since `finish` returns the failure.
            stop.end_input();
        }
    }

    /// Leaves the answer open until the next input arrives.
    pub(super) fn stay_open(&mut self) {
        self.stays_open = true;
    }

    /// Sends the whole answer, or the end of a streamed one (`None`). Returns whether the answer is
    /// still open.
    ///
    /// # Errors
    /// A line could not be sent.
    pub(super) fn finish(self, answer: Result<Option<String>, CommandError>) -> io::Result<bool> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if !self.has_begun {
            let answer = answer.map(Option::unwrap_or_default).map_err(|error| error.to_string());
            (self.send)(&frame(self.id, answer.as_deref().map_err(String::as_str)))?;
            return Ok(false);
        }
        if let Err(error) = &answer {
            // The answer has begun as a success.
            tell(error);
        } else if self.stays_open {
            return Ok(true);
        }
        (self.send)("\n")?;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_do_not_end_an_answer() {
        let mut output = String::new();
        let mut send = |text: &str| {
            output.push_str(text);
            Ok(())
        };
        let mut stream = Stream::new(Some("7"), &mut send);
        stream.begin();
        assert!(stream.line("info") && stream.line("") && stream.line("play pass"));
        assert!(!stream.finish(Ok(None)).unwrap());
        assert_eq!(output, "=7\ninfo\nplay pass\n\n");
    }
}
