//! The host of a session in a browser's worker.
//!
//! It does for [`play`](pontifex_play) what the server does with threads, sockets and files. Here
//! one thread does everything by turns, and the JavaScript around it (`hosting.js`) delivers
//! messages and saves games in the browser's database:
//!
//! ```text
//!   hosting.js                         Host
//!     page's message ── receive ─────►   core.handle ─► orders for `jobs` and `unsaved_games`
//!     deliver, save  ◄── take ────────   mail of all pages, games to save
//!     saved, or why not ── saved ────►   core.handle
//!     sleep, or 0 ms ◄── work ────────   one slice of the most urgent job
//! ```
//!
//! The JavaScript calls `take` after each of the others, since every input may leave mail and games
//! to save. It calls `work` again after as many milliseconds as `work` returned.

use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use super::jobs::Jobs;
use pontifex::clock::Instant;
use pontifex::messages::{data_error, one_line};
use pontifex_play::{self, BUILT_IN, Input, Order, PageMessage, SavedSession, Table, Unsaved};

/// A session and the pages that show it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Host {
    core: pontifex_play::Host,
    started: Instant,
    jobs: Jobs,
    /// Games to save that [`Host::take`] has not returned yet.
    unsaved_games: Vec<Unsaved>,
}

#[wasm_bindgen]
impl Host {
    /// Hosts the session with this id: a new one, or one that was saved. Its engines share `memory`
    /// MiB. Opponents for people play the same game differently with another `seed`, of which all
    /// bits count.
    ///
    /// # Errors
    /// The fault in the saved session, in one line.
    #[wasm_bindgen(constructor)]
    pub fn new(id: &str, saved: Option<String>, memory: usize, seed: f64) -> Result<Host, String> {
        let table = saved.map_or_else(|| Ok(Table::first()), |saved| read_table(&saved))?;
        Ok(Host {
            core: pontifex_play::Host::new(id, table, &[BUILT_IN]),
            started: Instant::now(),
            jobs: Jobs::new(memory, seed.to_bits()),
            unsaved_games: Vec::new(),
        })
    }

    /// Adds a page. [`Host::take`] then has the newest messages for it.
    pub fn join(&mut self, page: u32) {
        self.handle(Input::Join(page));
    }

    /// Removes a page.
    pub fn leave(&mut self, page: u32) {
        self.handle(Input::Leave(page));
    }

    /// Receives a page's message. Exactly one answer to it follows.
    pub fn receive(&mut self, page: u32, text: &str) {
        self.handle(Input::Message(page, PageMessage::read(text)));
    }

    /// Receives the result of the last save: `None` on success, or the reason of the failure.
    pub fn saved(&mut self, failure: Option<String>) {
        self.handle(Input::Saved(failure));
    }

    /// Works for a slice. Returns the delay in milliseconds until the next call: 0 while an engine
    /// works, infinity if there is nothing to do until the next input.
    pub fn work(&mut self) -> f64 {
        for (job, report) in self.jobs.work() {
            self.handle(Input::Report(job, report));
        }
        let now = self.started.elapsed();
        if self.core.alarm().is_some_and(|alarm| alarm <= now) {
            self.handle(Input::Time);
        }
        if self.jobs.are_busy() {
            return 0.0;
        }
        let remaining = self.core.alarm().map(|alarm| alarm.saturating_sub(now));
        remaining.map_or(f64::INFINITY, |remaining| remaining.as_secs_f64() * 1000.0)
    }

    /// Takes the tasks for the JavaScript, as a JSON array of two kinds of objects:
    ///
    /// - `{"to": page, "text"}`: send the text to the page.
    /// - `{"session", "entry", "own"}`: save the text `session`, which [`Host::new`] reads, and
    ///   call [`Host::saved`]. `entry` is for the list of games, `null` without a move. Unless
    ///   `own` is true, the game was replaced and is saved under a new id.
    pub fn take(&mut self) -> String {
        let save = |Unsaved { game, is_own }| {
            let session = serde_json::to_string(&*game).unwrap_or_default();
            json!({"session": session, "entry": game.entry(), "own": is_own})
        };
        let mut outputs: Vec<Value> = self.unsaved_games.drain(..).map(save).collect();
        let pages: Vec<u32> = self.core.pages().collect();
        for page in pages {
            let texts = self.core.take_mail(page).texts();
            outputs.extend(texts.map(|text| json!({"to": page, "text": &*text})));
        }
        Value::from(outputs).to_string()
    }

    /// The game through a node, the current one by default, in a text format, as JSON:
    /// `{"text", "extension", "kind"}` with the media type as `kind`.
    ///
    /// # Errors
    /// No such format or node, or a format that is not text, such as `png`.
    pub fn export(&self, format: &str, node: Option<u32>) -> Result<String, String> {
        let converted =
            self.core.table().export(format, node).map_err(|error| error.to_string())?;
        let text = String::from_utf8(converted.bytes).map_err(|error| error.to_string())?;
        let (extension, kind) = (converted.extension, converted.kind);
        Ok(json!({"text": text, "extension": extension, "kind": kind}).to_string())
    }

    fn handle(&mut self, input: Input) {
        // The browser's database limits itself; a failure to save says that it is full.
        for order in self.core.handle(input, self.started.elapsed(), &|| Ok(())) {
            match order {
                Order::Save(unsaved) => self.unsaved_games.push(unsaved),
                Order::Start(id, job) => self.jobs.start(id, job),
                Order::Cancel(id) => self.jobs.cancel(id),
                Order::Hurry(id) => self.jobs.hurry(id),
                // Nobody reads a worker's log; the pages get the same news as messages.
                Order::Log(_) => {}
            }
        }
    }
}

fn read_table(saved: &str) -> Result<Table, String> {
    let saved: Result<SavedSession, _> = serde_json::from_str(saved);
    let table = match saved {
        Ok(saved) => saved.table().map_err(|reason| reason.to_string()),
        Err(reason) => Err(data_error(&reason)),
    };
    table.map_err(|reason| one_line(&format!("the saved game is damaged: {reason}")))
}
