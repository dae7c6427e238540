use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::reader::{self, Input, MAX_LINE, Signals};
use super::{CommandError, Session, TrafficLog, frame};

/// Answers every request that comes in, in order, until `quit` or the end of
/// input.
///
/// Every answer, and every line of one that is streamed, is flushed before
/// anything else happens. When nobody reads the answers any more, that is an
/// orderly end.
///
/// # Errors
/// When an answer cannot be written for another reason.
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
    // Whether an analysis waits for the next line, whatever it is, to end.
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
        if session.is_over() {
            return Ok(());
        }
    }
    if is_open { send("\n") } else { Ok(()) }
}
