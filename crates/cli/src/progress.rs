//! Progress of work with a known number of steps.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::status_line::StatusLine;

/// Shows on the status line how many steps are done. Threads can share it.
#[derive(Debug)]
pub(super) struct Progress {
    label: &'static str,
    total: usize,
    /// The number of steps done, and the line.
    state: Mutex<(usize, StatusLine)>,
}

impl Progress {
    /// Work of `total` steps.
    pub(super) fn new(label: &'static str, total: usize) -> Progress {
        let line = StatusLine::new(Duration::from_secs(1));
        Progress { label, total, state: Mutex::new((0, line)) }
    }

    /// Counts one more step.
    pub(super) fn advance(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, line) = &mut *state;
        *done += 1;
        if line.is_due() {
            line.show(&format!("{} {done}/{}", self.label, self.total));
        }
    }
}
