//! What passes between the threads: the queue of positions to analyse, from the
//! reader to the workers, and the lines of answers, from both to the writer.
//!
//! **Every position of a query gets exactly one final answer**, whenever it is terminated. A job
//! is first in `waiting`, then in `running`, then in neither, and moves under one lock:
//!
//! ```text
//!           push            take                remove_running
//! reader ─────────> waiting ─────> running ───────────────────> (answered)
//!                      │              │
//!           terminate: │              │ terminate:
//!    answered at once, │              │ its search is stopped, and its worker
//!    with `noResults`  v              v answers with what it has found
//! ```
//!
//! So [`Queue::terminate`] either removes a job, and its caller answers, or finds it running,
//! and its worker answers. If a job left the lock between the two maps, `terminate` would miss
//! it, and it would be searched to its end. Each job has a stop signal of its own, so a request
//! that comes too late stops no other search.
//!
//! **Sending never blocks.** The channel of answers has no bound. With one, the reader could wait
//! until the client reads an answer, while the client waits until the reader takes its next
//! query. Memory is bounded in another way: reports of running searches, which later ones
//! replace, are dropped while the client does not keep up.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::game::QueryTurn;
use super::response::{AnswerFormat, Results, TurnAnswer};
use crate::engine::{AnalysisRequest, Options, StopSignal};

/// The positions that wait for analysis and those under analysis.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    waiting: BTreeMap<Place, Job>,
    running: BTreeMap<Place, Running>,
    /// Number of jobs so far.
    arrived: u64,
    /// Number of requests to free memory. A count, not a flag: every worker must follow each.
    clear_requests: u64,
    /// Whether the queue takes no more jobs.
    is_closed: bool,
}

/// The rank of a job: the highest priority first, then the earliest. Unique, since the second
/// number counts all jobs.
pub(super) type Place = (Reverse<i64>, u64);

/// A position to analyse, with everything that its answer needs.
#[derive(Debug)]
pub(super) struct Job {
    /// The id of its query. Several queries may have the same.
    pub(super) id: Arc<str>,
    /// The number of entries of `moves` before it.
    pub(super) number: usize,
    pub(super) priority: i64,
    pub(super) turn: QueryTurn,
    pub(super) request: AnalysisRequest,
    /// Shared by all jobs of the query.
    pub(super) options: Arc<Options>,
    pub(super) format: AnswerFormat,
    /// Ends the search of this job only.
    pub(super) stop: Arc<StopSignal>,
}

/// What [`Queue::terminate`] needs of a job under analysis. The worker has the rest.
#[derive(Debug)]
struct Running {
    id: Arc<str>,
    turn: usize,
    stop: Arc<StopSignal>,
}

/// What a worker does next.
#[derive(Debug)]
pub(super) enum Task {
    Analyze(Place, Box<Job>),
    /// Free the memory of earlier searches.
    ClearMemory,
}

impl Queue {
    /// Queues the jobs of a query. Drops them if the queue is closed, as after an interrupt.
    pub(super) fn push(&self, jobs: Vec<Job>) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        for job in jobs {
            let place = (Reverse(job.priority), state.arrived);
            state.arrived += 1;
            state.waiting.insert(place, job);
        }
        self.changed.notify_all();
    }

    /// Waits for the next task; `None` once the queue is closed and empty.
    /// `cleared` is the number of requests to free memory that this worker has
    /// followed.
    pub(super) fn take(&self, cleared: &mut u64) -> Option<Task> {
        let mut state = self.lock();
        loop {
            // Before any job: a client that frees memory wants it now. Several requests are
            // followed at once.
            if state.clear_requests != *cleared {
                *cleared = state.clear_requests;
                return Some(Task::ClearMemory);
            }
            if let Some((place, job)) = state.waiting.pop_first() {
                let (id, stop) = (Arc::clone(&job.id), Arc::clone(&job.stop));
                state.running.insert(place, Running { id, turn: job.number, stop });
                return Some(Task::Analyze(place, Box::new(job)));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a job that its worker has analysed.
    pub(super) fn remove_running(&self, place: Place) {
        self.lock().running.remove(&place);
    }

    /// Ends the jobs of the query `id` (of all queries if `None`) for `turns`
    /// (all if `None`). Stops running searches and returns the waiting jobs.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let matches = |other: &str, turn: usize| {
            id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let searches = state.running.values().filter(|running| matches(&running.id, running.turn));
        // Never withdrawn: the signal goes with its job.
        searches.for_each(|running| running.stop.request());
        let (ended, waiting) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|(_, job)| matches(&job.id, job.number));
        state.waiting = waiting;
        let ended: BTreeMap<Place, Job> = ended;
        ended.into_values().collect()
    }

    /// Makes every worker free the memory of earlier searches.
    pub(super) fn clear_memory(&self) {
        self.lock().clear_requests += 1;
        self.changed.notify_all();
    }

    /// Closes the queue: workers end once all jobs are done.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// The state, also after a panic: no method leaves it half changed.
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    /// The answer with `results`.
    pub(super) fn answer<'a>(
        &'a self,
        is_during_search: bool,
        results: Results,
        policy: Option<&'a [f64]>,
    ) -> TurnAnswer<'a> {
        TurnAnswer { id: &self.id, turn_number: self.number, is_during_search, results, policy }
    }

    /// The answer if it is terminated before it began.
    pub(super) fn terminated(&self) -> TurnAnswer<'_> {
        self.answer(false, Results::None { no_results: true }, None)
    }
}

/// The sending end of the answers. Sending never waits for the client, which
/// may itself be waiting to write.
#[derive(Clone, Debug)]
pub(super) struct Output {
    messages: Sender<Message>,
    /// Lines sent and not written yet. It only decides about reports to drop and guards no
    /// data, so relaxed operations do.
    unwritten: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) enum Message {
    /// A line for the client, without its line feed.
    Line(String),
    /// One of the workers takes no more tasks. The writer ends after the last of them.
    WorkerEnded,
}

impl Output {
    /// Number of unwritten lines from which on reports of running searches are
    /// dropped. Chosen: more than a client lags behind by chance, and still little memory.
    const MAX_UNWRITTEN: usize = 1000;

    /// The sending end, to be cloned for every thread, and the writer's end.
    pub(super) fn new() -> (Output, Receiver<Message>) {
        let (messages, received) = channel();
        (Output { messages, unwritten: Arc::default() }, received)
    }

    /// Sends a line; does nothing if the writer has ended.
    pub(super) fn send(&self, line: &impl Serialize) {
        self.unwritten.fetch_add(1, Relaxed);
        // Answers have no keys but strings, the only ones that JSON refuses.
        let line = serde_json::to_string(line).unwrap_or_default();
        let _ = self.messages.send(Message::Line(line));
    }

    /// Tells the writer that a worker has ended.
    pub(super) fn worker_ended(&self) {
        let _ = self.messages.send(Message::WorkerEnded);
    }

    /// Counts a line as written.
    pub(super) fn count_written(&self) {
        self.unwritten.fetch_sub(1, Relaxed);
    }

    /// Whether the client keeps up with reading. Otherwise reports of running searches are
    /// dropped, never final answers.
    pub(super) fn client_keeps_up(&self) -> bool {
        self.unwritten.load(Relaxed) < Self::MAX_UNWRITTEN
    }
}
