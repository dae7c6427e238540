use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::reader::{self, Input, MAX_LINE};
use super::{CommandError, Session, TrafficLog, frame};

/// Answers every request that comes in, in order, until `quit` or the end of
/// input.
///
/// Every answer is flushed before anything else happens. When nobody reads
/// the answers any more, that is an orderly end.
///
/// # Errors
/// When an answer cannot be written for another reason.
pub fn run(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    log: Option<TrafficLog>,
) -> io::Result<()> {
    let stop = session.stop_signal();
    let log = log.map(Arc::new);
    let queue = reader::spawn(input, Arc::clone(&stop), log.clone())?;
    for input in queue {
        if input.stops() {
            stop.answered();
        }
        let answer = match &input {
            Input::Request(request) => session.answer(request),
            Input::TooLong(id) => {
                let reason = format!("the line is longer than {MAX_LINE} bytes");
                let error = CommandError::Syntax(reason).to_string();
                frame(id.as_deref(), Err(&error))
            }
        };
        match output.write_all(answer.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            sent => sent?,
        }
        if let Some(log) = &log {
            log.sent(&answer);
        }
        if session.is_over() {
            break;
        }
    }
    Ok(())
}
