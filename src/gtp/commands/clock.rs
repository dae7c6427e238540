//! Commands for time controls and clocks.

use crate::engine::TimeControl;
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;

/// Usage of `ponte-time_settings`.
pub(super) const PONTE_TIME_SETTINGS: &str = "ponte-time_settings none | move SECONDS | \
     absolute MAIN | fischer MAIN INC | byoyomi MAIN PERIOD COUNT";

/// As in GTP 2: period 0 means main time only, and a period for 0 moves means
/// no limit.
pub(super) fn time_settings(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [main, period, moves] = args.exactly()?;
    let (main, period) = (args::seconds(main)?, args::seconds(period)?);
    let moves = args::whole(moves)?;
    session.engine.set_time_control(if period == 0.0 {
        TimeControl::Absolute(main)
    } else if moves == 0 {
        TimeControl::None
    } else {
        TimeControl::ByoYomi { main, period, periods: 1, moves }
    });
    Ok(String::new())
}

pub(super) fn time_left(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color, seconds, moves] = args.exactly()?;
    let color = args::color(color)?;
    // Some controllers report negative times after an overrun: take 0.
    let is_overdrawn = args::number(seconds)? < 0.0;
    let seconds = if is_overdrawn { 0.0 } else { args::seconds(seconds)? };
    session.engine.set_time_left(color, seconds, args::whole(moves)?);
    Ok(String::new())
}

pub(super) fn ponte_time_settings(
    session: &mut Session,
    args: Args,
) -> Result<String, CommandError> {
    let words: Vec<&str> = args.words().take(5).collect();
    let control = match words.as_slice() {
        ["none"] => TimeControl::None,
        ["move", seconds] => TimeControl::Move(args::seconds(seconds)?),
        ["absolute", main] => TimeControl::Absolute(args::seconds(main)?),
        ["fischer", main, increment] => TimeControl::Fischer {
            main: args::seconds(main)?,
            increment: args::seconds(increment)?,
        },
        ["byoyomi", main, period, count] => TimeControl::ByoYomi {
            main: args::seconds(main)?,
            period: args::seconds(period)?,
            periods: periods(count)?,
            moves: 1,
        },
        _ => return Err(args.usage_error()),
    };
    session.engine.set_time_control(control);
    Ok(String::new())
}

fn periods(word: &str) -> Result<u32, CommandError> {
    let count = args::whole(word)?;
    let refuse =
        || CommandError::Syntax(format!("'{word}' is not a number of periods, at least 1"));
    (count > 0).then_some(count).ok_or_else(refuse)
}
