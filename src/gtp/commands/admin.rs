//! Commands about the program: identification, the list of commands, parameters,
//! `quit`, `stop` and `clear_cache`.

use super::args::Args;
use super::{COMMANDS, Command};
use crate::engine::{PARAMS, Param, find_param};
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

pub(super) fn known_command(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[name]| super::find(name).is_some().to_string())
}

pub(super) fn list_commands(_: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(COMMANDS.iter().map(Command::name).collect::<Vec<_>>().join("\n"))
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

pub(super) fn list_params(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let options = session.engine.options();
    let line = |param: &Param| {
        let (kind, range) = (param.kind.name(), param.kind.range());
        format!("{} {kind} {} {} {range}", param.name, param.default_value(), param.get(options))
    };
    Ok(PARAMS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

pub(super) fn get_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [name] = args.exactly()?;
    Ok(find_param(name)?.get(session.engine.options()))
}

pub(super) fn set_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let (name, value) = args.text().split_once(' ').ok_or_else(|| args.usage_error())?;
    let param = find_param(name)?;
    let value = if param.kind.is_file() {
        value.trim_start_matches(' ')
    } else {
        let [_, value] = args.exactly()?;
        value
    };
    param.set(session.engine.options_mut(), value)?;
    Ok(String::new())
}
