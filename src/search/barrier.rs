use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where the threads of a search meet when something must be done while none
/// of them works.
#[derive(Debug)]
pub(super) struct Barrier {
    requested: AtomicBool,
    state: Mutex<State>,
    opened: Condvar,
}

#[derive(Debug)]
struct State {
    working: usize,
    waiting: usize,
    meetings: u64,
}

impl Barrier {
    /// A barrier for so many threads.
    pub(super) fn new(threads: usize) -> Barrier {
        let state = State { working: threads, waiting: 0, meetings: 0 };
        Barrier {
            requested: AtomicBool::new(false),
            state: Mutex::new(state),
            opened: Condvar::new(),
        }
    }

    /// Asks all threads to meet.
    pub(super) fn request(&self) {
        self.requested.store(true, Relaxed);
    }

    /// Whether a meeting is asked for.
    pub(super) fn is_requested(&self) -> bool {
        self.requested.load(Relaxed)
    }

    /// Waits for the others if a meeting is asked for; the last to come does
    /// `work` while all wait.
    pub(super) fn meet(&self, work: impl Fn()) {
        let mut state = self.lock();
        if !self.is_requested() {
            return;
        }
        state.waiting += 1;
        if state.waiting == state.working {
            self.hold(&mut state, work);
            return;
        }
        let meeting = state.meetings;
        while state.meetings == meeting {
            state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A thread leaves for good; when all others wait for it, it does the
    /// `work`.
    pub(super) fn leave(&self, work: impl Fn()) {
        let mut state = self.lock();
        state.working -= 1;
        if state.working > 0 && state.waiting == state.working {
            self.hold(&mut state, work);
        }
    }

    fn hold(&self, state: &mut State, work: impl Fn()) {
        work();
        self.requested.store(false, Relaxed);
        state.waiting = 0;
        state.meetings += 1;
        self.opened.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;

    #[test]
    fn work_is_done_once_and_while_nobody_else_works() {
        const THREADS: usize = 4;
        let barrier = Barrier::new(THREADS);
        let (working, requests, done) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            assert_eq!(working.load(Relaxed), 0);
            done.fetch_add(1, Relaxed);
        };
        let run = |thread: usize| {
            // They leave one after the other, requests open or not.
            for round in 0..200 * (thread + 1) {
                if barrier.is_requested() {
                    barrier.meet(work);
                    continue;
                }
                working.fetch_add(1, Relaxed);
                if round % 7 == thread && !barrier.requested.swap(true, Relaxed) {
                    requests.fetch_add(1, Relaxed);
                }
                thread::yield_now();
                working.fetch_sub(1, Relaxed);
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
