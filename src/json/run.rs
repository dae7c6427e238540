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

use serde_json::{Map, Value};

use super::fields::{Refusal, Warnings, Whole};
use super::query::{Action, ActionName, jobs};
use super::queue::{Job, Message, Output, Queue, Task};
use super::response::{Results, policy};
use crate::engine::{Analysis, Engine, Game, NothingToAnalyze, Options};
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
    if let Some(output) = output {
        for job in &ended {
            output.send(&job.terminated());
        }
    }
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
                self.output.send(&refusal);
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
        let Some(Value::String(id)) = map.get("id") else {
            let reason = "id is missing: a string that identifies the answers";
            return Err(Refusal::field("id", reason));
        };
        let id = id.clone();
        self.carry_out(&id, map).map_err(|refusal| Refusal { id: Some(id), ..refusal })
    }

    /// Executes the action or queues the query in `map`.
    fn carry_out(&self, id: &str, map: Map<String, Value>) -> Result<(), Refusal> {
        if let Some(action) = Action::read(&map)? {
            self.act(&action);
            self.output.send(&action.acknowledge(map, &self.options));
            return Ok(());
        }
        let mut warnings = Warnings::default();
        let jobs = jobs(id, &map, &self.options, self.points, &mut warnings)?;
        if let Some(warning) = warnings.answer(id).filter(|_| self.warns) {
            self.output.send(&warning);
        }
        self.queue.push(jobs);
        Ok(())
    }

    fn act(&self, action: &Action) {
        let id = match action.name {
            ActionName::QueryVersion | ActionName::QueryModels => return,
            ActionName::ClearCache => return self.queue.forget(),
            ActionName::Terminate => action.terminate_id.as_deref(),
            ActionName::TerminateAll => None,
        };
        let turn = |&Whole(number): &Whole| usize::try_from(number).ok();
        let turns = action.turn_numbers.as_ref();
        // Turns are never negative.
        let turns: Option<Vec<usize>> = turns.map(|all| all.iter().filter_map(turn).collect());
        for job in self.queue.terminate(id, turns.as_deref()) {
            self.output.send(&job.terminated());
        }
    }
}

/// Analyses positions from the queue until it is closed and empty. Every search
/// starts without memory of others, so that answers do not depend on the order.
fn work(queue: &Queue, options: &Options, output: &Output) {
    let mut engine = Engine::new(options.clone());
    let mut forgotten = 0;
    while let Some(task) = queue.take(&mut forgotten) {
        let Task::Analyze(place, job) = task else {
            engine = Engine::new(options.clone());
            continue;
        };
        let analyzed = catch_unwind(AssertUnwindSafe(|| analyze(&mut engine, &job, output)));
        queue.done(place);
        if let Err(panic) = analyzed {
            engine = Engine::new(options.clone());
            let reason = format!("internal error: {}", message(panic.as_ref()));
            let (id, turn) = (Some(job.id.to_string()), Some(job.number));
            output.send(&Refusal { id, turn, ..Refusal::line(reason) });
        }
    }
}

/// Sends the answers to a job.
fn analyze(engine: &mut Engine, job: &Job, output: &Output) {
    let Job { turn, request, options, extent, .. } = job;
    engine.options_mut().clone_from(options);
    engine.set_game(Game::at(&turn.position));
    let policy = extent.policy.then(|| policy(turn, |position| engine.priors(position)));
    let mut report = |known: &Analysis| {
        if output.is_read() {
            let results = Results::of_analysis(known, job);
            output.send(&job.answer(true, results, policy.as_deref()));
        }
    };
    let results = match engine.analyze(request, false, &job.stop, &mut report).finish() {
        Ok(analysis) => Results::of_analysis(&analysis, job),
        Err(NothingToAnalyze::Over) => Results::of_end(&turn.position, *extent),
        // Such queries are refused when they are read.
        Err(NothingToAnalyze::NoMoveLeft) => unreachable!("no move to analyse"),
    };
    output.send(&job.answer(false, results, policy.as_deref()));
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
        lines.send(&serde_json::json!({"id": "b"}));
        let mut output = Vec::new();
        let interrupted = AtomicBool::new(false);
        let end = write(&mut output, &received, &lines, &Queue::default(), 1, &interrupted);
        assert_eq!((end.unwrap(), output.as_slice()), (End::Done, &b"{\"id\":\"b\"}\n"[..]));
    }
}
