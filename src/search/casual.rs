//! A search without the exact solvers, whose candidates a player may choose
//! from.

use super::analysis::Candidate;
use super::config::{Config, Limits};
use super::stop::StopSignal;
use super::task::SearchTask;
use super::tree::Tree;
use super::turn;
use super::view::View;
use crate::game::Position;

/// Searches `position`, the start of a turn, in a tree of its own on the calling
/// thread, without solving endings. Returns the visited moves, the best one
/// first; none when the memory is too small.
pub async fn casual_candidates(
    position: &Position,
    config: &Config,
    limits: &Limits,
    stop: &StopSignal,
) -> Vec<Candidate> {
    let mut config = config.clone();
    config.params.leaf_size = 0.0;
    let tree = Tree::new(config.memory_bytes());
    let task = SearchTask::new(position, &config, *limits, stop, &tree);
    let found = turn::search(task).await;
    let Some(mut analysis) = View::of(&task).analysis() else { return Vec::new() };
    analysis.settle(&found);
    analysis.candidates
}
