//! Identification, `quit`, `stop` and `clear_cache`.

use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;

pub(super) fn protocol_version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| "2".to_owned())
}

pub(super) fn name(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_NAME").to_owned())
}

pub(super) fn version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_VERSION").to_owned())
}

/// Ignores arguments: the reader thread has already stopped at this line.
#[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
pub(super) fn quit(session: &mut Session, _: Args) -> Result<String, CommandError> {
    session.is_over = true;
    Ok(String::new())
}

/// Does nothing: the reader thread stopped the search when it read the line.
#[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
pub(super) fn stop(_: &mut Session, _: Args) -> Result<String, CommandError> {
    Ok(String::new())
}

/// Forgets earlier searches.
pub(super) fn clear_cache(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    session.engine.clear_cache();
    Ok(String::new())
}
