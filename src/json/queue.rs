use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::query::{Query, Turn};
use crate::analysis::json::Extent;
use crate::engine::{Options, StopSignal};

/// The turns that are to be analysed and those that are being analysed.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<Place, Job>,
    running: BTreeMap<Place, Running>,
    /// Jobs that have come.
    arrived: u64,
    /// How often memory was to be given back.
    forgotten: u64,
    /// Whether no more jobs will come.
    is_closed: bool,
}

/// Where a job stands: the highest priority first, then the earliest.
type Place = (Reverse<i64>, u64);

/// A turn to be analysed.
#[derive(Debug)]
pub(super) struct Job {
    /// The id of its query.
    pub(super) id: Arc<str>,
    pub(super) turn: Turn,
    pub(super) options: Arc<Options>,
    pub(super) extent: Extent,
    /// What ends its search.
    pub(super) stop: Arc<StopSignal>,
    place: Place,
}

#[derive(Debug)]
struct Running {
    id: Arc<str>,
    turn: usize,
    stop: Arc<StopSignal>,
}

/// What a worker is to do.
#[derive(Debug)]
pub(super) enum Task {
    /// Analyse this.
    Analyze(Box<Job>),
    /// Give the memory of earlier searches back.
    Forget,
}

impl Queue {
    /// Queues the turns of a query, unless the queue is closed.
    pub(super) fn push(&self, id: &str, query: Query) {
        let Query { options, extent, turns } = query;
        let id: Arc<str> = id.into();
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        for turn in turns {
            let place = (Reverse(turn.priority), state.arrived);
            state.arrived += 1;
            let (id, options) = (Arc::clone(&id), Arc::clone(&options));
            let job = Job { id, turn, options, extent, stop: Arc::default(), place };
            state.waiting.insert(place, job);
        }
        self.changed.notify_all();
    }

    /// What to do next, as soon as there is something; `None` when there will
    /// not be. `forgotten` is how often this worker was told to forget.
    pub(super) fn take(&self, forgotten: &mut u64) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.forgotten != *forgotten {
                *forgotten = state.forgotten;
                return Some(Task::Forget);
            }
            if let Some((place, job)) = state.waiting.pop_first() {
                let (id, stop) = (Arc::clone(&job.id), Arc::clone(&job.stop));
                state.running.insert(place, Running { id, turn: job.turn.number, stop });
                return Some(Task::Analyze(Box::new(job)));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A job that was taken has been done.
    pub(super) fn done(&self, job: &Job) {
        self.lock().running.remove(&job.place);
    }

    /// Ends the jobs of the query `id` (of all queries without one) for these
    /// turns (for all without a list): those that were waiting come back, to be
    /// reported; the searches of the others are told to end.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let is_meant = |other: &str, turn: usize| {
            id.is_none_or(|id| id == other) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let meant = state.running.values().filter(|running| is_meant(&running.id, running.turn));
        meant.for_each(|running| running.stop.request());
        let (ended, waiting) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|(_, job)| is_meant(&job.id, job.turn.number));
        state.waiting = waiting;
        let ended: BTreeMap<Place, Job> = ended;
        ended.into_values().collect()
    }

    /// Has every worker give back the memory of earlier searches.
    pub(super) fn forget(&self) {
        self.lock().forgotten += 1;
        self.changed.notify_all();
    }

    /// No more jobs will come: workers end when all are done.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
