use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A line on stderr that says how far long work has come, when stderr is a
/// terminal; it appears after a second and goes away at the end.
#[derive(Debug)]
pub(super) struct Progress {
    label: &'static str,
    total: usize,
    /// Steps done and when the line was last written; `None` writes nothing.
    state: Option<Mutex<(usize, Instant)>>,
}

impl Progress {
    /// How long one state of the line stays.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// Work of `total` steps.
    pub(super) fn new(label: &'static str, total: usize) -> Progress {
        let is_shown = io::stderr().is_terminal();
        Progress { label, total, state: is_shown.then(|| Mutex::new((0, Instant::now()))) }
    }

    /// One step more is done.
    pub(super) fn advance(&self) {
        let Some(state) = &self.state else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        if state.1.elapsed() >= Self::INTERVAL {
            state.1 = Instant::now();
            let _ = write!(io::stderr(), "\r{} {}/{}", self.label, state.0, self.total);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.state.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
