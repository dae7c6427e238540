//! Reasons why a move is illegal.

use thiserror::Error;

use super::{Color, Move};
use crate::board::{Cell, Size};

/// Why a move is illegal: the rule that it breaks, and the cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
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
    NoBridgesLeft,
    /// No bridge has this shape.
    #[error(
        "{}-{} is no bridge: its ends are two apart in a line or diagonally, or a knight's jump",
        ends.0, ends.1
    )]
    NoBridgeShape {
        /// The cells.
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
        bridge: (Cell, Cell),
    },
    /// There is a tile under the bridge.
    #[error("the bridge {}-{} would run over the tile at {tile}", ends.0, ends.1)]
    TileUnderBridge {
        /// The bridge's ends.
        ends: (Cell, Cell),
        /// The tile.
        tile: Cell,
    },
    /// The bridge would cross another.
    #[error("the bridge {}-{} would cross the bridge {}-{}", ends.0, ends.1, other.0, other.1)]
    CrossesBridge {
        /// The bridge's ends.
        ends: (Cell, Cell),
        /// The bridge that is crossed.
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
    SwapNotAllowed,
}

impl IllegalMove {
    /// A stable identifier: the name of the variant in snake case.
    pub const fn code(&self) -> &'static str {
        match self {
            IllegalMove::GameOver => "game_over",
            IllegalMove::NotYourTurn { .. } => "not_your_turn",
            IllegalMove::OffBoard { .. } => "off_board",
            IllegalMove::SameCell { .. } => "same_cell",
            IllegalMove::Occupied { .. } => "occupied",
            IllegalMove::Blocked { .. } => "blocked",
            IllegalMove::GroupTooLarge { .. } => "group_too_large",
            IllegalMove::TouchesIsland { .. } => "touches_island",
            IllegalMove::IslandTouches { .. } => "island_touches",
            IllegalMove::NoTilesLeft { .. } => "no_tiles_left",
            IllegalMove::NoBridgesLeft => "no_bridges_left",
            IllegalMove::NoBridgeShape { .. } => "no_bridge_shape",
            IllegalMove::NotYourTile { .. } => "not_your_tile",
            IllegalMove::CarriesBridge { .. } => "carries_bridge",
            IllegalMove::TileUnderBridge { .. } => "tile_under_bridge",
            IllegalMove::CrossesBridge { .. } => "crosses_bridge",
            IllegalMove::PassNotAllowed { .. } => "pass_not_allowed",
            IllegalMove::NoSecondTile { .. } => "no_second_tile",
            IllegalMove::NoBridgeFrom { .. } => "no_bridge_from",
            IllegalMove::SwapNotAllowed => "swap_not_allowed",
        }
    }

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
            IllegalMove::TouchesIsland { cell, island } => vec![cell, island],
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
