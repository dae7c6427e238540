//! The start of a game: the agreed rules (board size, supply and pie rule), and positions set up by
//! hand, with their validation.
//!
//! A [`Setup`] is whatever a text describes, legal or not. Only [`Setup::validate`] turns it into a
//! [`Position`], which never has to be checked again. The distinction is shakmaty's.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer, ser};
use thiserror::Error;

use super::illegal::serialize_no_data;
use super::{Color, IllegalMove, Position, Stage};
use crate::board::{Cell, Cells, Size};

/// The rules of a game that are agreed before it starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rules {
    /// The size of the board.
    #[serde(rename = "board")]
    pub size: Size,
    /// How many tiles and bridges there are.
    pub supply: Supply,
    /// Whether the pie rule is on: Red may swap after White's first turn.
    pub pie: bool,
}

impl Default for Rules {
    /// The published game: 10×10, standard supply, pie rule on.
    fn default() -> Self {
        Rules { size: Size::STANDARD, supply: Supply::Standard, pie: true }
    }
}

/// The numbers of tiles and bridges (docs/rules.md, "Board and supply").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Supply {
    /// The published numbers: 40 tiles of each colour and 15 bridges on 10×10, 60 and 22 on 12×12.
    /// Other sizes have no limit.
    #[default]
    Standard,
    /// No limit, as on Board Game Arena and Abstract Play.
    Unlimited,
    /// Explicit numbers, on a board of any size.
    Limited {
        /// The tiles of each colour.
        tiles: u16,
        /// The bridges, shared by both players.
        bridges: u16,
    },
}

/// The error for a text that is not a supply.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("supply '{0}' is not 'standard', 'unlimited' or TILES,BRIDGES, as in 40,15")]
pub struct ParseSupplyError(
    /// The text that was given.
    pub String,
);

impl Supply {
    /// The tiles of each colour and the bridges of both on a board of `size`; `None` means no
    /// limit.
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
        let parse_limited = || {
            let (tiles, bridges) = lower.split_once(',')?;
            let (tiles, bridges) = (tiles.trim().parse().ok()?, bridges.trim().parse().ok()?);
            Some(Supply::Limited { tiles, bridges })
        };
        match lower.as_str() {
            "standard" => Ok(Supply::Standard),
            "unlimited" => Ok(Supply::Unlimited),
            _ => parse_limited().ok_or_else(|| ParseSupplyError(text.to_owned())),
        }
    }
}

text_in_json!(Supply);

/// A description of a position that is not validated yet. Position texts and records are parsed to
/// it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules of the game that the position is part of.
    pub rules: Rules,
    /// The tiles of White and of Red. They may overlap.
    pub tiles: [Cells; 2],
    /// The ends of the bridges, in either order. A bridge has the colour of its ends.
    pub bridges: Vec<(Cell, Cell)>,
    /// The side to move.
    pub side: Color,
    /// What is special about the turn.
    pub stage: SetupStage,
}

/// The stage of the game in a [`Setup`]. Position texts and messages call it the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SetupStage {
    /// An ordinary turn, or the first of the game.
    #[default]
    Plain,
    /// Red may swap.
    Pie,
    /// White has passed: Red's last turn.
    Last,
    /// The game is over.
    Over,
}

/// Why a [`Setup`] is not a legal position. In JSON it has the form of [`IllegalMove`]; for a tile
/// or a bridge, it is the rule that the tile or bridge breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", content = "data", rename_all = "snake_case")]
pub enum SetupError {
    /// A colour has more tiles than the supply.
    #[error("{color} has {tiles} tiles on the board, the supply is {supply}")]
    TooManyTiles {
        /// The colour that has too many.
        color: Color,
        /// The number of tiles of the colour on the board.
        tiles: u32,
        /// The number of tiles of a colour at the start of a game.
        supply: u16,
    },
    /// More bridges than the supply.
    #[error("{bridges} bridges are on the board, the supply is {supply}")]
    TooManyBridges {
        /// The bridges of both colours on the board.
        bridges: usize,
        /// The bridges at the start of a game.
        supply: u16,
    },
    /// The state is `pie`, but the rules have no pie rule.
    #[error("state 'pie' needs the pie rule, which is off")]
    #[serde(serialize_with = "serialize_no_data")]
    PieIsOff,
    /// The state is `pie`, but the board is not that after White's first turn.
    #[error("state 'pie' needs Red to move, two white tiles, no red tile and no bridge")]
    #[serde(serialize_with = "serialize_no_data")]
    NotAfterFirstTurn,
    /// The state is `last` with White to move.
    #[error("state 'last' is Red's last turn, but White is to move")]
    #[serde(serialize_with = "serialize_no_data")]
    LastTurnIsReds,
    /// A tile breaks a rule.
    #[error("the {color} tile on {cell} breaks a rule: {reason}")]
    #[serde(untagged, serialize_with = "serialize_broken_tile")]
    #[cfg_attr(feature = "ts", ts(skip))]
    Tile {
        /// The colour of the tile.
        color: Color,
        /// The cell of the tile.
        cell: Cell,
        /// The rule that is broken.
        reason: IllegalMove,
    },
    /// A bridge breaks a rule.
    #[error("the bridge {}-{} breaks a rule: {reason}", ends.0, ends.1)]
    #[serde(untagged)]
    #[cfg_attr(feature = "ts", ts(skip))]
    Bridge {
        /// The two ends of the bridge, the smaller first.
        #[serde(skip)]
        ends: (Cell, Cell),
        /// The rule that is broken.
        #[serde(flatten)]
        reason: IllegalMove,
    },
}

