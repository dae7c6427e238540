//! The protocol: GTP 2 with commands for this game, as described in
//! `protocol.md`.
//!
//! [`Request`] and [`frame`] are the framing, [`Session`] answers requests, and
//! [`run`] connects a session to an input and an output. A reader thread queues
//! the requests, so that `stop` can end a search before its turn in the queue.
//! Analyses are streamed line by line; all other answers are sent whole.

mod commands;
mod drawing;
mod error;
mod frame;
mod log;
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
