//! What engines compute for sessions: moves, by the built-in engine and those of
//! processes; analyses and reviews, which give way to moves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use pontifex::clock::{Limit, Seconds};
use pontifex::engine::{NothingToAnalyze, StopSignal};
use pontifex::game::Position;
use pontifex::messages::tell;
use pontifex::notation::WonBy;
use pontifex_play::{
    BUILT_IN, EngineTurn, Lane, Level, Outcome, Search, analyze, no_engine, take_turn,
};
use pontifex_tournament::{EngineSpec, FailureKind, Player, Question};

use super::app::AppState;
use super::commands::Reporter;
use super::scheduler::{Activity, CancelHandle, Place, Tenure, TenureKind, Urgency};
use super::store::{SessionId, seed};

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
    if analysis.root.bounds.exact().is_some() {
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
    let outcome = take_turn(&mut engine, turn, seed(), stop, &mut report).finish();
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
            let found = analyze(&mut engine, &job, &stop, &mut report).finish();
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
}
