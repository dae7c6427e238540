//! What a controller asks first, and last.

use super::{Args, COMMANDS, Command, CommandError, Session, find};

pub(super) fn protocol_version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| "2".to_owned())
}

pub(super) fn name(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_NAME").to_owned())
}

pub(super) fn version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_VERSION").to_owned())
}

pub(super) fn known_command(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[name]| find(name).is_some().to_string())
}

pub(super) fn list_commands(_: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(COMMANDS.iter().map(Command::name).collect::<Vec<_>>().join("\n"))
}

/// Whatever follows the word: the reader has begun to leave already.
#[expect(clippy::unnecessary_wraps, reason = "every command is of this form")]
pub(super) fn quit(session: &mut Session, _: Args) -> Result<String, CommandError> {
    session.is_over = true;
    Ok(String::new())
}

/// The reader has stopped the search when it read the line.
#[expect(clippy::unnecessary_wraps, reason = "every command is of this form")]
pub(super) fn stop(_: &mut Session, _: Args) -> Result<String, CommandError> {
    Ok(String::new())
}
