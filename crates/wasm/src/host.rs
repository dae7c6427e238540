//! The host of a session: tells the state machine of [`play`](pontifex_play) its
//! events, performs the effects, and collects what there is to say: messages for
//! its pages, and sessions to save.

use std::collections::VecDeque;
use std::fmt;

use serde_json::{Value, json};

use super::jobs::Jobs;
use pontifex::clock::Instant;
use pontifex::messages::one_line;
use pontifex_play::{
    BUILT_IN, Converted, Effect, Event, Form, MessageKind, Reply, SavedSession, Session, Table,
    entry, read, with_id,
};

/// A session and the pages that show it.
#[derive(Debug)]
pub(super) struct Host {
    session: Session,
    started: Instant,
    jobs: Jobs,
    outbox: Outbox,
    pages: Vec<Page>,
}

impl Host {
    /// Takes up the session with this id: a new one, or one that was saved. Its
    /// engines share `memory` MiB; `seed` makes opponents for people vary.
    ///
    /// # Errors
    /// One line, when what was saved is damaged.
    pub(super) fn new(
        id: &str,
        saved: Option<&str>,
        memory: usize,
        seed: u64,
    ) -> Result<Host, String> {
        let table = match saved {
            None => Table::first(),
            Some(saved) => {
                let saved: SavedSession =
                    serde_json::from_str(saved).map_err(|reason| damaged(&reason))?;
                saved.table().map_err(|reason| damaged(&reason))?
            }
        };
        let (session, effects) = Session::start(id.to_owned(), table, &[BUILT_IN]);
        let mut host = Host {
            session,
            started: Instant::now(),
            jobs: Jobs::new(memory, seed),
            outbox: Outbox::default(),
            pages: Vec::new(),
        };
        host.perform(effects, None);
        // Nobody has come yet; who comes is sent the newest messages.
        host.outbox.take();
        Ok(host)
    }

    /// A page has come. It is sent the newest messages.
    pub(super) fn join(&mut self, page: Page) {
        self.outbox.join(page);
        self.pages.push(page);
        self.tell(Event::Pages(self.pages.len()));
    }

    /// A page has left.
    pub(super) fn leave(&mut self, page: Page) {
        self.pages.retain(|other| *other != page);
        self.tell(Event::Pages(self.pages.len()));
    }

    /// A page's message; exactly one answer to it follows.
    pub(super) fn receive(&mut self, page: Page, text: &str) {
        match read(text) {
            Ok((id, request)) => {
                let event = Event::Request(Box::new(request));
                let effects = self.session.handle(event, self.started.elapsed());
                self.perform(effects, Some((page, id)));
            }
            Err(error) => self.outbox.reply(page, &error, false),
        }
    }

    /// The session, or a game that was kept, could not be saved; the reason in one
    /// line.
    pub(super) fn not_saved(&mut self, reason: &str) {
        self.tell(Event::NotSaved(reason.to_owned()));
    }

    /// What could not be saved is saved now.
    pub(super) fn saved(&mut self) {
        self.tell(Event::Saved);
    }

    /// The game in another format; see [`Table::export`].
    ///
    /// # Errors
    /// One line.
    pub(super) fn export(&self, format: &str, node: Option<u32>) -> Result<Converted, String> {
        self.session.table().export(Form::find(format)?, node)
    }

    /// Works for a slice. Returns the milliseconds until there is something to
    /// do again: 0 while an engine works, infinity until a page's message.
    pub(super) fn work(&mut self) -> f64 {
        for (job, report) in self.jobs.work() {
            self.tell(Event::Job(job, report));
        }
        let now = self.started.elapsed();
        if self.session.alarm().is_some_and(|alarm| alarm <= now) {
            self.tell(Event::Tick);
        }
        if self.jobs.are_busy() {
            return 0.0;
        }
        let left = self.session.alarm().map(|alarm| alarm.saturating_sub(now));
        left.map_or(f64::INFINITY, |left| left.as_secs_f64() * 1000.0)
    }

    /// Takes what it has to say.
    pub(super) fn take(&mut self) -> Vec<Output> {
        self.outbox.take()
    }

    fn tell(&mut self, event: Event) {
        let effects = self.session.handle(event, self.started.elapsed());
        self.perform(effects, None);
    }

