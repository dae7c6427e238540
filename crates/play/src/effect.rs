//! The events a session takes, and the effects its host performs.

use serde_json::Value;

use super::job::{Job, JobId, Report};
use super::request::Request;
use super::saved::SavedSession;

/// An input of a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A page's request. The effects contain exactly one [`Effect::Reply`].
    Request(Box<Request>),
    /// The number of pages that show the session has changed.
    Pages(usize),
    /// A job reports.
    Job(JobId, Report),
    /// Time has passed; see [`Session::alarm`](super::Session::alarm).
    Tick,
    /// The session, or a game that was kept before, could not be saved; the
    /// reason in one line. The host tries again until it can report
    /// [`Event::Saved`].
    NotSaved(String),
    /// What could not be saved is saved now.
    Saved,
    /// The session ends.
    Close,
}

/// What the host must do, in this order.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a message to all pages, also to those that come later, until a
    /// newer one of its kind takes its place. The message `state` goes through
    /// [`Session::as_saved`](super::Session::as_saved) first.
    Broadcast(MessageKind, Value),
    /// Do not send the last message of this kind to further pages.
    Withdraw(MessageKind),
    /// Answer the page whose request was handled.
    Reply(Reply),
    /// Save the session before any later effect.
    Save(Box<SavedSession>),
    /// Save the game that another one replaces as a session of its own.
    Keep(Box<SavedSession>),
    /// Start a job once the earlier job of its lane has ended.
    Start(JobId, Job),
    /// End a job; its result is not needed.
    Cancel(JobId),
    /// End a job's search with the best move so far.
    Hurry(JobId),
}

/// The answer to a page.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The message `state` that was broadcast by the effect before, also to go
    /// through [`Session::as_saved`](super::Session::as_saved); to who has
    /// loaded a record it also says what was mended.
    State(Value),
    /// A message for this page only.
    Message(Value),
}

/// The kinds of broadcast messages, in the order in which they are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// The table.
    State,
    /// An error that is no answer to a request.
    Notice,
    /// The clocks.
    Clock,
    /// The thinking engine's analysis.
    Thinking,
    /// The analysis of the current position.
    Analysis,
    /// The review.
    Review,
    /// A hint, or the judgement of a move that was tried again.
    Advice,
}

impl MessageKind {
    /// The number of kinds.
    pub const COUNT: usize = 7;
}
