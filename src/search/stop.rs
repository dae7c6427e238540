//! Stops a search from another thread.

use crate::clock::Instant;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Stops running searches from other threads.
#[derive(Debug, Default)]
pub struct StopSignal {
    requests: AtomicUsize,
    left: OnceLock<Instant>,
}

impl StopSignal {
    /// Time that searches with an iteration limit may still take after the
    /// input has ended, so that piped commands get the same answers as typed
    /// ones.
    const GRACE: Duration = Duration::from_secs(1);

    /// Stops the running search and all that start before
    /// [`StopSignal::answered`]. Requests are counted.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Release);
    }

    /// Takes one request back.
    pub fn answered(&self) {
        self.requests.fetch_sub(1, Ordering::Release);
    }

    /// The input has ended: stops searches with a time limit or none now,
    /// those with an iteration limit after a grace period of one second.
    pub fn leave(&self) {
        let _ = self.left.set(Instant::now());
    }

    /// Whether a search must end; `fixed_iterations` is whether only
    /// iterations limit it.
    pub fn is_set(&self, fixed_iterations: bool) -> bool {
        let is_late = |left: &Instant| !fixed_iterations || left.elapsed() > Self::GRACE;
        self.requests.load(Ordering::Acquire) > 0 || self.left.get().is_some_and(is_late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_input_ends_fixed_iterations_get_one_grace_period() {
        let stop = StopSignal::default();
        assert!(!stop.is_set(true) && !stop.is_set(false));
        stop.leave();
        let in_grace = !stop.is_set(true);
        assert!(in_grace || stop.left.get().unwrap().elapsed() > StopSignal::GRACE);
        assert!(stop.is_set(false));

        let stop = StopSignal::default();
        stop.left.set(Instant::now().checked_sub(2 * StopSignal::GRACE).unwrap()).unwrap();
        stop.leave();
        assert!(stop.is_set(true), "no second grace period");
    }

    #[test]
    fn a_request_holds_until_it_is_answered() {
        let stop = StopSignal::default();
        stop.request();
        assert!(stop.is_set(true) && stop.is_set(false));
        stop.answered();
        assert!(!stop.is_set(true) && !stop.is_set(false));
    }
}
