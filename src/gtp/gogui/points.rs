//! The state of the single-point mode.

use crate::board::Cell;
use crate::engine::Game;
use crate::game::Move;

/// State of the single-point mode: whether it is on, and the first point of an
/// unfinished turn.
#[derive(Clone, Debug, Default)]
pub(in crate::gtp) struct Points {
    is_on: bool,
    waiting: Option<Waiting>,
    /// For each turn played point by point, the number of turns before it and
    /// its first point. `undo` needs it: a move does not record the order of
    /// its points.
    firsts: Vec<(usize, Cell)>,
}

/// The first point of an unfinished turn.
#[derive(Clone, Copy, Debug)]
pub(in crate::gtp) struct Waiting {
    /// The number of turns before it, and the hash of the position. If the
    /// game changes in another way, the point is dropped.
    turns: usize,
    hash: u64,
    /// The point.
    pub(in crate::gtp) first: Cell,
    /// The whole turn, if the engine began it.
    pub(super) planned: Option<Move>,
}

impl Points {
    /// Switches single points on or off.
    pub(in crate::gtp) fn set(&mut self, on: bool) {
        self.is_on = on;
        self.waiting = None;
    }

    /// Forgets all points, for a new game.
    pub(in crate::gtp) fn forget(&mut self) {
        self.waiting = None;
        self.firsts.clear();
    }

    /// Whether moves are single points.
    pub(in crate::gtp) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The first point of an unfinished turn, if the game has not changed
    /// since it was played.
    pub(in crate::gtp) fn waiting(&self, game: &Game) -> Option<Waiting> {
        let here = |w: &Waiting| w.turns == game.len() && w.hash == game.position().hash();
        self.waiting.filter(here)
    }

    /// Records the first point of a turn.
    pub(super) fn wait(&mut self, game: &Game, first: Cell, planned: Option<Move>) {
        let (turns, hash) = (game.len(), game.position().hash());
        self.waiting = Some(Waiting { turns, hash, first, planned });
    }

    /// Removes the first point of the unfinished turn.
    pub(super) fn clear_waiting(&mut self) {
        self.waiting = None;
    }

    /// Records that the turn that began with `waiting` has been played.
    pub(super) fn complete(&mut self, waiting: Waiting) {
        self.waiting = None;
        self.firsts.retain(|&(turns, _)| turns < waiting.turns);
        self.firsts.push((waiting.turns, waiting.first));
    }

    /// The first point of `mv`, which was played after `turns` turns.
    pub(super) fn first_of(&self, turns: usize, mv: Move) -> Option<Cell> {
        let [a, b] = points_of(mv)?;
        let known = self.firsts.contains(&(turns, b));
        Some(if known { b } else { a })
    }
}

/// The two points of a turn, or `None` for pass and swap.
pub(crate) fn points_of(mv: Move) -> Option<[Cell; 2]> {
    match mv {
        Move::Tiles(a, b) | Move::Bridge(a, b) => Some([a, b]),
        Move::Pass | Move::Swap => None,
    }
}
