//! A session: events in, effects out.

use std::time::Duration;

use serde_json::{Value, json};

use super::effect::{Effect, Event, MessageKind, Reply};
use super::effect::{JobId, Outcome, Report};
use super::request::Request;
use super::request::add_mended;
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
            state.broadcast(MessageKind::Review, review.message);
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
            Event::Request(request) => {
                let answer = state.answer(*request);
                let mended = std::mem::take(&mut state.mended);
                let reply = match (self.settle(), answer) {
                    (false, Some(answer)) => Reply::Message(answer),
                    (_, answer) => {
                        let mut published = self.state.publish();
                        add_mended(&mut published, &mended);
                        answer.map_or(Reply::State(published), Reply::Message)
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

    /// Whether an event may take more than a millisecond to handle: the game has
    /// many nodes, a whole one comes, or there are reasons of moves to be found.
    pub fn is_slow(&self, event: &Event) -> bool {
        self.state.table.tree.len() > MANY_NODES
            || match event {
                Event::Request(request) => matches!(**request, Request::Load { .. }),
                Event::Job(_, report) => matches!(report, Report::Done(Outcome::Analysis(_))),
                _ => false,
            }
    }

    /// The message `state` at the time of sending it: a save that was tried after
    /// it was made may have failed.
    pub fn as_saved(&self, mut state: Value) -> Value {
        state["unsaved"] = json!(self.state.unsaved);
        state
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
        if state.pages > 0 && state.table.engine_to_move().is_none() {
            state.table.start_clock();
        }
        let is_changed = std::mem::take(&mut state.is_changed);
        if is_changed {
            state.save();
        }
        is_changed
    }
}
