//! The engine of a JavaScript program: a game, and one search at a time, which
//! goes on for a slice whenever the program has nothing else to do.
//!
//! One GTP session holds the engine, so requests of the protocol and calls see
//! the same game. While a search has the engine, the game can be looked at but
//! not changed. Errors are the messages `illegal` and `error` of the page, the
//! latter with a `code`.

#[cfg(test)]
mod tests;

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::{Value, json};

use super::options::{self, SearchOptions};
use pontifex::engine::{Analysis, Answer, Engine, Game, NothingToAnalyze, Options, StopSignal};
use pontifex::game::{IllegalMove, Move, Position, Setup};
use pontifex::gtp::{MAX_LINE, Session};
use pontifex::messages::{excerpt, one_line};
use pontifex::notation::{Assumed, Format, GameResult, Record, RecordedMove, ReplayError, Text};
use pontifex_play::{bad_setup, board, found, illegal, mended};

/// How long a search goes on before the program is heard again.
const SLICE: Duration = Duration::from_millis(8);

/// An engine and its game.
pub(super) struct Opponent {
    /// `None` while a search has it.
    session: Option<Session>,
    search: Option<Search>,
}

/// A running search.
struct Search {
    work: Pin<Box<dyn Future<Output = (Session, Found)>>>,
    stop: Arc<StopSignal>,
    /// The newest analysis that was not told yet.
    newest: Arc<Mutex<Option<Analysis>>>,
    game: Game,
    /// The most moves that an analysis names.
    multi: usize,
}

/// What a search has found.
enum Found {
    Move(Result<Answer, IllegalMove>),
    Analysis(Result<Box<Analysis>, NothingToAnalyze>),
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opponent").field("game", self.game()).finish_non_exhaustive()
    }
}

impl Opponent {
    /// An engine with these options, before its first move; `seed` is that of a
    /// level if the options give none.
    pub(super) fn new(options: &str, seed: u64) -> Result<Opponent, Value> {
        let options = options::engine(options, seed).map_err(|text| error("options", &text))?;
        let options = Options { slice: Some(SLICE), ..options };
        Ok(Opponent { session: Some(Session::new(options)), search: None })
    }

    /// Makes a move of the side to move.
    pub(super) fn play(&mut self, text: &str) -> Result<(), Value> {
        let engine = self.engine()?;
        let mv: Move = text.trim().parse().map_err(|error| not_a_move(text, &error))?;
        let side = engine.position().side();
        engine.play(side, mv).map_err(|reason| illegal(&mv.to_string(), reason))
    }

    /// Takes back turns.
    pub(super) fn undo(&mut self, turns: usize) -> Result<(), Value> {
        self.engine()?.undo(turns).map_err(|reason| error("undo", &reason))
    }

    /// Starts a game; the options may change its rules.
    pub(super) fn new_game(&mut self, options: &str) -> Result<(), Value> {
        let engine = self.engine()?;
        let rules = options::game(options, engine.options().rules)
            .map_err(|text| error("options", &text))?;
        engine.options_mut().rules = rules;
        engine.clear_board();
        Ok(())
    }

    /// Starts from a position text.
    pub(super) fn set_position(&mut self, text: &str) -> Result<(), Value> {
        let engine = self.engine()?;
        let rules = engine.options().rules;
        let setup = Setup::parse(text, rules.supply, rules.pie);
        let setup = setup.map_err(|reason| error("not_a_position", &reason))?;
        let position = setup.validate().map_err(|reason| bad_setup(&reason))?;
        engine.set_game(Game::at(&position));
        Ok(())
    }

