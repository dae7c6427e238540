//! The result of a search.

use std::time::Duration;

use super::bounds::Bounds;
use crate::game::Move;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to play.
    pub best: Move,
    /// Expected result for the side to move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// Expected lead of the side to move, in points.
    pub lead: f64,
    /// Proved bounds on the result.
    pub bounds: Bounds,
    /// Iterations of this search.
    pub iterations: u64,
    /// Nodes added to the tree.
    pub nodes: usize,
    /// Size of the tree at the end, in bytes.
    pub tree_bytes: usize,
    /// Duration of the search.
    pub elapsed: Duration,
}

impl Report {
    /// A report about `best` without any search.
    pub(super) fn unsearched(best: Move) -> Report {
        Report {
            best,
            winrate: 0.5,
            lead: 0.0,
            bounds: Bounds::UNKNOWN,
            iterations: 0,
            nodes: 0,
            tree_bytes: 0,
            elapsed: Duration::ZERO,
        }
    }
}
