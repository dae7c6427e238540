//! What engines compute for sessions: moves, by the built-in engine and those
//! of processes; analyses and reviews, which give way to moves; how a running
//! job is ended; and the pool of idle engines with their trees, whose least
//! recently used is dropped when it is full.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pontifex::clock::{Limit, Seconds};
use pontifex::engine::{NothingToAnalyze, StopSignal, finish};
use pontifex::game::Position;
use pontifex::messages::tell;
use pontifex::notation::WonBy;
use pontifex_play::{
    BUILT_IN, EngineTurn, Lane, Level, Outcome, Search, analyze, no_engine, take_turn,
};
use pontifex_tournament::{EngineSpec, FailureKind, Player, ProcessGroups, Question};
use tokio::sync::watch;

use super::app::AppState;
use super::scheduler::{Place, Tenure, TenureKind, Urgency};
use super::session::Activity;
use super::session::Reporter;
use super::sessions::{SessionId, seed};

/// The shortest search that is worth another place, in seconds.
const LEAST_TIME: f64 = 0.05;

/// Finds an engine's move for a session.
#[derive(Clone, Debug)]
pub(super) struct Thinker {
    pub(super) app: Arc<AppState>,
    pub(super) session: SessionId,
    /// Whether a page shows the session.
    pub(super) activity: Arc<Activity>,
    pub(super) cancel: Arc<CancelHandle>,
    pub(super) reporter: Reporter,
}

impl Thinker {
    /// Waits for a place and finds the move; `None` when the job was cancelled.
    ///
    /// A long search gives up its place when others wait. In a game without a
    /// clock it goes on later with what it has left; its tree is in the pool, if
    /// there is room. Under a clock it moves with what it has found.
    pub(super) async fn think(&self, mut turn: EngineTurn) -> Option<Outcome> {
        let Thinker { app, cancel, reporter, .. } = self;
        let spec = match app.spec(&turn.engine) {
            Some(spec) => Some(spec.clone()),
            None if turn.engine == BUILT_IN => None,
            None => {
                return Some(Outcome::Unable(no_engine(&turn.engine, app.names())));
            }
        };
        let mut urgency = Urgency::Move;
        // What was found before the search gave up its place.
        let mut found = None;
        loop {
            let stop = cancel.signal();
            let kind = match (&spec, turn.level) {
                (Some(_), _) => Some(TenureKind::Leave(Arc::clone(cancel))),
                // It needs less than a second.
                (None, Level::Opponent { .. }) => None,
                (None, _) => Some(TenureKind::Stop(Arc::clone(&stop))),
            };
            let tenure = kind.map(|kind| Tenure { kind, game: Some(Arc::clone(&self.activity)) });
            let place = tokio::select! {
                place = app.scheduler.place(urgency, tenure, || reporter.queued()) => place?,
                () = cancel.cancelled() => return None,
                () = cancel.hurried(), if found.is_some() => return found,
            };
            let (outcome, is_asked) = self.run(&turn, spec.clone(), stop, place).await?;
            if cancel.is_cancelled() {
                return None;
            }
            let is_suspended = is_asked && turn.clock.is_none() && !cancel.is_hurried();
            match left(turn.level, &outcome).filter(|_| is_suspended) {
                Some(level) => turn.level = level,
                None => return Some(outcome),
            }
            (urgency, found) = (Urgency::Study, Some(outcome));
        }
    }

    /// Thinks on a thread of its own. Returns whether the search was stopped
    /// because others wait.
    async fn run(
        &self,
        turn: &EngineTurn,
        spec: Option<EngineSpec>,
        stop: Arc<StopSignal>,
        place: Place,
    ) -> Option<(Outcome, bool)> {
        let (own, turn) = (self.clone(), turn.clone());
        let run = move || {
            let Thinker { app, session, cancel, reporter, .. } = &own;
            let outcome = catch_unwind(AssertUnwindSafe(|| match &spec {
                Some(spec) => ask(app, *session, &turn, spec, cancel, reporter),
                None => search_move(app, *session, &turn, &stop, reporter),
            }));
            let outcome = outcome.unwrap_or_else(|panic| {
                let message = panic_message(&*panic);
                let detail = format!("{}: the search panicked: {message}", turn.engine);
                Outcome::Failed { by: WonBy::Forfeit, detail }
            });
            (outcome, place.is_asked())
        };
        tokio::task::spawn_blocking(run).await.ok()
    }
}

/// What a search has left of its limit after it was stopped; `None` if nothing,
/// or if more search would not help.
fn left(level: Level, outcome: &Outcome) -> Option<Level> {
    let Outcome::Move { seconds, analysis: Some(analysis), .. } = outcome else { return None };
    if analysis.bounds.exact().is_some() {
        return None;
    }
    match level {
        Level::Time { time } => {
            let time = Seconds::saturating(time.get() - seconds);
            (time.get() >= LEAST_TIME).then_some(Level::Time { time })
        }
        Level::Playouts { playouts } => {
            let playouts = playouts.saturating_sub(analysis.iterations);
            (playouts > 0).then_some(Level::Playouts { playouts })
        }
        Level::Opponent { .. } => None,
    }
}

