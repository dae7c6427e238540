//! Answers that are streamed line by line while their command runs.

use std::io;

use super::error::CommandError;
use super::frame::frame;
use crate::engine::StopSignal;
use crate::messages::tell;

/// Sends whole lines and flushes them.
pub(super) type Outlet<'a> = dyn FnMut(&str) -> io::Result<()> + Send + 'a;

/// The answer to one request.
pub(super) struct Stream<'a> {
    send: &'a mut Outlet<'a>,
    id: Option<&'a str>,
    has_begun: bool,
    stays_open: bool,
    /// The error of the first line that could not be sent.
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

    /// Sends a line. Empty lines are dropped, since they would end the answer.
    /// Returns whether lines can still be sent.
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
            stop.leave();
        }
    }

    /// Leaves the answer open until the next input arrives.
    pub(super) fn stay_open(&mut self) {
        self.stays_open = true;
    }

    /// Sends the whole answer, or the end of a streamed one (`None`). Returns
    /// whether the answer is still open.
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
            // The answer has already begun as a success.
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
