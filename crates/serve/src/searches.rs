//! The jobs of sessions on threads of their own: moves by the built-in engine and by foreign ones,
//! analyses, and the searches of reviews.
//!
//! A job waits as a task and searches on a thread. Between the two lies the search slot
//! (`scheduler`), which moves into the thread and is dropped there with the work:
//!
//! ```text
//!   task:    wait for a slot ─┬─────────────────────────────► Done(outcome)
//!   thread:                   └─ take the engine, search, put it back
//! ```
//!
//! A long move may lose its slot before its limit. Without a clock, it then waits again with the
//! rest of the limit, and finds its tree in the pool of idle engines unless it was evicted. Under a
//! clock, it plays the best move so far: waiting would cost the player's time.
//!
//! Every way out of a job ends in exactly one [`Report::Done`], panics included. The session waits
//! for it before it starts the next job of the lane.

use std::sync::Arc;
use std::time::Instant;

use pontifex::clock::{Limit, Seconds};
use pontifex::engine::{Analysis, StopSignal};
use pontifex::game::Position;
use pontifex::notation::WonBy;
use pontifex_play::{
    BUILT_IN, EngineTurn, Input, Job, JobId, Lane, Outcome, Report, Search, Strength, analyze,
    no_engine, take_turn,
};
use pontifex_tournament::{EngineSpec, FailureKind, Player, Question};

use super::cancel::{CancelHandle, EarlyEnd};
use super::scheduler::{Purpose, SearchSlot, Tenure, TenureKind, Urgency};
use super::session::Session;
use super::store::seed;

/// The shortest search that is worth another slot. Set by judgement: with less time
/// left, the wait costs more than the search can find.
const MIN_SECONDS: f64 = 0.05;

/// A job of a session.
#[derive(Clone, Debug)]
pub(super) struct RunningJob {
    pub(super) session: Arc<Session>,
    pub(super) id: JobId,
    pub(super) cancel: Arc<CancelHandle>,
}

impl RunningJob {
    /// Does the job and reports its end, even after a failure.
    pub(super) async fn run(self, job: Job) {
        let outcome = match job {
            Job::Turn(turn) => self.think(*turn).await,
            Job::Search(search) => self.search(*search).await,
        };
        self.report(Report::Done(outcome.unwrap_or(Outcome::Nothing))).await;
    }

    /// Reports from a task.
    async fn report(&self, report: Report) {
        self.session.handle(Input::Report(self.id, report)).await;
    }

    /// Reports from the thread of the search.
    fn report_from_thread(&self, report: Report) {
        self.session.report(self.id, report);
    }

    /// Works on a thread of its own, which holds the slot. Also returns whether the search was
    /// stopped because others wait.
    async fn on_thread(
        &self,
        slot: SearchSlot,
        work: impl FnOnce(&RunningJob) -> Outcome + Send + 'static,
    ) -> (Outcome, bool) {
        let job = self.clone();
        let run = move || {
            let outcome = work(&job);
            (outcome, slot.is_reclaimed())
        };
        let result = tokio::task::spawn_blocking(run).await;
        result.unwrap_or_else(|panic| (Outcome::Panicked(panic.to_string()), false))
    }

    /// Waits for a slot and finds the move; `None` when the job was cancelled.
    async fn think(&self, mut turn: EngineTurn) -> Option<Outcome> {
        let RunningJob { session, cancel, .. } = self;
        let app = &session.app;
        let spec = match app.foreign_engine(&turn.engine) {
            Some(spec) => Some(spec.clone()),
            None if turn.engine == BUILT_IN => None,
            None => {
                return Some(Outcome::Unable(no_engine(&turn.engine, app.engine_names())));
            }
        };
        let mut urgency = Urgency::Move;
        // The outcome of the search that gave up its slot.
        let mut previous = None;
        loop {
            let stop = cancel.signal();
            let kind = match (&spec, turn.strength) {
                (Some(_), _) => Some(TenureKind::Leave(Arc::clone(cancel))),
                // An opponent for people needs less than a second.
                (None, Strength::Level { .. }) => None,
                (None, _) => Some(TenureKind::Stop(Arc::clone(&stop))),
            };
            let tenure = kind.map(|kind| Tenure {
                kind,
                purpose: Purpose::Move { is_shown: Arc::clone(&session.is_shown) },
            });
            let queued = self.report(Report::Queued);
            let slot = tokio::select! {
                slot = app.scheduler.acquire(urgency, tenure, queued) => slot?,
                () = cancel.wait_for(EarlyEnd::Cancel) => return None,
                // Without an outcome, a hurried job still needs a slot for a short search.
                () = cancel.wait_for(EarlyEnd::Hurry), if previous.is_some() => return previous,
            };
            let (limited_turn, spec) = (turn.clone(), spec.clone());
            let work = move |job: &RunningJob| match &spec {
                Some(spec) => job.ask_foreign_engine(&limited_turn, spec),
                None => job.search_move(&limited_turn, &stop),
            };
            let (outcome, is_reclaimed) = self.on_thread(slot, work).await;
            if cancel.is_requested(EarlyEnd::Cancel) {
                return None;
            }
            let may_continue =
                is_reclaimed && turn.clock.is_none() && !cancel.is_requested(EarlyEnd::Hurry);
            match remaining_limit(turn.strength, &outcome).filter(|_| may_continue) {
                Some(level) => turn.strength = level,
                None => return Some(outcome),
            }
            (urgency, previous) = (Urgency::Study, Some(outcome));
        }
    }

