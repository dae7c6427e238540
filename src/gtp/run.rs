//! How a session answers requests: a single one, or all of an input.
//!
//! The session answers in order and cannot read while it searches. A reader thread reads for it,
//! puts every line into a queue, and immediately signals which searches the line ends:
//!
//! | line | ends a search of `genmove` | ends an analysis |
//! |---|---|---|
//! | `stop`, `# interrupt` | yes | yes |
//! | any other line | no | yes |
//! | `quit`, end of input | yes, but see [`StopSignal::end_input`] | yes |
//!
//! **Invariant.** A signal is raised when its line is read, before the line enters the queue, and
//! withdrawn when the session takes the line from the queue. So a signal is set exactly while such
//! a line waits, and a `stop` ends every search before it in the queue and none after it. Signals
//! count: if two `stop` lines wait, taking the first leaves the second in force. If a line entered
//! the queue before its signal, the session could take it first, and the late signal would stop the
//! wrong search.
//!
//! `quit` and the end of input are never withdrawn. The reader ends there, the queue closes, and
//! the session answers the remaining lines.
//!
//! The answer of an analysis ends with the next line of input, even if the search has already ended
//! with a proved result: until then the client may show the last report as current. The session
//! sends the missing empty line before it answers that line.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::commands::{self, Args, Handler};
use super::error::CommandError;
use super::frame::{Outlet, Request, Stream, frame};
use super::log::TrafficLog;
use super::session::Session;
use crate::engine::StopSignal;
use crate::notation::{MAX_LINE, read_line};

impl Session {
    /// Returns the framed answer to a line, or `None` for a comment or an empty line, which get no
    /// answer.
    pub fn answer_line(&mut self, line: &[u8]) -> Option<String> {
        Request::parse(line).map(|request| self.answer(&request))
    }

    /// Returns the whole framed answer to a request. A request that fails changes nothing.
    ///
    /// No input can interrupt the request, so `ponte-analyze` stops at the limits of `genmove`.
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

    /// Answers a request through `send`. Returns whether the answer is still open: its final empty
    /// line must be sent before the next answer.
    ///
    /// # Errors
    /// A line could not be sent.
    fn respond(&mut self, request: &Request, send: &mut Outlet<'_>) -> io::Result<bool> {
        let mut stream = Stream::new(request.id.as_deref(), send);
        let answer = self.restore_on_panic(|session| {
            if request.command.is_empty() {
                return Err(CommandError::Syntax("a request number without a command".to_owned()));
            }
            let command = commands::find(&request.command).ok_or(CommandError::UnknownCommand)?;
            let args = Args::new(&request.arguments, command.usage);
            match command.run {
                Handler::Text(run) => args.exactly().map(|[]| Some(run(session))),
                Handler::NoArgs(run) => args.exactly().and_then(|[]| run(session)).map(Some),
                Handler::WithArgs(run) => run(session, args).map(Some),
                // The command has streamed its answer.
                Handler::Stream(run) => run(session, args, &mut stream).map(|()| None),
            }
        });
        stream.finish(answer)
    }
}

/// Answers all requests in order, until `quit` or the end of input.
///
/// Each answer, and each line of a streamed one, is flushed at once.
///
/// # Errors
/// An answer cannot be written. The error is a [`BrokenPipe`](io::ErrorKind::BrokenPipe) if the
/// reader of the output has gone.
pub fn run(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    log: Option<TrafficLog>,
) -> io::Result<()> {
    let signals = Signals { stop: session.stop_signal(), input: Arc::default() };
    session.input = Some(Arc::clone(&signals.input));
    let log = log.map(Arc::new);
    let result = serve(session, input, output, &signals, log.as_ref());
    session.input = None;
    result
}

fn serve(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send,
    signals: &Signals,
    log: Option<&Arc<TrafficLog>>,
) -> io::Result<()> {
    let queue = spawn_reader(input, signals.clone(), log.cloned())?;
    let mut send = |text: &str| {
        output.write_all(text.as_bytes()).and_then(|()| output.flush())?;
        if let Some(log) = log {
            log.log_answer(text);
        }
        Ok(())
    };
    // Whether the answer of an analysis still lacks its final empty line.
    let mut is_open = false;
    for line in queue {
        signals.withdraw(&line);
        if is_open {
            send("\n")?;
        }
        is_open = match &line {
            InputLine::Request(request) => session.respond(request, &mut send)?,
            InputLine::TooLong(id) => {
                let reason = format!("the line is longer than {MAX_LINE} bytes");
                let error = CommandError::Syntax(reason).to_string();
                send(&frame(id.as_deref(), Err(&error)))?;
                false
            }
            InputLine::Silent { .. } => false,
        };
        for warning in session.warnings.drain(..) {
            // A closed standard error must not end a game.
            let _ = writeln!(io::stderr(), "pontifex: {warning}");
            if let Some(log) = log {
                log.log_warning(&warning);
            }
        }
        if session.is_over() {
            return Ok(());
        }
    }
    if is_open { send("\n") } else { Ok(()) }
}

/// An input line as the reader queues it.
#[derive(Debug)]
enum InputLine {
    Request(Request),
    /// A line longer than [`MAX_LINE`], with the number of its request.
    TooLong(Option<String>),
    /// A comment or an empty line, which gets no answer. It is queued nevertheless: it ends an
    /// analysis, and its signal must be withdrawn.
    Silent {
        /// Whether the line is [`INTERRUPT`].
        is_interrupt: bool,
    },
}

