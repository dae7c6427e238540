use super::{Move, Position};
use crate::board::{Cell, Cells};

/// How many moves of each kind are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts {
    /// Cells legal for one tile, whether or not a second could follow; 0 when
    /// the mover has no tile left.
    pub cells: u32,
    /// Placements of two tiles.
    pub pairs: u32,
    /// Bridges.
    pub bridges: u32,
    /// Whether passing is allowed.
    pub pass: bool,
    /// Whether swapping is allowed.
    pub swap: bool,
}

impl MoveCounts {
    /// All legal moves.
    pub fn total(&self) -> u64 {
        u64::from(self.pairs)
            + u64::from(self.bridges)
            + u64::from(self.pass)
            + u64::from(self.swap)
    }
}

impl Position {
    /// The pairs of cells where the mover may place two tiles, in notation
    /// order.
    fn pairs(&self) -> impl Iterator<Item = (Cell, Cells)> {
        let geometry = self.geometry();
        let placement = *self.placement(self.side());
        let first =
            if self.is_over() || !self.has_tiles() { Cells::EMPTY } else { placement.candidates };
        first.into_iter().map(move |cell| {
            let mut after = placement;
            after.place(geometry, cell);
            (cell, after.candidates.after(cell))
        })
    }

    pub(super) fn first_placement(&self) -> Option<Move> {
        self.pairs().find_map(|(a, seconds)| seconds.first().map(|b| Move::tiles(a, b)))
    }

    /// Every legal move of a whole turn: placements, bridges, pass, swap.
    ///
    /// # Panics
    /// Between the two tiles of a turn.
    pub fn moves(&self) -> Vec<Move> {
        assert!(!self.is_half_turn(), "whole moves in the middle of a turn");
        let mut moves = Vec::new();
        for (a, seconds) in self.pairs() {
            moves.extend(seconds.into_iter().map(|b| Move::tiles(a, b)));
        }
        if moves.is_empty() && !self.is_over() {
            moves.push(Move::Pass);
        }
        for site in self.bridge_plies().iter() {
            let [a, b] = site.ends();
            moves.push(Move::bridge(a, b));
        }
        if self.may_swap() {
            moves.push(Move::Swap);
        }
        moves
    }

    /// How many moves are legal, without listing them.
    ///
    /// # Panics
    /// Between the two tiles of a turn.
    pub fn counts(&self) -> MoveCounts {
        assert!(!self.is_half_turn(), "whole moves in the middle of a turn");
        let pairs = self.pairs().map(|(_, seconds)| seconds.len()).sum();
        let has_tile = self.tiles_left(self.side()) != Some(0) && !self.is_over();
        MoveCounts {
            cells: if has_tile { self.candidates(self.side()).len() } else { 0 },
            pairs,
            bridges: self.bridge_plies().len(),
            pass: !self.is_over() && pairs == 0,
            swap: self.may_swap(),
        }
    }
}

/// The number of move sequences of `depth` turns from `position`; a sequence
/// that ends earlier with the game is not counted.
///
/// Only moves on the board count, swap never does, so that the numbers are the
/// same whether or not the pie rule is on: 4950 and 23,527,350 for one and two
/// turns from the empty 10×10 board.
///
/// # Panics
/// Between the two tiles of a turn.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => MoveCounts { swap: false, ..position.counts() }.total(),
        _ => perft_divide(position, depth).map(|(_, count)| count).sum(),
    }
}

/// [`perft`] for each first move, in the order of [`Position::moves`].
/// `depth` is 1 or more.
///
/// # Panics
/// Between the two tiles of a turn.
pub fn perft_divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    position.moves().into_iter().filter(|&mv| mv != Move::Swap).map(move |mv| {
        let mut after = *position;
        for ply in position.plies_of(mv) {
            after.make(ply);
        }
        (mv, perft(&after, depth - 1))
    })
}
