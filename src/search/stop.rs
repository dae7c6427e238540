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
    /// the other side has left: their answers are to be the same whether
    /// commands are typed or piped in at once.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_waits_for_fixed_iterations_once_and_for_time_not_at_all() {
        let stop = StopSignal::default();
        assert!(!stop.is_set(true) && !stop.is_set(false));
        stop.leave();
        assert!(!stop.is_set(true) && stop.is_set(false));
        std::thread::sleep(StopSignal::GRACE);
        stop.leave();
        assert!(stop.is_set(true), "leaving again is no new grace");
    }

    #[test]
    fn requests_hold_until_they_are_answered() {
        let stop = StopSignal::default();
        stop.request();
        assert!(stop.is_set(true) && stop.is_set(false));
        stop.answered();
        assert!(!stop.is_set(true) && !stop.is_set(false));
    }
}