/// The message of a panic.
pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// The built-in engine's move.
fn search_move(
    app: &AppState,
    session: SessionId,
    turn: &EngineTurn,
    stop: &StopSignal,
    reporter: &Reporter,
) -> Outcome {
    let key = (session, Lane::Game);
    let mut engine = app.engines.take(&key).unwrap_or_else(|| app.engine());
    reporter.began();
    let mut report = |analysis: &_| reporter.progress(analysis);
    let outcome = finish(take_turn(&mut engine, turn, seed(), stop, &mut report));
    app.engines.put(key, engine);
    outcome
}

/// A foreign engine's move.
fn ask(
    app: &AppState,
    session: SessionId,
    turn: &EngineTurn,
    spec: &EngineSpec,
    cancel: &CancelHandle,
    reporter: &Reporter,
) -> Outcome {
    let rules = *turn.line.start.rules();
    if turn.line.start != Position::new(rules) {
        let name = &turn.engine;
        return Outcome::Unable(format!(
            "{name} cannot take up a game that does not start from the empty board"
        ));
    }
    let key = (session, turn.seat);
    let resting = app.opponents.take(&key).filter(|(_, resting)| resting.name() == spec.name);
    let started = if let Some((groups, opponent)) = resting {
        cancel.think_in(&groups);
        Ok((groups, opponent))
    } else {
        let groups = app.groups.part();
        cancel.think_in(&groups);
        Player::start(spec, &groups, Player::DEFAULT_STALL).map(|opponent| (groups, opponent))
    };
    let (groups, mut opponent) = match started {
        Ok(started) => started,
        Err(failure) => return failed(failure.kind, failure.to_string()),
    };
    let level = match turn.level {
        Level::Time { time } => Limit::Move { seconds: time },
        Level::Playouts { playouts } => Limit::Iterations { count: playouts },
        // Only the built-in engine has these.
        Level::Opponent { .. } => Limit::Move { seconds: Seconds::whole(1) },
    };
    let allowed = match (turn.clock, level) {
        (Some((_, clock)), _) => clock.allowed().unwrap_or_default(),
        (None, Limit::Move { seconds }) => seconds,
        _ => Seconds::ZERO,
    };
    let question = Question {
        rules,
        moves: turn.line.moves.clone(),
        limit: turn.clock.map_or(level, |(limit, _)| limit),
        left: turn.clock.and_then(|(_, clock)| clock.time_left()),
        patience: allowed.duration() + Player::DEFAULT_STALL,
    };
    reporter.began();
    let start = Instant::now();
    match opponent.answer(&question) {
        Ok(answer) => {
            let seconds = start.elapsed().as_secs_f64();
            app.opponents.put(key, (groups, opponent));
            answer.map_or(Outcome::Resigned, |mv| Outcome::Move { mv, seconds, analysis: None })
        }
        Err(_) if cancel.is_interrupted() => Outcome::Unable(format!(
            "{} has thought for long while others waited, and was ended; move_now starts it again",
            turn.engine
        )),
        Err(failure) => failed(failure.kind, failure.to_string()),
    }
}

fn failed(kind: FailureKind, detail: String) -> Outcome {
    let by = match kind {
        FailureKind::Stall | FailureKind::Timeout => WonBy::Time,
        _ => WonBy::Forfeit,
    };
    Outcome::Failed { by, detail }
}

/// Waits for a place and searches a position; `None` when the job was
/// cancelled before, or there is nothing to analyse. A search without a limit
/// also ends when others need its place.
pub(super) async fn search(
    app: &Arc<AppState>,
    session: SessionId,
    job: Search,
    cancel: &CancelHandle,
    reporter: &Reporter,
) -> Option<Outcome> {
    if cancel.is_cancelled() {
        return None;
    }
    let stop = cancel.signal();
    let kind = TenureKind::Stop(Arc::clone(&stop));
    let tenure = job.level.is_none().then_some(Tenure { kind, game: None });
    // Somebody waits for a hint as for a move.
    let urgency = if job.lane == Lane::Advice { Urgency::Move } else { Urgency::Study };
    let place = tokio::select! {
        place = app.scheduler.place(urgency, tenure, || {}) => place?,
        () = cancel.cancelled() => return None,
    };
    let (app, reporter) = (Arc::clone(app), reporter.clone());
    let run = move || {
        let key = (session, job.lane);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut engine = app.engines.take(&key).unwrap_or_else(|| app.engine());
            let mut report = |analysis: &_| reporter.progress(analysis);
            let found = finish(analyze(&mut engine, &job, &stop, &mut report));
            app.engines.put(key, engine);
            found
        }));
        drop(place);
        found.unwrap_or_else(|panic| {
            let message = panic_message(&*panic);
            tell(format_args!("an analysis panicked: {message}"));
            Err(NothingToAnalyze::NoMoveLeft)
        })
    };
    let found = tokio::task::spawn_blocking(run).await.ok()?.ok()?;
    Some(Outcome::Analysis(Box::new(found)))
}

