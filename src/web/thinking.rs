//! Engines' moves: the built-in engine's and those of processes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::app::AppState;
use super::cancel::CancelHandle;
use super::command::Reporter;
use super::id::{SessionId, seed};
use super::scheduler::Urgency;
use crate::clock::{Limit, Seconds};
use crate::engine::{StopSignal, finish};
use crate::game::Position;
use crate::notation::WonBy;
use crate::play::{BUILT_IN, EngineTurn, Lane, Level, Outcome, take_turn};
use crate::tournament::{EngineSpec, FailureKind, Player, Question};

/// Waits for a place and finds the move; `None` when the job was cancelled.
pub(super) async fn think(
    app: &Arc<AppState>,
    session: SessionId,
    turn: EngineTurn,
    cancel: &Arc<CancelHandle>,
    reporter: &Reporter,
) -> Option<Outcome> {
    let spec = match app.spec(&turn.engine) {
        Some(spec) => Some(spec.clone()),
        None if turn.engine == BUILT_IN => None,
        None => {
            let names = app.names().collect::<Vec<_>>().join(", ");
            let text = format!("no engine is called {}, there are {names}", turn.engine);
            return Some(Outcome::Unable(text));
        }
    };
    let place = tokio::select! {
        place = app.scheduler.place(Urgency::Move, None, || reporter.queued()) => place?,
        () = cancel.cancelled() => return None,
    };
    let (shared, held, reporter) = (Arc::clone(app), Arc::clone(cancel), reporter.clone());
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| match &spec {
            Some(spec) => ask(&shared, session, &turn, spec, &held, &reporter),
            None => search(&shared, session, &turn, &held.signal(), &reporter),
        }));
        drop(place);
        outcome.unwrap_or_else(|panic| {
            let message = panic_message(&*panic);
            let detail = format!("{}: the search panicked: {message}", turn.engine);
            Outcome::Failed { by: WonBy::Forfeit, detail }
        })
    };
    let outcome = tokio::task::spawn_blocking(run).await.ok()?;
    (!cancel.is_cancelled()).then_some(outcome)
}

/// The message of a panic.
pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// The built-in engine's move.
fn search(
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
