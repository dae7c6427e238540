//! Commands for time controls and clocks: GTP's, those of KGS and KataGo, and our own.
//!
//! GTP 2 has Canadian time only. KGS added a command with other kinds, KataGo added kinds to that
//! command, and `ponte-time_settings` has the kinds that a match between engines needs. Each
//! controller sends the command it knows; all of them set a [`TimeControl`]. A kind that two
//! commands share is parsed by one function, so that it cannot mean two things.
//!
//! Sources: the GTP version 2 draft; KGS's `kgs-time_settings`; KataGo's `docs/GTP_Extensions.md`.

use super::args::{self, Args};
use crate::engine::{Seconds, TimeControl};
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;

/// Usage of `kgs-time_settings`.
pub(super) const KGS_TIME_SETTINGS: &str = "kgs-time_settings none | absolute MAIN | \
     byoyomi MAIN PERIOD COUNT | canadian MAIN PERIOD MOVES";

/// Usage of `kata-time_settings`.
pub(super) const KATA_TIME_SETTINGS: &str = "kata-time_settings none | absolute MAIN | \
     byoyomi MAIN PERIOD COUNT | canadian MAIN PERIOD MOVES | fischer MAIN INC | \
     fischer-capped MAIN INC MAIN_LIMIT MOVE_LIMIT";

/// Usage of `ponte-time_settings`.
pub(super) const PONTE_TIME_SETTINGS: &str = "ponte-time_settings none | move SECONDS | \
     absolute MAIN | fischer MAIN INC | byoyomi MAIN PERIOD COUNT";

/// The kinds of `kata-time_settings`, in KataGo's order.
pub(super) const KATA_KINDS: &str = "none absolute byoyomi canadian fischer fischer-capped";

/// The time control parsed from the arguments of a command. `None` if they match none of its forms:
/// the error then shows its usage.
type ParsedControl = Result<Option<TimeControl>, CommandError>;

pub(super) fn time_settings(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [main, period, moves] = args.exactly()?;
    session.engine.set_time_control(canadian(main, period, moves)?);
    Ok(String::new())
}

pub(super) fn kgs_time_settings(session: &mut Session, args: Args) -> Result<String, CommandError> {
    set_control(session, args, parse_kgs)
}

pub(super) fn kata_time_settings(
    session: &mut Session,
    args: Args,
) -> Result<String, CommandError> {
    set_control(session, args, parse_kata)
}

pub(super) fn ponte_time_settings(
    session: &mut Session,
    args: Args,
) -> Result<String, CommandError> {
    set_control(session, args, parse_ponte)
}

pub(super) fn time_left(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color, seconds, moves] = args.exactly()?;
    let color = args::color(color)?;
    // Some controllers report negative times after an overrun: clamp them to 0.
    let is_overdrawn = args::number(seconds)? < 0.0;
    let time = if is_overdrawn { Seconds::ZERO } else { args::seconds(seconds)? };
    session.engine.set_time_left(color, time, args::whole_number(moves)?);
    Ok(String::new())
}

/// Sets the time control that `parse` returns for the arguments. Kinds may be in upper case, as in
/// KataGo.
fn set_control(
    session: &mut Session,
    args: Args,
    parse: fn(&[&str]) -> ParsedControl,
) -> Result<String, CommandError> {
    // The longest form has five words; with a sixth, none matches.
    let words: Vec<String> = args.words().take(6).map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let control = parse(&words)?.ok_or_else(|| args.usage_error())?;
    session.engine.set_time_control(control);
    Ok(String::new())
}

fn parse_kgs(words: &[&str]) -> ParsedControl {
    Ok(Some(match *words {
        ["none"] => TimeControl::None,
        ["absolute", main] => TimeControl::Absolute(args::seconds(main)?),
        ["canadian", main, period, moves] => canadian(main, period, moves)?,
        ["byoyomi", main, period, count] => {
            let (main, period) = (args::seconds(main)?, args::seconds(period)?);
            match args::whole_number(count)? {
                // No period: only main time, as in KataGo.
                0 => TimeControl::Absolute(main),
                periods => TimeControl::ByoYomi { main, period, periods, moves: 1 },
            }
        }
        _ => return Ok(None),
    }))
}

fn parse_kata(words: &[&str]) -> ParsedControl {
    Ok(Some(match *words {
        ["fischer", main, increment] => fischer(main, increment)?,
        ["fischer-capped", main, increment, main_limit, move_limit] => {
            let (main, increment) = (args::seconds(main)?, args::seconds(increment)?);
            let (main_limit, move_limit) = (limit(main_limit)?, limit(move_limit)?);
            if let Some(limit) = main_limit.filter(|&limit| limit < main) {
                let text =
                    format!("the limit of main time, {limit}, is less than main time, {main}");
                return Err(CommandError::Syntax(text));
            }
            TimeControl::FischerCapped { main, increment, main_limit, move_limit }
        }
        _ => return parse_kgs(words),
    }))
}

fn parse_ponte(words: &[&str]) -> ParsedControl {
    Ok(Some(match *words {
        ["move", seconds] => TimeControl::Move(args::seconds(seconds)?),
        ["fischer", main, increment] => fischer(main, increment)?,
        // The other commands accept 0 for compatibility; here it can only be a mistake.
        ["byoyomi", _, _, count] if count.parse() == Ok(0) => {
            let text = format!("'{count}' is not a number of periods, at least 1");
            return Err(CommandError::Syntax(text));
        }
        ["none"] | ["absolute", _] | ["byoyomi", ..] => return parse_kgs(words),
        _ => return Ok(None),
    }))
}

fn fischer(main: &str, increment: &str) -> Result<TimeControl, CommandError> {
    let (main, increment) = (args::seconds(main)?, args::seconds(increment)?);
    Ok(TimeControl::Fischer { main, increment })
}

/// Canadian time: after main time, `moves` moves in each period. Period 0 means main time only, and
/// a period for 0 moves means no limit, as GTP 2 defines.
fn canadian(main: &str, period: &str, moves: &str) -> Result<TimeControl, CommandError> {
    let (main, period) = (args::seconds(main)?, args::seconds(period)?);
    let moves = args::whole_number(moves)?;
    Ok(if period == Seconds::ZERO {
        TimeControl::Absolute(main)
    } else if moves == 0 {
        TimeControl::None
    } else {
        TimeControl::ByoYomi { main, period, periods: 1, moves }
    })
}

/// Parses a limit of `fischer-capped`. A negative number means no limit.
fn limit(word: &str) -> Result<Option<Seconds>, CommandError> {
    if args::number(word)? < 0.0 { Ok(None) } else { args::seconds(word).map(Some) }
}
