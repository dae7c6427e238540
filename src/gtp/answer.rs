//! How a session answers requests: looking up and running commands.

use std::io;

use super::args::Args;
use super::commands::{self, Run};
use super::error::CommandError;
use super::frame::Request;
use super::session::Session;
use super::stream::{Outlet, Stream};

impl Session {
    /// Returns the framed answer to a line, or `None` for a comment or an empty
    /// line, which get no answer.
    pub fn answer_line(&mut self, line: &[u8]) -> Option<String> {
        Request::parse(line).map(|request| self.answer(&request))
    }

    /// Returns the whole framed answer to a request. A request that fails
    /// changes nothing.
    ///
    /// No input can interrupt the request, so `ponte-analyze` stops at the
    /// limits of `genmove`.
    pub fn answer(&mut self, request: &Request) -> String {
        let mut answer = String::new();
        let mut send = |text: &str| {
            answer.push_str(text);
            Ok(())
        };
        if let Ok(true) = self.respond(request, &mut send) {
            answer.push('\n');
        }
        answer
    }

    /// Answers a request through `send`. Returns whether the answer is still
    /// open: its final empty line must be sent before the next answer.
    ///
    /// # Errors
    /// A line could not be sent.
    pub(super) fn respond(&mut self, request: &Request, send: &mut Outlet<'_>) -> io::Result<bool> {
        let mut stream = Stream::new(request.id.as_deref(), send);
        let answer = self.restoring(|session| session.dispatch(request, &mut stream));
        stream.finish(answer)
    }

    /// Runs the command. Returns the text of the answer, or `None` if the
    /// command streamed it.
    fn dispatch(
        &mut self,
        request: &Request,
        stream: &mut Stream<'_>,
    ) -> Result<Option<String>, CommandError> {
        if request.command.is_empty() {
            return Err(CommandError::Syntax("a request number without a command".to_owned()));
        }
        let command = commands::find(&request.command).ok_or(CommandError::UnknownCommand)?;
        let args = Args::new(&request.arguments, command.usage);
        match command.run {
            Run::Answer(run) => run(self, args).map(Some),
            Run::Stream(run) => run(self, args, stream).map(|()| None),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::Options;
    use crate::game::Color;

    #[test]
    fn a_panic_becomes_an_error_and_changes_nothing() {
        let mut session = Session::new(Options { playouts: 1, ..Options::default() });
        let mv = "d4,e6".parse().unwrap();
        session.engine.play(Color::White, mv).unwrap();
        let before = session.engine.snapshot();
        let answer: Result<(), _> = session.restoring(|session| {
            session.engine.options_mut().playouts = 7;
            session.engine.undo(1)?;
            panic!("on purpose: {}", 1);
        });
        assert_eq!(answer.unwrap_err().to_string(), "internal error: on purpose: 1");
        assert_eq!(session.engine.snapshot(), before);
        let answer = session.answer_line(b"3 genmove r").unwrap();
        assert!(answer.starts_with("=3 "), "{answer}");
    }

    #[test]
    fn a_panic_ends_a_stream() {
        let mut session = Session::new(Options::default());
        let mut sent = String::new();
        let mut send = |text: &str| {
            sent.push_str(text);
            Ok(())
        };
        let mut stream = Stream::new(Some("5"), &mut send);
        let answer = session.restoring(|_| {
            stream.begin();
            stream.line("info");
            stream.stay_open();
            panic!("on purpose");
        });
        assert!(!stream.finish(answer).unwrap(), "the answer is complete");
        assert_eq!(sent, "=5\ninfo\n\n");
    }

    #[test]
    fn a_search_ends_when_its_reports_cannot_be_sent() {
        let mut session = Session::new(Options::default());
        session.input = Some(Arc::default());
        let mut sent = 0;
        let mut send = |_: &str| {
            sent += 1;
            if sent < 4 { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
        };
        let request = Request::parse(b"ponte-analyze interval 1 maxmoves 1").unwrap();
        let error = session.respond(&request, &mut send).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(sent, 4);
    }
}
