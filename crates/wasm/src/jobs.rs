//! A session's jobs on one thread: the most urgent one runs, a slice at a time.
//!
//! A browser's worker has no threads to wait in, and it receives messages only between two of its
//! tasks. So a search must yield the thread often, in the middle of its work. A job is therefore a
//! future that is never woken: [`Jobs::work`] polls the most urgent one, the search inside returns
//! "pending" after [`SLICE`] (`Options::slice`), and the JavaScript around it calls again after the
//! messages of the page are handled.
//!
//! ```text
//!   worker:  message ─► handle ─► work 12 ms ─► message ─► handle ─► work 12 ms ...
//! ```
//!
//! - **Lanes.** Each lane has one job at most, which the core of `play` sees to, and an engine of
//!   its own. The engine moves into the future and comes back with its result. Between two jobs the
//!   lane keeps it, and with it the tree of the last search.
//! - **Urgency.** A job of a less urgent lane waits in the middle of its search. Its clock does not
//!   stop meanwhile, so a search with a time limit starts over after the wait.
//! - **Slices do not matter.** A search with a limit of iterations has the same result wherever its
//!   slices end.
//! - **No contention.** The mutexes satisfy types that hosts with threads share. Here nothing ever
//!   waits for one.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use pontifex::engine::{Analysis, Engine, Options, StopSignal};
use pontifex::search::Config;
use pontifex_play::{
    BUILT_IN, Job, JobId, Lane, Outcome, Report, Strength, analyze, no_engine, take_turn,
};

/// How long a job runs before the host receives messages again. Set by judgement: well below the 50
/// ms in which a tap should show, also on a slow phone, where a slice ends late by an iteration.
/// Shorter ones only cost more changes between Rust and JavaScript.
const SLICE: Duration = Duration::from_millis(12);

/// The lanes, the most urgent first: the opponent waits for a move, a person for a hint, and nobody
/// for an analysis that continues anyway.
const LANES: [Lane; 3] = [Lane::Game, Lane::Advice, Lane::Study];

/// Each lane's share of the memory, in sixteenths. Set by judgement: moves and analyses search for
/// long and need the room for their trees, advice takes a second at most. The remaining four
/// sixteenths are for levels, the solver of puzzles and the page's messages.
const SHARES: [usize; 3] = [5, 2, 5];

/// A job that runs for a slice whenever it is polled. It owns the engine and returns it with the
/// outcome.
type Work = Pin<Box<dyn Future<Output = (Engine, Outcome)>>>;

/// The jobs of a session, one in each lane.
#[derive(Debug)]
pub(super) struct Jobs {
    lanes: [Option<Running>; LANES.len()],
    /// The engine of each lane. `None` before its first job, and while a job has it.
    engines: [Option<Engine>; LANES.len()],
    options: Options,
    /// The state of the generator that seeds opponents for people.
    seed: u64,
}

/// A job of a lane, started or not.
struct Running {
    id: JobId,
    job: Job,
    /// `None` before it starts, and when it must start over.
    work: Option<Work>,
    stop: Arc<StopSignal>,
    is_cancelled: bool,
    /// The newest interim analysis that has not been reported yet.
    newest_analysis: Arc<Mutex<Option<Analysis>>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Running {
    /// Whether its time limit passes while a more urgent job keeps it waiting. A turn is the most
    /// urgent job and never waits in the middle.
    fn is_timed(&self) -> bool {
        match &self.job {
            Job::Search(search) => {
                !self.is_cancelled && matches!(search.strength, Some(Strength::Time { .. }))
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

    /// Adds a job. Its lane must be free.
    pub(super) fn start(&mut self, id: JobId, job: Job) {
        let lane = LANES.iter().position(|lane| *lane == job.lane()).unwrap_or_default();
        let (stop, newest_analysis) = Default::default();
        let running = Running { id, job, work: None, stop, is_cancelled: false, newest_analysis };
        self.lanes[lane] = Some(running);
    }

    /// Asks a job to end. Its report follows from [`Jobs::work`].
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

    /// Works for a slice on the most urgent job and returns its reports.
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
        let poll = work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if let Some(newest) = lock(&running.newest_analysis).take() {
            reports.push((id, Report::Progress(Box::new(newest))));
        }
        if let Poll::Ready((engine, outcome)) = poll {
            // The result of a cancelled analysis still belongs to its node. A move that nobody
            // waits for does not belong to the game.
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

    /// Starts a job, unless its outcome is known without a search. Searches that it keeps waiting
    /// and whose time would run out meanwhile start over.
    fn begin(&mut self, lane: usize, running: &Running) -> Result<Work, Outcome> {
        if running.is_cancelled {
            return Err(Outcome::Nothing);
        }
        if let Job::Turn(turn) = &running.job
            && turn.engine != BUILT_IN
        {
            return Err(Outcome::Unable(no_engine(&turn.engine, [BUILT_IN])));
        }
        // The limits of waiting searches would pass while this job runs, and they would end after a
        // few iterations. The engine inside such a future is dropped with it.
        for other in self.lanes[lane + 1..].iter_mut().flatten().filter(|job| job.is_timed()) {
            other.work = None;
        }
        let engine = self.engines[lane].take();
        let mut engine = engine.unwrap_or_else(|| Engine::new(self.options_of(lane)));
        // One step of a linear congruential generator: each turn gets another seed, and the same
        // seed at the start gives the same game. The multiplier is Knuth's for MMIX's word of 64
        // bits.
        self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let (seed, job) = (self.seed, running.job.clone());
        let (stop, newest) = (Arc::clone(&running.stop), Arc::clone(&running.newest_analysis));
        Ok(Box::pin(async move {
            let mut progress = |analysis: &Analysis| *lock(&newest) = Some(analysis.clone());
            let outcome = match job {
                Job::Turn(turn) => take_turn(&mut engine, &turn, seed, &stop, &mut progress).await,
                Job::Search(search) => {
                    let analysis = analyze(&mut engine, &search, &stop, &mut progress).await;
                    analysis.map_or(Outcome::Nothing, |found| Outcome::Analysis(Box::new(found)))
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

/// Locks the mutex. A panic traps the whole module, so a poisoned one never occurs.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
