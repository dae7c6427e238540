//! The rules that vary between games: board size, supply and pie rule.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Size;

/// The numbers of tiles and bridges (docs/rules.md, "Board and supply").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Supply {
    /// The published numbers: 40 tiles of each colour and 15 bridges on 10×10,
    /// 60 and 22 on 12×12. Other sizes have no limit.
    #[default]
    Standard,
    /// No limit.
    Unlimited,
    /// Explicit numbers.
    Limited {
        /// Tiles of each colour.
        tiles: u16,
        /// Bridges, shared by both players.
        bridges: u16,
    },
}

/// The text is not a supply.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("supply '{0}' is not 'standard', 'unlimited' or TILES,BRIDGES, as in 40,15")]
pub struct ParseSupplyError(
    /// The text.
    pub String,
);

impl Supply {
    /// The tiles of each colour and the bridges of both on a board of `size`;
    /// `None` means no limit.
    pub fn limits(self, size: Size) -> Option<(u16, u16)> {
        match (self, size.get()) {
            (Supply::Limited { tiles, bridges }, _) => Some((tiles, bridges)),
            (Supply::Standard, 10) => Some((40, 15)),
            (Supply::Standard, 12) => Some((60, 22)),
            _ => None,
        }
    }
}

impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Supply::Standard => f.write_str("standard"),
            Supply::Unlimited => f.write_str("unlimited"),
            Supply::Limited { tiles, bridges } => write!(f, "{tiles},{bridges}"),
        }
    }
}

impl FromStr for Supply {
    type Err = ParseSupplyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_ascii_lowercase();
        let numbers = || {
            let (tiles, bridges) = lower.split_once(',')?;
            let (tiles, bridges) = (tiles.trim().parse().ok()?, bridges.trim().parse().ok()?);
            Some(Supply::Limited { tiles, bridges })
        };
        match lower.as_str() {
            "standard" => Ok(Supply::Standard),
            "unlimited" => Ok(Supply::Unlimited),
            _ => numbers().ok_or_else(|| ParseSupplyError(text.to_owned())),
        }
    }
}

/// The rules of a game that are agreed before it starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Board size.
    pub size: Size,
    /// Supply of tiles and bridges.
    pub supply: Supply,
    /// Whether Red may swap after White's first turn.
    pub pie: bool,
}

impl Default for Rules {
    /// The published game: 10×10, standard supply, pie rule on.
    fn default() -> Self {
        Rules { size: Size::STANDARD, supply: Supply::Standard, pie: true }
    }
}
