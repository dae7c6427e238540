//! A session: the engine, the state of the conversation with it, and the answers
//! to requests.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::commands::{self, Args, Run};
use super::error::CommandError;
use super::frame::{Outlet, Request, Stream};
use super::single_points::Points;
use crate::engine::{Engine, Options, StopSignal};

/// A GTP session: an engine and the state of the conversation with it.
///
/// ```
/// use pontifex::engine::Options;
/// use pontifex::gtp::Session;
///
/// let mut session = Session::new(Options::default());
/// assert_eq!(session.answer_line(b"1 play w d4,e6").as_deref(), Some("=1\n\n"));
/// assert_eq!(
///     session.answer_line(b"2 play w a1,b1").as_deref(),
///     Some("?2 illegal move: it is red's turn\n\n")
/// );
/// assert_eq!(session.answer_line(b"# a comment"), None);
/// ```
#[derive(Debug)]
pub struct Session {
    pub(super) engine: Engine,
    pub(super) stop: Arc<StopSignal>,
    /// Requested while input lines wait, since any input ends an analysis.
    /// `None` if no input is read while a request runs.
    pub(super) input: Option<Arc<StopSignal>>,
    /// State of the single-point mode.
    pub(super) points: Points,
    /// Whether searches draw on GoGui's board while they run.
    pub(super) draws_live: bool,
    /// What had to be mended in the last file, for the log, one line each.
    pub(super) warnings: Vec<String>,
    /// Whether `quit` has been answered.
    pub(super) is_over: bool,
}

impl Session {
    /// Creates a session with a new game.
    pub fn new(options: Options) -> Session {
        Session {
            engine: Engine::new(options),
            stop: Arc::default(),
            input: None,
            points: Points::default(),
            draws_live: false,
            warnings: Vec::new(),
            is_over: false,
        }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to be changed beside the session's own requests. A turn that
    /// was entered by half in the single-point mode is forgotten.
    pub fn engine_mut(&mut self) -> &mut Engine {
        self.points.forget();
        &mut self.engine
    }

    /// Switches single-point moves, as GoGui sends them, on or off.
    pub fn set_points(&mut self, on: bool) {
        self.points.set(on);
    }

    /// The signal that stops a running search.
    pub fn stop_signal(&self) -> Arc<StopSignal> {
        Arc::clone(&self.stop)
    }

    /// Whether `quit` has been answered.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Runs a command. A panic becomes [`CommandError::Internal`], and the
    /// state before the command is restored.
    fn restoring<T>(
        &mut self,
        command: impl FnOnce(&mut Session) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let (engine, points) = (self.engine.snapshot(), self.points.clone());
        catch_unwind(AssertUnwindSafe(|| command(self))).unwrap_or_else(|panic| {
            self.engine.restore(engine);
            self.points = points;
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(CommandError::Internal(text.unwrap_or("a panic without a message").to_owned()))
        })
    }
}

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
    use super::*;
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