    /// Takes up a game in any format at its end. The rules become those of the
    /// record. Returns what was mended to read it.
    pub(super) fn load<'t>(&mut self, text: impl Into<Text<'t>>) -> Result<Value, Value> {
        let engine = self.engine()?;
        let rules = engine.options().rules;
        let assumed = Assumed { size: None, supply: rules.supply, pie: rules.pie };
        let read = Record::read(text, &assumed);
        let (record, warnings) = read.map_err(|reason| error("not_a_record", &reason))?;
        record.position_after(record.moves.len()).map_err(|reason| bad_record(&reason))?;
        engine.options_mut().rules = record.start.rules;
        let start = record.start.validate().map_err(|reason| bad_setup(&reason))?;
        engine.set_game(Game::at(&start));
        let moves: Vec<Move> = record.moves.iter().map(|turn| turn.mv).collect();
        let played = engine.play_all(&moves);
        played.map_err(|(at, reason)| illegal(&moves[at].to_string(), reason))?;
        Ok(warnings.iter().map(mended).collect())
    }

    /// The game as a record.
    pub(super) fn record(&self, format: &str) -> Result<String, Value> {
        let format: Format = format.parse().map_err(|reason| error("options", &reason))?;
        let game = self.game();
        let position = game.position();
        if format == Format::Position {
            return Ok(position.to_string());
        }
        let mut record = Record::new(Setup::from(game.start()));
        record.moves = game.moves().map(RecordedMove::from).collect();
        record.result = position.is_over().then(|| GameResult::Played(position.outcome()));
        Ok(format.write(&[record]))
    }

    /// The legal moves.
    pub(super) fn legal_moves(&self) -> Vec<String> {
        self.game().position().moves().iter().map(Move::to_string).collect()
    }

    /// The position, and what the game says of it.
    pub(super) fn position(&self) -> Value {
        let game = self.game();
        let position = game.position();
        let mut shown = board(position);
        let rules = position.rules();
        let result = position.is_over().then(|| {
            let outcome = position.outcome();
            let winner = outcome.winner().map_or("draw".to_owned(), |winner| winner.to_string());
            json!({"winner": winner, "text": outcome.to_string()})
        });
        shown["rules"] = json!({
            "board": rules.size.get(), "supply": rules.supply.to_string(), "pie": rules.pie,
        });
        shown["moves"] = game.moves().map(|mv| mv.to_string()).collect();
        shown["result"] = json!(result);
        shown
    }

    /// Answers a line of GTP; nothing for a comment.
    pub(super) fn gtp(&mut self, line: &str) -> Result<String, Value> {
        let session = self.session.as_mut().ok_or_else(busy)?;
        let line = line.trim_end_matches(['\r', '\n']);
        if line.contains('\n') || line.len() > MAX_LINE {
            let text = format!("gtp takes one line of at most {MAX_LINE} bytes");
            return Err(error("options", &text));
        }
        Ok(session.answer_line(line.as_bytes()).unwrap_or_default())
    }

    /// Starts the search for the move of the side to move.
    pub(super) fn start_move(&mut self, options: &str) -> Result<(), Value> {
        let wanted = options::best_move(options).map_err(|text| error("options", &text))?;
        let position = self.engine()?.position();
        let side = position.side();
        position.check_turn(side).map_err(refused)?;
        self.start(wanted, async move |engine, _, stop, _| {
            Found::Move(engine.think(side, stop).await)
        })
    }

    /// Starts an analysis: endless, unless the options limit it.
    pub(super) fn start_analysis(&mut self, options: &str) -> Result<(), Value> {
        let wanted = options::analysis(options).map_err(|text| error("options", &text))?;
        let position = self.engine()?.position();
        position.check_turn(position.side()).map_err(refused)?;
        self.start(wanted, async |engine, wanted, stop, newest| {
            let mut report = |analysis: &Analysis| *lock(newest) = Some(analysis.clone());
            let is_endless = wanted.time.is_none() && wanted.playouts.is_none();
            let found = engine.analyze(&wanted.request, is_endless, stop, &mut report);
            Found::Analysis(found.await.map(Box::new))
        })
    }

    /// Starts `search` within the limits of `wanted`, or else of the engine's
    /// options.
    fn start<S>(&mut self, wanted: SearchOptions, search: S) -> Result<(), Value>
    where
        S: AsyncFnOnce(&mut Engine, &SearchOptions, &StopSignal, &Mutex<Option<Analysis>>) -> Found
            + 'static,
    {
        let mut session = self.session.take().ok_or_else(busy)?;
        let (stop, newest) = (Arc::new(StopSignal::default()), Arc::default());
        let (game, multi) = (session.engine().game().clone(), wanted.multi);
        let (signal, sent) = (Arc::clone(&stop), Arc::clone(&newest));
        let work = Box::pin(async move {
            let engine = session.engine_mut();
            let before = (engine.options().time, engine.options().playouts);
            if wanted.time.is_some() || wanted.playouts.is_some() {
                let options = engine.options_mut();
                (options.time, options.playouts) = (wanted.time, wanted.playouts.unwrap_or(0));
            }
            let found = search(engine, &wanted, &signal, &sent).await;
            let options = engine.options_mut();
            (options.time, options.playouts) = before;
            (session, found)
        });
        self.search = Some(Search { work, stop, newest, game, multi });
        Ok(())
    }

    /// Goes on with the search for a slice. Returns what is new: an `analysis`,
    /// the `move`, and whether the search is `done`.
    pub(super) fn advance(&mut self) -> Result<Option<Value>, Value> {
        let Some(search) = &mut self.search else {
            return Err(error("idle", &"no search is running"));
        };
        let polled = search.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let newest = lock(&search.newest).take();
        let multi = search.multi;
        let Poll::Ready((session, outcome)) = polled else {
            let news = newest.map(|analysis| json!({"analysis": found(&analysis, multi, false)}));
            return Ok(news);
        };
        self.search = None;
        self.session = Some(session);
        match outcome {
            Found::Move(Ok(Answer::Move(mv))) => {
                Ok(Some(json!({"done": true, "move": mv.to_string()})))
            }
            Found::Move(Ok(Answer::Resign)) => Ok(Some(json!({"done": true, "move": "resign"}))),
            Found::Move(Err(reason)) => Err(refused(reason)),
            Found::Analysis(Ok(analysis)) => {
                Ok(Some(json!({"done": true, "analysis": found(&analysis, multi, true)})))
            }
            Found::Analysis(Err(reason)) => Err(error("analysis", &reason)),
        }
    }

    /// Lets the search end with what it has found.
    pub(super) fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop.request();
        }
    }

    fn engine(&mut self) -> Result<&mut Engine, Value> {
        self.session.as_mut().map(Session::engine_mut).ok_or_else(busy)
    }

    fn game(&self) -> &Game {
        static EMPTY: std::sync::OnceLock<Game> = std::sync::OnceLock::new();
        match (&self.session, &self.search) {
            (Some(session), _) => session.engine().game(),
            (None, Some(search)) => &search.game,
            // One of them is always there.
            (None, None) => {
                EMPTY.get_or_init(|| Game::at(&Position::new(pontifex::game::Rules::default())))
            }
        }
    }
}

