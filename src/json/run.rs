//! A session of `engine-json`: a thread that reads the lines of the client,
//! threads that analyse the queued positions, and the writer of the answers.

use std::any::Any;
use std::io::{self, BufRead, BufWriter, Write};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::fields::{Fields, Refusal, Warnings};
use super::query::{Action, Query};
use super::queue::{Job, Message, Output, Queue, Task};
use super::response::{of_analysis, of_end, policy};
use crate::engine::{Analysis, AnalysisRequest, Engine, Game, NothingToAnalyze, Options};
use crate::notation::{MAX_LINE, read_line, without_mark};

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

/// Reads queries and actions, line by line.
struct Reader {
    options: Arc<Options>,
    /// Whether all queries are answered with single points.
    points: bool,
    /// Whether to warn of what is ignored.
    warns: bool,
    queue: Arc<Queue>,
    output: Output,
}

impl Reader {
    /// Reads lines until the end of input, then closes the queue.
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

    /// Handles a line; an empty one is ignored, and so is a byte-order mark.
    fn take(&self, line: &[u8], number: u64) -> Result<(), Refusal> {
        let line = without_mark(line);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            // The error counts lines within this one.
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or(&text);
            let column = error.column();
            Refusal::line(format!("line {number} is not JSON: {text} in column {column}"))
        })?;
        let Value::Object(map) = value else {
            return Err(Refusal::line(format!("line {number} is not a JSON object")));
        };
        let id = Fields(&map).text("id")?.map(str::to_owned);
        let missing =
            || Refusal::field("id", "id is missing: a string that identifies the answers");
        let id = id.ok_or_else(missing)?;
        self.carry_out(&id, map).map_err(|refusal| refusal.of(&id))
    }

    /// Executes the action or queues the query in `map`.
    fn carry_out(&self, id: &str, map: Map<String, Value>) -> Result<(), Refusal> {
        if let Some(action) = Action::read(&map)? {
            self.act(&action);
            self.output.send(&action.acknowledge(map, &self.options));
            return Ok(());
        }
        let mut warnings = Warnings::default();
        let mut query = Query::read(&map, &self.options, &mut warnings)?;
        query.extent.points |= self.points;
        if let Some(warning) = warnings.answer(id).filter(|_| self.warns) {
            self.output.send(&warning);
        }
        self.queue.push(id, query);
        Ok(())
    }

    fn act(&self, action: &Action) {
        match action {
            Action::QueryVersion | Action::QueryModels => {}
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

/// Analyses positions from the queue until it is closed and empty. Every search
/// starts without memory of others, so that answers do not depend on the order.
fn work(queue: &Queue, options: &Options, output: &Output) {
    let mut engine = Engine::new(options.clone());
    let mut forgotten = 0;
    while let Some(task) = queue.take(&mut forgotten) {
        let Task::Analyze(job) = task else {
            engine = Engine::new(options.clone());
            continue;
        };
        let analyzed = catch_unwind(AssertUnwindSafe(|| analyze(&mut engine, &job, output)));
        let answer = analyzed.unwrap_or_else(|panic| {
            engine = Engine::new(options.clone());
            let reason = format!("internal error: {}", message(panic.as_ref()));
            json!({ "error": reason, "id": *job.id, "turnNumber": job.query.number })
        });
        queue.done(&job);
        output.send(&answer);
    }
}

/// The final answer to a job. Requested reports of the running search go to
/// `output`.
fn analyze(engine: &mut Engine, job: &Job, output: &Output) -> Value {
    let Job { query, options, extent, .. } = job;
    let turn = &query.turn;
    engine.options_mut().clone_from(options);
    engine.set_game(Game::at(&turn.position));
    let policy = extent.policy.then(|| policy(turn, |position| engine.priors(position)));
    let answer = |is_during: bool, fields: Map<String, Value>| {
        let mut answer = heading(job, is_during);
        answer.extend(fields);
        answer.extend(policy.clone().map(|policy| ("policy".to_owned(), policy)));
        Value::from(answer)
    };
    let mut report = |known: &Analysis| {
        if output.is_read() {
            output.send(&answer(true, of_analysis(known, turn, *extent)));
        }
    };
    let request = AnalysisRequest { points: extent.points, ..query.request.clone() };
    match engine.analyze(&request, false, &job.stop, &mut report).finish() {
        Ok(analysis) => answer(false, of_analysis(&analysis, turn, *extent)),
        Err(NothingToAnalyze::Over) => answer(false, of_end(&turn.position, *extent)),
        // Unreachable: such queries are refused when they are read.
        Err(error @ NothingToAnalyze::NoMoveLeft) => {
            json!({ "error": error.to_string(), "id": *job.id, "turnNumber": query.number })
        }
    }
}

/// The final answer to a job that was terminated before it began.
fn without_results(job: &Job) -> Value {
    let mut answer = heading(job, false);
    answer.insert("noResults".to_owned(), true.into());
    answer.into()
}

fn heading(job: &Job, is_during: bool) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("id".to_owned(), (*job.id).into());
    map.insert("turnNumber".to_owned(), job.query.number.into());
    map.insert("isDuringSearch".to_owned(), is_during.into());
    map
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
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
