//! A barrier on request: stops all threads of a search while one of them makes room in the tree.
//!
//! Nodes may be dropped only while no thread holds one. A lock around every access would make the
//! threads wait for each other all the time, and `std::sync::Barrier` would stop them at regular
//! intervals, although room is needed only once the memory is full. So a thread that finds it full
//! sets a flag and finishes its iteration; every thread checks the flag between two iterations and
//! waits if it is set:
//!
//! ```text
//! thread 1  ──iteration──request──┤ waits ............├──iteration──
//! thread 2  ──iteration───────────────┤ waits ........├──iteration──
//! thread 3  ──iteration────────────────────┤ work ────├──iteration──
//!                                          last to arrive
//! ```
//!
//! Two rules prevent a deadlock:
//!
//! - A thread that ends its search [leaves](Barrier::leave). If the others already wait for it, it
//!   does the work first.
//! - The flag is checked again under the lock. A thread that saw it set may arrive after the stop
//!   is over, and would otherwise wait for the next one.
//!
//! The mutex also orders the memory: all that the threads did to the tree before they arrived is
//! visible to the thread that does the work, and its work is visible to all when they continue.
//! State that changes only during a stop, such as the address of the root, can therefore be in
//! relaxed atomics.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Stops the threads of a search so that one can do work that needs the tree to itself.
#[derive(Debug)]
pub(super) struct Barrier {
    /// A hint to come to the barrier. It guards no data, so it is relaxed: the mutex does the
    /// ordering, and a thread that sees it late only makes the others wait longer.
    requested: AtomicBool,
    state: Mutex<BarrierState>,
    /// Signalled when a stop is over.
    released: Condvar,
}

#[derive(Debug)]
struct BarrierState {
    /// Threads that have not left. Those that wait are among them.
    present: usize,
    waiting: usize,
    /// Stops so far. A waiting thread continues only when the number has changed, so a spurious
    /// wake-up does not release it.
    stops: u64,
}

impl Barrier {
    /// A barrier for this many threads.
    pub(super) fn new(threads: usize) -> Barrier {
        let state = BarrierState { present: threads, waiting: 0, stops: 0 };
        Barrier {
            requested: AtomicBool::new(false),
            state: Mutex::new(state),
            released: Condvar::new(),
        }
    }

    /// Requests a stop of all threads.
    pub(super) fn request(&self) {
        self.requested.store(true, Relaxed);
    }

    /// Whether a stop is requested.
    pub(super) fn is_requested(&self) -> bool {
        self.requested.load(Relaxed)
    }

    /// Waits for the other threads if a stop is requested. The last to arrive does the `work`, then
    /// all continue. The caller must hold no node of the tree.
    pub(super) fn wait_if_requested(&self, work: impl Fn()) {
        let mut state = self.lock();
        if !self.is_requested() {
            return;
        }
        state.waiting += 1;
        if state.waiting == state.present {
            self.release(&mut state, work);
            return;
        }
        let stop = state.stops;
        while state.stops == stop {
            state = self.released.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes the calling thread. If all others wait for it, it does the `work` first.
    pub(super) fn leave(&self, work: impl Fn()) {
        let mut state = self.lock();
        state.present -= 1;
        if state.present > 0 && state.waiting == state.present {
            self.release(&mut state, work);
        }
    }

    /// Does the work and releases the waiting threads.
    fn release(&self, state: &mut BarrierState, work: impl Fn()) {
        work();
        // No request is lost here: all other threads wait for the lock or have left.
        self.requested.store(false, Relaxed);
        state.waiting = 0;
        state.stops += 1;
        self.released.notify_all();
    }

    /// Locks the state. Poisoning is ignored: after the panic of one thread, the others must not
    /// wait forever.
    fn lock(&self) -> MutexGuard<'_, BarrierState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;

    #[test]
    fn work_is_done_once_per_request_while_all_threads_wait() {
        const THREADS: usize = 4;
        let barrier = Barrier::new(THREADS);
        let (iterating, requests, done) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            assert_eq!(iterating.load(Relaxed), 0);
            done.fetch_add(1, Relaxed);
        };
        let run = |thread: usize| {
            // Threads leave one after the other, with or without a request.
            for round in 0..200 * (thread + 1) {
                if barrier.is_requested() {
                    barrier.wait_if_requested(work);
                    continue;
                }
                iterating.fetch_add(1, Relaxed);
                if round % 7 == thread && !barrier.requested.swap(true, Relaxed) {
                    requests.fetch_add(1, Relaxed);
                }
                thread::yield_now();
                iterating.fetch_sub(1, Relaxed);
            }
            barrier.leave(work);
        };
        thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || run(thread));
            }
        });
        let (requests, done) = (requests.into_inner(), done.into_inner());
        let unanswered = usize::from(barrier.is_requested());
        assert_eq!(done, requests - unanswered);
        assert!(done > 50, "{done}");
    }
}
