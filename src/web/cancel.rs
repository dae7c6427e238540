//! How a running job is told to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::engine::StopSignal;
use crate::tournament::ProcessGroups;

/// A job's cancel: whoever holds it can end the job, or have it come to a
/// result at once.
#[derive(Debug)]
pub(super) struct CancelHandle {
    cancelled: watch::Sender<bool>,
    is_hurried: AtomicBool,
    /// What ends the search that runs, and the process that thinks.
    running: Mutex<(Arc<StopSignal>, Option<ProcessGroups>)>,
}

impl Default for CancelHandle {
    fn default() -> CancelHandle {
        CancelHandle {
            cancelled: watch::Sender::new(false),
            is_hurried: AtomicBool::new(false),
            running: Mutex::default(),
        }
    }
}

impl CancelHandle {
    /// Nobody wants the result any more.
    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(true);
        self.stop();
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(groups) = &running.1 {
            groups.kill_all();
        }
    }

    /// The result is wanted now.
    pub(super) fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Release);
        self.stop();
    }

    fn stop(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).0.request();
    }

    /// Whether nobody wants the result.
    pub(super) fn is_cancelled(&self) -> bool {
        *self.cancelled.borrow()
    }

    /// Waits until nobody wants the result.
    pub(super) async fn cancelled(&self) {
        let mut cancelled = self.cancelled.subscribe();
        let _ = cancelled.wait_for(|&cancelled| cancelled).await;
    }

    /// The signal for the next search, given already when it should not run.
    pub(super) fn signal(&self) -> Arc<StopSignal> {
        let signal = Arc::new(StopSignal::default());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0 = Arc::clone(&signal);
        if self.is_cancelled() || self.is_hurried.load(Ordering::Acquire) {
            signal.request();
        }
        signal
    }

    /// The processes that think from now on.
    pub(super) fn think_in(&self, groups: &ProcessGroups) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.1 = Some(groups.clone());
        if self.is_cancelled() {
            groups.kill_all();
        }
    }
}
