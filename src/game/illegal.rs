//! Whether a move is legal, and if not, why: the reasons, then the checks that
//! find them.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{Color, Move, Position};
use crate::board::{Cell, Cells, Site, Size};

/// Why a move is illegal: the rule that it breaks, and the cells. In JSON an object with
/// `code` and `data`, the fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", content = "data", rename_all = "snake_case")]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    #[serde(serialize_with = "no_data")]
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
        /// The cell.
        cell: Cell,
        /// The board.
        size: Size,
    },
    /// Both tiles on one cell, or a bridge from a cell to itself.
    #[error("{cell} is named twice, two different cells are needed")]
    SameCell {
        /// The cell.
        cell: Cell,
    },
    /// There is a tile on the cell.
    #[error("{cell} is occupied by a {color} tile")]
    Occupied {
        /// The cell.
        cell: Cell,
        /// The colour of the tile.
        color: Color,
    },
    /// A bridge runs over the cell.
    #[error("{cell} is blocked, it lies under the bridge {}-{}", bridge.0, bridge.1)]
    Blocked {
        /// The cell.
        cell: Cell,
        /// A bridge that spans it.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        bridge: (Cell, Cell),
    },
    /// The tile would make a group of five or more.
    #[error("{cell} would make a group of {tiles} tiles, 4 is the limit")]
    GroupTooLarge {
        /// The cell.
        cell: Cell,
        /// The size of the group.
        tiles: u8,
    },
    /// The tile would touch an island it is not part of.
    #[error("{cell} touches the island at {island}")]
    TouchesIsland {
        /// The cell.
        cell: Cell,
        /// The island's tile that is touched.
        island: Cell,
        /// Whether they share a side, so that the tile would be the island's fifth.
        beside: bool,
    },
    /// The tile would complete an island that touches another tile.
    #[error("{cell} would complete an island that touches the tile at {tile}")]
    IslandTouches {
        /// The cell.
        cell: Cell,
        /// The tile outside the island.
        tile: Cell,
    },
    /// Fewer than two tiles are left.
    #[error("{color} has {left} tile{} left, two are needed", if *left == 1 { "" } else { "s" })]
    NoTilesLeft {
        /// The colour.
        color: Color,
        /// The number of tiles left.
        left: u16,
    },
    /// All bridges are built.
    #[error("no bridge is left in the supply")]
    #[serde(serialize_with = "no_data")]
    NoBridgesLeft,
    /// No bridge has this shape.
    #[error(
        "{}-{} is no bridge: its ends are two apart in a line or diagonally, or a knight's jump",
        ends.0, ends.1
    )]
    NoBridgeShape {
        /// The cells.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
    },
    /// An end of the bridge is not on a tile of the side to move.
    #[error("{cell} has no {color} tile")]
    NotYourTile {
        /// The end.
        cell: Cell,
        /// The colour of the tile that is needed.
        color: Color,
    },
    /// An end of the bridge already carries a bridge.
    #[error("{cell} already carries the bridge {}-{}", bridge.0, bridge.1)]
    CarriesBridge {
        /// The end.
        cell: Cell,
        /// The bridge it carries.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        bridge: (Cell, Cell),
    },
    /// There is a tile under the bridge.
    #[error("the bridge {}-{} would run over the tile at {tile}", ends.0, ends.1)]
    TileUnderBridge {
        /// The bridge's ends.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
        /// The tile.
        tile: Cell,
    },
    /// The bridge would cross another.
    #[error("the bridge {}-{} would cross the bridge {}-{}", ends.0, ends.1, other.0, other.1)]
    CrossesBridge {
        /// The bridge's ends.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        ends: (Cell, Cell),
        /// The bridge that is crossed.
        #[serde(serialize_with = "pair")]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        other: (Cell, Cell),
    },
    /// Two tiles can be placed, so passing is not allowed.
    #[error("pass is not allowed while two tiles can be placed, for example {example}")]
    PassNotAllowed {
        /// A legal placement.
        example: Move,
    },
    /// The supply and the board allow this tile, but no second one after it.
    #[error("no second tile could follow one on {cell}")]
    NoSecondTile {
        /// The cell.
        cell: Cell,
    },
    /// No other tile of its colour is where a bridge from this one could end.
    #[error("no bridge can begin on {cell}, no other tile of its colour is in reach")]
    NoBridgeFrom {
        /// The cell.
        cell: Cell,
    },
    /// A swap that is not the answer to White's first turn, or without the pie
    /// rule.
    #[error("swap is allowed only as the answer to White's first turn, with the pie rule on")]
    #[serde(serialize_with = "no_data")]
    SwapNotAllowed,
}

