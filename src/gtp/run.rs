//! Running a session on an input and an output.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::error::CommandError;
use super::frame::frame;
use super::log::TrafficLog;
use super::reader::{self, Input, MAX_LINE, Signals};
use super::session::Session;

/// Answers all requests in order, until `quit` or the end of input.
///
/// Each answer, and each line of a streamed one, is flushed at once. A closed
/// output ends the run without an error.
///
/// # Errors
/// An answer cannot be written for another reason.
pub fn run(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    log: Option<TrafficLog>,
) -> io::Result<()> {
    let signals = Signals { stop: session.stop_signal(), input: Arc::default() };
    session.input = Some(Arc::clone(&signals.input));
    let log = log.map(Arc::new);
    let end = serve(session, input, output, &signals, log.as_ref());
    session.input = None;
    match end {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        end => end,
    }
}

fn serve(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send,
    signals: &Signals,
    log: Option<&Arc<TrafficLog>>,
) -> io::Result<()> {
    let queue = reader::spawn(input, signals.clone(), log.cloned())?;
    let mut send = |text: &str| {
        output.write_all(text.as_bytes()).and_then(|()| output.flush())?;
        if let Some(log) = log {
            log.sent(text);
        }
        Ok(())
    };
    // Whether an analysis is waiting for the next line, which ends it.
    let mut is_open = false;
    for input in queue {
        signals.taken(&input);
        if is_open {
            send("\n")?;
        }
        is_open = match &input {
            Input::Request(request) => session.respond(request, &mut send)?,
            Input::TooLong(id) => {
                let reason = format!("the line is longer than {MAX_LINE} bytes");
                let error = CommandError::Syntax(reason).to_string();
                send(&frame(id.as_deref(), Err(&error)))?;
                false
            }
            Input::Silent { .. } => false,
        };
        for warning in session.warnings.drain(..) {
            let _ = writeln!(io::stderr(), "pontifex: {warning}");
            if let Some(log) = log {
                log.warned(&warning);
            }
        }
        if session.is_over() {
            return Ok(());
        }
    }
    if is_open { send("\n") } else { Ok(()) }
}
