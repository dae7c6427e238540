//! Tests whether an engine can be refereed.
//!
//! Each check talks to the engine as the referee does. An engine that fails a
//! check fatally is restarted for the next one.

mod all;
mod checker;
mod game;
mod protocol;

pub use all::check;
pub use checker::{CheckResult, CheckVerdict};
