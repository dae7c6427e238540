use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::args::Args;
use super::commands::Run;
use super::gogui::Points;
use super::stream::{Outlet, Stream};
use super::{CommandError, Request, commands};
use crate::engine::{Engine, Options, StopSignal};

/// An engine that answers requests.
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
    /// Set while lines wait: any line ends an analysis. `None` when nobody
    /// reads while a request is answered.
    pub(super) input: Option<Arc<StopSignal>>,
    /// Moves as single points.
    pub(super) points: Points,
    /// Whether searches draw on GoGui's board.
    pub(super) draws_live: bool,
    /// Whether `quit` has been answered.
    pub(super) is_over: bool,
}

impl Session {
    /// A session before its first command.
    pub fn new(options: Options) -> Session {
        Session {
            engine: Engine::new(options),
            stop: Arc::default(),
            input: None,
            points: Points::default(),
            draws_live: false,
            is_over: false,
        }
    }

    /// The engine behind it.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whether moves are single points, as GoGui makes them.
    pub fn set_points(&mut self, on: bool) {
        self.points.set(on);
    }

    /// What ends a search that a request has started.
    pub fn stop_signal(&self) -> Arc<StopSignal> {
        Arc::clone(&self.stop)
    }

    /// Whether `quit` has been answered: nothing should follow.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The framed answer to a line; `None` to a comment or an empty line.
    pub fn answer_line(&mut self, line: &[u8]) -> Option<String> {
        Request::parse(line).map(|request| self.answer(&request))
    }

    /// The framed answer to a request, all of it at once. A request that fails
    /// changes nothing. As no line can come in between, an analysis ends at
    /// the limits of any search.
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

    /// Answers a request by sending lines. Whether the empty line at the end
    /// is yet to be sent, before the next answer.
    ///
    /// # Errors
    /// When a line cannot be sent.
    pub(super) fn respond(&mut self, request: &Request, send: &mut Outlet<'_>) -> io::Result<bool> {
        let mut stream = Stream::new(request.id.as_deref(), send);
        let answer = self.restoring(|session| session.dispatch(request, &mut stream));
        stream.finish(answer)
    }

    /// The text of the answer; `None` when it has been streamed.
    fn dispatch(
        &mut self,
        request: &Request,
        stream: &mut Stream<'_>,
    ) -> Result<Option<String>, CommandError> {
        if request.command.is_empty() {
            return Err(CommandError::Syntax("a number and no command".to_owned()));
        }
        let command = commands::find(&request.command).ok_or(CommandError::UnknownCommand)?;
        let args = Args::new(&request.arguments, command.usage);
        match command.run {
            Run::Answer(run) => run(self, args).map(Some),
            Run::Stream(run) => run(self, args, stream).map(|()| None),
        }
    }

    /// Runs a command; when it panics, that is an error like any other and
    /// all is as it was before.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Color;

    #[test]
    fn a_panic_is_an_answer_and_changes_nothing() {
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
    fn a_panic_in_a_stream_ends_it() {
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
        assert!(!stream.finish(answer).unwrap(), "nothing is left to come");
        assert_eq!(sent, "=5\ninfo\n\n");
    }

    #[test]
    fn a_search_ends_when_nobody_reads_what_it_tells() {
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

    #[test]
    fn long_errors_are_cut() {
        let mut session = Session::new(Options::default());
        let line = format!("play w {}", "ä".repeat(100_000));
        let answer = session.answer_line(line.as_bytes()).unwrap();
        assert!(answer.starts_with("? syntax error: "), "{answer}");
        assert!(answer.chars().count() < 520, "{}", answer.len());
    }
}