    /// Waits for a slot and searches a position; `None` when the job was cancelled before. A search
    /// without a limit also ends when others need its slot. The session then starts it again, and
    /// it continues in the same tree.
    async fn search(&self, search: Search) -> Option<Outcome> {
        let RunningJob { session, cancel, .. } = self;
        let stop = cancel.signal();
        let kind = TenureKind::Stop(Arc::clone(&stop));
        let tenure = search.strength.is_none().then_some(Tenure { kind, purpose: Purpose::Study });
        // Somebody waits for a hint as for a move.
        let urgency = if search.lane == Lane::Advice { Urgency::Move } else { Urgency::Study };
        let slot = tokio::select! {
            biased;
            () = cancel.wait_for(EarlyEnd::Cancel) => return None,
            slot = session.app.scheduler.acquire(urgency, tenure, async {}) => slot?,
        };
        let work = move |job: &RunningJob| {
            let (app, key) = (&job.session.app, (job.session.id, search.lane));
            let mut engine = app.engines.take(&key).unwrap_or_else(|| app.new_engine());
            let mut report = |analysis: &_| job.progress(analysis);
            let result = analyze(&mut engine, &search, &stop, &mut report).finish();
            app.engines.put(key, engine);
            result.map_or(Outcome::Nothing, |analysis| Outcome::Analysis(Box::new(analysis)))
        };
        Some(self.on_thread(slot, work).await.0)
    }

    fn progress(&self, analysis: &Analysis) {
        self.report_from_thread(Report::Progress(Box::new(analysis.clone())));
    }

    /// The built-in engine's move.
    fn search_move(&self, turn: &EngineTurn, stop: &StopSignal) -> Outcome {
        let (app, key) = (&self.session.app, (self.session.id, Lane::Game));
        let mut engine = app.engines.take(&key).unwrap_or_else(|| app.new_engine());
        self.report_from_thread(Report::Began);
        let mut report = |analysis: &_| self.progress(analysis);
        let outcome = take_turn(&mut engine, turn, seed(), stop, &mut report).finish();
        app.engines.put(key, engine);
        outcome
    }

    /// Asks a foreign engine for its move: the idle process of an earlier turn of this seat, or a
    /// new one.
    fn ask_foreign_engine(&self, turn: &EngineTurn, spec: &EngineSpec) -> Outcome {
        let RunningJob { session, cancel, .. } = self;
        let app = &session.app;
        let rules = *turn.line.start.rules();
        if turn.line.start != Position::new(rules) {
            let name = &turn.engine;
            return Outcome::Unable(format!(
                "{name} cannot take up a game that does not start from the empty board"
            ));
        }
        let key = (session.id, turn.seat);
        let idle = app.opponents.take(&key).filter(|(_, opponent)| opponent.name() == spec.name);
        let started = if let Some((groups, opponent)) = idle {
            cancel.set_processes(&groups);
            Ok((groups, opponent))
        } else {
            let groups = app.groups.subset();
            cancel.set_processes(&groups);
            Player::start(spec, &groups, Player::DEFAULT_STALL).map(|opponent| (groups, opponent))
        };
        let (groups, mut opponent) = match started {
            Ok(started) => started,
            Err(failure) => return failed(failure.kind, failure.to_string()),
        };
        let limit = match turn.strength {
            Strength::Time { time } => Limit::Move { seconds: time },
            Strength::Playouts { playouts } => Limit::Iterations { count: playouts },
            // Only the built-in engine has levels. For a foreign one, a second is about the same.
            Strength::Level { .. } => Limit::Move { seconds: Seconds::whole(1) },
        };
        let time_allowed = match (turn.clock, limit) {
            (Some((_, clock)), _) => clock.allowed().unwrap_or_default(),
            (None, Limit::Move { seconds }) => seconds,
            _ => Seconds::ZERO,
        };
        let question = Question {
            rules,
            moves: turn.line.moves.clone(),
            limit: turn.clock.map_or(limit, |(limit, _)| limit),
            time_left: turn.clock.and_then(|(_, clock)| clock.time_left()),
            timeout: time_allowed.duration() + Player::DEFAULT_STALL,
        };
        self.report_from_thread(Report::Began);
        let start = Instant::now();
        match opponent.answer(&question) {
            Ok(answer) => {
                let seconds = start.elapsed().as_secs_f64();
                app.opponents.put(key, (groups, opponent));
                answer.map_or(Outcome::Resigned, |mv| Outcome::Move { mv, seconds, analysis: None })
            }
            // It was killed on purpose, so the failure is not its fault: the game only pauses.
            Err(_) if cancel.is_requested(EarlyEnd::Interrupt) => Outcome::Unable(format!(
                "{} has thought for long while others waited, and was ended; move_now starts it again",
                turn.engine
            )),
            Err(failure) => failed(failure.kind, failure.to_string()),
        }
    }
}

/// The rest of the limit of a search that was stopped; `None` if nothing is left, or if more search
/// would not help.
fn remaining_limit(strength: Strength, outcome: &Outcome) -> Option<Strength> {
    let Outcome::Move { seconds, analysis: Some(analysis), .. } = outcome else { return None };
    if analysis.root.bounds.exact().is_some() {
        return None;
    }
    match strength {
        Strength::Time { time } => {
            let time = Seconds::saturating(time.get() - seconds);
            (time.get() >= MIN_SECONDS).then_some(Strength::Time { time })
        }
        Strength::Playouts { playouts } => {
            let playouts = playouts.saturating_sub(analysis.iterations);
            (playouts > 0).then_some(Strength::Playouts { playouts })
        }
        Strength::Level { .. } => None,
    }
}

/// How a failure of a foreign engine ends its game.
fn failed(kind: FailureKind, detail: String) -> Outcome {
    let by = match kind {
        FailureKind::Stall | FailureKind::Timeout => WonBy::Time,
        _ => WonBy::Forfeit,
    };
    Outcome::Failed { by, detail }
}
