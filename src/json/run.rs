//! A session of `engine-json`: its threads, and the writer of the answers.

use std::io::{self, BufRead, BufWriter, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::output::{Message, Output};
use super::queue::Queue;
use super::reader::Reader;
use super::worker::{without_results, work};
use crate::engine::Options;

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Everything was answered, or the client closed its end.
    Done,
    /// It was interrupted, and open queries were terminated.
    Interrupted,
}

/// What a session does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The defaults of the queries. The positions share the memory equally.
    pub options: Options,
    /// Positions analysed at once.
    pub positions: NonZeroUsize,
    /// Whether all answers name single points.
    pub points: bool,
    /// Whether to warn of what is ignored.
    pub warns: bool,
}

/// Answers queries until the end of input or until
/// `interrupted` is set; see `docs/engine-json.md`.
///
/// # Errors
/// When an answer cannot be written or no thread can be started. A closed
/// output is no error.
pub fn run(
    settings: Settings,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    interrupted: &AtomicBool,
) -> io::Result<End> {
    let Settings { mut options, positions, points, warns } = settings;
    options.search.memory = (options.search.memory / positions).max(1);
    let options = Arc::new(options);
    let queue = Arc::new(Queue::default());
    let (lines, received) = Output::new();
    let mut workers = Vec::new();
    for number in 0..positions.get() {
        let (queue, options, lines) = (Arc::clone(&queue), Arc::clone(&options), lines.clone());
        let work = move || {
            work(&queue, &options, &lines);
            lines.worker_ended();
        };
        workers.push(thread::Builder::new().name(format!("analysis {number}")).spawn(work)?);
    }
    let reader =
        Reader { options, points, warns, queue: Arc::clone(&queue), output: lines.clone() };
    thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
    let written = write(output, &received, &lines, &queue, workers.len(), interrupted);
    if written.is_err() {
        stop(&queue, None);
    }
    workers.into_iter().try_for_each(JoinHandle::join).map_err(|_| io::Error::other("a panic"))?;
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(if interrupted.load(Relaxed) { End::Interrupted } else { End::Done })
        }
        written => written,
    }
}

/// Terminates everything and reports what had not begun, if there is an output.
fn stop(queue: &Queue, output: Option<&Output>) {
    queue.close();
    let ended = queue.terminate(None, None);
    let lines = output.into_iter().flat_map(|output| ended.iter().map(move |job| (output, job)));
    lines.for_each(|(output, job)| output.send(&without_results(job)));
}

/// Writes lines until all workers have ended and nothing is left. The answers to
/// what an interrupt terminates may come after the last worker's end.
fn write(
    output: impl Write,
    received: &Receiver<Message>,
    lines: &Output,
    queue: &Queue,
    mut workers: usize,
    interrupted: &AtomicBool,
) -> io::Result<End> {
    /// Polling interval for an interrupt.
    const POLL: Duration = Duration::from_millis(50);
    let mut output = BufWriter::new(output);
    let mut end = End::Done;
    loop {
        // The buffer is flushed before every wait.
        let message = match received.try_recv() {
            Ok(message) => Ok(message),
            Err(_) if workers == 0 => break,
            Err(_) => {
                output.flush()?;
                received.recv_timeout(POLL)
            }
        };
        match message {
            Ok(Message::Line(line)) => {
                lines.written();
                output.write_all(line.as_bytes())?;
                output.write_all(b"\n")?;
            }
            Ok(Message::WorkerEnded) => workers -= 1,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if end == End::Done && interrupted.load(Relaxed) {
            end = End::Interrupted;
            stop(queue, Some(lines));
        }
    }
    output.flush()?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_after_the_end_of_the_last_worker_are_written() {
        let (lines, received) = Output::new();
        lines.worker_ended();
        lines.send(&json!({"id": "b"}));
        let mut output = Vec::new();
        let interrupted = AtomicBool::new(false);
        let end = write(&mut output, &received, &lines, &Queue::default(), 1, &interrupted);
        assert_eq!((end.unwrap(), output.as_slice()), (End::Done, &b"{\"id\":\"b\"}\n"[..]));
    }
}
