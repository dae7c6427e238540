//! A session: events in, effects out.
//!
//! Every event ends the same way: what it changed is settled (an engine's turn is started, a
//! study whose position is gone is cancelled), the state is published to all pages if it
//! differs, and only then the one reply goes to the page that asked. The reply to a change is
//! the new state itself, so a page never has to guess whether its request took effect.

use std::time::Duration;

use super::effect::{Effect, Event, MessageKind, Reply};
use super::effect::{JobId, Outcome, Report};
use super::message::{Message, Request, TableState};
use super::state::State;
use super::table::Table;

/// The nodes of a game above which its messages take long to write. Without
/// variations a game seldom has a hundred.
const MANY_NODES: usize = 200;

/// A game with its variations, the pages that show it and the engines that
/// play and analyse it.
#[derive(Debug)]
pub struct Session {
    state: State,
}

impl Session {
    /// Takes up a session, and tells what to do first. `engines` are the names of
    /// the engines that may play.
    pub fn start(id: String, table: Table, engines: &[&str]) -> (Session, Vec<Effect>) {
        let mut state = State::new(id, table, engines);
        state.publish();
        if let Some(review) = state.table.review.clone() {
            state.broadcast(MessageKind::Review, Message::Review(review.message));
        }
        let effects = state.take_effects();
        (Session { state }, effects)
    }

    /// Handles an event at the time `now`, counted from the session's start.
    /// The host performs the effects, in their order, before the next event.
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
                self.state.effect(Effect::Reply(reply));
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
            Event::NotSaved(reason) => state.not_saved(&reason),
            Event::Saved => state.saved(),
        }
        if self.settle() {
            self.state.publish();
        }
        self.state.take_effects()
    }

    /// When to send [`Event::Tick`], counted from the session's start; `None`
    /// while no clock runs.
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

    /// Whether the game has so many nodes that its messages take long to write.
    pub fn has_many_nodes(&self) -> bool {
        self.state.table.tree.len() > MANY_NODES
    }

    /// The message `state` at the time of sending it: a save that was tried after
    /// it was made may have failed.
    #[must_use]
    pub fn as_saved(&self, mut message: Message) -> Message {
        if let Message::State(state) = &mut message {
            state.unsaved.clone_from(&self.state.unsaved);
        }
        message
    }

    /// Whether the request, if it is not refused, replaces a game that is to be
    /// kept.
    pub fn would_keep(&self, request: &Request) -> bool {
        request.replaces() && self.state.table.has_move()
    }

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
                let found = match &outcome {
                    Outcome::Analysis(analysis) => Some(&**analysis),
                    _ => None,
                };
                state.study_done(job, found);
                state.advice_done(job, found);
                state.turn_done(job, outcome);
            }
        }
    }

    /// Lets engines do what follows from the table and the pages' wishes, and
    /// saves the session if it has changed; whether it has.
    fn settle(&mut self) -> bool {
        let state = &mut self.state;
        state.steer_turn();
        state.steer_study();
        state.steer_advice();
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
