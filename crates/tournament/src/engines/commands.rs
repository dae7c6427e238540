//! The texts of the GTP commands and answers that depend on the game.

use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Color, Move, Position};
use pontifex::notation::ParseMoveError;

/// GTP's name for a colour; Red is its black.
pub(crate) fn gtp_color(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Red => 'b',
    }
}

pub(crate) fn play(color: Color, mv: Move) -> String {
    format!("play {} {mv}", gtp_color(color))
}

pub(crate) fn genmove(color: Color) -> String {
    format!("genmove {}", gtp_color(color))
}

/// `ponte-time_settings`, which can express every limit.
pub(crate) fn ponte_time_settings(limit: Limit) -> String {
    let kind = match limit {
        Limit::Move { seconds } => format!("move {seconds}"),
        Limit::Fischer { main, increment } => format!("fischer {main} {increment}"),
        Limit::ByoYomi { main, period, periods } => format!("byoyomi {main} {period} {periods}"),
        Limit::Iterations { .. } => "none".to_owned(),
    };
    format!("ponte-time_settings {kind}")
}

/// GTP's `time_settings`: main time and Canadian byo-yomi. It cannot express
/// an increment, which shows in `time_left` only. A period for zero moves means
/// no limit.
pub(crate) fn time_settings(limit: Limit) -> String {
    let (main, period, moves) = match limit {
        Limit::Move { seconds } => (Seconds::ZERO, seconds, 1),
        Limit::Fischer { main, .. } => (main, Seconds::ZERO, 0),
        Limit::ByoYomi { main, period, .. } => (main, period, 1),
        Limit::Iterations { .. } => (Seconds::ZERO, Seconds::whole(1), 0),
    };
    format!("time_settings {main} {period} {moves}")
}

/// Reads an answer to `genmove` as a legal move of `position`; `None` if the
/// engine resigns.
///
/// # Errors
/// Why the answer is not a legal move, in one line.
pub(crate) fn read_move(text: &str, position: &Position) -> Result<Option<Move>, String> {
    if text.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    let shown = text.lines().next().unwrap_or_default().chars().take(80).collect::<String>();
    let mv: Move = if shown == text { shown.parse() } else { Err(ParseMoveError(shown)) }
        .map_err(|error| error.to_string())?;
    position.check(mv).map_err(|reason| format!("{mv} is illegal: {reason}"))?;
    Ok(Some(mv))
}