/// The signals by which waiting input interrupts searches.
#[derive(Clone, Debug)]
struct Signals {
    /// The signal that ends any search, requested while a `stop` waits.
    stop: Arc<StopSignal>,
    /// The signal that ends an analysis, requested while any line waits.
    input: Arc<StopSignal>,
}

/// The comment with which GoGui interrupts a command: part of GoGui's interface, and only sent to
/// programs that know `gogui-interrupt`.
const INTERRUPT: &[u8] = b"# interrupt";

impl InputLine {
    /// Parses a line, which may have been cut at [`MAX_LINE`]. If a comment has begun before the
    /// cut, the request is complete.
    fn new(bytes: &[u8], is_cut: bool) -> InputLine {
        let request = Request::parse(bytes);
        if is_cut && !bytes.contains(&b'#') {
            // Without a command the number itself may have been cut.
            let numbered = request.filter(|request| !request.command.is_empty());
            return InputLine::TooLong(numbered.and_then(|request| request.id));
        }
        let is_interrupt = bytes.trim_ascii() == INTERRUPT;
        request.map_or(InputLine::Silent { is_interrupt }, InputLine::Request)
    }

    /// Whether the line ends a running search.
    fn stops_searches(&self) -> bool {
        match self {
            InputLine::Request(request) => request.command == "stop",
            InputLine::TooLong(_) => false,
            InputLine::Silent { is_interrupt } => *is_interrupt,
        }
    }

    /// Whether the line ends the session.
    fn quits(&self) -> bool {
        matches!(self, InputLine::Request(request) if request.command == "quit")
    }
}

impl Signals {
    /// Raises the signals of a line that has been read.
    fn raise(&self, line: &InputLine) {
        self.input.request();
        if line.stops_searches() {
            self.stop.request();
        }
    }

    /// Withdraws the signals of a line that is taken from the queue.
    fn withdraw(&self, line: &InputLine) {
        self.input.withdraw();
        if line.stops_searches() {
            self.stop.withdraw();
        }
    }

    /// Signals that no input will follow, for good.
    fn end_input(&self) {
        self.input.end_input();
        self.stop.end_input();
    }
}

/// Starts a thread that reads input into the returned queue, until `quit` or the end of input.
///
/// As soon as they are read, `stop`, `quit` and the end of input interrupt a running search, and
/// any line interrupts an analysis. A line counts until [`Signals::withdraw`] is called for it.
///
/// The thread is never joined: it may wait in a read that only the controller can end.
///
/// # Errors
/// The thread cannot be started.
fn spawn_reader(
    mut input: impl BufRead + Send + 'static,
    signals: Signals,
    log: Option<Arc<TrafficLog>>,
) -> io::Result<Receiver<InputLine>> {
    let (sender, queue) = channel();
    let read = move || {
        while let Some((bytes, is_cut)) = read_line(&mut input) {
            if let Some(log) = &log {
                log.log_input(&bytes);
            }
            let line = InputLine::new(&bytes, is_cut);
            // Before the line enters the queue: see the invariant above.
            signals.raise(&line);
            let quits = line.quits();
            if sender.send(line).is_err() || quits {
                break;
            }
        }
        signals.end_input();
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read)?;
    Ok(queue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::game::Color;

    #[test]
    fn a_panic_becomes_an_error_and_changes_nothing() {
        let mut session = Session::new(Options { playouts: 1, ..Options::default() });
        let mv = "d4,e6".parse().unwrap();
        session.engine.play(Color::White, mv).unwrap();
        let before = session.engine.snapshot();
        let answer: Result<(), _> = session.restore_on_panic(|session| {
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
        let mut output = String::new();
        let mut send = |text: &str| {
            output.push_str(text);
            Ok(())
        };
        let mut stream = Stream::new(Some("5"), &mut send);
        let answer = session.restore_on_panic(|_| {
            stream.begin();
            stream.line("info");
            stream.stay_open();
            panic!("on purpose");
        });
        assert!(!stream.finish(answer).unwrap(), "the answer is complete");
        assert_eq!(output, "=5\ninfo\n\n");
    }

    #[test]
    fn a_search_ends_when_its_reports_cannot_be_sent() {
        let mut session = Session::new(Options::default());
        session.input = Some(Arc::default());
        let mut line_count = 0;
        let mut send = |_: &str| {
            line_count += 1;
            if line_count < 4 { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
        };
        let request = Request::parse(b"ponte-analyze interval 1 maxmoves 1").unwrap();
        let error = session.respond(&request, &mut send).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(line_count, 4);
    }

    #[test]
    fn a_broken_pipe_reaches_the_caller() {
        let (mut session, input) = (Session::new(Options::default()), &b"name\n"[..]);
        // The final empty line of the answer does not fit.
        let mut buffer = [0; "= pontifex\n".len()];
        let error = run(&mut session, input, BreakingPipe(&mut buffer), None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    /// A pipe whose reader closes it when the buffer is full.
    struct BreakingPipe<'a>(&'a mut [u8]);

    impl Write for BreakingPipe<'_> {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            match self.0.write(text)? {
                0 => Err(io::ErrorKind::BrokenPipe.into()),
                written => Ok(written),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
