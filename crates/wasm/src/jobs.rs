//! A session's jobs on one thread: the most urgent one goes on for a slice at
//! a time.
//!
//! A browser's worker has no threads to wait in, and it hears the page only between two of
//! its tasks. So a search must give the thread back often, in the middle of its work. A job is
//! therefore a future that is never woken: [`Jobs::work`] polls the most urgent one, the search
//! inside returns "pending" after [`SLICE`] (`Options::slice`), and the JavaScript around it
//! calls again once the messages of the page are handled.
//!
//! ```text
//!   worker:  message ─► handle ─► work 12 ms ─► message ─► handle ─► work 12 ms ...
//! ```
//!
//! The engine travels with the future and comes back with its result; a lane without a
//! running job keeps it, and with it the tree of the last search. Results do not depend on
//! where the slices end.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use pontifex::engine::{Analysis, Engine, Options, StopSignal};
use pontifex::search::Config;
use pontifex_play::{
    BUILT_IN, Job, JobId, Lane, Level, Outcome, Report, analyze, no_engine, take_turn,
};

/// How long a job goes on before the host hears messages again. Chosen: well below the 50 ms
/// in which a tap should show, also on a slow phone, where a slice ends late by an iteration.
/// Shorter ones only cost more changes between Rust and JavaScript.
const SLICE: Duration = Duration::from_millis(12);

/// The lanes, the most urgent first.
const LANES: [Lane; 3] = [Lane::Game, Lane::Advice, Lane::Study];

/// Each lane's share of the memory, in sixteenths. The rest is for levels, the
/// solver of puzzles and the page's messages.
const SHARES: [usize; 3] = [5, 2, 5];

/// A job that goes on for a slice whenever it is polled.
type Work = Pin<Box<dyn Future<Output = (Engine, Outcome)>>>;

/// The jobs of a session, one in each lane.
#[derive(Debug)]
pub(super) struct Jobs {
    lanes: [Option<Running>; LANES.len()],
    /// The engine of each lane, while none of its jobs runs.
    engines: [Option<Engine>; LANES.len()],
    options: Options,
    /// Seeds of opponents for people.
    seed: u64,
}

/// A job, which begins when no other one is more urgent.
struct Running {
    id: JobId,
    job: Job,
    work: Option<Work>,
    stop: Arc<StopSignal>,
    is_cancelled: bool,
    /// The newest analysis that was not reported yet.
    newest: Arc<Mutex<Option<Analysis>>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Running {
    /// Whether its time passes while a more urgent job keeps it waiting.
    fn is_timed(&self) -> bool {
        match &self.job {
            Job::Search(search) => {
                !self.is_cancelled && matches!(search.level, Some(Level::Time { .. }))
            }
            Job::Turn(_) => false,
        }
    }
}

impl Jobs {
    /// No jobs yet. The engines share `memory` MiB.
    pub(super) fn new(memory: usize, seed: u64) -> Jobs {
        let mut options = Options { slice: Some(SLICE), ..Options::default() };
        options.search.threads = 1;
        options.search.memory = memory.min(Config::MAX_MEMORY);
        let (lanes, engines) = Default::default();
        Jobs { lanes, engines, options, seed }
    }

    /// Adds a job, whose lane is free.
    pub(super) fn start(&mut self, id: JobId, job: Job) {
        let lane = LANES.iter().position(|lane| *lane == job.lane()).unwrap_or_default();
        let (stop, newest) = Default::default();
        let running = Running { id, job, work: None, stop, is_cancelled: false, newest };
        self.lanes[lane] = Some(running);
    }

    /// Ends a job. Its report follows.
    pub(super) fn cancel(&mut self, id: JobId) {
        if let Some(running) = self.lanes.iter_mut().flatten().find(|running| running.id == id) {
            running.is_cancelled = true;
            running.stop.request();
        }
    }

    /// Ends a job's search with the best move so far.
    pub(super) fn hurry(&mut self, id: JobId) {
        if let Some(running) = self.lanes.iter().flatten().find(|running| running.id == id) {
            running.stop.request();
        }
    }

    /// Whether there is something to do.
    pub(super) fn are_busy(&self) -> bool {
        self.lanes.iter().any(Option::is_some)
    }

    /// Works for a slice on the most urgent job. Returns what it reports.
    pub(super) fn work(&mut self) -> Vec<(JobId, Report)> {
        let mut reports = Vec::new();
        let Some(lane) = self.lanes.iter().position(Option::is_some) else { return reports };
        let Some(mut running) = self.lanes[lane].take() else { return reports };
        let id = running.id;
        let mut work = match running.work.take() {
            Some(work) => work,
            None => match self.begin(lane, &running) {
                Ok(work) => {
                    reports.push((id, Report::Began));
                    work
                }
                Err(outcome) => return vec![(id, Report::Done(outcome))],
            },
        };
        let polled = work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if let Some(newest) = lock(&running.newest).take() {
            reports.push((id, Report::Progress(Box::new(newest))));
        }
        if let Poll::Ready((engine, outcome)) = polled {
            // What a cancelled analysis has found is still of use.
            let is_void = running.is_cancelled && !matches!(outcome, Outcome::Analysis(_));
            let outcome = if is_void { Outcome::Nothing } else { outcome };
            self.engines[lane] = Some(engine);
            reports.push((id, Report::Done(outcome)));
        } else {
            running.work = Some(work);
            self.lanes[lane] = Some(running);
        }
        reports
    }

    /// Begins a job, unless its outcome is known without a search. Searches that it
    /// keeps waiting and whose time would run out meanwhile begin anew.
    fn begin(&mut self, lane: usize, running: &Running) -> Result<Work, Outcome> {
        if running.is_cancelled {
            return Err(Outcome::Nothing);
        }
        if let Job::Turn(turn) = &running.job
            && turn.engine != BUILT_IN
        {
            return Err(Outcome::Unable(no_engine(&turn.engine, [BUILT_IN])));
        }
        for other in self.lanes[lane + 1..].iter_mut().flatten().filter(|job| job.is_timed()) {
            other.work = None;
        }
        let engine = self.engines[lane].take();
        let mut engine = engine.unwrap_or_else(|| Engine::new(self.options_of(lane)));
        self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let (seed, job) = (self.seed, running.job.clone());
        let (stop, newest) = (Arc::clone(&running.stop), Arc::clone(&running.newest));
        Ok(Box::pin(async move {
            let mut progress = |analysis: &Analysis| *lock(&newest) = Some(analysis.clone());
            let outcome = match job {
                Job::Turn(turn) => take_turn(&mut engine, &turn, seed, &stop, &mut progress).await,
                Job::Search(search) => {
                    let found = analyze(&mut engine, &search, &stop, &mut progress).await;
                    found.map_or(Outcome::Nothing, |found| Outcome::Analysis(Box::new(found)))
                }
            };
            (engine, outcome)
        }))
    }

    fn options_of(&self, lane: usize) -> Options {
        let mut options = self.options.clone();
        options.search.memory = (options.search.memory * SHARES[lane] / 16).max(1);
        options
    }
}

/// Locks the mutex, ignoring poisoning.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
