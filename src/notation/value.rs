//! Values with the same notation in several formats: results, board sizes, switches, and the
//! phrases of their error messages.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::text::Warning;
use crate::board::Size;
use crate::game::{Color, Outcome, Tiebreak};
use crate::messages::excerpt;

/// How a recorded game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// The game was played to the end, or the players agreed on a draw.
    Played(Outcome),
    /// The game was won before the end, or the record does not say how.
    Won {
        /// The colour that won.
        winner: Color,
        /// Why the game ended.
        by: WonBy,
    },
    /// The game has no result: it was abandoned or annulled.
    Void,
}

/// How a game was won before the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WonBy {
    /// The opponent resigned.
    Resignation,
    /// The opponent's time ran out.
    Time,
    /// The opponent gave up the game or broke a rule.
    Forfeit,
    /// The record does not say.
    Unstated,
}

/// The error for a text that is not a result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{0}' is not a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void"
)]
pub struct ParseResultError(
    /// The text that was given, or its beginning.
    pub String,
);

impl GameResult {
    /// The winner; `None` for a draw and for a game without a result.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Played(outcome) => outcome.winner(),
            GameResult::Won { winner, .. } => Some(winner),
            GameResult::Void => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// Writes `W+5`, `R+i1`, `W+b2` or `0`, `W+R` for resignation, `W+T` for time, `W+F` for
    /// forfeit, `W+` for an unknown reason, or `Void`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Played(outcome) => outcome.fmt(f),
            GameResult::Won { winner, by } => {
                let by = match by {
                    WonBy::Resignation => "R",
                    WonBy::Time => "T",
                    WonBy::Forfeit => "F",
                    WonBy::Unstated => "",
                };
                write!(f, "{}+{by}", winner.letter().to_ascii_uppercase())
            }
            GameResult::Void => f.write_str("Void"),
        }
    }
}

impl FromStr for GameResult {
    type Err = ParseResultError;

    /// Parses what [`Display`](fmt::Display) writes, in either case, and what other programs write:
    /// `B` for Red, `Draw`, `W+Resign`, `B+Time`, `W+1.5`, `1-0`, `White wins`. Fractions of
    /// points, which this game does not have, say only who won.
    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        let lower = text.trim().to_ascii_lowercase();
        let parse = || match lower.as_str() {
            "0" | "draw" | "jigo" | "tie" | "1/2-1/2" | "½-½" | "0.5-0.5" => {
                Some(GameResult::Played(Outcome::Draw))
            }
            "void" => Some(GameResult::Void),
            "1-0" | "w" | "white" | "white wins" | "white won" => parse_win(Color::White, ""),
            "0-1" | "b" | "r" | "black" | "red" | "black wins" | "red wins" | "black won"
            | "red won" => parse_win(Color::Red, ""),
            _ => {
                let (winner, rest) = lower.split_once('+')?;
                let winner = match winner.trim() {
                    "w" | "white" => Color::White,
                    "r" | "b" | "red" | "black" => Color::Red,
                    _ => return None,
                };
                parse_win(winner, rest.trim())
            }
        };
        parse().ok_or_else(|| ParseResultError(excerpt(text)))
    }
}

/// Parses the part of a win after the `+`: the reason or the margin.
fn parse_win(winner: Color, text: &str) -> Option<GameResult> {
    let by = match text {
        "" | "?" => WonBy::Unstated,
        "r" | "resign" | "resigns" | "resigned" | "resignation" => WonBy::Resignation,
        "t" | "time" | "timeout" => WonBy::Time,
        "f" | "forfeit" => WonBy::Forfeit,
        // This game has no fractions of points, so only the winner is certain. A whole number such
        // as `2.0` is read.
        _ if text.contains('.') => {
            let points = text.parse::<f64>().ok().filter(|&points| points > 0.0 && points < 1e4)?;
            if points.fract() == 0.0 {
                return parse_win(winner, &points.to_string());
            }
            WonBy::Unstated
        }
        _ => {
            let (by, margin) = match text.as_bytes()[0] {
                b'i' => (Tiebreak::Islands, &text[1..]),
                b'b' => (Tiebreak::Bridges, &text[1..]),
                _ => (Tiebreak::Points, text),
            };
            // `parse` would accept `+5`.
            let is_number = margin.bytes().all(|b| b.is_ascii_digit());
            let margin = margin.parse().ok().filter(|&margin: &u16| is_number && margin > 0)?;
            return Some(GameResult::Played(Outcome::Win { winner, by, margin }));
        }
    };
    Some(GameResult::Won { winner, by })
}

// Phrases of `Problem::Value` and `Problem::Is` that say what a value must be.
pub(super) const MOVE: &str = "a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6";
pub(super) const SIZE: &str = "a board size from 4 to 12";
pub(super) const SUPPLY: &str = "a supply: standard, unlimited or TILES,BRIDGES, as in 40,15";
pub(super) const SWITCH: &str = "on or off";

/// Parses a board size.
pub(super) fn parse_size(text: &str) -> Option<Size> {
    Size::new(text.parse().ok()?).ok()
}

/// Parses `on` or `off`.
pub(super) fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Parses the result in a record; `None` if the record leaves it open. An unknown text is only a
/// warning, since the moves can be read without it.
pub(super) fn parse_result(text: &str, warnings: &mut Vec<Warning>) -> Option<GameResult> {
    if matches!(text.trim().to_ascii_lowercase().as_str(), "" | "?" | "-" | "*" | "unknown") {
        return None;
    }
    let warn = |_| warnings.push(Warning::UnknownResult { text: excerpt(text) });
    text.parse().map_err(warn).ok()
}
