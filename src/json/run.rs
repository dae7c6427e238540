//! A session of `engine-json`: a thread that reads the client's lines, threads that analyse the
//! queued positions, and the writer of the answers.
//!
//! The writer is the calling thread, because it alone knows when the session is over. There are
//! three ways to end:
//!
//! - **The input ends.** The reader closes the queue. Each worker ends when no job is waiting and
//!   notifies the writer, which writes the remaining lines and returns.
//! - **An interrupt.** The writer sees the flag, closes the queue and terminates every query.
//!   Searches end with the results they have, and the session ends as in the first case. The reader
//!   may block in a read for ever, so it is never joined; jobs that it reads later are dropped.
//! - **The output is closed.** The write error closes the queue and stops the searches, since
//!   nobody reads their results.
//!
//! A panic in an analysis becomes the answer to that position, and its worker continues with a new
//! engine.

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

use super::fields::{QueryRefusal, Warnings, Whole};
use super::query::{Action, ActionName, read_jobs};
use super::queue::{Job, Message, Output, Queue, Task};
use super::response::{Results, point_policy};
use crate::engine::{Analysis, Engine, Game, NothingToAnalyze, Options};
use crate::messages::data_error;
use crate::notation::{MAX_LINE, read_line, without_mark};

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All queries were answered.
    Done,
    /// The session was interrupted, and open queries were terminated.
    Interrupted,
}

/// The settings of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The default options of queries. Positions analysed at once share the memory equally.
    pub options: Options,
    /// The number of positions analysed at once, each by a worker with its own engine and tree.
    pub positions: NonZeroUsize,
    /// Whether all answers name single points, not only those to queries that request it.
    pub points: bool,
    /// Whether to send a line for each query with fields or values that are ignored.
    pub warns: bool,
}

/// Answers queries until the end of input or until `interrupted` is set; see `docs/engine-json.md`.
/// The flag is polled.
///
/// # Errors
/// When an answer cannot be written or no thread can be started. The error is a
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe) if the reader of the output has gone.
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
    let (answers, messages) = Output::new();
    let mut workers = Vec::new();
    for number in 0..positions.get() {
        let (queue, options, answers) = (Arc::clone(&queue), Arc::clone(&options), answers.clone());
        let work = move || {
            run_worker(&queue, &options, &answers);
            answers.worker_ended();
        };
        workers.push(thread::Builder::new().name(format!("analysis {number}")).spawn(work)?);
    }
    let reader =
        QueryReader { options, points, warns, queue: Arc::clone(&queue), output: answers.clone() };
    thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
    let result = write_answers(output, &messages, &answers, &queue, workers.len(), interrupted);
    if result.is_err() {
        terminate_all(&queue, None);
    }
    workers.into_iter().try_for_each(JoinHandle::join).map_err(|_| io::Error::other("a panic"))?;
    result
}

/// Terminates every query. If there is an output, answers for the positions whose search has not
/// begun; the others are answered by their workers.
fn terminate_all(queue: &Queue, output: Option<&Output>) {
    queue.close();
    let removed = queue.terminate(None, None);
    if let Some(output) = output {
        for job in &removed {
            output.send(&job.termination_answer());
        }
    }
}

