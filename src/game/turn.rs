use std::fmt;

use crate::board::{Cell, Site};

/// What a player does in one turn. Two tiles are one unordered move: build
/// them with [`Move::tiles`] and [`Move::bridge`], which put the smaller cell
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Place two tiles.
    Tiles(Cell, Cell),
    /// Build a bridge between two tiles.
    Bridge(Cell, Cell),
    /// Neither; allowed only when two tiles cannot be placed.
    Pass,
    /// Take over White after his first turn.
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
    /// The notation of RULES.md: `d4,e6`, `d4-e6`, `pass`, `swap`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Tiles(a, b) => write!(f, "{a},{b}"),
            Move::Bridge(a, b) => write!(f, "{a}-{b}"),
            Move::Pass => f.write_str("pass"),
            Move::Swap => f.write_str("swap"),
        }
    }
}

/// A step of the search: a turn of two tiles is two steps of one player, any
/// other turn is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Place one tile, the first or the second of the turn.
    Tile(Cell),
    /// Build a bridge.
    Bridge(Site),
    /// Pass.
    Pass,
    /// Swap.
    Swap,
}
