//! The protocol: GTP 2 with commands for this game, as described in `protocol.md`.
//!
//! A controller writes a request per line and reads one answer for each, in order. Two commands
//! make this more than a loop over lines: `stop` must end a search that is already running, and
//! `ponte-analyze` reports until more input arrives. So the input has a thread of its own:
//!
//! ```text
//! input ─> reader thread ──── queue of lines ───> session ─> output
//!                │                                   │
//!                └──── stop signals, at once ──> running search
//! ```
//!
//! In the order of reading:
//!
//! - `frame`: from a line to a [`Request`], and from an answer to framed text;
//! - `session`: the state of a conversation, and how it survives a panic in a command;
//! - `run`: answering one request, or a whole input with two threads;
//! - `commands`: the table of commands, with a file for each subject;
//! - `single_points`, `drawing`: GoGui's way of playing and its graphics;
//! - `error`, `log`.

mod commands;
mod drawing;
mod error;
mod frame;
mod log;
mod numbers;
mod run;
mod session;
mod single_points;

pub use error::CommandError;
pub use frame::{Request, frame};
pub use log::TrafficLog;
#[doc(hidden)]
pub use log::utc_now;
pub use run::run;
pub use session::Session;

#[doc(hidden)]
pub use crate::notation::{MAX_LINE, read_line};
