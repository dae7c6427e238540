//! Scores and outcomes.

use std::cmp::Ordering;
use std::fmt;

use super::Color;

/// The score of one colour. The order decides the game: points, then islands,
/// then bridges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score {
    /// The sum of n(n+1)/2 over all networks, where n is the number of islands.
    pub points: u16,
    /// Groups of exactly four tiles.
    pub islands: u8,
    /// Bridges built.
    pub bridges: u8,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One colour won.
    Win {
        /// The winner.
        winner: Color,
        /// What decided the game.
        by: Tiebreak,
        /// The difference, at least 1.
        margin: u16,
    },
    /// Points, islands and bridges are all equal.
    Draw,
}

/// What decided a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tiebreak {
    /// More points.
    Points,
    /// Equal points, more islands.
    Islands,
    /// Equal points and islands, more bridges.
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
    let by = |by, white: u16, red: u16| {
        let winner = match white.cmp(&red) {
            Ordering::Greater => Color::White,
            Ordering::Less => Color::Red,
            Ordering::Equal => return None,
        };
        Some(Outcome::Win { winner, by, margin: white.abs_diff(red) })
    };
    by(Tiebreak::Points, white.points, red.points)
        .or_else(|| by(Tiebreak::Islands, white.islands.into(), red.islands.into()))
        .or_else(|| by(Tiebreak::Bridges, white.bridges.into(), red.bridges.into()))
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
