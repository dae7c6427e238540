//! How a review goes on, on stderr.

use std::time::Duration;

use crate::cli::status_line::{StatusLine, clock};

/// How long a line stays on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// Cells of the bar.
const BAR: usize = 24;

/// The bar, and how much time is left.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// Positions that were done before, that are done now, and in the end.
    before: usize,
    done: usize,
    planned: usize,
}

impl Status {
    /// `before` of `planned` positions are done already.
    pub(super) fn new(before: usize, planned: usize) -> Status {
        Status { line: StatusLine::new(REDRAW), before, done: before, planned }
    }

    /// One position more is done.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        if self.line.is_due() {
            let text = self.text(self.line.elapsed());
            self.line.show(&text);
        }
    }

    /// Makes room for results.
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
    fn the_line_says_how_far_it_is_and_how_long_it_will_take() {
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
