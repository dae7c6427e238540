//! Ends a search before its limits when going on would not change the move.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::choice;
use super::config::Early;
use super::node::Node;
use super::task::SearchTask;

/// The most visited step of the root, shared by all threads.
#[derive(Debug, Default)]
pub(super) struct Favourite {
    index: AtomicUsize,
    /// The iteration at which it became the most visited.
    since: AtomicU64,
}

impl Favourite {
    /// Share of the iterations, 0 to 1, since the favourite of `root` last
    /// changed.
    fn stability(&self, task: &SearchTask<'_>, root: Node<'_>, iterations: u64) -> f64 {
        let edges = root.edges(task.tree.pool()).enumerate();
        let index = edges.max_by_key(|(_, edge)| edge.visits()).map_or(0, |(index, _)| index);
        if self.index.swap(index, Relaxed) != index {
            self.since.store(iterations, Relaxed);
        }
        let since = self.since.load(Relaxed).min(iterations);
        (iterations - since) as f64 / iterations as f64
    }
}

/// Whether the search of `root` should end now, before its limits.
pub(super) fn is_settled(
    task: &SearchTask<'_>,
    root: Node<'_>,
    elapsed: Duration,
    iterations: u64,
    favourite: &Favourite,
) -> bool {
    let early = task.limits.early;
    if early != Early::Never && root.len() == 1
        || early == Early::Decided && is_decided(task, root, elapsed, iterations)
    {
        return true;
    }
    let Some(usual) = task.limits.usual else { return false };
    let doubt = doubt(task, root, iterations, favourite);
    elapsed.as_secs_f64() >= usual.as_secs_f64() * doubt
}

/// The time this turn deserves, as a factor of the usual time: more when the
/// favourite is new or the win rate has fallen since the last search, less
/// when the favourite is stable. At least 0.1.
fn doubt(task: &SearchTask<'_>, root: Node<'_>, iterations: u64, favourite: &Favourite) -> f64 {
    let stability = favourite.stability(task, root, iterations);
    let fall = task.expected.map_or(0.0, |expected| expected - root.mean().win);
    let doubt = (1.6 - 0.9 * stability) * (1.0 + 5.0 * f64::from(fall.clamp(-0.04, 0.2)));
    (1.0 + task.config.params.doubt * (doubt - 1.0)).max(0.1)
}

/// Whether no other step can become the most visited within the limits.
fn is_decided(task: &SearchTask<'_>, root: Node<'_>, elapsed: Duration, iterations: u64) -> bool {
    let by_count = task.limits.iterations.map(|limit| limit.saturating_sub(iterations));
    let by_time = task.limits.time.map(|time| {
        let rate = iterations as f64 / elapsed.as_secs_f64().max(1e-6);
        (rate * time.saturating_sub(elapsed).as_secs_f64()) as u64
    });
    let left = match (by_count, by_time) {
        (Some(a), Some(b)) => a.min(b),
        (Some(left), None) | (None, Some(left)) => left,
        (None, None) => return false,
    };
    let lead = choice::lead(task.tree, root, task.position);
    lead as f64 > left as f64 * task.config.params.decide
}
