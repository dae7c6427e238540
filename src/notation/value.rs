//! Values that several formats write in the same way: results, board sizes,
//! switches, and the words of their error messages.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Size;
use crate::game::{Color, Outcome, Tiebreak};
use crate::messages::excerpt;

/// How a recorded game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// The game was played to the end.
    Played(Outcome),
    /// The game was won before the end.
    Won {
        /// The winner.
        winner: Color,
        /// The reason.
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

/// A text is not a result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{0}' is not a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void"
)]
pub struct ParseResultError(
    /// The text.
    pub String,
);

impl GameResult {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Played(outcome) => outcome.winner(),
            GameResult::Won { winner, .. } => Some(winner),
            GameResult::Void => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// Writes `W+5`, `R+i1`, `W+b2` or `0`, `W+R` for resignation, `W+T` for time,
    /// `W+F` for forfeit, `W+` for an unknown reason, or `Void`.
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

    /// Parses what [`Display`](fmt::Display) writes, in either case, and the other
    /// forms of SGF: `B` for Red, `Draw`, `W+Resign`, `B+Time`.
    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        let lower = text.trim().to_ascii_lowercase();
        let read = || match lower.as_str() {
            "0" | "draw" => Some(GameResult::Played(Outcome::Draw)),
            "void" => Some(GameResult::Void),
            _ => {
                let (winner, by) = lower.split_once('+')?;
                let winner = match winner {
                    "w" => Color::White,
                    "r" | "b" => Color::Red,
                    _ => return None,
                };
                win(winner, by)
            }
        };
        read().ok_or_else(|| ParseResultError(excerpt(text)))
    }
}

/// Parses the part of a win after the `+`.
fn win(winner: Color, by: &str) -> Option<GameResult> {
    let by = match by {
        "" => WonBy::Unstated,
        "r" | "resign" => WonBy::Resignation,
        "t" | "time" => WonBy::Time,
        "f" | "forfeit" => WonBy::Forfeit,
        _ => {
            let (by, margin) = match by.as_bytes()[0] {
                b'i' => (Tiebreak::Islands, &by[1..]),
                b'b' => (Tiebreak::Bridges, &by[1..]),
                _ => (Tiebreak::Points, by),
            };
            let is_number = margin.bytes().all(|b| b.is_ascii_digit());
            let margin = margin.parse().ok().filter(|&margin: &u16| is_number && margin > 0)?;
            return Some(GameResult::Played(Outcome::Win { winner, by, margin }));
        }
    };
    Some(GameResult::Won { winner, by })
}

pub(super) const SIZE: &str = "a board size from 4 to 12";
pub(super) const SUPPLY: &str = "a supply: standard, unlimited or TILES,BRIDGES, as in 40,15";
pub(super) const SWITCH: &str = "on or off";
pub(super) const RESULT: &str =
    "a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void";

/// Parses a board size.
pub(super) fn size(text: &str) -> Option<Size> {
    Size::new(text.parse().ok()?).ok()
}

/// Parses `on` or `off`.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Whether a text leaves the result open.
pub(super) fn is_open_result(text: &str) -> bool {
    matches!(text.trim(), "" | "?")
}
