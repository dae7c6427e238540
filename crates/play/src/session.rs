//! A session: events in, effects out.
//!
//! How a page's message becomes a state, and who does it:
//!
//! ```text
//!   {"type":"play","move":"d4,e6","node":3,"id":7}
//!     message::read      parses the text into a Request and its id
//!     Host               waits until nothing is being saved
//!     State::permit      shared: may this page ask for that?
//!     State::answer      requests: changes the table, or answers a question about it
//!     Session::settle    turns, studies, advice: starts and cancels jobs; saves
//!     State::publish     view: the table as pages see it, broadcast to all
//!     Effect::Reply      the same state, with the id 7, to the page that asked
//! ```
//!
//! Every event ends in this order. First, what it changed is settled: an engine's turn is started,
//! a study whose position is gone is cancelled, the session is saved. Then the state is published
//! to all pages if it differs. The reply comes last. A request that changes the table has the new
//! state itself as its reply, so a page never has to guess whether its request took effect.
//!
//! Settling compares what should run with what runs, each time from scratch (`steer_turn`,
//! `steer_study`, `steer_advice`). No request starts or cancels an engine's turn itself; a new kind
//! of request only has to change the table.

use std::time::Duration;

use super::effect::{Effect, Event, MessageKind, Reply};
use super::effect::{JobId, Outcome, Report};
use super::message::{Message, Request, TableState};
use super::state::State;
use super::table::Table;

/// The number of nodes above which a host should treat every input as slow: each `state` lists all
/// nodes. Set by judgement: without variations a game seldom has a hundred.
const MANY_NODES: usize = 200;

/// A game with its variations, the pages that show it and the engines that play and analyse it.
#[derive(Debug)]
pub struct Session {
    state: State,
}

impl Session {
    /// Starts a session with this table and returns it with its first effects. `engines` are the
    /// names of the engines that may play.
    pub fn start(id: String, table: Table, engines: &[&str]) -> (Session, Vec<Effect>) {
        let mut state = State::new(id, table, engines);
        state.publish();
        if let Some(review) = state.table.finished_review.clone() {
            state.broadcast(MessageKind::Review, Message::Review(review.message));
        }
        let effects = state.take_effects();
        (Session { state }, effects)
    }

    /// Handles an event at the time `now`, counted from the session's start. The host performs the
    /// effects, in their order, before the next event.
    pub fn handle(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        let state = &mut self.state;
        state.table.set_now(now);
        match event {
            Event::Request(page, request) => {
                let answer = state.answer(page, *request);
                let mended = std::mem::take(&mut state.mended);
                let reply = match (self.settle(), answer) {
                    (false, Some(answer)) => Reply::Message(answer),
                    (_, answer) => {
                        let state = TableState { mended, ..self.state.publish() };
                        answer.map_or(Reply::State(Message::State(Box::new(state))), Reply::Message)
                    }
                };
                self.state.emit(Effect::Reply(reply));
                return self.state.take_effects();
            }
            Event::Close => {
                state.cancel_turn();
                state.cancel_study();
                state.end_advice();
                state.save();
                return state.take_effects();
            }
            Event::Pages(pages) => state.pages = pages,
            Event::Left(page) => drop(state.tokens.remove(&page)),
            Event::Job(job, report) => self.report(job, report),
            Event::Tick => state.check_clocks(),
            Event::NotSaved(reason) => state.report_unsaved(&reason),
            Event::Saved => state.report_saved(),
        }
        if self.settle() {
            self.state.publish();
        }
        self.state.take_effects()
    }

    /// When to send [`Event::Tick`], counted from the session's start; `None` while no clock runs.
    pub fn alarm(&self) -> Option<Duration> {
        self.state.alarm()
    }

    /// Whether an engine works for the session.
    pub fn is_busy(&self) -> bool {
        let study = self.state.study.as_ref();
        self.state.turn.is_some()
            || self.state.advice.as_ref().is_some_and(|advice| advice.job.is_some())
            || study.is_some_and(|study| study.job.is_some())
    }

    /// Whether the game is large: its messages take long to serialise.
    pub fn has_many_nodes(&self) -> bool {
        self.state.table.tree.len() > MANY_NODES
    }

    /// Brings `unsaved` in the message `state` up to date. The session makes the message before the
    /// host saves, and the host sends it afterwards: by then it is known whether the save failed.
    #[must_use]
    pub fn as_saved(&self, mut message: Message) -> Message {
        if let Message::State(state) = &mut message {
            state.unsaved.clone_from(&self.state.unsaved);
        }
        message
    }

    /// Whether the request, if it is not refused, replaces a game that has a move. That game must
    /// then be kept as a session of its own.
    pub fn would_keep(&self, request: &Request) -> bool {
        request.replaces() && self.state.table.has_move()
    }

    /// The game as it stands.
    pub fn table(&self) -> &Table {
        &self.state.table
    }

    fn report(&mut self, job: JobId, report: Report) {
        let state = &mut self.state;
        match report {
            Report::Queued => state.turn_queued(job),
            Report::Began => state.turn_began(job),
            Report::Progress(analysis) => {
                state.turn_progress(job, &analysis);
                state.study_progress(job, &analysis);
            }
            Report::Done(outcome) => {
                if let Outcome::Panicked(reason) = &outcome {
                    state.notice(&format!("a search failed: {reason}"));
                }
                let result = match &outcome {
                    Outcome::Analysis(analysis) => Some(&**analysis),
                    _ => None,
                };
                // At most one of them knows the job.
                state.study_done(job, result);
                state.advice_done(job, result);
                state.turn_done(job, outcome);
            }
        }
    }

    /// Starts and cancels jobs as the table and the pages' wishes require, and saves the session if
    /// it has changed. Returns whether it has.
    fn settle(&mut self) -> bool {
        let state = &mut self.state;
        state.steer_turn();
        state.steer_study();
        state.steer_advice();
        // A human's clock waits for a page that shows the game, and for both players. An engine's
        // clock starts when its search does; see `turn_began`.
        let is_ready = state.pages > 0 && state.table.is_complete();
        if is_ready && state.table.engine_to_move().is_none() {
            state.table.start_clock();
        }
        let is_changed = std::mem::take(&mut state.is_changed);
        if is_changed {
            state.save();
        }
        is_changed
    }
}
