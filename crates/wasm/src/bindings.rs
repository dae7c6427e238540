//! What is exported to JavaScript. Structured values pass as JSON.

use std::cell::RefCell;

use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use super::host::{self, Output};
use super::opponent::Opponent;
use pontifex::clock::Instant;
use pontifex::engine::bench;
use pontifex::notation::Text;
use pontifex::puzzles::Judge;
use pontifex_play::{self, Practice};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn complain(text: &str);
}

/// Lets panics say where and why on the console, before they trap.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| complain(&panic.to_string())));
}

/// The host of a page's session.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Host(host::Host);

#[wasm_bindgen]
impl Host {
    /// Takes up a session; see [`host::Host::new`].
    #[wasm_bindgen(constructor)]
    pub fn new(id: &str, saved: Option<String>, memory: usize, seed: f64) -> Result<Host, String> {
        host::Host::new(id, saved.as_deref(), memory, seed.to_bits()).map(Host)
    }

    /// A page has come.
    pub fn join(&mut self, page: u32) {
        self.0.join(page);
    }

    /// A page has left.
    pub fn leave(&mut self, page: u32) {
        self.0.leave(page);
    }

    /// A page's message.
    pub fn receive(&mut self, page: u32, text: &str) {
        self.0.receive(page, text);
    }

    /// The session could not be saved.
    pub fn not_saved(&mut self, reason: &str) {
        self.0.not_saved(reason);
    }

    /// What could not be saved is saved now.
    pub fn saved(&mut self) {
        self.0.saved();
    }

    /// Works for a slice; returns the milliseconds until the next one is due.
    pub fn work(&mut self) -> f64 {
        self.0.work()
    }

    /// Takes what it has to say, a JSON array; see [`Output::to_json`].
    pub fn take(&mut self) -> String {
        let outputs = self.0.take();
        if outputs.is_empty() {
            return "[]".to_owned();
        }
        Value::Array(outputs.iter().map(Output::to_json).collect()).to_string()
    }

    /// The game in a text format, as JSON: `{"text", "extension", "kind"}`.
    pub fn export(&self, format: &str, node: Option<u32>) -> Result<String, String> {
        let converted = self.0.export(format, node)?;
        let text = String::from_utf8(converted.bytes).map_err(|error| error.to_string())?;
        let (extension, kind) = (converted.extension, converted.kind);
        Ok(json!({"text": text, "extension": extension, "kind": kind}).to_string())
    }
}

/// The stamp of the sources, by which `build.rs` sees whether this build is older
/// than they are.
#[wasm_bindgen]
pub fn stamp() -> String {
    // The text must be in the module as one piece.
    std::hint::black_box(env!("PONTIFEX_STAMP")).to_owned()
}

/// The answer to `/api/info`, as JSON.
#[wasm_bindgen]
pub fn info(is_private: bool) -> String {
    pontifex_play::info(&[pontifex_play::BUILT_IN], is_private).to_string()
}

/// All lessons and puzzles, as JSON.
#[wasm_bindgen]
pub fn exercises() -> String {
    pontifex_play::exercises().to_string()
}

thread_local! {
    /// The judge of the puzzle last asked about.
    static JUDGE: RefCell<Option<(&'static str, Judge)>> = const { RefCell::new(None) };
}

/// Answers a message about a lesson or puzzle.
#[wasm_bindgen]
pub fn practise(message: &str) -> String {
    let answer = match pontifex_play::practise(message) {
        Practice::Answer(answer) => answer,
        Practice::Solve(question) => JUDGE.with_borrow_mut(|kept| {
            let judge = match kept.take() {
                Some((puzzle, judge)) if puzzle == question.puzzle() => judge,
                _ => question.new_judge(),
            };
            let (_, judge) = kept.insert((question.puzzle(), judge));
            question.solve(judge)
        }),
    };
    answer.to_string()
}

/// The engine of a JavaScript program. Errors are messages as JSON.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineCore(Opponent);

#[wasm_bindgen]
impl EngineCore {
    /// See [`Opponent::new`].
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, seed: f64) -> Result<EngineCore, String> {
        in_json(Opponent::new(options, seed.to_bits())).map(EngineCore)
    }

    /// Makes a move of the side to move.
    pub fn play(&mut self, mv: &str) -> Result<(), String> {
        in_json(self.0.play(mv))
    }

    /// Takes back turns.
    pub fn undo(&mut self, turns: usize) -> Result<(), String> {
        in_json(self.0.undo(turns))
    }

    /// Starts a game.
    pub fn new_game(&mut self, options: &str) -> Result<(), String> {
        in_json(self.0.new_game(options))
    }

    /// Starts from a position text.
    pub fn set_position(&mut self, position: &str) -> Result<(), String> {
        in_json(self.0.set_position(position))
    }

    /// Takes up a game in any format at its end. Returns what was mended, as JSON.
    pub fn load(&mut self, record: &str) -> Result<String, String> {
        in_json(self.0.load(record)).map(|mended| mended.to_string())
    }

    /// The same for the bytes of a file in whatever encoding.
    pub fn load_file(&mut self, record: &[u8]) -> Result<String, String> {
        in_json(self.0.load(Text::decode(record))).map(|mended| mended.to_string())
    }

    /// The game as a record.
    pub fn record(&self, format: &str) -> Result<String, String> {
        in_json(self.0.record(format))
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> Vec<String> {
        self.0.legal_moves()
    }

    /// The position as JSON.
    pub fn position(&self) -> String {
        self.0.position().to_string()
    }

    /// Answers a line of GTP.
    pub fn gtp(&mut self, line: &str) -> Result<String, String> {
        in_json(self.0.gtp(line))
    }

    /// Starts the search for a move.
    pub fn start_move(&mut self, options: &str) -> Result<(), String> {
        in_json(self.0.start_move(options))
    }

    /// Starts an analysis.
    pub fn start_analysis(&mut self, options: &str) -> Result<(), String> {
        in_json(self.0.start_analysis(options))
    }

    /// Goes on with the search for a slice; see [`Opponent::advance`].
    pub fn advance(&mut self) -> Result<Option<String>, String> {
        in_json(self.0.advance()).map(|news| news.map(|news| news.to_string()))
    }

    /// Lets the search end with what it has found.
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// A result with its error as text.
fn in_json<T>(result: Result<T, Value>) -> Result<T, String> {
    result.map_err(|message| message.to_string())
}

/// The searches of `pontifex bench`, as JSON: `nodes` is the signature.
#[wasm_bindgen]
pub fn bench() -> String {
    let start = Instant::now();
    let (mut nodes, mut iterations) = (0, 0);
    for report in bench::searches() {
        nodes += report.nodes;
        iterations += report.iterations;
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    json!({"nodes": nodes, "iterations": iterations, "milliseconds": milliseconds}).to_string()
}