fn busy() -> Value {
    let text = "the engine is searching: before bestMove has answered or the analysis has ended, \
                its game cannot be changed and no other search can start";
    error("busy", &text)
}

/// An illegal turn that is not about a certain move.
fn refused(reason: IllegalMove) -> Value {
    let mut message = illegal("", reason);
    message["move"] = Value::Null;
    message
}

/// A record that cannot be replayed; `number` is that of the illegal move, from 1.
fn bad_record(reason: &ReplayError) -> Value {
    match *reason {
        ReplayError::Start(ref start) => bad_setup(start),
        ReplayError::Illegal { number, mv, reason: rule } => {
            let mut message = illegal(&mv.to_string(), rule);
            message["text"] = reason.to_string().into();
            message["number"] = number.into();
            message
        }
        _ => error("not_a_record", reason),
    }
}

fn not_a_move(text: &str, reason: &impl fmt::Display) -> Value {
    json!({
        "type": "illegal", "move": excerpt(text), "code": "not_a_move", "text": one_line(&reason.to_string()),
        "cells": [], "data": {},
    })
}

/// The message `error` with a code.
fn error(code: &str, text: &impl fmt::Display) -> Value {
    json!({"type": "error", "code": code, "text": one_line(&text.to_string())})
}

/// Locks the mutex, ignoring poisoning.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
