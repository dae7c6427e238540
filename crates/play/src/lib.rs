//! A game between people and engines as a page shows it: a state machine.
//!
//! A [`Session`] takes [`Event`]s (a page's request, a job's report, the time) and answers with
//! [`Effect`]s (messages to send, jobs to start or cancel, the session to save). It has no thread,
//! socket, file or clock of its own. A [`Host`] performs the effects, and a server or a browser's
//! worker gives that host its threads, sockets and files. So the behaviour of a page can be tested
//! without a browser, and the page works the same with and without a server.
//!
//! ```text
//!   page    "play d4,e6"         page    the new state, once it is saved
//!     │                            ▲
//!     ▼                            │
//!   platform    sockets, threads and files of a server, or the slices of a worker
//!     │ Input                      ▲ Order, Mail
//!     ▼                            │
//!   Host        order, lanes of jobs, mail, saving and retries
//!     │ Event                      ▲ Effect
//!     ▼                            │
//!   Session     the rules of the table: what a request changes and who learns of it
//! ```
//!
//! `docs/web.md` documents the messages. `effect` and `host` state the contracts between the
//! layers; `session` follows one message all the way to a state.
//!
//! From the ground up:
//!
//! | module | owns |
//! |---|---|
//! | `terms` | what is agreed before a game |
//! | `tree` | the positions of a game, with variations |
//! | `table` | a game with its players and clocks |
//! | `record` | the table as a record, and back |
//! | `saved` | the table as a saved session, and back |
//! | `message` | requests and messages |
//! | `view` | the table as a page sees it |
//! | `effect` | events, effects and jobs |
//! | `review` | a review as it grows |
//! | `state` | the session's data |
//! | `requests` | the answer to each request |
//! | `turns` | engines' moves, and the clocks |
//! | `studies` | analyses and reviews |
//! | `advice` | hints and judgements |
//! | `shared` | seats and offers of a session that people share |
//! | `session` | the state machine |
//! | `host` | the core of every host |
//!
//! Beside them, `thinking` does the jobs of the built-in engine, `practice` answers questions about
//! puzzles and lessons, and `lessons` has the lessons and the annotated games.

// Nearly all items without a comment are fields and variants of messages. docs/web.md names every
// one, and a test compares it with the types.
#![allow(missing_docs, reason = "docs/web.md describes the fields of requests and messages")]

mod advice;
mod effect;
mod host;
mod lessons;
pub mod message;
mod practice;
mod record;
mod requests;
mod review;
mod saved;
mod session;
mod shared;
mod state;
mod studies;
mod table;
mod terms;
mod thinking;
mod tree;
mod turns;
mod view;

#[cfg(test)]
mod tests;

pub use effect::{
    Effect, EngineTurn, Event, Job, JobId, Lane, MessageKind, Outcome, Page, Reply, Report, Search,
};
pub use host::{Host, Input, Mail, NoRoom, Order, PageMessage, Room, Unsaved};
pub use message::{Message, Request, RequestId, read_request};
pub use practice::{Judge, Practice, exercises, practise};
pub use record::{Converted, ExportError, export, read_record};
pub use saved::SavedSession;
pub use session::Session;
pub use table::Table;
pub use terms::{BUILT_IN, RESERVED, Strength, host_info, no_engine};
pub use thinking::{analyze, take_turn};
pub use view::game_list_entry;