    /// Performs effects; `asker` is the page whose request led to them, and the
    /// request's id.
    fn perform(&mut self, effects: Vec<Effect>, mut asker: Option<(Page, Value)>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Broadcast(MessageKind::State, state) => {
                    self.outbox.broadcast(MessageKind::State, &self.session.as_saved(state));
                }
                Effect::Broadcast(kind, message) => self.outbox.broadcast(kind, &message),
                Effect::Withdraw(kind) => self.outbox.withdraw(kind),
                Effect::Reply(reply) => {
                    let (message, is_state) = match reply {
                        Reply::State(message) => (self.session.as_saved(message), true),
                        Reply::Message(message) => (message, false),
                    };
                    if let Some((page, id)) = asker.take() {
                        self.outbox.reply(page, &with_id(message, id), is_state);
                    }
                }
                Effect::Save(saved) => self.outbox.save(&saved, true),
                Effect::Keep(saved) => self.outbox.save(&saved, false),
                Effect::Start(id, job) => self.jobs.start(id, job),
                Effect::Cancel(id) => self.jobs.cancel(id),
                Effect::Hurry(id) => self.jobs.hurry(id),
            }
        }
    }
}

fn damaged(reason: &impl fmt::Display) -> String {
    one_line(&format!("the saved game is damaged: {reason}"))
}

/// The number of a page of a session.
pub(super) type Page = u32;

/// What the JavaScript around a host must do, in order.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Output {
    /// Send a text to one page.
    One(Page, String),
    /// Send a text to all pages but this one.
    All(String, Option<Page>),
    /// Save a session before any later output.
    Save {
        /// The session, to be given to [`Host::new`].
        session: String,
        /// Its entry in the list of games; `null` for a game without a move.
        entry: String,
        /// Whether it is this session; otherwise it gets an id of its own.
        is_own: bool,
    },
}

impl Output {
    /// As JSON: `{"to": page, "text"}`, `{"text", "except"}` or
    /// `{"session", "entry", "own"}`.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Output::One(page, text) => json!({"to": page, "text": text}),
            Output::All(text, except) => json!({"text": text, "except": except}),
            Output::Save { session, entry, is_own } => {
                json!({"session": session, "entry": entry, "own": is_own})
            }
        }
    }
}

/// Outputs that have not been taken yet, and the newest message of each kind.
#[derive(Debug, Default)]
struct Outbox {
    outputs: Vec<Output>,
    newest: [Option<String>; MessageKind::COUNT],
}

impl Outbox {
    /// Sends a message to all pages, and to those that come later.
    fn broadcast(&mut self, kind: MessageKind, message: &Value) {
        let text = message.to_string();
        self.newest[kind as usize] = Some(text.clone());
        self.outputs.push(Output::All(text, None));
    }

    /// Does not send the last message of this kind to further pages.
    fn withdraw(&mut self, kind: MessageKind) {
        self.newest[kind as usize] = None;
    }

    /// Answers a page. The answer may stand in the place of the last broadcast
    /// `state`, which the page then does not get.
    fn reply(&mut self, page: Page, message: &Value, replaces_state: bool) {
        if replaces_state && let Some(state) = &self.newest[MessageKind::State as usize] {
            let mut newest_first = self.outputs.iter_mut().rev();
            let posted = newest_first.find_map(|output| match output {
                Output::All(text, except) if text == state => Some(except),
                _ => None,
            });
            if let Some(except) = posted {
                *except = Some(page);
            }
        }
        self.outputs.push(Output::One(page, message.to_string()));
    }

    /// Sends a new page the newest messages.
    fn join(&mut self, page: Page) {
        let newest = self.newest.iter().flatten();
        self.outputs.extend(newest.map(|text| Output::One(page, text.clone())));
    }

    /// Asks for a session to be saved: this one, or one that it was before.
    fn save(&mut self, saved: &SavedSession, is_own: bool) {
        let session = serde_json::to_string(saved).unwrap_or_default();
        let entry = saved.table().map_or(Value::Null, |table| entry(&table)).to_string();
        self.outputs.push(Output::Save { session, entry, is_own });
    }

    /// Takes the outputs.
    fn take(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }
}
