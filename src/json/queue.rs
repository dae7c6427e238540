//! What passes between the threads: the queue of positions to analyse, from the
//! reader to the workers, and the lines of answers, from both to the writer.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::game::Turn;
use super::response::{Answer, Extent, Results};
use crate::engine::{AnalysisRequest, Options, StopSignal};

/// The positions that wait for analysis and those under analysis.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<Place, Job>,
    running: BTreeMap<Place, Running>,
    /// Number of jobs so far.
    arrived: u64,
    /// Number of requests to free memory.
    forgotten: u64,
    /// Whether the queue takes no more jobs.
    is_closed: bool,
}

/// The rank of a job: the highest priority first, then the earliest.
pub(super) type Place = (Reverse<i64>, u64);

/// A position to analyse.
#[derive(Debug)]
pub(super) struct Job {
    /// The id of its query.
    pub(super) id: Arc<str>,
    /// The number of entries of `moves` before it.
    pub(super) number: usize,
    pub(super) priority: i64,
    pub(super) turn: Turn,
    pub(super) request: AnalysisRequest,
    /// The options of the search.
    pub(super) options: Arc<Options>,
    pub(super) extent: Extent,
    /// Ends its search.
    pub(super) stop: Arc<StopSignal>,
}

#[derive(Debug)]
struct Running {
    id: Arc<str>,
    turn: usize,
    stop: Arc<StopSignal>,
}

/// A task of a worker.
#[derive(Debug)]
pub(super) enum Task {
    /// Analyse a position.
    Analyze(Place, Box<Job>),
    /// Free the memory of earlier searches.
    Forget,
}

impl Queue {
    /// Queues the jobs of a query, unless the queue is closed.
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
    /// `forgotten` counts the requests to free memory that this worker has
    /// followed.
    pub(super) fn take(&self, forgotten: &mut u64) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.forgotten != *forgotten {
                *forgotten = state.forgotten;
                return Some(Task::Forget);
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

    /// Removes a finished job.
    pub(super) fn done(&self, place: Place) {
        self.lock().running.remove(&place);
    }

    /// Ends the jobs of the query `id` (of all queries if `None`) for `turns`
    /// (all if `None`). Stops running searches and returns the waiting jobs.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let matches = |other: &str, turn: usize| {
            id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let meant = state.running.values().filter(|running| matches(&running.id, running.turn));
        meant.for_each(|running| running.stop.request());
        let (ended, waiting) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|(_, job)| matches(&job.id, job.number));
        state.waiting = waiting;
        let ended: BTreeMap<Place, Job> = ended;
        ended.into_values().collect()
    }

    /// Makes every worker free the memory of earlier searches.
    pub(super) fn forget(&self) {
        self.lock().forgotten += 1;
        self.changed.notify_all();
    }

    /// Closes the queue: workers end once all jobs are done.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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
    ) -> Answer<'a> {
        Answer { id: &self.id, turn_number: self.number, is_during_search, results, policy }
    }

    /// The answer if it is terminated before it began.
    pub(super) fn terminated(&self) -> Answer<'_> {
        self.answer(false, Results::None { no_results: true }, None)
    }
}

/// The sending end of the answers. Sending never waits for the client, which
/// may itself be waiting to write.
#[derive(Clone, Debug)]
pub(super) struct Output {
    messages: Sender<Message>,
    /// Lines that have not been written yet.
    unwritten: Arc<AtomicUsize>,
}

/// A message to the writer.
#[derive(Debug)]
pub(super) enum Message {
    Line(String),
    /// A worker has ended.
    WorkerEnded,
}

impl Output {
    /// Number of unwritten lines from which on reports of running searches are
    /// dropped.
    const MOST_UNWRITTEN: usize = 1000;

    /// Both ends of the answers.
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

    /// Says that a worker has ended.
    pub(super) fn worker_ended(&self) {
        let _ = self.messages.send(Message::WorkerEnded);
    }

    /// Counts a line as written.
    pub(super) fn written(&self) {
        self.unwritten.fetch_sub(1, Relaxed);
    }

    /// Whether the client keeps up with reading.
    pub(super) fn is_read(&self) -> bool {
        self.unwritten.load(Relaxed) < Self::MOST_UNWRITTEN
    }
}
