use std::io::{self, BufRead, BufWriter, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::action::Action;
use super::fields::{Fields, Refusal};
use super::query::{Query, unknown_fields};
use super::queue::Queue;
use super::worker::{without_results, work};
use crate::engine::Options;
use crate::gtp::{MAX_LINE, read_line};

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Everything was answered, or nobody reads the answers any more.
    Done,
    /// It was interrupted: what was not yet answered has been terminated.
    Interrupted,
}

/// Where the lines go that are to be written. They never wait for whoever
/// reads them, for he may be writing himself.
#[derive(Clone, Debug)]
pub(super) struct Output {
    lines: Sender<Message>,
    /// Lines that have not been written yet.
    unwritten: Arc<AtomicUsize>,
}

#[derive(Debug)]
enum Message {
    Line(String),
    /// A worker has ended.
    Left,
}

impl Output {
    /// Reports of searches under way are left out when so many lines have not
    /// been read yet.
    const MOST_UNREAD: usize = 1000;

    /// Writes a line, unless nobody reads any more.
    pub(super) fn send(&self, line: &Value) {
        self.unwritten.fetch_add(1, Relaxed);
        let _ = self.lines.send(Message::Line(line.to_string()));
    }

    /// Whether somebody reads what is written.
    pub(super) fn is_read(&self) -> bool {
        self.unwritten.load(Relaxed) < Self::MOST_UNREAD
    }
}

/// Answers the queries that come in, `positions` at a time, until the end of
/// input or until `interrupted` is set: see `docs/engine-json.md`. The memory
/// in `options` is shared out over the positions.
///
/// When nobody reads the answers any more, that is an orderly end.
///
/// # Errors
/// When an answer cannot be written for another reason, or no thread can be
/// started.
pub fn run(
    mut options: Options,
    positions: NonZeroUsize,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    interrupted: &AtomicBool,
) -> io::Result<End> {
    options.search.memory = (options.search.memory / positions).max(1);
    let options = Arc::new(options);
    let queue = Arc::new(Queue::default());
    let (lines, queued) = channel();
    let lines = Output { lines, unwritten: Arc::default() };
    let mut workers = Vec::new();
    for number in 0..positions.get() {
        let (queue, options, lines) = (Arc::clone(&queue), Arc::clone(&options), lines.clone());
        let work = move || {
            work(&queue, &options, &lines);
            let _ = lines.lines.send(Message::Left);
        };
        workers.push(thread::Builder::new().name(format!("analysis {number}")).spawn(work)?);
    }
    let reader = Reader { options, queue: Arc::clone(&queue), output: lines.clone() };
    thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
    let written = write(output, &queued, &lines, &queue, workers.len(), interrupted);
    if written.is_err() {
        stop(&queue, None);
    }
    workers.into_iter().try_for_each(JoinHandle::join).map_err(|_| io::Error::other("a panic"))?;
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::Done),
        written => written,
    }
}

/// Ends everything; what was waiting is reported, if anywhere.
fn stop(queue: &Queue, output: Option<&Output>) {
    queue.close();
    let ended = queue.terminate(None, None);
    let lines = output.into_iter().flat_map(|output| ended.iter().map(move |job| (output, job)));
    lines.for_each(|(output, job)| output.send(&without_results(job)));
}

/// Writes lines until all workers have left.
fn write(
    output: impl Write,
    queued: &Receiver<Message>,
    lines: &Output,
    queue: &Queue,
    mut workers: usize,
    interrupted: &AtomicBool,
) -> io::Result<End> {
    /// How often to look for an interrupt.
    const LOOK: Duration = Duration::from_millis(50);
    let mut output = BufWriter::new(output);
    let mut end = End::Done;
    while workers > 0 {
        // Nothing waits in the buffer while there is nothing to write.
        let message = if let Ok(message) = queued.try_recv() {
            Ok(message)
        } else {
            output.flush()?;
            queued.recv_timeout(LOOK)
        };
        match message {
            Ok(Message::Line(line)) => {
                lines.unwritten.fetch_sub(1, Relaxed);
                output.write_all(line.as_bytes())?;
                output.write_all(b"\n")?;
            }
            Ok(Message::Left) => workers -= 1,
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

/// Takes lines in.
struct Reader {
    options: Arc<Options>,
    queue: Arc<Queue>,
    output: Output,
}

impl Reader {
    /// Takes lines in until the end of input.
    fn read(self, mut input: impl BufRead) {
        let mut number = 0u64;
        while let Some((line, is_cut)) = read_line(&mut input) {
            number += 1;
            let taken = if is_cut {
                Err(Refusal::line(format!("line {number} is longer than {MAX_LINE} bytes")))
            } else {
                self.take(&line, number)
            };
            if let Err(refusal) = taken {
                self.output.send(&refusal.answer());
            }
        }
        self.queue.close();
    }

    /// Takes a line in; an empty one asks nothing.
    fn take(&self, line: &[u8], number: u64) -> Result<(), Refusal> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            // Its line is always the first.
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or(&text);
            let column = error.column();
            Refusal::line(format!("line {number} is not JSON: {text} in column {column}"))
        })?;
        let Value::Object(map) = value else {
            return Err(Refusal::line(format!("line {number} is not a JSON object")));
        };
        let id = Fields(&map).text("id")?.map(str::to_owned);
        let missing = || Refusal::field("id", "id is missing: a string to tell answers by");
        let id = id.ok_or_else(missing)?;
        self.carry_out(&id, map).map_err(|refusal| refusal.of(&id))
    }

    fn carry_out(&self, id: &str, map: Map<String, Value>) -> Result<(), Refusal> {
        if let Some(action) = Action::read(&map)? {
            self.act(&action);
            self.output.send(&action.acknowledge(map));
            return Ok(());
        }
        let query = Query::read(&map, &self.options)?;
        for (field, warning) in unknown_fields(&map) {
            self.output.send(&json!({ "warning": warning, "field": field, "id": id }));
        }
        self.queue.push(id, query);
        Ok(())
    }

    fn act(&self, action: &Action) {
        match action {
            Action::QueryVersion => {}
            Action::ClearCache => self.queue.forget(),
            Action::Terminate { id, turns } => {
                let ended = self.queue.terminate(id.as_deref(), turns.as_deref());
                for job in &ended {
                    self.output.send(&without_results(job));
                }
            }
        }
    }
}
