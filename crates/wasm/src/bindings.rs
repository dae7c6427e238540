//! Functions for JavaScript, besides those of [`Host`](super::host::Host) and
//! [`Opponent`](super::opponent::Opponent). Structured values pass as JSON.

use std::cell::RefCell;

use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use pontifex::clock::Instant;
use pontifex::engine::bench;
use pontifex_play::{self, Judge, Practice};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// Prints panics on the console. Otherwise a panic traps the module silently.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// The stamp of the sources. The build of the server looks for it in the module and warns if the
/// module was built from other sources.
#[wasm_bindgen]
pub fn stamp() -> String {
    // Without this the compiler may split the text, and the search for it would fail.
    std::hint::black_box(env!("PONTIFEX_STAMP")).to_owned()
}

/// The answer to `/api/info`, as JSON.
#[wasm_bindgen]
pub fn info(is_private: bool) -> String {
    to_json(&pontifex_play::host_info(&[pontifex_play::BUILT_IN], is_private))
}

/// All lessons and puzzles, as JSON.
#[wasm_bindgen]
pub fn exercises() -> String {
    to_json(&pontifex_play::exercises())
}

thread_local! {
    /// The judge of the most recent puzzle. It caches what it has solved, so that the next move in
    /// the same puzzle is judged at once. A second judge would double the memory.
    static JUDGE: RefCell<Option<(&'static str, Judge)>> = const { RefCell::new(None) };
}

/// Answers a message about a lesson or puzzle. Blocks for up to a second while the solver or a
/// search finds the answer.
#[wasm_bindgen]
pub fn practise(message: &str) -> String {
    let answer = match pontifex_play::practise(message) {
        Practice::Answer(answer) => *answer,
        Practice::Judge(question) => JUDGE.with_borrow_mut(|slot| {
            let judge = match slot.take() {
                Some((puzzle, judge)) if puzzle == question.id() => judge,
                _ => question.new_judge(),
            };
            let (_, judge) = slot.insert((question.id(), judge));
            question.answer(judge)
        }),
    };
    answer.to_json(&None)
}

/// A value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Runs the searches of `pontifex bench` and blocks until they end. Returns JSON; `nodes`, the
/// signature, is the same on every machine.
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
