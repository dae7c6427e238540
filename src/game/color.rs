//! The two colours.

use std::fmt;
use std::ops::Not;

use serde::{Deserialize, Serialize};

/// A colour. White moves first. In JSON it is `"white"` or `"red"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// The light tiles.
    White,
    /// The dark tiles.
    Red,
}

impl Color {
    /// Both colours, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Red];

    /// The index of the colour in pairs: White 0, Red 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `r`.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Red => 'r',
        }
    }
}

impl Not for Color {
    type Output = Color;

    /// The other colour.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Red,
            Color::Red => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Red => "red",
        })
    }
}
