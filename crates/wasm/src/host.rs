//! The host of a session: tells the state machine of [`play`](pontifex_play) its
//! events and performs the effects.

use std::collections::VecDeque;
use std::fmt;

use serde_json::Value;

use super::jobs::Jobs;
use super::outbox::{Outbox, Output, Page};
use pontifex::clock::Instant;
use pontifex::messages::one_line;
use pontifex_play::{
    BUILT_IN, Converted, Effect, Event, Form, MessageKind, Reply, SavedSession, Session, Table,
    read, with_id,
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
