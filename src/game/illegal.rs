//! Whether a move is legal, and if not, why: the reasons, then the checks that find them.
//!
//! The search does not use these checks: it takes its steps from the open cells and the open sites.
//! They are for moves from outside, so they may be slow. A tile is looked up in the open cells
//! first, and only a closed cell needs a search for the reason. A bridge is checked against the
//! bridges on the board one by one.
//!
//! A move may break several rules. The error names the one that a player would notice first: whose
//! turn it is, the board, the supply, an occupied cell, and only then the rules for groups,
//! distances and crossings.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{Color, Move, Position};
use crate::board::{Cell, Cells, Site, Size};

/// Why a move is illegal: the rule that it breaks, and the cells. In JSON it is an object with the
/// variant's name as `code` and its fields as `data`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", content = "data", rename_all = "snake_case")]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    #[serde(serialize_with = "serialize_no_data")]
    GameOver,
    /// It is the other player's turn.
    #[error("it is {to_move}'s turn")]
    NotYourTurn {
        /// The side to move.
        to_move: Color,
    },
    /// The board has no such cell.
    #[error("{cell} is not on the {size}x{size} board")]
    OffBoard {
        /// A cell of a larger board.
        cell: Cell,
        /// The size of this board.
        size: Size,
    },
    /// Both tiles of the move are on one cell, or it is a bridge from a cell to itself.
    #[error("{cell} is named twice, two different cells are needed")]
    SameCell {
        /// The cell that is named twice.
        cell: Cell,
    },
    /// There is a tile on the cell.
    #[error("{cell} is occupied by a {color} tile")]
    Occupied {
        /// The cell of the move.
        cell: Cell,
        /// The colour of the tile on it.
        color: Color,
    },
    /// A bridge runs over the cell.
    #[error("{cell} is blocked, it lies under the bridge {}-{}", bridge.0, bridge.1)]
    Blocked {
        /// The cell of the move.
        cell: Cell,
        /// A bridge that spans the cell, the first of several.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        bridge: (Cell, Cell),
    },
    /// The tile would make a group of five or more.
    #[error("{cell} would make a group of {tiles} tiles, 4 is the limit")]
    GroupTooLarge {
        /// The cell of the tile.
        cell: Cell,
        /// The size that the group would have, 5 or more.
        tiles: u8,
    },
    /// The tile would touch an island that it is not part of.
    #[error(
        "{cell} {} the island at {island}",
        if *beside { "would be a fifth tile of" } else { "touches" }
    )]
    TouchesIsland {
        /// The cell of the tile.
        cell: Cell,
        /// The island's tile that is touched.
        island: Cell,
        /// Whether `cell` and `island` share a side, so that the tile would be the island's fifth.
        beside: bool,
    },
    /// The tile would complete an island that touches another tile.
    #[error("{cell} would complete an island that touches the tile at {tile}")]
    IslandTouches {
        /// The cell of the tile.
        cell: Cell,
        /// The tile that the island would touch by a corner.
        tile: Cell,
    },
    /// Fewer than two tiles are left.
    #[error("{color} has {left} tile{} left, two are needed", if *left == 1 { "" } else { "s" })]
    NoTilesLeft {
        /// The side to move.
        color: Color,
        /// The number of tiles left to the side to move, 0 or 1.
        left: u16,
    },
    /// All bridges are built.
    #[error("no bridge is left in the supply")]
    #[serde(serialize_with = "serialize_no_data")]
    NoBridgesLeft,
    /// No bridge has this shape.
    #[error(
        "{}-{} is not a bridge: its ends must have exactly one cell between them, \
         straight or diagonal, or be a knight's move apart",
        ends.0, ends.1
    )]
    NoBridgeShape {
        /// The two cells, the smaller first.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
    },
    /// An end of the bridge is not on a tile of the side to move.
    #[error("{cell} has no {color} tile, and a bridge needs one at both ends")]
    NotYourTile {
        /// The end without such a tile.
        cell: Cell,
        /// The colour of the tile that is needed.
        color: Color,
    },
    /// An end of the bridge already carries a bridge.
    #[error("{cell} already carries the bridge {}-{}", bridge.0, bridge.1)]
    CarriesBridge {
        /// The end that is taken.
        cell: Cell,
        /// The bridge it carries.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        bridge: (Cell, Cell),
    },
    /// There is a tile under the bridge.
    #[error("the bridge {}-{} would run over the tile at {tile}", ends.0, ends.1)]
    TileUnderBridge {
        /// The bridge's ends.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
        /// The first tile that is in the way, of either colour.
        tile: Cell,
    },
    /// The bridge would cross another.
    #[error("the bridge {}-{} would cross the bridge {}-{}", ends.0, ends.1, other.0, other.1)]
    CrossesBridge {
        /// The bridge's ends.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
        /// The bridge that is crossed.
        #[serde(serialize_with = "serialize_pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        other: (Cell, Cell),
    },
    /// Two tiles can be placed, so passing is not allowed.
    #[error("pass is not allowed while two tiles can be placed, for example {example}")]
    PassNotAllowed {
        /// The first legal placement, in notation order.
        example: Move,
    },
    /// The supply and the board allow this tile, but no second one after it.
    #[error("no second tile could follow one on {cell}")]
    NoSecondTile {
        /// The cell of the first tile.
        cell: Cell,
    },
    /// No other tile of its colour is where a bridge from this one could end.
    #[error("no bridge can begin on {cell}, no other tile of its colour is in reach")]
    NoBridgeFrom {
        /// The cell of the tile.
        cell: Cell,
    },
    /// A swap that does not answer White's first turn, or that is made without the pie rule.
    #[error("swap is allowed only as the answer to White's first turn, with the pie rule on")]
    #[serde(serialize_with = "serialize_no_data")]
    SwapNotAllowed,
}

