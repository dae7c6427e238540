//! A session's jobs on one thread: the most urgent one goes on for a slice at
//! a time.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use pontifex::engine::{Analysis, Engine, Options, StopSignal};
use pontifex::search::Config;
use pontifex_play::{
    BUILT_IN, Job, JobId, Lane, Level, Outcome, Report, analyze, no_engine, take_turn,
};

/// How long a job goes on before the host hears messages again.
const SLICE: Duration = Duration::from_millis(12);

/// The lanes, the most urgent first.
const LANES: [Lane; 3] = [Lane::Game, Lane::Advice, Lane::Study];

/// Each lane's share of the memory, in sixteenths. The rest is for levels, the
/// solver of puzzles and the page's messages.
const SHARES: [usize; 3] = [5, 2, 5];

/// The jobs of a session.
#[derive(Debug)]
pub(super) struct Jobs {
    /// What is to be done, and has not begun.
    waiting: VecDeque<(JobId, Job)>,
    /// Jobs that were cancelled before they began.
    dropped: Vec<JobId>,
    running: [Option<Running>; LANES.len()],
    /// The engine of each lane, while none of its jobs runs.
    engines: [Option<Engine>; LANES.len()],
    options: Options,
    /// Seeds of opponents for people.
    seed: u64,
}

/// A job that has begun.
struct Running {
    id: JobId,
    job: Job,
    work: Pin<Box<dyn Future<Output = (Engine, Outcome)>>>,
    stop: Arc<StopSignal>,
    is_cancelled: bool,
    found: Arc<Mutex<Vec<Analysis>>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Jobs {
    /// No jobs yet. The engines share `memory` MiB.
    pub(super) fn new(memory: usize, seed: u64) -> Jobs {
        let mut options = Options { slice: Some(SLICE), ..Options::default() };
        options.search.threads = 1;
        options.search.memory = memory.min(Config::MAX_MEMORY);
        Jobs {
            waiting: VecDeque::new(),
            dropped: Vec::new(),
            running: [const { None }; LANES.len()],
            engines: [const { None }; LANES.len()],
            options,
            seed,
        }
    }

    /// Adds a job. It begins once the earlier job of its lane has ended.
    pub(super) fn start(&mut self, id: JobId, job: Job) {
        self.waiting.push_back((id, job));
    }

    /// Ends a job. Its report follows.
    pub(super) fn cancel(&mut self, id: JobId) {
        if let Some(running) = self.running.iter_mut().flatten().find(|running| running.id == id) {
            running.is_cancelled = true;
            running.stop.request();
        }
        if let Some(at) = self.waiting.iter().position(|(waiting, _)| *waiting == id) {
            self.waiting.remove(at);
            self.dropped.push(id);
        }
    }

    /// Ends a job's search with the best move so far.
    pub(super) fn hurry(&mut self, id: JobId) {
        if let Some(running) = self.running.iter().flatten().find(|running| running.id == id) {
            running.stop.request();
        }
    }

    /// Whether there is something to do.
    pub(super) fn are_busy(&self) -> bool {
        !self.waiting.is_empty()
            || !self.dropped.is_empty()
            || self.running.iter().any(Option::is_some)
    }

    /// Begins what can begin, and works for a slice on the most urgent job.
    /// Returns what the jobs report.
    pub(super) fn work(&mut self) -> Vec<(JobId, Report)> {
        let mut reports = self.begin();
        let Some(lane) = self.running.iter().position(Option::is_some) else { return reports };
        let Some(running) = &mut self.running[lane] else { return reports };
        let polled = running.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let found = std::mem::take(&mut *lock(&running.found));
        let id = running.id;
        reports.extend(found.into_iter().map(|found| (id, Report::Progress(Box::new(found)))));
        if let Poll::Ready((engine, outcome)) = polled {
            // What a cancelled analysis has found is still of use.
            let is_void = running.is_cancelled && !matches!(outcome, Outcome::Analysis(_));
            let outcome = if is_void { Outcome::Nothing } else { outcome };
            self.engines[lane] = Some(engine);
            self.running[lane] = None;
            reports.push((id, Report::Done(outcome)));
        }
        reports
    }

    /// Begins the jobs whose lanes are free.
    fn begin(&mut self) -> Vec<(JobId, Report)> {
        let dropped = self.dropped.drain(..);
        let mut reports: Vec<_> = dropped.map(|id| (id, Report::Done(Outcome::Nothing))).collect();
        for (lane, _) in LANES.iter().enumerate() {
            if self.running[lane].is_some() {
                continue;
            }
            let next = self.waiting.iter().position(|(_, job)| job.lane() == LANES[lane]);
            let Some((id, job)) = next.and_then(|next| self.waiting.remove(next)) else { continue };
            if let Job::Turn(turn) = &job
                && turn.engine != BUILT_IN
            {
                let text = no_engine(&turn.engine, [BUILT_IN]);
                reports.push((id, Report::Done(Outcome::Unable(text))));
                continue;
            }
            reports.push((id, Report::Began));
            self.running[lane] = Some(self.run(lane, id, job));
            self.put_back_below(lane);
        }
        reports
    }

    /// Puts back the searches that a more urgent job keeps waiting and whose time
    /// would run out meanwhile. They begin anew.
    fn put_back_below(&mut self, lane: usize) {
        for running in &mut self.running[lane + 1..] {
            let is_timed = |running: &mut Running| match &running.job {
                Job::Search(search) if !running.is_cancelled => {
                    matches!(search.level, Some(Level::Time { .. }))
                }
                _ => false,
            };
            if let Some(Running { id, job, .. }) = running.take_if(is_timed) {
                self.waiting.push_front((id, job));
            }
        }
    }

    fn run(&mut self, lane: usize, id: JobId, job: Job) -> Running {
        let engine = self.engines[lane].take();
        let mut engine = engine.unwrap_or_else(|| Engine::new(self.options_of(lane)));
        let stop = Arc::new(StopSignal::default());
        let found = Arc::new(Mutex::new(Vec::new()));
        self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let (seed, signal, sent) = (self.seed, Arc::clone(&stop), Arc::clone(&found));
        let begun = job.clone();
        let work = Box::pin(async move {
            let mut progress = |analysis: &Analysis| lock(&sent).push(analysis.clone());
            let outcome = match job {
                Job::Turn(turn) => {
                    take_turn(&mut engine, &turn, seed, &signal, &mut progress).await
                }
                Job::Search(search) => {
                    let found = analyze(&mut engine, &search, &signal, &mut progress).await;
                    found.map_or(Outcome::Nothing, |found| Outcome::Analysis(Box::new(found)))
                }
            };
            (engine, outcome)
        });
        Running { id, job: begun, work, stop, is_cancelled: false, found }
    }

    fn options_of(&self, lane: usize) -> Options {
        let mut options = self.options.clone();
        options.search.memory = (options.search.memory * SHARES[lane] / 16).max(1);
        options
    }
}

/// Locks the mutex, ignoring poisoning.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
