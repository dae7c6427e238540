//! Moves, and the steps of a move.

use std::fmt;

use crate::board::{Cell, Site};

/// What a player does in one turn. The smaller cell comes first:
/// [`Move::tiles`] and [`Move::bridge`] take the cells in either order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Place two tiles.
    Tiles(Cell, Cell),
    /// Build a bridge between two tiles.
    Bridge(Cell, Cell),
    /// Do neither. Legal only if two tiles cannot be placed.
    Pass,
    /// Take over White after White's first turn.
    Swap,
}

impl Move {
    /// Tiles on `a` and `b`.
    pub fn tiles(a: Cell, b: Cell) -> Move {
        Move::Tiles(a.min(b), a.max(b))
    }

    /// A bridge between `a` and `b`.
    pub fn bridge(a: Cell, b: Cell) -> Move {
        Move::Bridge(a.min(b), a.max(b))
    }
}

impl fmt::Display for Move {
    /// As in docs/rules.md, "Notation": `d4,e6`, `d4-e6`, `pass`, `swap`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Tiles(a, b) => write!(f, "{a},{b}"),
            Move::Bridge(a, b) => write!(f, "{a}-{b}"),
            Move::Pass => f.write_str("pass"),
            Move::Swap => f.write_str("swap"),
        }
    }
}

/// A part of a turn. Two tiles are two steps of one player, any other move is
/// one step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Place the first or the second tile of the turn.
    Tile(Cell),
    /// Build a bridge.
    Bridge(Site),
    /// Pass.
    Pass,
    /// Swap.
    Swap,
}

impl Step {
    /// The move, if the step is a whole turn: `None` for a tile.
    pub fn whole_turn(self) -> Option<Move> {
        match self {
            Step::Tile(_) => None,
            Step::Bridge(site) => {
                let [a, b] = site.ends();
                Some(Move::bridge(a, b))
            }
            Step::Pass => Some(Move::Pass),
            Step::Swap => Some(Move::Swap),
        }
    }
}
