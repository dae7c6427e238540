//! Calls back while a search runs.

use crate::clock::Instant;
use std::sync::Mutex;
use std::time::Duration;

/// Callbacks of a running search.
pub(super) struct Observer<'a> {
    /// Time between two calls of `report`.
    pub(super) interval: Duration,
    /// When `report` was last called.
    pub(super) last_report: Mutex<Instant>,
    /// Reports the state of the search.
    pub(super) report: &'a (dyn Fn() + Sync),
    /// Saves the state of the search.
    pub(super) save: &'a (dyn Fn() + Sync),
}

impl Observer<'_> {
    /// Reports if the interval has passed. Any thread may call this; only one
    /// reports.
    pub(super) fn poll(&self) {
        let Ok(mut last_report) = self.last_report.try_lock() else { return };
        if last_report.elapsed() >= self.interval {
            (self.report)();
            *last_report = Instant::now();
        }
    }

    /// Saves the state after the search of a turn's first step: the search of
    /// the second may evict it from the tree.
    pub(super) fn save(&self) {
        (self.save)();
    }
}
