//! The protocol: GTP 2 with this game's own commands. `protocol.md` describes
//! it for users.
//!
//! [`Request`] and [`frame`] are the framing, [`Session`] answers requests,
//! [`run`] connects a session to an input and an output: a reader thread
//! queues requests and sees those that interrupt, so that a search can be
//! stopped. Most answers are sent whole, those of analyses line by line.

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
pub use log::TrafficLog;
#[cfg(feature = "cli")]
pub(crate) use log::utc_now;
#[cfg(feature = "cli")]
pub(crate) use reader::{MAX_LINE, read_line};
pub use run::run;
pub use session::Session;
