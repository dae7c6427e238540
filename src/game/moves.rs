//! Moves and their steps, lists and counts of the legal ones, and perft.
//!
//! A [`Move`] is what a player does in a turn, a [`Step`] what the search does at a time. On an
//! empty 10×10 board there are 4950 pairs of tiles, but only 100 first tiles and at most 99 second
//! ones: a tree over steps branches fifty times less.
//!
//! **The second tile.** A first tile can take the last room that a second one needs, and placing
//! just one tile is illegal. A legal first cell is therefore an open cell that leaves another open
//! cell. The rules are hereditary, so a pair that is legal in one order is legal in the other.
//! Hence the pairs are listed once, with the smaller cell first, and the second cells that remain
//! are exactly the open cells after the first tile.

use std::fmt;

use super::{Position, Stage};
use crate::board::{Cell, Cells, Site, SiteSet};

/// What a player does in one turn. The smaller cell comes first: [`Move::tiles`] and
/// [`Move::bridge`] take the cells in either order.
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
    /// The steps of the move, in order. A bridge between cells that no bridge can join has none.
    pub fn steps(self) -> impl Iterator<Item = Step> + use<> {
        let (first, second) = match self {
            Move::Tiles(a, b) => (Some(Step::Tile(a)), Some(Step::Tile(b))),
            Move::Bridge(a, b) => (Site::between(a, b).map(Step::Bridge), None),
            Move::Pass => (Some(Step::Pass), None),
            Move::Swap => (Some(Step::Swap), None),
        };
        first.into_iter().chain(second)
    }

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
    /// Writes the move as docs/rules.md, "Notation", has it: `d4,e6`, `d4-e6`, `pass`, `swap`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Tiles(a, b) => write!(f, "{a},{b}"),
            Move::Bridge(a, b) => write!(f, "{a}-{b}"),
            Move::Pass => f.write_str("pass"),
            Move::Swap => f.write_str("swap"),
        }
    }
}

/// A part of a move. Two tiles are two steps of one player, any other move is one step.
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
    /// The step as a move; `None` for a tile, which is only half a move.
    pub fn as_move(self) -> Option<Move> {
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

/// The numbers of legal moves of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts {
    /// Cells where one tile may be placed, whether or not a second can follow; 0 if the side to
    /// move has no tile left. They are not moves by themselves.
    pub cells: u32,
    /// Placements of two tiles, in either order the same.
    pub pairs: u32,
    /// Bridges that may be built now.
    pub bridges: u32,
    /// Whether passing is allowed.
    pub pass: bool,
    /// Whether swapping is allowed.
    pub swap: bool,
}

impl MoveCounts {
    /// The number of legal moves.
    pub fn total(&self) -> u64 {
        u64::from(self.pairs)
            + u64::from(self.bridges)
            + u64::from(self.pass)
            + u64::from(self.swap)
    }
}

/// Legal steps and moves.
impl Position {
    /// Whether the side to move has enough tiles for a turn, or for its second tile.
    #[inline]
    pub fn has_tiles_for_turn(&self) -> bool {
        let needed = if self.is_half_turn() { 1 } else { 2 };
        self.tiles_left(self.side()).is_none_or(|left| left >= needed)
    }

    /// The cells for the next tile of the side to move. A first tile must leave room for a second.
    pub fn tile_steps(&self) -> Cells {
        let placement = self.placement(self.side());
        if self.is_over() || !self.has_tiles_for_turn() {
            Cells::EMPTY
        } else if self.is_half_turn() {
            placement.open_cells
        } else {
            placement.first_cells(self.geometry())
        }
    }

    /// Whether the side to move could place a second tile after a tile on `cell`, one of its open
    /// cells.
    #[inline]
    pub fn leaves_another(&self, cell: Cell) -> bool {
        self.placement(self.side()).leaves_another(self.geometry(), cell)
    }

    /// Whether the side to move can place two tiles.
    #[inline]
    pub fn can_place_two_tiles(&self) -> bool {
        !self.is_over()
            && self.has_tiles_for_turn()
            && self.placement(self.side()).has_pair(self.geometry())
    }

