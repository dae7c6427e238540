//! Ending a job early, whatever it is doing: waiting for a slot, starting or searching.

use std::sync::{Arc, Mutex, PoisonError};

use pontifex::engine::StopSignal;
use pontifex_tournament::ProcessGroups;
use tokio::sync::watch;

/// How a job is asked to end before it is done. Each includes those before it.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub(super) enum EarlyEnd {
    /// The job continues.
    #[default]
    No,
    /// The job ends with the best move so far.
    Hurry,
    /// The processes that think are killed, because others wait.
    Interrupt,
    /// The job ends at once: its result is not needed.
    Cancel,
}

/// Ends a job early, whether it waits for a slot, is about to search or searches.
#[derive(Debug, Default)]
pub(super) struct CancelHandle {
    requested_end: watch::Sender<EarlyEnd>,
    /// The running search's stop signal, and the processes that think.
    running_search: Mutex<(Arc<StopSignal>, ProcessGroups)>,
}

impl CancelHandle {
    /// Asks the job to end. A weaker request than an earlier one changes nothing.
    pub(super) fn request_end(&self, end: EarlyEnd) {
        self.requested_end.send_if_modified(|requested| {
            let is_stronger = end > *requested;
            *requested = if is_stronger { end } else { *requested };
            is_stronger
        });
        // Only after the request is stored. A search that starts at this moment finds it in
        // `signal` or `set_processes`, under this lock. One that has started gets it from here.
        let running = self.running_search.lock().unwrap_or_else(PoisonError::into_inner);
        running.0.request();
        if end >= EarlyEnd::Interrupt {
            running.1.kill_all();
        }
    }

    /// Whether the job was asked to end in this way, or in a stronger one.
    pub(super) fn is_requested(&self, end: EarlyEnd) -> bool {
        *self.requested_end.borrow() >= end
    }

    /// Waits until [`is_requested`](CancelHandle::is_requested) is true.
    pub(super) async fn wait_for(&self, end: EarlyEnd) {
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.requested_end.subscribe().wait_for(|requested| *requested >= end).await;
    }

    /// The stop signal of the next search, already set if the job is to end.
    pub(super) fn signal(&self) -> Arc<StopSignal> {
        let signal = Arc::new(StopSignal::default());
        let mut running = self.running_search.lock().unwrap_or_else(PoisonError::into_inner);
        running.0 = Arc::clone(&signal);
        if self.is_requested(EarlyEnd::Hurry) {
            signal.request();
        }
        signal
    }

    /// Sets the processes that think, which are killed on interruption or cancellation: at once if
    /// that was requested already.
    pub(super) fn set_processes(&self, groups: &ProcessGroups) {
        let mut running = self.running_search.lock().unwrap_or_else(PoisonError::into_inner);
        running.1 = groups.clone();
        if self.is_requested(EarlyEnd::Interrupt) {
            groups.kill_all();
        }
    }
}
