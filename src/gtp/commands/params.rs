//! Commands that list, read and set parameters.

use crate::engine::{PARAMS, Param, find_param};
use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;

pub(super) fn list(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let options = session.engine.options();
    let line = |param: &Param| {
        let (kind, range) = (param.kind.name(), param.kind.range());
        format!("{} {kind} {} {} {range}", param.name, param.default_value(), param.get(options))
    };
    Ok(PARAMS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

pub(super) fn get(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [name] = args.exactly()?;
    Ok(find_param(name)?.get(session.engine.options()))
}

pub(super) fn set(session: &mut Session, args: Args) -> Result<String, CommandError> {
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
