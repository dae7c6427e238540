//! The protocol: GTP 2 with commands for this game, as described in
//! `protocol.md`.
//!
//! [`Request`] and [`frame`] are the framing, [`Session`] answers requests, and
//! [`run`] connects a session to an input and an output. A reader thread queues
//! the requests, so that `stop` can end a search before its turn in the queue.
//! Analyses are streamed line by line; all other answers are sent whole.

mod answer;
mod args;
mod commands;
mod error;
mod frame;
mod gogui;
mod log;
mod reader;
mod report;
mod run;
mod session;
mod stream;

pub use error::CommandError;
pub use frame::{Request, frame};
pub(crate) use gogui::{begun, cell, check_first, point, points_of, turn_of};
pub use log::TrafficLog;
#[doc(hidden)]
pub use log::utc_now;
#[doc(hidden)]
pub use reader::{MAX_LINE, read_line};
pub use run::run;
pub use session::Session;