/// An empty object: the reason has no fields.
pub(super) fn no_data<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_map(Some(0))?.end()
}

/// The text of a bridge, which may have no bridge's shape.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn pair<S: Serializer>((a, b): &(Cell, Cell), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{a}-{b}"))
}

impl IllegalMove {
    /// The cells concerned: those of the move, then those that it conflicts
    /// with.
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

    /// Checks a turn of tiles on `first` and then on `second`. A rule that either of them
    /// alone does not break is said of the second one.
    ///
    /// # Errors
    /// The first rule that the turn breaks.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn check_tiles(&self, first: Cell, second: Cell) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a whole move between the two tiles of a turn");
        let side = self.side();
        self.check_turn(side)?;
        self.on_board(first)?;
        self.on_board(second)?;
        if first == second {
            return Err(IllegalMove::SameCell { cell: first });
        }
        if let Some(left @ ..2) = self.tiles_left(side) {
            return Err(IllegalMove::NoTilesLeft { color: side, left });
        }
        self.check_tile(side, first)?;
        self.check_tile(side, second)?;
        let mut after = *self;
        after.lay_tile(side, first);
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
        let has_second = self.leaves_another(cell);
        if has_second { Ok(()) } else { Err(IllegalMove::NoSecondTile { cell }) }
    }

    /// Checks that the side to move can build a bridge that begins on `cell`.
    ///
    /// # Errors
    /// The rule that forbids it: for the cell itself or, if it is a free tile,
    /// for the first bridge to another tile of its colour.
    pub fn check_bridge_start(&self, cell: Cell) -> Result<(), IllegalMove> {
        let color = self.side();
        self.check_turn(color)?;
        self.on_board(cell)?;
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
        let found: Vec<_> = ends.map(|end| self.check_bridge(color, cell, end).err()).collect();
        match found.iter().flatten().next() {
            _ if found.contains(&None) => Ok(()),
            Some(&reason) => Err(reason),
            None => Err(IllegalMove::NoBridgeFrom { cell }),
        }
    }

    fn on_board(&self, cell: Cell) -> Result<(), IllegalMove> {
        let size = self.size();
        if cell.is_on(size) { Ok(()) } else { Err(IllegalMove::OffBoard { cell, size }) }
    }

    /// Checks that a tile of `color` may be placed on `cell`, ignoring supply and
    /// turn.
    ///
    /// # Errors
    /// The rule that forbids it, for the first tile it conflicts with.
    pub fn check_tile(&self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.on_board(cell)?;
        let placement = self.placement(color);
        if placement.candidates.contains(cell) {
            return Ok(());
        }
        if let Some(color) = self.tile_at(cell) {
            return Err(IllegalMove::Occupied { cell, color });
        }
        if self.blocked().contains(cell)
            && let Some(bridge) = self.bridge_where(|site| site.span().contains(cell))
        {
            return Err(IllegalMove::Blocked { cell, bridge });
        }
        // An island beside the cell, of which it would be the fifth tile, comes
        // before one at a corner.
        let near = [Cells::from(cell).sides(), Cells::from(cell).halo()];
        let touched = near.map(|cells| (cells & placement.islands).first());
        if let Some(island) = touched[0].or(touched[1]) {
            let beside = Cells::from(cell).sides().contains(island);
            return Err(IllegalMove::TouchesIsland { cell, island, beside });
        }
        let group = placement.group(cell);
        let tiles = group.len() as u8;
        match ((group.halo() & placement.tiles) - group).first() {
            Some(tile) if tiles == 4 => Err(IllegalMove::IslandTouches { cell, tile }),
            _ => Err(IllegalMove::GroupTooLarge { cell, tiles }),
        }
    }

    /// The site between two cells if `color` may build there, ignoring supply
    /// and turn.
    ///
    /// # Errors
    /// The first rule that forbids it.
    pub(super) fn check_bridge(&self, color: Color, a: Cell, b: Cell) -> Result<Site, IllegalMove> {
        self.on_board(a)?;
        self.on_board(b)?;
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

    /// A bridge on the board that satisfies the predicate.
    fn bridge_where(&self, is_meant: impl Fn(Site) -> bool) -> Option<(Cell, Cell)> {
        let site = self.bridges().iter().find(|&site| is_meant(site))?;
        let [a, b] = site.ends();
        Some((a, b))
    }
}
