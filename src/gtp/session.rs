use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::args::Args;
use super::{CommandError, Request, commands, frame};
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
    /// Whether `quit` has been answered.
    pub(super) is_over: bool,
}

impl Session {
    /// An error's text is cut to so many characters: it may quote its cause,
    /// and that may be as long as a line.
    const MAX_ERROR: usize = 500;

    /// A session before its first command.
    pub fn new(options: Options) -> Session {
        Session { engine: Engine::new(options), stop: Arc::default(), is_over: false }
    }

    /// The engine behind it.
    pub fn engine(&self) -> &Engine {
        &self.engine
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

    /// The framed answer to a request. A request that fails changes nothing.
    pub fn answer(&mut self, request: &Request) -> String {
        let answer = self.restoring(|session| session.dispatch(request)).map_err(|error| {
            let text = error.to_string();
            match text.char_indices().nth(Self::MAX_ERROR) {
                Some((end, _)) => format!("{}...", &text[..end]),
                None => text,
            }
        });
        frame(request.id.as_deref(), answer.as_deref().map_err(String::as_str))
    }

    fn dispatch(&mut self, request: &Request) -> Result<String, CommandError> {
        if request.command.is_empty() {
            return Err(CommandError::Syntax("a number and no command".to_owned()));
        }
        let command = commands::find(&request.command).ok_or(CommandError::UnknownCommand)?;
        (command.run)(self, Args::new(&request.arguments, command.usage))
    }

    /// Runs a command; when it panics, that is an error like any other and
    /// all is as it was before.
    fn restoring(
        &mut self,
        command: impl FnOnce(&mut Session) -> Result<String, CommandError>,
    ) -> Result<String, CommandError> {
        let before = self.engine.snapshot();
        catch_unwind(AssertUnwindSafe(|| command(self))).unwrap_or_else(|panic| {
            self.engine.restore(before);
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
        let answer = session.restoring(|session| {
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
    fn long_errors_are_cut() {
        let mut session = Session::new(Options::default());
        let line = format!("play w {}", "ä".repeat(100_000));
        let answer = session.answer_line(line.as_bytes()).unwrap();
        assert!(answer.starts_with("? syntax error: "), "{answer}");
        assert!(answer.chars().count() < 520, "{}", answer.len());
    }
}
