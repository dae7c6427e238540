//! Scores, the outcomes they decide, and the values of outcomes.
//!
//! A [`Score`] counts what one colour has. An [`Outcome`] says who won and by what. A [`Value`] is
//! the outcome as one ordered number, which the exact solver and the score bounds of the search
//! compare and negate.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::{Color, Position};
use crate::board::{Cell, Cells};

/// The score of one colour. The order decides the game: points, then islands, then bridges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Score {
    /// The sum of n(n+1)/2 over all networks, where n is the number of islands.
    pub points: u16,
    /// Groups of exactly four tiles.
    pub islands: u8,
    /// Bridges built, those within a network included.
    pub bridges: u8,
}

/// Groups of one colour that bridges join. A group without a bridge is a network of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    /// All tiles, those of sandbanks included.
    pub tiles: Cells,
    /// The number of islands, 0 for a network of sandbanks.
    pub islands: u8,
}

impl Network {
    /// The points that the network scores: n(n+1)/2 for n islands.
    pub fn points(&self) -> u16 {
        let islands = u16::from(self.islands);
        islands * (islands + 1) / 2
    }
}

impl Position {
    /// The networks of `color`, in the order of their first tiles. Their points add up to those of
    /// [`Position::score`].
    ///
    /// ```
    /// use pontifex::game::{Color, Setup, Supply};
    ///
    /// let text = "5/5/5/ww1ww/ww1ww w b2-d2 -";
    /// let position = Setup::parse(text, Supply::Unlimited, false)?.validate()?;
    /// let networks: Vec<_> = position.networks(Color::White).collect();
    /// assert_eq!((networks.len(), networks[0].islands, networks[0].points()), (1, 2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn networks(&self, color: Color) -> impl Iterator<Item = Network> {
        let mut rest = self.tiles(color);
        std::iter::from_fn(move || {
            let first = rest.first()?;
            let is_connected = |&cell: &Cell| self.network_root(cell) == self.network_root(first);
            let tiles: Cells = rest.into_iter().filter(is_connected).collect();
            rest -= tiles;
            Some(Network { tiles, islands: self.network_islands(first) })
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One colour won.
    Win {
        /// The colour with more.
        winner: Color,
        /// What decided the game.
        by: Tiebreak,
        /// The difference in what decided the game, at least 1.
        margin: u16,
    },
    /// Points, islands and bridges are all equal.
    Draw,
}

/// What decided a game. Each counts only if those before it are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tiebreak {
    /// The winner has more points.
    Points,
    /// The winner has more islands.
    Islands,
    /// The winner has more bridges.
    Bridges,
}

impl Outcome {
    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw => None,
        }
    }
}

/// The outcome of a game with these final scores (docs/rules.md, "Score").
pub fn compare(white: Score, red: Score) -> Outcome {
    let decide = |by, white: u16, red: u16| {
        let winner = match white.cmp(&red) {
            Ordering::Greater => Color::White,
            Ordering::Less => Color::Red,
            Ordering::Equal => return None,
        };
        Some(Outcome::Win { winner, by, margin: white.abs_diff(red) })
    };
    decide(Tiebreak::Points, white.points, red.points)
        .or_else(|| decide(Tiebreak::Islands, white.islands.into(), red.islands.into()))
        .or_else(|| decide(Tiebreak::Bridges, white.bridges.into(), red.bridges.into()))
        .unwrap_or(Outcome::Draw)
}

impl fmt::Display for Outcome {
    /// `W+5`, `R+i1`, `W+b2`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome::Win { winner, by, margin } = self else {
            return f.write_str("0");
        };
        let winner = winner.letter().to_ascii_uppercase();
        let unit = match by {
            Tiebreak::Points => "",
            Tiebreak::Islands => "i",
            Tiebreak::Bridges => "b",
        };
        write!(f, "{winner}+{unit}{margin}")
    }
}

/// The value of a result for White, or from the view of another side after [`Value::seen_by`].
///
/// 0 is a draw, ±1 a win on bridges, ±2 a win on islands, ±(2 + margin) a win on points. The margin
/// in islands or bridges does not matter. So values are ordered as a player prefers results, and a
/// larger win on points is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Value(i16);

/// The error for a text that is not a value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not the value of a game, as in W+5, R+i, W+b or 0")]
pub struct ParseValueError(
    /// The text that was given.
    pub String,
);

impl Value {
    /// The value of a draw.
    pub const DRAW: Value = Value(0);
    /// Below every result. It is not `i16::MIN`, which cannot be negated.
    pub const MIN: Value = Value(-i16::MAX);
    /// Above every result: no board has room for that many points.
    pub const MAX: Value = Value(i16::MAX);

    /// The value with this number.
    ///
    /// # Panics
    /// If `number` is `i16::MIN`, which cannot be negated.
    #[inline]
    pub const fn new(number: i16) -> Value {
        assert!(number != i16::MIN);
        Value(number)
    }

    /// The number, as described at [`Value`].
    #[inline]
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The win rate of the side whose view this is, White unless [`seen_by`](Self::seen_by) changed
    /// it: 1 for a win, ½ for a draw, 0 for a loss.
    pub fn win_rate(self) -> f32 {
        match self.0 {
            0 => 0.5,
            1.. => 1.0,
            _ => 0.0,
        }
    }

    /// The lead of that side in points, negative if it is behind; 0 if a tie-break decided. The
    /// side is White unless [`seen_by`](Self::seen_by) changed it.
    pub fn points(self) -> f32 {
        f32::from((self.0.abs() - 2).max(0) * self.0.signum())
    }

    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            1.. => Some(Color::White),
            _ => Some(Color::Red),
        }
    }

    /// The value from the view of `color`.
    #[inline]
    #[must_use]
    pub fn seen_by(self, color: Color) -> Value {
        if color == Color::White { self } else { -self }
    }
}

impl Neg for Value {
    type Output = Value;

    /// The value with colours exchanged.
    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl From<Outcome> for Value {
    #[inline]
    fn from(outcome: Outcome) -> Value {
        let Outcome::Win { winner, by, margin } = outcome else { return Value::DRAW };
        let number = match by {
            Tiebreak::Points => 2 + margin as i16,
            Tiebreak::Islands => 2,
            Tiebreak::Bridges => 1,
        };
        Value(number).seen_by(winner)
    }
}

impl fmt::Display for Value {
    /// `W+5`, `R+i`, `W+b`, `0`: like an [`Outcome`], without the margin of a tie-break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner() else { return f.write_str("0") };
        let winner = winner.letter().to_ascii_uppercase();
        match self.0.unsigned_abs() {
            1 => write!(f, "{winner}+b"),
            2 => write!(f, "{winner}+i"),
            number => write!(f, "{winner}+{}", number - 2),
        }
    }
}

impl FromStr for Value {
    type Err = ParseValueError;

    /// Parses the output of [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<Value, ParseValueError> {
        let parse = || {
            if text == "0" {
                return Some(Value::DRAW);
            }
            let (winner, margin) = text.split_once('+')?;
            let number = match margin {
                "b" => 1,
                "i" => 2,
                points => {
                    let points =
                        points.parse().ok().filter(|points| (1..=i16::MAX).contains(points));
                    2i16.checked_add(points?)?
                }
            };
            match winner {
                "W" => Some(Value(number)),
                "R" => Some(Value(-number)),
                _ => None,
            }
        };
        parse().ok_or_else(|| ParseValueError(text.to_owned()))
    }
}

text_in_json!(Value);