/// Writes lines until all workers have ended and the channel is empty. After an interrupt, answers
/// to terminated queries may come after the end of the last worker.
fn write_answers(
    output: impl Write,
    messages: &Receiver<Message>,
    answers: &Output,
    queue: &Queue,
    mut workers: usize,
    interrupted: &AtomicBool,
) -> io::Result<End> {
    /// Polling interval for an interrupt. A signal does not wake a thread that waits for a message.
    /// Set by judgement: nobody notices a twentieth of a second.
    const POLL: Duration = Duration::from_millis(50);
    let mut output = BufWriter::new(output);
    let mut end = End::Done;
    loop {
        // Lines that arrive together are written together, but none stays in the buffer while the
        // writer waits for the next.
        let message = match messages.try_recv() {
            Ok(message) => Ok(message),
            Err(_) if workers == 0 => break,
            Err(_) => {
                output.flush()?;
                messages.recv_timeout(POLL)
            }
        };
        match message {
            Ok(Message::Line(line)) => {
                answers.count_written();
                output.write_all(line.as_bytes())?;
                output.write_all(b"\n")?;
            }
            Ok(Message::WorkerEnded) => workers -= 1,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if end == End::Done && interrupted.load(Relaxed) {
            end = End::Interrupted;
            terminate_all(queue, Some(answers));
        }
    }
    output.flush()?;
    Ok(end)
}

/// Reads queries and actions, line by line.
struct QueryReader {
    options: Arc<Options>,
    /// [`Settings::points`].
    points: bool,
    /// [`Settings::warns`].
    warns: bool,
    queue: Arc<Queue>,
    output: Output,
}

impl QueryReader {
    /// Reads lines until the end of input, then closes the queue.
    fn read(self, mut input: impl BufRead) {
        let mut number = 0u64;
        while let Some((line, is_cut)) = read_line(&mut input) {
            number += 1;
            let result = if is_cut {
                Err(QueryRefusal::for_line(format!(
                    "line {number} is longer than {MAX_LINE} bytes"
                )))
            } else {
                self.handle_line(&line, number)
            };
            if let Err(refusal) = result {
                self.output.send(&refusal);
            }
        }
        self.queue.close();
    }

    /// Handles a line; an empty one is ignored, and so is a byte-order mark.
    fn handle_line(&self, line: &[u8], number: u64) -> Result<(), QueryRefusal> {
        let line = without_mark(line);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            // serde counts lines within this one, so its line number is always 1.
            let text = data_error(&error);
            let text = text.split(" at line ").next().unwrap_or(&text);
            let column = error.column();
            QueryRefusal::for_line(format!("line {number} is not JSON: {text} in column {column}"))
        })?;
        let Value::Object(map) = value else {
            return Err(QueryRefusal::for_line(format!("line {number} is not a JSON object")));
        };
        let Some(Value::String(id)) = map.get("id") else {
            let reason = "id is missing: a string that identifies the answers";
            return Err(QueryRefusal::for_field("id", reason));
        };
        let id = id.clone();
        self.carry_out(&id, map).map_err(|refusal| QueryRefusal { id: Some(id), ..refusal })
    }

    /// Executes the action or queues the query in `map`.
    fn carry_out(&self, id: &str, map: Map<String, Value>) -> Result<(), QueryRefusal> {
        if let Some(action) = Action::read(&map)? {
            // In this order: the answers for terminated jobs come before the acknowledgement.
            self.perform(&action);
            self.output.send(&action.acknowledge(map, &self.options));
            return Ok(());
        }
        let mut warnings = Warnings::default();
        let jobs = read_jobs(id, &map, &self.options, self.points, &mut warnings)?;
        if let Some(warning) = warnings.answer(id).filter(|_| self.warns) {
            self.output.send(&warning);
        }
        self.queue.push(jobs);
        Ok(())
    }

    fn perform(&self, action: &Action) {
        let id = match action.name {
            ActionName::QueryVersion | ActionName::QueryModels => return,
            ActionName::ClearCache => return self.queue.clear_memory(),
            ActionName::Terminate => action.terminate_id.as_deref(),
            ActionName::TerminateAll => None,
        };
        let turn = |&Whole(number): &Whole| usize::try_from(number).ok();
        let turns = action.turn_numbers.as_ref();
        // A negative number matches no turn, which is not an error.
        let turns: Option<Vec<usize>> = turns.map(|all| all.iter().filter_map(turn).collect());
        for job in self.queue.terminate(id, turns.as_deref()) {
            self.output.send(&job.termination_answer());
        }
    }
}

/// Analyses positions from the queue until it is closed and empty. Every search starts from
/// scratch, so that answers do not depend on the order.
fn run_worker(queue: &Queue, options: &Options, output: &Output) {
    let mut engine = Engine::new(options.clone());
    let mut cleared = 0;
    while let Some(task) = queue.take(&mut cleared) {
        let Task::Analyze(rank, job) = task else {
            engine = Engine::new(options.clone());
            continue;
        };
        // The assertion holds: after a panic the engine is replaced, the job is only read, and the
        // channel of answers has no state that a panic could break.
        let result = catch_unwind(AssertUnwindSafe(|| analyze(&mut engine, &job, output)));
        queue.remove_running(rank);
        if let Err(panic) = result {
            engine = Engine::new(options.clone());
            let reason = format!("internal error: {}", panic_text(panic.as_ref()));
            let (id, turn) = (Some(job.id.to_string()), Some(job.number));
            output.send(&QueryRefusal { id, turn, ..QueryRefusal::for_line(reason) });
        }
    }
}

/// Analyses the position of a job and sends the answers.
fn analyze(engine: &mut Engine, job: &Job, output: &Output) {
    let Job { turn, request, options, format, .. } = job;
    engine.options_mut().clone_from(options);
    engine.set_game(Game::at(&turn.position));
    let policy = format.policy.then(|| point_policy(turn, |position| engine.priors(position)));
    let mut report = |analysis: &Analysis| {
        if output.client_keeps_up() {
            let results = Results::of_analysis(analysis, job);
            output.send(&job.answer(true, results, policy.as_deref()));
        }
    };
    let results = match engine.analyze(request, false, &job.stop, &mut report).finish() {
        Ok(analysis) => Results::of_analysis(&analysis, job),
        Err(NothingToAnalyze::Over) => Results::of_finished_game(&turn.position, *format),
        // A query that permits no move is refused when it is read.
        Err(NothingToAnalyze::NoMoveLeft) => unreachable!("no move to analyse"),
    };
    output.send(&job.answer(false, results, policy.as_deref()));
}

/// The message of a panic: a `&str` if it has no arguments, else a `String`.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_the_end_of_the_last_worker_are_written() {
        let (answers, messages) = Output::new();
        answers.worker_ended();
        answers.send(&serde_json::json!({"id": "b"}));
        let mut output = Vec::new();
        let interrupted = AtomicBool::new(false);
        let end =
            write_answers(&mut output, &messages, &answers, &Queue::default(), 1, &interrupted);
        assert_eq!((end.unwrap(), output.as_slice()), (End::Done, &b"{\"id\":\"b\"}\n"[..]));
    }
}
