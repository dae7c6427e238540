//! What hears of a search while it runs.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What is called now and then while a search runs.
pub(super) struct Watch<'a> {
    pub(super) interval: Duration,
    pub(super) told: Mutex<Instant>,
    pub(super) tell: &'a (dyn Fn() + Sync),
    pub(super) remember: &'a (dyn Fn() + Sync),
}

impl Watch<'_> {
    /// Tells what there is to tell, if it is time for it.
    pub(super) fn look(&self) {
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.elapsed() >= self.interval {
            (self.tell)();
            *told = Instant::now();
        }
    }

    /// Remembers what is known, for it may give way to what follows.
    pub(super) fn remember(&self) {
        (self.remember)();
    }
}
