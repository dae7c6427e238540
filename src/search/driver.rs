use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::iteration::Worker;
use super::params::Params;
use super::tree::{Node, Tree};
use super::{Limits, StopSignal};
use crate::game::Position;

/// Runs iterations below `root`, the node of `position`, on all threads of
/// the pool (on this one without a pool) until a limit is reached. Returns
/// how many there were; at least one is made.
///
/// With one thread and an iteration limit the outcome depends on nothing but
/// the position, the tree and the seed.
#[expect(clippy::too_many_arguments, reason = "the pieces of one search")]
pub(super) fn run(
    pool: Option<&ThreadPool>,
    tree: &Tree,
    params: &Params,
    root: &Node,
    position: &Position,
    seed: u64,
    limits: &Limits,
    stop: &StopSignal,
) -> u64 {
    let start = Instant::now();
    let started = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    let is_due = |elapsed: Duration| {
        limits.time.is_some_and(|time| elapsed >= time)
            || stop.is_set(limits.time.is_none() && limits.iterations.is_some())
    };
    let work = |thread: u64| {
        let seed = seed ^ position.hash() ^ thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut worker = Worker::new(tree, params, root, position, pool.is_some(), seed);
        while !done.load(Relaxed) {
            let number = started.fetch_add(1, Relaxed);
            if limits.iterations.is_some_and(|limit| number >= limit.max(1)) {
                started.fetch_sub(1, Relaxed);
                break;
            }
            worker.iterate();
            if is_due(start.elapsed()) {
                done.store(true, Relaxed);
            }
        }
    };
    match pool {
        None => work(0),
        Some(pool) => {
            pool.broadcast(|thread| work(thread.index() as u64));
        }
    }
    started.into_inner()
}