    /// The bridges that the side to move may build.
    #[inline(always)]
    pub fn bridge_steps(&self) -> SiteSet {
        if self.is_over() || self.is_half_turn() || self.bridges_left() == Some(0) {
            SiteSet::EMPTY
        } else {
            self.buildable_sites(self.side())
        }
    }

    /// Whether the side to move may pass.
    #[inline]
    pub fn may_pass(&self) -> bool {
        !self.is_over() && !self.is_half_turn() && !self.can_place_two_tiles()
    }

    /// Whether Red may swap.
    #[inline]
    pub fn may_swap(&self) -> bool {
        self.stage() == Stage::Pie && !self.is_half_turn()
    }

    /// The pairs of cells where the side to move may place two tiles, in notation order: each first
    /// cell with its larger second cells, of which there may be none.
    fn pairs(&self) -> impl Iterator<Item = (Cell, Cells)> {
        let geometry = self.geometry();
        let placement = *self.placement(self.side());
        let first = if self.is_over() || !self.has_tiles_for_turn() {
            Cells::EMPTY
        } else {
            placement.open_cells
        };
        first.into_iter().map(move |cell| {
            let mut after = placement;
            after.place(geometry, cell);
            (cell, after.open_cells.after(cell))
        })
    }

    /// The first legal pair in notation order, for the example in messages.
    pub(super) fn first_placement(&self) -> Option<Move> {
        self.pairs().find_map(|(a, seconds)| seconds.first().map(|b| Move::tiles(a, b)))
    }

    /// Every legal move: tiles or a pass, then bridges, then a swap.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn moves(&self) -> Vec<Move> {
        assert!(!self.is_half_turn(), "whole moves between the two tiles of a turn");
        let mut moves = Vec::new();
        for (a, seconds) in self.pairs() {
            moves.extend(seconds.into_iter().map(|b| Move::tiles(a, b)));
        }
        // The list has only tiles so far: a buildable bridge does not forbid a pass.
        if moves.is_empty() && !self.is_over() {
            moves.push(Move::Pass);
        }
        for site in self.bridge_steps().iter() {
            let [a, b] = site.ends();
            moves.push(Move::bridge(a, b));
        }
        if self.may_swap() {
            moves.push(Move::Swap);
        }
        moves
    }

    /// The numbers of legal moves, without listing them.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn counts(&self) -> MoveCounts {
        assert!(!self.is_half_turn(), "whole moves between the two tiles of a turn");
        let pairs = self.pairs().map(|(_, seconds)| seconds.len()).sum();
        let has_tile = self.tiles_left(self.side()) != Some(0) && !self.is_over();
        MoveCounts {
            cells: if has_tile { self.open_cells(self.side()).len() } else { 0 },
            pairs,
            bridges: self.bridge_steps().len(),
            pass: !self.is_over() && pairs == 0,
            swap: self.may_swap(),
        }
    }
}

/// The number of move sequences of `depth` turns from `position`. Games that end earlier are not
/// counted.
///
/// A swap is a turn: from the empty 10×10 board there are 4950 sequences of one turn, and of two
/// turns 23,532,300 with the pie rule and 23,527,350 without it.
///
/// # Panics
/// If the position is between the two tiles of a turn.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // The last moves are counted and not played, which saves almost all the work.
        1 => position.counts().total(),
        _ => perft_divide(position, depth).map(|(_, count)| count).sum(),
    }
}

/// [`perft`] for each first move, in the order of [`Position::moves`]; for depth 0 there is none.
///
/// # Panics
/// If the position is between the two tiles of a turn.
pub fn perft_divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let depth = depth.checked_sub(1);
    let moves = depth.map_or(Vec::new(), |_| position.moves());
    moves.into_iter().map(move |mv| {
        let after = position.after_legal_move(mv);
        (mv, perft(&after, depth.unwrap_or(0)))
    })
}
