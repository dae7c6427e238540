use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where the threads of a search meet when something must be done while none
/// of them works.
#[derive(Debug)]
pub(super) struct Gate {
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

impl Gate {
    /// A gate for so many threads.
    pub(super) fn new(threads: usize) -> Gate {
        let state = State { working: threads, waiting: 0, meetings: 0 };
        Gate { requested: AtomicBool::new(false), state: Mutex::new(state), opened: Condvar::new() }
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
