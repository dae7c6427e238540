//! Time.

use super::super::args;
use super::{Args, CommandError, Session};
use crate::engine::TimeControl;

/// How the command of the same name is used.
pub(super) const PONTE_TIME_SETTINGS: &str = "ponte-time_settings none | move SECONDS | \
     absolute MAIN | fischer MAIN INC | byoyomi MAIN PERIOD COUNT";

/// As GTP 2 has it: without a period all time is main time, and a period
/// without moves is no limit.
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
    // Some controllers count on below zero; there is no time left then.
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
    let refuse = || CommandError::Syntax(format!("'{word}' periods, at least one is needed"));
    (count > 0).then_some(count).ok_or_else(refuse)
}
