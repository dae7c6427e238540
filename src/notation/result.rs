use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::source::excerpt;
use crate::game::{Color, Outcome, Tiebreak};

/// How a recorded game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// It was played to its end.
    Played(Outcome),
    /// It was won before its end.
    Won {
        /// The winner.
        winner: Color,
        /// How.
        by: WonBy,
    },
    /// It has no result: abandoned, annulled.
    Void,
}

/// How a game was won before its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WonBy {
    /// The opponent resigned.
    Resignation,
    /// The opponent's time ran out.
    Time,
    /// The opponent broke off or broke a rule.
    Forfeit,
    /// The record does not say.
    Unstated,
}

/// The text is not a result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{0}' is not a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void"
)]
pub struct ParseResultError(
    /// The text.
    pub String,
);

impl GameResult {
    /// Who won, if anybody.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Played(outcome) => outcome.winner(),
            GameResult::Won { winner, .. } => Some(winner),
            GameResult::Void => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// `W+5`, `R+i1`, `W+b2`, `0`; `W+R` after resignation, `W+T` on time,
    /// `W+F` by forfeit, `W+` when it is not known how; `Void`.
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

    /// Reads what [`Display`](fmt::Display) writes, in either case, and what
    /// SGF has beside it: `B` for Red, `Draw`, `W+Resign`, `B+Time`.
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

/// A win, from what stands behind the `+`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in ["W+5", "R+i1", "W+b2", "0", "W+R", "R+T", "W+F", "R+", "Void"] {
            assert_eq!(text.parse::<GameResult>().unwrap().to_string(), text);
            assert_eq!(text.to_lowercase().parse::<GameResult>().unwrap().to_string(), text);
        }
        for (text, same) in
            [("B+3", "R+3"), ("b+Resign", "R+R"), (" Draw ", "0"), ("W+Time", "W+T")]
        {
            assert_eq!(text.parse::<GameResult>().unwrap().to_string(), same);
        }
        for text in ["", "?", "W", "X+1", "W+0", "W+-1", "W+i", "W+5.5", "W+é", "R+99999", "W++1"]
        {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
    }
}
