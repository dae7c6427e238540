//! How the threads exchange data: the queue of positions to analyse, from the reader to the
//! workers, and the channel of answers, from both to the writer.
//!
//! **Every position of a query gets exactly one final answer**, no matter when it is terminated. A
//! job is first in `waiting_jobs`, then in `running_jobs`, then in neither. Each transition holds
//! the lock:
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
//! So [`Queue::terminate`] either removes a job, and its caller answers, or finds it running, and
//! its worker answers. If the lock were released between the two maps, `terminate` could miss the
//! job, which would then be searched to its end. Each job has a stop signal of its own, so a
//! request that comes too late stops no other search.
//!
//! **Sending never blocks.** The channel of answers is unbounded. A bounded one could deadlock: the
//! reader would wait for the client to read an answer, and the client for the reader to take its
//! next query. Memory is bounded in another way: reports of running searches, which later ones
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
    change: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    waiting_jobs: BTreeMap<Rank, Job>,
    running_jobs: BTreeMap<Rank, RunningJob>,
    /// The number of jobs queued so far.
    job_count: u64,
    /// The number of requests to free memory. A count, not a flag: every worker must act on each.
    clear_requests: u64,
    /// Whether the queue accepts no more jobs.
    is_closed: bool,
}

/// The rank of a job in the queue: the highest priority first, then the earliest job. Unique, since
/// the second number counts all jobs.
pub(super) type Rank = (Reverse<i64>, u64);

/// A position to analyse, with everything that its answer needs.
#[derive(Debug)]
pub(super) struct Job {
    /// The id of the job's query. Several queries may share an id.
    pub(super) id: Arc<str>,
    /// The number of entries of `moves` before the position.
    pub(super) number: usize,
    pub(super) priority: i64,
    pub(super) turn: QueryTurn,
    pub(super) request: AnalysisRequest,
    /// The options, shared by all jobs of the query.
    pub(super) options: Arc<Options>,
    pub(super) format: AnswerFormat,
    /// Ends the search of this job only.
    pub(super) stop: Arc<StopSignal>,
}

/// The part of a running job that [`Queue::terminate`] needs. The worker owns the rest.
#[derive(Debug)]
struct RunningJob {
    id: Arc<str>,
    turn: usize,
    stop: Arc<StopSignal>,
}

/// A worker's next task.
#[derive(Debug)]
pub(super) enum Task {
    Analyze(Rank, Box<Job>),
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
            let rank = (Reverse(job.priority), state.job_count);
            state.job_count += 1;
            state.waiting_jobs.insert(rank, job);
        }
        self.change.notify_all();
    }

    /// Waits for the next task. Returns `None` when the queue is closed and empty. `cleared` is the
    /// number of requests to free memory that this worker has acted on.
    pub(super) fn take(&self, cleared: &mut u64) -> Option<Task> {
        let mut state = self.lock();
        loop {
            // Before any job: a client that frees memory wants it now. Several requests are one
            // task.
            if state.clear_requests != *cleared {
                *cleared = state.clear_requests;
                return Some(Task::ClearMemory);
            }
            if let Some((rank, job)) = state.waiting_jobs.pop_first() {
                let (id, stop) = (Arc::clone(&job.id), Arc::clone(&job.stop));
                state.running_jobs.insert(rank, RunningJob { id, turn: job.number, stop });
                return Some(Task::Analyze(rank, Box::new(job)));
            }
            if state.is_closed {
                return None;
            }
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a job that its worker has analysed.
    pub(super) fn remove_running(&self, rank: Rank) {
        self.lock().running_jobs.remove(&rank);
    }

    /// Ends the jobs of the query `id` (of all queries if `None`) for `turns` (all if `None`).
    /// Stops running searches, and returns the waiting jobs, which the caller must answer.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let matches = |other: &str, turn: usize| {
            id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let searches =
            state.running_jobs.values().filter(|running| matches(&running.id, running.turn));
        // Never withdrawn: the signal is dropped with its job.
        searches.for_each(|running| running.stop.request());
        let (removed, waiting): (BTreeMap<_, _>, _) = std::mem::take(&mut state.waiting_jobs)
            .into_iter()
            .partition(|(_, job)| matches(&job.id, job.number));
        state.waiting_jobs = waiting;
        removed.into_values().collect()
    }

    /// Makes every worker free the memory of earlier searches.
    pub(super) fn clear_memory(&self) {
        self.lock().clear_requests += 1;
        self.change.notify_all();
    }

    /// Closes the queue: workers end when all jobs are done.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.change.notify_all();
    }

    /// Locks the state, even after a panic: no method leaves it half changed.
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

    /// The answer if the job is terminated before its search begins.
    pub(super) fn termination_answer(&self) -> TurnAnswer<'_> {
        self.answer(false, Results::None { no_results: true }, None)
    }
}

/// The sending end of the channel of answers. Sending never waits for the client, which may itself
/// be waiting to write.
#[derive(Clone, Debug)]
pub(super) struct Output {
    sender: Sender<Message>,
    /// The number of lines sent but not yet written. It only decides which reports to drop and
    /// guards no data, so relaxed ordering suffices.
    unwritten: Arc<AtomicUsize>,
}

#[derive(Debug)]
pub(super) enum Message {
    /// A line for the client, without its line feed.
    Line(String),
    /// A worker has ended. The writer ends after the last one.
    WorkerEnded,
}

impl Output {
    /// The number of unwritten lines at which reports of running searches begin to be dropped. Set
    /// by judgement: more than a client lags behind by chance, and still little memory.
    const MAX_UNWRITTEN: usize = 1000;

    /// Creates the channel: the sending end, to be cloned for every thread, and the writer's end.
    pub(super) fn new() -> (Output, Receiver<Message>) {
        let (sender, receiver) = channel();
        (Output { sender, unwritten: Arc::default() }, receiver)
    }

    /// Sends a line. A no-op if the writer has ended.
    pub(super) fn send(&self, line: &impl Serialize) {
        self.unwritten.fetch_add(1, Relaxed);
        // This cannot fail: JSON refuses only keys that are not strings, and answers have none.
        let line = serde_json::to_string(line).unwrap_or_default();
        let _ = self.sender.send(Message::Line(line));
    }

    /// Tells the writer that a worker has ended.
    pub(super) fn worker_ended(&self) {
        let _ = self.sender.send(Message::WorkerEnded);
    }

    /// Counts a line as written.
    pub(super) fn count_written(&self) {
        self.unwritten.fetch_sub(1, Relaxed);
    }

    /// Whether the client keeps up with reading. Otherwise reports of running searches are dropped,
    /// never final answers.
    pub(super) fn client_keeps_up(&self) -> bool {
        self.unwritten.load(Relaxed) < Self::MAX_UNWRITTEN
    }
}