/// Serializes the rule that a tile breaks, with the colour of the tile added to its data.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn serialize_broken_tile<S: Serializer>(
    color: &Color,
    _: &Cell,
    reason: &IllegalMove,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut value = serde_json::to_value(reason).map_err(ser::Error::custom)?;
    value["data"]["color"] = color.to_string().into();
    value.serialize(serializer)
}

impl Setup {
    /// The empty board.
    pub fn empty(rules: Rules) -> Setup {
        Setup {
            rules,
            tiles: [Cells::EMPTY; 2],
            bridges: Vec::new(),
            side: Color::White,
            stage: SetupStage::Plain,
        }
    }

    /// Returns the position if it is legal (docs/rules.md, "Positions set up by hand").
    ///
    /// # Errors
    /// The first broken rule and its place. White's tiles are checked first, then Red's tiles, the
    /// bridges and the stage.
    pub fn validate(&self) -> Result<Position, SetupError> {
        let mut position = Position::new(self.rules);
        let limits = self.rules.supply.limits(self.rules.size);
        for color in Color::BOTH {
            let tiles = self.tiles[color.index()];
            if let Some((supply, _)) = limits
                && tiles.len() > u32::from(supply)
            {
                return Err(SetupError::TooManyTiles { color, tiles: tiles.len(), supply });
            }
            for cell in tiles {
                position.check_tile(color, cell).map_err(|reason| SetupError::Tile {
                    color,
                    cell,
                    reason,
                })?;
                // Any order works, because every part of a legal position is legal.
                position.place_tile(color, cell);
            }
        }
        if let Some((_, supply)) = limits
            && self.bridges.len() > usize::from(supply)
        {
            return Err(SetupError::TooManyBridges { bridges: self.bridges.len(), supply });
        }
        let red = self.tiles[Color::Red.index()];
        for &(a, b) in &self.bridges {
            let ends = (a.min(b), a.max(b));
            // The first end decides whose bridge it is. If no red tile is there, the check below
            // reports that White has none there.
            let color = if red.contains(ends.0) { Color::Red } else { Color::White };
            let site = position
                .check_bridge(color, a, b)
                .map_err(|reason| SetupError::Bridge { ends, reason })?;
            position.build_bridge(color, site);
        }
        position.set_turn(self.side, self.validated_stage()?);
        Ok(position)
    }

    /// Returns the position's stage if the board and the side to move allow it.
    fn validated_stage(&self) -> Result<Stage, SetupError> {
        let [white, red] = self.tiles;
        let has_only_white_tiles = red.is_empty() && self.bridges.is_empty();
        match self.stage {
            SetupStage::Plain
                if self.side == Color::White && white.is_empty() && has_only_white_tiles =>
            {
                Ok(Stage::Opening)
            }
            SetupStage::Plain => Ok(Stage::Normal),
            SetupStage::Pie if !self.rules.pie => Err(SetupError::PieIsOff),
            SetupStage::Pie
                if self.side == Color::Red && white.len() == 2 && has_only_white_tiles =>
            {
                Ok(Stage::Pie)
            }
            SetupStage::Pie => Err(SetupError::NotAfterFirstTurn),
            SetupStage::Last if self.side == Color::White => Err(SetupError::LastTurnIsReds),
            SetupStage::Last => Ok(Stage::Last),
            SetupStage::Over => Ok(Stage::Over),
        }
    }
}

impl From<&Position> for Setup {
    /// The first tile of an unfinished turn is included, but the setup does not say that the turn
    /// is unfinished.
    fn from(position: &Position) -> Setup {
        let mut bridges: Vec<(Cell, Cell)> =
            position.bridges().iter().map(|site| site.ends().into()).collect();
        bridges.sort_unstable();
        Setup {
            rules: *position.rules(),
            tiles: Color::BOTH.map(|color| position.tiles(color)),
            bridges,
            side: position.side(),
            stage: match position.stage() {
                Stage::Opening | Stage::Normal => SetupStage::Plain,
                Stage::Pie => SetupStage::Pie,
                Stage::Last => SetupStage::Last,
                Stage::Over => SetupStage::Over,
            },
        }
    }
}
