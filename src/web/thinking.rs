//! Engines' moves: the built-in engine's and those of processes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::app::AppState;
use super::cancel::CancelHandle;
use super::command::Reporter;
use super::id::{SessionId, seed};
use super::scheduler::Urgency;
use crate::clock::{Limit, TimeControl};
use crate::engine::Level as Opponent;
use crate::engine::{AnalysisRequest, Answer, Engine, Game, StopSignal};
use crate::game::Position;
use crate::notation::WonBy;
use crate::play::{BUILT_IN, EngineTurn, Lane, Level, Line, Outcome};
use crate::tournament::{EngineSpec, FailureKind, Player, Question};

/// The interval of the built-in engine's interim analyses.
const INTERVAL: Duration = Duration::from_millis(250);

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
    go_to(&mut engine, &turn.line);
    set_limit(&mut engine, Some(turn.level));
    if engine.options().level.is_some() {
        // People play the same game again; its opponent should not.
        engine.options_mut().search.seed = seed();
    }
    let control = turn.clock.map_or(TimeControl::None, |(limit, _)| limit.time_control());
    engine.set_time_control(control);
    if let Some((_, clock)) = turn.clock
        && let Some((seconds, periods)) = clock.shown(0.0)
    {
        let is_in_period = clock.time_left().is_some_and(|(_, moves)| moves > 0);
        engine.set_time_left(turn.color, seconds, if is_in_period { periods } else { 0 });
    }
    reporter.began();
    let start = Instant::now();
    let request = AnalysisRequest { interval: Some(INTERVAL), ..AnalysisRequest::default() };
    let mut report = |analysis: &_| reporter.progress(analysis);
    let answer = engine.genmove_analyze(turn.color, &request, stop, &mut report);
    let seconds = start.elapsed().as_secs_f64();
    app.engines.put(key, engine);
    match answer {
        Ok((Answer::Move(mv), analysis)) => {
            reporter.progress(&analysis);
            Outcome::Move { mv, seconds, analysis: Some(Box::new(analysis)) }
        }
        Ok((Answer::Resign, _)) => Outcome::Resigned,
        Err(reason) => Outcome::Unable(reason.to_string()),
    }
}

/// Sets up a position. The engine keeps its search tree if it knows a game
/// with the same start.
pub(super) fn go_to(engine: &mut Engine, Line { start, moves }: &Line) {
    if engine.game().start() != start {
        engine.set_game(Game::new(*start));
    }
    let common = engine.game().moves().zip(moves).take_while(|(known, mv)| known == *mv).count();
    let surplus = engine.game().len() - common;
    if engine.undo(surplus).is_err() || engine.play_all(&moves[common..]).is_err() {
        engine.set_game(Game::new(*start));
        let _ = engine.play_all(moves);
    }
}

/// The longest turn of an opponent for people, in seconds. It needs less than one.
const OPPONENT_TIME: f64 = 30.0;

/// Limits the next search; `None` removes the limit.
pub(super) fn set_limit(engine: &mut Engine, level: Option<Level>) {
    let options = engine.options_mut();
    options.level = None;
    (options.time, options.playouts) = match level {
        Some(Level::Time { time }) => (Some(time), 0),
        Some(Level::Playouts { playouts }) => (None, playouts),
        Some(Level::Opponent { level }) => {
            options.level = Opponent::new(level);
            (Some(OPPONENT_TIME), 0)
        }
        None => (None, 0),
    };
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
        Level::Opponent { .. } => Limit::Move { seconds: 1.0 },
    };
    let allowed = match (turn.clock, level) {
        (Some((_, clock)), _) => clock.allowed().unwrap_or(0.0),
        (None, Limit::Move { seconds }) => seconds,
        _ => 0.0,
    };
    let question = Question {
        rules,
        moves: turn.line.moves.clone(),
        limit: turn.clock.map_or(level, |(limit, _)| limit),
        left: turn.clock.and_then(|(_, clock)| clock.time_left()),
        patience: Duration::from_secs_f64(allowed) + Player::DEFAULT_STALL,
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
    use crate::game::{Move, Rules};

    #[test]
    fn an_engine_can_be_set_to_any_game() {
        let start = Position::new(Rules::default());
        let mut engine = Engine::new(crate::engine::Options::default());
        for line in ["a1,c1 swap e1,g1", "a1,c1 e5,g5", "", "a2,c2", "a1,c1 swap"] {
            let moves: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            let line = Line { start, moves };
            go_to(&mut engine, &line);
            assert_eq!(engine.game().moves().collect::<Vec<_>>(), line.moves);
        }
        let small = Rules { size: crate::board::Size::MIN, ..Rules::default() };
        go_to(&mut engine, &Line { start: Position::new(small), moves: Vec::new() });
        assert_eq!(engine.position().size(), crate::board::Size::MIN);
    }

    #[test]
    fn panics_say_why() {
        for text in ["text", "text 1"] {
            let text = text.to_owned();
            let panic = catch_unwind(move || std::panic::resume_unwind(Box::new(text)));
            assert!(panic_message(&*panic.unwrap_err()).starts_with("text"));
        }
    }
}
