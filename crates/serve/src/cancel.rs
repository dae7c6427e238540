//! How a running job is ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use pontifex::engine::StopSignal;
use pontifex_tournament::ProcessGroups;

/// Cancels a job, or ends its search early.
#[derive(Debug)]
pub(super) struct CancelHandle {
    cancelled: watch::Sender<bool>,
    hurried: watch::Sender<bool>,
    is_interrupted: AtomicBool,
    /// The running search's stop signal, and the processes that think.
    running: Mutex<(Arc<StopSignal>, Option<ProcessGroups>)>,
}

impl Default for CancelHandle {
    fn default() -> CancelHandle {
        CancelHandle {
            cancelled: watch::Sender::new(false),
            hurried: watch::Sender::new(false),
            is_interrupted: AtomicBool::new(false),
            running: Mutex::default(),
        }
    }
}

impl CancelHandle {
    /// Ends the job; its result is not needed.
    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(true);
        self.stop();
        self.kill();
    }

    /// Ends the processes that think, because others wait.
    pub(super) fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Release);
        self.kill();
    }

    fn kill(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(groups) = &running.1 {
            groups.kill_all();
        }
    }

    /// Whether its processes were ended because others wait.
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Acquire)
    }

    /// Whether the search was to end early with the best move so far.
    pub(super) fn is_hurried(&self) -> bool {
        *self.hurried.borrow()
    }

    /// Waits until the search is to end.
    pub(super) async fn hurried(&self) {
        let mut hurried = self.hurried.subscribe();
        let _ = hurried.wait_for(|&hurried| hurried).await;
    }

    /// Ends the search with the best move so far.
    pub(super) fn hurry(&self) {
        self.hurried.send_replace(true);
        self.stop();
    }

    fn stop(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).0.request();
    }

    /// Whether the job is cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Waits until the job is cancelled.
    pub(super) async fn cancelled(&self) {
        let mut cancelled = self.cancelled.subscribe();
        let _ = cancelled.wait_for(|&cancelled| cancelled).await;
    }

    /// The stop signal of the next search, already set if the job has been
    /// cancelled or hurried.
    pub(super) fn signal(&self) -> Arc<StopSignal> {
        let signal = Arc::new(StopSignal::default());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0 = Arc::clone(&signal);
        if self.is_cancelled() || self.is_hurried() {
            signal.request();
        }
        signal
    }

    /// Sets the processes that think, to be killed on cancellation.
    pub(super) fn think_in(&self, groups: &ProcessGroups) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.1 = Some(groups.clone());
        if self.is_cancelled() {
            groups.kill_all();
        }
    }
}
