//! An engine's move: the built-in one's or that of a process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::app::{AppState, Lane};
use super::broadcast::Poster;
use super::cancel::CancelHandle;
use super::findings;
use super::id::SessionId;
use super::scheduler::Urgency;
use super::settings::BUILT_IN;
use super::table::Level;
use crate::engine::{AnalysisRequest, Answer, Engine, Game, StopSignal, TimeControl};
use crate::game::{Color, Move, Position};
use crate::notation::WonBy;
use crate::tournament::{EngineSpec, FailureKind, Limit, Player, Question, SeatClock};

/// How often pages hear what the engine thinks.
const INTERVAL: Duration = Duration::from_millis(250);

/// A move that is to be found.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) session: SessionId,
    pub(super) name: String,
    /// The seat, for which a process is kept.
    pub(super) seat: usize,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    pub(super) color: Color,
    pub(super) level: Level,
    /// The clock and how its time is given.
    pub(super) clock: Option<(Limit, SeatClock)>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Thought {
    /// A move, the seconds it took, and White's expected result and lead
    /// where the engine says them.
    Move { mv: Move, seconds: f64, value: Option<(f64, f64)> },
    /// It gives up.
    Resigned,
    /// It cannot play this game at all: one line.
    Unable(String),
    /// It has failed and loses.
    Failed { by: WonBy, detail: String },
}

/// Waits for a place and finds the move; `began` is called when the search
/// does. `None` when it was cancelled.
pub(super) async fn think(
    app: &Arc<AppState>,
    task: Task,
    cancel: &Arc<CancelHandle>,
    poster: Poster,
    began: impl FnOnce() + Send + 'static,
) -> Option<Thought> {
    let spec = match app.spec(&task.name) {
        Some(spec) => Some(spec.clone()),
        None if task.name == BUILT_IN => None,
        None => {
            let names = app.names().collect::<Vec<_>>().join(", ");
            let text = format!("no engine is called {}, there are {names}", task.name);
            return Some(Thought::Unable(text));
        }
    };
    let color = task.color.to_string();
    let queued = || {
        poster.post(&json!({"type": "thinking", "player": color, "queued": true}));
    };
    let place = tokio::select! {
        place = app.scheduler.place(Urgency::Move, None, queued) => place?,
        () = cancel.cancelled() => return None,
    };
    let (shared, held) = (Arc::clone(app), Arc::clone(cancel));
    let search = move || {
        let thought = catch_unwind(AssertUnwindSafe(|| match &spec {
            Some(spec) => ask(&shared, &task, spec, &held, began),
            None => search(&shared, &task, &held.signal(), &poster, began),
        }));
        drop(place);
        thought.unwrap_or_else(|panic| {
            let detail = format!("{}: the search panicked: {}", task.name, message(&*panic));
            Thought::Failed { by: WonBy::Forfeit, detail }
        })
    };
    let thought = tokio::task::spawn_blocking(search).await.ok()?;
    (!cancel.is_cancelled()).then_some(thought)
}

/// What a panic says.
pub(super) fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason told")
}

/// The built-in engine's move.
fn search(
    app: &AppState,
    task: &Task,
    stop: &StopSignal,
    poster: &Poster,
    began: impl FnOnce(),
) -> Thought {
    let key = (task.session, Lane::Game);
    let mut engine = app.engines.take(&key).unwrap_or_else(|| app.engine());
    bring(&mut engine, &task.start, &task.moves);
    limit(&mut engine, Some(task.level));
    let control = task.clock.map_or(TimeControl::None, |(limit, _)| limit.time_control());
    engine.set_time_control(control);
    if let Some((_, clock)) = task.clock
        && let Some((seconds, periods)) = clock.shown(0.0)
    {
        let is_in_period = clock.time_left().is_some_and(|(_, moves)| moves > 0);
        engine.set_time_left(task.color, seconds, if is_in_period { periods } else { 0 });
    }
    began();
    let start = Instant::now();
    let request = AnalysisRequest { interval: Some(INTERVAL), ..AnalysisRequest::default() };
    let mut tell = |analysis: &_| poster.post(&findings::thinking(analysis));
    let answer = engine.genmove_analyze(task.color, &request, stop, &mut tell);
    let seconds = start.elapsed().as_secs_f64();
    app.engines.put(key, engine);
    match answer {
        Ok((Answer::Move(mv), analysis)) => {
            poster.post(&findings::thinking(&analysis));
            let value = (analysis.iterations > 0).then(|| findings::whites(&analysis));
            Thought::Move { mv, seconds, value }
        }
        Ok((Answer::Resign, _)) => Thought::Resigned,
        Err(reason) => Thought::Unable(reason.to_string()),
    }
}

