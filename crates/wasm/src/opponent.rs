//! The engine of a JavaScript program: a game, and one search at a time.
//!
//! A program calls `start_move` or `start_analysis` and then `advance`, which searches for one
//! slice and returns any news. Between two calls the program handles its other events.
//!
//! ```text
//!   start_move ─► advance ─► nothing ─► advance ─► nothing ─► advance ─► {"move", "done": true}
//! ```
//!
//! One GTP session holds the engine, so requests of the protocol and calls see the same game. A
//! search is a future that owns this session. While it runs, calls that change the game get the
//! error `busy`; questions about the game are answered from a copy. When the future is ready, it
//! returns the session. So the game cannot change under a running search, and no lock is needed.
//! Structured values pass as JSON.

#[cfg(test)]
mod tests;

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use super::bindings::to_json;
use super::jobs::lock;
use super::options::{self, OptionsError, SearchOptions};
use pontifex::engine::{Analysis, Answer, Engine, Game, NothingToAnalyze, Options, StopSignal};
use pontifex::game::{IllegalMove, Move, Position, Rules, Setup, SetupError};
use pontifex::gtp::{MAX_LINE, Session};
use pontifex::messages::{excerpt, one_line};
use pontifex::notation::{DefaultRules, Format, Record, ReplayError, Text};
use pontifex_play::message::{Board, BrokenRule, Found, Illegal, Mended, NotAMove, Winner};

/// How long a search runs before the program handles its other events. Set by judgement: about half
/// a frame at 60 frames a second, so that a page that searches on its main thread still draws.
/// Shorter slices only cost more changes between Rust and JavaScript.
const SLICE: Duration = Duration::from_millis(8);

/// An engine and its game.
#[wasm_bindgen(js_name = EngineCore)]
pub struct Opponent {
    /// `None` while a search has it.
    session: Option<Session>,
    search: Option<Search>,
}

/// A running search.
struct Search {
    work: Pin<Box<dyn Future<Output = (Session, Outcome)>>>,
    stop: Arc<StopSignal>,
    /// The newest interim analysis that `advance` has not returned yet.
    newest_analysis: Arc<Mutex<Option<Analysis>>>,
    /// A copy of the game, for questions while the search has the session.
    game: Game,
    /// The most moves that an analysis names.
    max_moves: usize,
}

/// The result of a search.
enum Outcome {
    Move(Result<Answer, IllegalMove>),
    Analysis(Result<Box<Analysis>, NothingToAnalyze>),
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opponent").field("game", self.game()).finish_non_exhaustive()
    }
}

/// Why a call is refused. JavaScript gets it as JSON: like a message of the page, but an `error`
/// has a `code` by which a program can tell errors apart.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Refusal {
    /// A move or a position breaks a rule. `number` is that of the move in a record, from 1.
    Illegal {
        #[serde(flatten)]
        illegal: Box<Illegal>,
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<usize>,
    },
    Error {
        code: &'static str,
        text: String,
    },
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> JsValue {
        to_json(&refusal).into()
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        Refusal::Illegal { illegal: Box::new(illegal), number: None }
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Refusal {
        Illegal::from(error).into()
    }
}

impl From<OptionsError> for Refusal {
    fn from(reason: OptionsError) -> Refusal {
        error("options", &reason)
    }
}

/// The position as JSON.
#[derive(Serialize)]
struct PositionView {
    #[serde(flatten)]
    board: Board,
    rules: Rules,
    moves: Vec<Move>,
    result: Option<FinalResult>,
}

#[derive(Serialize)]
struct FinalResult {
    winner: Winner,
    text: String,
}

/// The news that `advance` returns: an interim or final analysis, or the move.
#[derive(Serialize)]
#[serde(untagged)]
enum News {
    Analysis {
        analysis: Found,
        done: bool,
    },
    Move {
        #[serde(rename = "move")]
        mv: String,
        done: bool,
    },
}

