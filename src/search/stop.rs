use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Tells a running search from another thread that it should end.
#[derive(Debug, Default)]
pub struct StopSignal {
    requests: AtomicUsize,
    left: OnceLock<Instant>,
}

impl StopSignal {
    /// How long searches of a fixed number of iterations may still take once
    /// the other side has left: its answer is to be the same whether commands
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
        let _ = self.left.set(Instant::now());
    }

    /// Whether a search must end.
    pub(crate) fn is_set(&self, fixed_iterations: bool) -> bool {
        let left_behind = |left: &Instant| !fixed_iterations || left.elapsed() > Self::GRACE;
        self.requests.load(Ordering::Acquire) > 0 || self.left.get().is_some_and(left_behind)
    }
}
