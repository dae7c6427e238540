//! What a turn must do to fulfil a lesson's task, by the rules.

use serde::Deserialize;

use pontifex::game::{Color, Move, Position};
use pontifex::puzzles::joining_sites;

/// The goal of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goal {
    /// Place two tiles, anywhere.
    Tiles,
    /// Complete an island.
    Island,
    /// Gain this many points or more at once.
    Gain(u16),
    /// Whatever the opponent does, a bridge can then join two networks.
    Fork,
    /// No bridge of the opponent can then join two networks.
    Stop,
    /// Pass.
    Pass,
    /// Swap.
    Swap,
    /// End the game and win it.
    Win,
}

impl Goal {
    /// Whether a legal turn reaches the goal.
    pub(crate) fn is_reached(self, before: &Position, mv: Move) -> bool {
        let side = before.side();
        let mut after = *before;
        if after.play(mv).is_err() {
            return false;
        }
        let (old, new) = (before.score(side), after.score(side));
        match self {
            Goal::Tiles => matches!(mv, Move::Tiles(..)),
            Goal::Island => new.islands > old.islands,
            Goal::Gain(points) => new.points >= old.points + points,
            Goal::Fork => is_fork(&after, side),
            Goal::Stop => joining_sites(&after, !side).is_empty(),
            Goal::Pass => mv == Move::Pass,
            Goal::Swap => mv == Move::Swap,
            Goal::Win => after.is_over() && after.outcome().winner() == Some(side),
        }
    }
}

/// Whether `side` can join two networks after every turn of the opponent.
fn is_fork(position: &Position, side: Color) -> bool {
    let can_join = |mv: Move| {
        let mut after = *position;
        after.play(mv).is_ok() && !joining_sites(&after, side).is_empty()
    };
    !joining_sites(position, side).is_empty() && position.moves().into_iter().all(can_join)
}