/// Brings an engine to the end of `moves`; what it remembers of a game that
/// has the same start stays.
pub(super) fn bring(engine: &mut Engine, start: &Position, moves: &[Move]) {
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

/// Limits the next search; `None` leaves it endless.
pub(super) fn limit(engine: &mut Engine, level: Option<Level>) {
    let options = engine.options_mut();
    (options.time, options.playouts) = match level {
        Some(Level::Time { time }) => (Some(time), 0),
        Some(Level::Playouts { playouts }) => (None, playouts),
        None => (None, 0),
    };
}

/// A foreign engine's move.
fn ask(
    app: &AppState,
    task: &Task,
    spec: &EngineSpec,
    cancel: &CancelHandle,
    began: impl FnOnce(),
) -> Thought {
    if task.start != Position::new(*task.start.rules()) {
        let name = &task.name;
        return Thought::Unable(format!(
            "{name} cannot take up a game that does not start from the empty board"
        ));
    }
    let key = (task.session, task.seat);
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
    let level = match task.level {
        Level::Time { time } => Limit::Move { seconds: time },
        Level::Playouts { playouts } => Limit::Iterations { count: playouts },
    };
    let allowed = match (task.clock, level) {
        (Some((_, clock)), _) => clock.allowed().unwrap_or(0.0),
        (None, Limit::Move { seconds }) => seconds,
        _ => 0.0,
    };
    let question = Question {
        rules: *task.start.rules(),
        moves: task.moves.clone(),
        limit: task.clock.map_or(level, |(limit, _)| limit),
        left: task.clock.and_then(|(_, clock)| clock.time_left()),
        patience: Duration::from_secs_f64(allowed) + Player::DEFAULT_STALL,
    };
    began();
    let start = Instant::now();
    match opponent.answer(&question) {
        Ok(answer) => {
            let seconds = start.elapsed().as_secs_f64();
            app.opponents.put(key, (groups, opponent));
            answer.map_or(Thought::Resigned, |mv| Thought::Move { mv, seconds, value: None })
        }
        Err(failure) => failed(failure.kind, failure.to_string()),
    }
}

fn failed(kind: FailureKind, detail: String) -> Thought {
    let by = match kind {
        FailureKind::Stall | FailureKind::Timeout => WonBy::Time,
        _ => WonBy::Forfeit,
    };
    Thought::Failed { by, detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn an_engine_is_brought_to_any_game() {
        let start = Position::new(Rules::default());
        let mut engine = Engine::new(crate::engine::Options::default());
        for line in ["a1,c1 swap e1,g1", "a1,c1 e5,g5", "", "a2,c2", "a1,c1 swap"] {
            let moves: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            bring(&mut engine, &start, &moves);
            assert_eq!(engine.game().moves().collect::<Vec<_>>(), moves);
        }
        let small = Rules { size: crate::board::Size::MIN, ..Rules::default() };
        bring(&mut engine, &Position::new(small), &[]);
        assert_eq!(engine.position().size(), crate::board::Size::MIN);
    }

    #[test]
    fn panics_say_why() {
        for told in ["text", "text 1"] {
            let told = told.to_owned();
            let panic = catch_unwind(move || std::panic::resume_unwind(Box::new(told)));
            assert!(message(&*panic.unwrap_err()).starts_with("text"));
        }
    }
}