/// Serializes an empty object, for a reason without fields.
pub(super) fn serialize_no_data<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_map(Some(0))?.end()
}

/// Serializes two cells in the notation of a bridge, whether or not one fits between them.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn serialize_pair<S: Serializer>((a, b): &(Cell, Cell), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{a}-{b}"))
}

impl IllegalMove {
    /// Returns the cells concerned: those of the move, then those that it conflicts with.
    pub fn cells(&self) -> Vec<Cell> {
        match *self {
            IllegalMove::OffBoard { cell, .. }
            | IllegalMove::SameCell { cell }
            | IllegalMove::Occupied { cell, .. }
            | IllegalMove::GroupTooLarge { cell, .. }
            | IllegalMove::NoSecondTile { cell }
            | IllegalMove::NoBridgeFrom { cell }
            | IllegalMove::NotYourTile { cell, .. } => vec![cell],
            IllegalMove::Blocked { cell, bridge } | IllegalMove::CarriesBridge { cell, bridge } => {
                vec![cell, bridge.0, bridge.1]
            }
            IllegalMove::TouchesIsland { cell, island, .. } => vec![cell, island],
            IllegalMove::IslandTouches { cell, tile } => vec![cell, tile],
            IllegalMove::NoBridgeShape { ends } => vec![ends.0, ends.1],
            IllegalMove::TileUnderBridge { ends, tile } => vec![ends.0, ends.1, tile],
            IllegalMove::CrossesBridge { ends, other } => {
                vec![ends.0, ends.1, other.0, other.1]
            }
            IllegalMove::PassNotAllowed { example: Move::Tiles(a, b) } => vec![a, b],
            IllegalMove::GameOver
            | IllegalMove::NotYourTurn { .. }
            | IllegalMove::NoTilesLeft { .. }
            | IllegalMove::NoBridgesLeft
            | IllegalMove::PassNotAllowed { .. }
            | IllegalMove::SwapNotAllowed => Vec::new(),
        }
    }
}