/// Cancels a job, or ends its search early.
#[derive(Debug)]
pub(super) struct CancelHandle {
    cancelled: watch::Sender<bool>,
    hurried: watch::Sender<bool>,
    is_interrupted: AtomicBool,
    /// The running search's stop signal, and the processes that think.
    running: Mutex<(Arc<StopSignal>, Option<ProcessGroups>)>,
}

impl Default for CancelHandle {
    fn default() -> CancelHandle {
        CancelHandle {
            cancelled: watch::Sender::new(false),
            hurried: watch::Sender::new(false),
            is_interrupted: AtomicBool::new(false),
            running: Mutex::default(),
        }
    }
}

impl CancelHandle {
    /// Ends the job; its result is not needed.
    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(true);
        self.stop();
        self.kill();
    }

    /// Ends the processes that think, because others wait.
    pub(super) fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Release);
        self.kill();
    }

    fn kill(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(groups) = &running.1 {
            groups.kill_all();
        }
    }

    /// Whether its processes were ended because others wait.
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Acquire)
    }

    /// Whether the search was to end early with the best move so far.
    pub(super) fn is_hurried(&self) -> bool {
        *self.hurried.borrow()
    }

    /// Waits until the search is to end.
    pub(super) async fn hurried(&self) {
        let mut hurried = self.hurried.subscribe();
        let _ = hurried.wait_for(|&hurried| hurried).await;
    }

    /// Ends the search with the best move so far.
    pub(super) fn hurry(&self) {
        self.hurried.send_replace(true);
        self.stop();
    }

    fn stop(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).0.request();
    }

    /// Whether the job is cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Waits until the job is cancelled.
    pub(super) async fn cancelled(&self) {
        let mut cancelled = self.cancelled.subscribe();
        let _ = cancelled.wait_for(|&cancelled| cancelled).await;
    }

    /// The stop signal of the next search, already set if the job has been
    /// cancelled or hurried.
    pub(super) fn signal(&self) -> Arc<StopSignal> {
        let signal = Arc::new(StopSignal::default());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0 = Arc::clone(&signal);
        if self.is_cancelled() || self.is_hurried() {
            signal.request();
        }
        signal
    }

    /// Sets the processes that think, to be killed on cancellation.
    pub(super) fn think_in(&self, groups: &ProcessGroups) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.1 = Some(groups.clone());
        if self.is_cancelled() {
            groups.kill_all();
        }
    }
}

/// Idle values by key.
#[derive(Debug)]
pub(super) struct Pool<K, T> {
    capacity: usize,
    idle: Mutex<HashMap<K, (Instant, T)>>,
}

impl<K: Hash + Eq + Clone, T> Pool<K, T> {
    /// A pool of up to `capacity` values.
    pub(super) fn new(capacity: usize) -> Pool<K, T> {
        Pool { capacity, idle: Mutex::default() }
    }

    /// Takes the value of `key`.
    pub(super) fn take(&self, key: &K) -> Option<T> {
        self.lock().remove(key).map(|(_, value)| value)
    }

    /// Puts a value in; drops the least recently used ones above capacity.
    pub(super) fn put(&self, key: K, value: T) {
        let mut all = self.lock();
        let mut gone = all.insert(key, (Instant::now(), value)).into_iter().collect::<Vec<_>>();
        while all.len() > self.capacity {
            let oldest = all.iter().min_by_key(|(_, (since, _))| *since);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            gone.extend(all.remove(&key));
        }
        drop(all);
    }

    /// Drops values that have been idle for longer than `age`.
    pub(super) fn expire(&self, age: Duration) {
        let gone: Vec<_> = self.lock().extract_if(|_, (since, _)| since.elapsed() > age).collect();
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Instant, T)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_say_why() {
        for text in ["text", "text 1"] {
            let text = text.to_owned();
            let panic = catch_unwind(move || std::panic::resume_unwind(Box::new(text)));
            assert!(panic_message(&*panic.unwrap_err()).starts_with("text"));
        }
    }

    #[test]
    fn the_least_recently_used_value_is_dropped() {
        let pool = Pool::new(2);
        for key in 0..3 {
            pool.put(key, key * 10);
        }
        assert_eq!([pool.take(&0), pool.take(&1), pool.take(&1)], [None, Some(10), None]);
        pool.expire(Duration::ZERO);
        assert_eq!(pool.take(&2), None);
    }
}
