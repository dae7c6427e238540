//! The progress of a review on stderr.

use std::time::Duration;

use crate::status_line::{StatusLine, clock};

/// Redraw interval of the line on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// Width of the bar in characters.
const BAR: usize = 24;

/// A progress bar with the remaining time.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// Positions known from the cache, done, and to do in all.
    before: usize,
    done: usize,
    planned: usize,
}

impl Status {
    /// A bar at `before` of `planned` positions.
    pub(super) fn new(before: usize, planned: usize) -> Status {
        Status { line: StatusLine::new(REDRAW), before, done: before, planned }
    }

    /// Counts one more position.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        if self.line.is_due() {
            let text = self.text(self.line.elapsed());
            self.line.show(&text);
        }
    }

    /// Clears the line for results.
    pub(super) fn hide(&self) {
        self.line.hide();
    }

    /// `[######..................] 12/46 positions  left 0:00:07`.
    fn text(&self, elapsed: Duration) -> String {
        let Status { before, done, planned, .. } = *self;
        let full = BAR * done / planned.max(1);
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR - full));
        let each = elapsed.as_secs_f64() / (done - before).max(1) as f64;
        let left = clock((planned - done) as f64 * each);
        format!("[{bar}] {done}/{planned} positions  left {left}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_progress_and_remaining_time() {
        let mut status = Status::new(10, 48);
        status.done = 12;
        assert_eq!(
            status.text(Duration::from_secs(4)),
            "[######..................] 12/48 positions  left 0:01:12"
        );
        status.done = 48;
        assert!(status.text(Duration::from_secs(60)).ends_with("] 48/48 positions  left 0:00:00"));
    }
}