/// Checks of moves.
impl Position {
    /// Checks that it is the turn of `color`.
    ///
    /// # Errors
    /// [`IllegalMove::GameOver`] or [`IllegalMove::NotYourTurn`].
    pub fn check_turn(&self, color: Color) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if color != self.side() {
            return Err(IllegalMove::NotYourTurn { to_move: self.side() });
        }
        Ok(())
    }

    /// Checks that `mv` is legal (docs/rules.md).
    ///
    /// # Errors
    /// The first rule that the move breaks.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a whole move between the two tiles of a turn");
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Tiles(a, b) => self.check_tiles(a, b),
            Move::Bridge(a, b) => {
                if self.bridges_left() == Some(0) {
                    return Err(IllegalMove::NoBridgesLeft);
                }
                self.check_bridge(self.side(), a, b).map(drop)
            }
            Move::Pass => match self.first_placement() {
                Some(example) => Err(IllegalMove::PassNotAllowed { example }),
                None => Ok(()),
            },
            Move::Swap if self.may_swap() => Ok(()),
            Move::Swap => Err(IllegalMove::SwapNotAllowed),
        }
    }

    /// Checks a move of tiles on `first` and then on `second`. If each tile alone is legal, but not
    /// both together, the error is about the second one.
    ///
    /// # Errors
    /// The first rule that the move breaks.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn check_tiles(&self, first: Cell, second: Cell) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a whole move between the two tiles of a turn");
        let side = self.side();
        self.check_turn(side)?;
        self.check_on_board(first)?;
        self.check_on_board(second)?;
        if first == second {
            return Err(IllegalMove::SameCell { cell: first });
        }
        if let Some(left @ ..2) = self.tiles_left(side) {
            return Err(IllegalMove::NoTilesLeft { color: side, left });
        }
        // Each alone, then the second after the first: a message about one cell is easier to
        // understand than one about the pair.
        self.check_tile(side, first)?;
        self.check_tile(side, second)?;
        let mut after = *self;
        after.place_tile(side, first);
        after.check_tile(side, second)
    }

    /// Checks that the turn may begin with a tile on `cell`: the cell is one of
    /// [`tile_steps`](Self::tile_steps).
    ///
    /// # Errors
    /// The rule that forbids it.
    ///
    /// # Panics
    /// Between the two tiles of a turn.
    pub fn check_first_tile(&self, cell: Cell) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a first tile in the middle of a turn");
        let side = self.side();
        self.check_turn(side)?;
        if let Some(left @ ..2) = self.tiles_left(side) {
            return Err(IllegalMove::NoTilesLeft { color: side, left });
        }
        self.check_tile(side, cell)?;
        if self.leaves_another(cell) { Ok(()) } else { Err(IllegalMove::NoSecondTile { cell }) }
    }

    /// Checks that the side to move can build a bridge that begins on `cell`.
    ///
    /// # Errors
    /// The rule that forbids it: for the cell itself or, if it is a free tile, for the first bridge
    /// to another tile of its colour.
    pub fn check_bridge_start(&self, cell: Cell) -> Result<(), IllegalMove> {
        let color = self.side();
        self.check_turn(color)?;
        self.check_on_board(cell)?;
        if !self.tiles(color).contains(cell) {
            return Err(IllegalMove::NotYourTile { cell, color });
        }
        if let Some(bridge) = self.bridge_where(|site| site.ends().contains(&cell)) {
            return Err(IllegalMove::CarriesBridge { cell, bridge });
        }
        if self.bridges_left() == Some(0) {
            return Err(IllegalMove::NoBridgesLeft);
        }
        let ends = self.tiles(color).into_iter();
        let ends = ends.filter(|&end| Site::between(cell, end).is_some());
        let errors: Vec<_> = ends.map(|end| self.check_bridge(color, cell, end).err()).collect();
        match errors.iter().flatten().next() {
            _ if errors.contains(&None) => Ok(()),
            Some(&reason) => Err(reason),
            None => Err(IllegalMove::NoBridgeFrom { cell }),
        }
    }

    /// Checks that the board has `cell`. Moves can name cells of a larger board.
    fn check_on_board(&self, cell: Cell) -> Result<(), IllegalMove> {
        let size = self.size();
        if cell.is_on(size) { Ok(()) } else { Err(IllegalMove::OffBoard { cell, size }) }
    }

    /// Checks that a tile of `color` may be placed on `cell`, ignoring supply and turn.
    ///
    /// # Errors
    /// The rule that forbids it, for the first tile it conflicts with.
    pub fn check_tile(&self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check_on_board(cell)?;
        let placement = self.placement(color);
        if placement.open_cells.contains(cell) {
            return Ok(());
        }
        if let Some(color) = self.tile_at(cell) {
            return Err(IllegalMove::Occupied { cell, color });
        }
        // From here on the cell is free, or a bridge spans it.
        if self.spanned_cells().contains(cell)
            && let Some(bridge) = self.bridge_where(|site| site.span().contains(cell))
        {
            return Err(IllegalMove::Blocked { cell, bridge });
        }
        // An island at a side of the cell, whose fifth tile it would be, is reported before one at
        // a corner.
        let neighbourhoods = [Cells::from(cell).sides(), Cells::from(cell).halo()];
        let [beside, around] = neighbourhoods.map(|cells| (cells & placement.islands).first());
        if let Some(island) = beside.or(around) {
            let beside = beside.is_some();
            return Err(IllegalMove::TouchesIsland { cell, island, beside });
        }
        // No island is near, and yet the cell is closed: the group that the tile would make is too
        // large, or it is an island that touches another tile.
        let group = placement.group(cell);
        let tiles = group.len() as u8;
        match ((group.halo() & placement.tiles) - group).first() {
            Some(tile) if tiles == 4 => Err(IllegalMove::IslandTouches { cell, tile }),
            _ => Err(IllegalMove::GroupTooLarge { cell, tiles }),
        }
    }

    /// The site between two cells if `color` may build there, ignoring supply and turn.
    ///
    /// # Errors
    /// The first rule that forbids it.
    pub(super) fn check_bridge(&self, color: Color, a: Cell, b: Cell) -> Result<Site, IllegalMove> {
        self.check_on_board(a)?;
        self.check_on_board(b)?;
        let ends = (a.min(b), a.max(b));
        if a == b {
            return Err(IllegalMove::SameCell { cell: a });
        }
        let site = Site::between(a, b).ok_or(IllegalMove::NoBridgeShape { ends })?;
        for cell in [ends.0, ends.1] {
            if !self.tiles(color).contains(cell) {
                return Err(IllegalMove::NotYourTile { cell, color });
            }
            let on_cell = |site: Site| site.ends().contains(&cell);
            if self.bridge_ends().contains(cell)
                && let Some(bridge) = self.bridge_where(on_cell)
            {
                return Err(IllegalMove::CarriesBridge { cell, bridge });
            }
        }
        let tiles = self.tiles(Color::White) | self.tiles(Color::Red);
        if let Some(tile) = (site.span() & tiles).first() {
            return Err(IllegalMove::TileUnderBridge { ends, tile });
        }
        if let Some(other) = self.bridge_where(|other| other.crosses(site)) {
            return Err(IllegalMove::CrossesBridge { ends, other });
        }
        Ok(site)
    }

    /// Returns the ends of the first bridge on the board that satisfies the predicate.
    fn bridge_where(&self, predicate: impl Fn(Site) -> bool) -> Option<(Cell, Cell)> {
        let site = self.bridges().iter().find(|&site| predicate(site))?;
        let [a, b] = site.ends();
        Some((a, b))
    }
}
