use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Tells a running search from another thread that it should end.
#[derive(Debug, Default)]
pub struct StopSignal {
    requests: AtomicUsize,
    leaving: AtomicBool,
}

impl StopSignal {
    /// How long a search of a fixed number of iterations may still take when
    /// the other side leaves: its answer is to be the same whether commands
    /// are typed or piped in at once.
    const GRACE: Duration = Duration::from_secs(1);

    /// Asks the running search, and every one until [`StopSignal::answered`],
    /// to end.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Release);
    }

    /// One request has been dealt with.
    pub fn answered(&self) {
        self.requests.fetch_sub(1, Ordering::Release);
    }

    /// Nobody will be there for long: searches limited by time end now, those
    /// limited by iterations within a second.
    pub fn leave(&self) {
        self.leaving.store(true, Ordering::Release);
    }

    /// Whether a search that has run for `elapsed` must end.
    pub(crate) fn is_set(&self, elapsed: Duration, fixed_iterations: bool) -> bool {
        self.requests.load(Ordering::Acquire) > 0
            || self.leaving.load(Ordering::Acquire) && (!fixed_iterations || elapsed > Self::GRACE)
    }
}