#[wasm_bindgen(js_class = EngineCore)]
impl Opponent {
    /// An engine with these options, before the first move. `seed` is for a level, unless the
    /// options have one.
    ///
    /// # Errors
    /// An option that does not exist or is out of range, as for every method with `options`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, seed: f64) -> Result<Opponent, Refusal> {
        let options = options::engine(options, seed.to_bits())?;
        let options = Options { slice: Some(SLICE), ..options };
        Ok(Opponent { session: Some(Session::new(options)), search: None })
    }

    /// Makes a move for the side to move.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let engine = self.engine()?;
        let mv: Move = text.trim().parse().map_err(|error| not_a_move(text, &error))?;
        let side = engine.position().side();
        Ok(engine.play(side, mv).map_err(|reason| Illegal::new(mv.to_string(), reason))?)
    }

    /// Takes back this number of turns, or none if the game has fewer.
    pub fn undo(&mut self, turns: usize) -> Result<(), Refusal> {
        self.engine()?.undo(turns).map_err(|reason| error("undo", &reason))
    }

    /// Starts a game; the options may change its rules.
    pub fn new_game(&mut self, options: &str) -> Result<(), Refusal> {
        let engine = self.engine()?;
        let rules = options::game(options, engine.options().rules)?;
        engine.options_mut().rules = rules;
        engine.clear_board();
        Ok(())
    }

    /// Starts from a position text.
    pub fn set_position(&mut self, text: &str) -> Result<(), Refusal> {
        let engine = self.engine()?;
        let rules = engine.options().rules;
        let setup = Setup::parse(text, rules.supply, rules.pie);
        let setup = setup.map_err(|reason| error("not_a_position", &reason))?;
        let position = setup.validate()?;
        engine.set_game(Game::at(&position));
        Ok(())
    }

    /// Loads a game in any format, and continues at its end. The rules become those of the record.
    /// Returns the repairs that reading it took.
    pub fn load(&mut self, record: &str) -> Result<String, Refusal> {
        self.load_text(record.into())
    }

    /// Loads a game like [`Opponent::load`], from the bytes of a file. Their encoding is detected.
    pub fn load_file(&mut self, record: &[u8]) -> Result<String, Refusal> {
        self.load_text(Text::decode(record))
    }

    /// The game as a record.
    pub fn record(&self, format: &str) -> Result<String, Refusal> {
        let format = Format::named(format).map_err(|reason| error("options", &reason))?;
        Ok(format.write(&[self.game().into()]))
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> Vec<String> {
        self.game().position().moves().iter().map(Move::to_string).collect()
    }

    /// The position as JSON, with the rules, the moves and the result of the game.
    pub fn position(&self) -> String {
        let game = self.game();
        let position = game.position();
        let result = position.is_over().then(|| position.outcome()).map(|outcome| FinalResult {
            winner: outcome.winner().into(),
            text: outcome.to_string(),
        });
        to_json(&PositionView {
            board: position.into(),
            rules: *position.rules(),
            moves: game.moves().collect(),
            result,
        })
    }

    /// Answers a line of GTP; nothing for a comment.
    pub fn gtp(&mut self, line: &str) -> Result<String, Refusal> {
        let session = self.session.as_mut().ok_or_else(busy)?;
        let line = line.trim_end_matches(['\r', '\n']);
        if line.contains('\n') || line.len() > MAX_LINE {
            let text = format!("gtp takes one line of at most {MAX_LINE} bytes");
            return Err(error("options", &text));
        }
        Ok(session.answer_line(line.as_bytes()).unwrap_or_default())
    }

    /// Starts the search for the move of the side to move.
    pub fn start_move(&mut self, options: &str) -> Result<(), Refusal> {
        let search_options = options::best_move(options)?;
        let position = self.engine()?.position();
        let side = position.side();
        position.check_turn(side).map_err(refusal_without_move)?;
        self.start(search_options, async move |engine, _, stop, _| {
            Outcome::Move(engine.choose_move(side, stop).await)
        })
    }

    /// Starts an analysis: endless, unless the options limit it.
    pub fn start_analysis(&mut self, options: &str) -> Result<(), Refusal> {
        let search_options = options::analysis(options)?;
        let position = self.engine()?.position();
        position.check_turn(position.side()).map_err(refusal_without_move)?;
        self.start(search_options, async |engine, search_options, stop, newest| {
            let mut report = |analysis: &Analysis| *lock(newest) = Some(analysis.clone());
            let is_endless = search_options.time.is_none() && search_options.playouts.is_none();
            let analysis = engine.analyze(&search_options.request, is_endless, stop, &mut report);
            Outcome::Analysis(analysis.await.map(Box::new))
        })
    }

    /// Continues the search for a slice. Returns any news: an `analysis`, the `move`, and whether
    /// the search is `done`.
    pub fn advance(&mut self) -> Result<Option<String>, Refusal> {
        let Some(search) = &mut self.search else {
            return Err(error("idle", &"no search is running"));
        };
        let poll = search.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let newest = lock(&search.newest_analysis).take();
        let max_moves = search.max_moves;
        let Poll::Ready((session, outcome)) = poll else {
            let analysis = newest.map(|analysis| Found::new(&analysis, max_moves, false));
            return Ok(analysis.map(|analysis| to_json(&News::Analysis { analysis, done: false })));
        };
        self.search = None;
        self.session = Some(session);
        // The search is over and the session is back, also if the outcome is an error.
        let news = match outcome {
            Outcome::Move(Ok(Answer::Move(mv))) => News::Move { mv: mv.to_string(), done: true },
            Outcome::Move(Ok(Answer::Resign)) => News::Move { mv: "resign".to_owned(), done: true },
            Outcome::Move(Err(reason)) => return Err(refusal_without_move(reason)),
            Outcome::Analysis(Ok(analysis)) => {
                News::Analysis { analysis: Found::new(&analysis, max_moves, true), done: true }
            }
            Outcome::Analysis(Err(reason)) => return Err(error("analysis", &reason)),
        };
        Ok(Some(to_json(&news)))
    }

    /// Asks the search to end with what it has found. `advance` must still be called until the
    /// search is done: it has the engine until then.
    pub fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop.request();
        }
    }
}

