//! Answers that are sent line by line while their command runs.

use std::io::{self, Write};

use super::{CommandError, frame};
use crate::engine::StopSignal;

/// Sends text, whole lines, and returns when it has left.
pub(super) type Outlet<'a> = dyn FnMut(&str) -> io::Result<()> + Send + 'a;

/// The answer to one request on its way out.
pub(super) struct Stream<'a> {
    send: &'a mut Outlet<'a>,
    id: Option<&'a str>,
    has_begun: bool,
    stays_open: bool,
    /// Set by the first line that could not be sent.
    failure: Option<io::Error>,
}

impl<'a> Stream<'a> {
    /// An error's text is cut to so many characters: it may quote its cause,
    /// and that may be as long as a line.
    const MAX_ERROR: usize = 500;

    /// The answer to the request with this number.
    pub(super) fn new(id: Option<&'a str>, send: &'a mut Outlet<'a>) -> Stream<'a> {
        Stream { send, id, has_begun: false, stays_open: false, failure: None }
    }

    /// Sends the first line of an answer that is known to be a success.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
        self.line(&format!("={}", self.id.unwrap_or_default()));
    }

    /// Sends a line, unless it is empty: that would be the end of the answer.
    /// Whether lines still get through.
    pub(super) fn line(&mut self, line: &str) -> bool {
        debug_assert!(!line.contains('\n'), "{line:?} breaks the frame");
        if self.failure.is_none() && !line.is_empty() {
            self.failure = (self.send)(&format!("{line}\n")).err();
        }
        self.failure.is_none()
    }

    /// Sends a line of a running search, which ends when nobody reads any
    /// more.
    pub(super) fn report(&mut self, line: &str, stop: &StopSignal) {
        if !self.line(line) {
            stop.leave();
        }
    }

    /// The empty line at its end is to come with the next input only.
    pub(super) fn stay_open(&mut self) {
        self.stays_open = true;
    }

    /// Sends what is left to send: all of an answer that was not streamed
    /// (its text), the end of one that was (`None`). Whether that end is yet
    /// to come.
    ///
    /// # Errors
    /// When something could not be sent.
    pub(super) fn finish(self, answer: Result<Option<String>, CommandError>) -> io::Result<bool> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if !self.has_begun {
            let answer =
                answer.map(Option::unwrap_or_default).map_err(|error| cut(&error, Self::MAX_ERROR));
            (self.send)(&frame(self.id, answer.as_deref().map_err(String::as_str)))?;
            return Ok(false);
        }
        if let Err(error) = &answer {
            // It is too late for a question mark.
            let _ = writeln!(io::stderr(), "pontifex: {error}");
        } else if self.stays_open {
            return Ok(true);
        }
        (self.send)("\n")?;
        Ok(false)
    }
}

/// The error's text, not longer than `length` characters and three dots.
fn cut(error: &CommandError, length: usize) -> String {
    let text = error.to_string();
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_within_an_answer_looks_like_its_end() {
        let mut sent = String::new();
        let mut send = |text: &str| {
            sent.push_str(text);
            Ok(())
        };
        let mut stream = Stream::new(Some("7"), &mut send);
        stream.begin();
        assert!(stream.line("info") && stream.line("") && stream.line("play pass"));
        assert!(!stream.finish(Ok(None)).unwrap());
        assert_eq!(sent, "=7\ninfo\nplay pass\n\n");
    }
}