impl Opponent {
    fn load_text(&mut self, text: Text<'_>) -> Result<String, Refusal> {
        let engine = self.engine()?;
        let rules = engine.options().rules;
        let default_rules = DefaultRules { size: None, supply: rules.supply, pie: rules.pie };
        let result = Record::read(text, &default_rules);
        let (record, warnings) = result.map_err(|reason| error("not_a_record", &reason))?;
        record.position_after(record.moves.len()).map_err(|reason| bad_record(&reason))?;
        engine.options_mut().rules = record.start.rules;
        let start = record.start.validate()?;
        engine.set_game(Game::at(&start));
        let moves: Vec<Move> = record.moves.iter().map(|recorded| recorded.mv).collect();
        let result = engine.play_all(&moves);
        result.map_err(|(index, reason)| Illegal::new(moves[index].to_string(), reason))?;
        Ok(to_json(&warnings.iter().map(Mended::from).collect::<Vec<_>>()))
    }

    /// Starts `search` within the limits of `search_options`, or without any, within those of the
    /// engine's options, which are restored at its end.
    fn start<S>(&mut self, search_options: SearchOptions, search: S) -> Result<(), Refusal>
    where
        S: AsyncFnOnce(
                &mut Engine,
                &SearchOptions,
                &StopSignal,
                &Mutex<Option<Analysis>>,
            ) -> Outcome
            + 'static,
    {
        let mut session = self.session.take().ok_or_else(busy)?;
        let (stop, newest_analysis) = (Arc::new(StopSignal::default()), Arc::default());
        let (game, max_moves) = (session.engine().game().clone(), search_options.max_moves);
        let (signal, interim) = (Arc::clone(&stop), Arc::clone(&newest_analysis));
        let work = Box::pin(async move {
            let engine = session.engine_mut();
            let before = (engine.options().time, engine.options().playouts);
            if search_options.time.is_some() || search_options.playouts.is_some() {
                let options = engine.options_mut();
                (options.time, options.playouts) =
                    (search_options.time, search_options.playouts.unwrap_or(0));
            }
            let outcome = search(engine, &search_options, &signal, &interim).await;
            let options = engine.options_mut();
            (options.time, options.playouts) = before;
            (session, outcome)
        });
        self.search = Some(Search { work, stop, newest_analysis, game, max_moves });
        Ok(())
    }

    fn engine(&mut self) -> Result<&mut Engine, Refusal> {
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

fn busy() -> Refusal {
    let text = "the engine is searching: before bestMove has answered or the analysis has ended, \
                its game cannot be changed and no other search can start";
    error("busy", &text)
}

/// The refusal of a move or an analysis in the present state of the game.
fn refusal_without_move(reason: IllegalMove) -> Refusal {
    Illegal { asked: None, ..Illegal::new(String::new(), reason) }.into()
}

/// A record that cannot be replayed; `number` is that of the illegal move, from 1.
fn bad_record(reason: &ReplayError) -> Refusal {
    match *reason {
        ReplayError::Start(start) => start.into(),
        ReplayError::Illegal { number, mv, reason: rule } => {
            let illegal =
                Illegal { text: reason.to_string(), ..Illegal::new(mv.to_string(), rule) };
            Refusal::Illegal { illegal: Box::new(illegal), number: Some(number) }
        }
        _ => error("not_a_record", reason),
    }
}

fn not_a_move(text: &str, reason: &impl fmt::Display) -> Refusal {
    Illegal {
        asked: Some(excerpt(text)),
        text: one_line(&reason.to_string()),
        cells: Vec::new(),
        reason: BrokenRule::Text(NotAMove::NotAMove {}),
        mended: Vec::new(),
    }
    .into()
}

/// The message `error` with a code.
fn error(code: &'static str, text: &impl fmt::Display) -> Refusal {
    Refusal::Error { code, text: one_line(&text.to_string()) }
}
