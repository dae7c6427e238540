//! How a review goes on, on stderr.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long a line stays on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// How often a line is written elsewhere.
const REPORT: Duration = Duration::from_secs(60);

/// Cells of the bar.
const BAR: usize = 24;

/// The bar, and how much time is left.
#[derive(Debug)]
pub(super) struct Status {
    is_terminal: bool,
    begun: Instant,
    written: Instant,
    /// Positions that were done before, that are done now, and in the end.
    before: usize,
    done: usize,
    planned: usize,
}

impl Status {
    /// `before` of `planned` positions are done already.
    pub(super) fn new(before: usize, planned: usize) -> Status {
        let (is_terminal, now) = (io::stderr().is_terminal(), Instant::now());
        Status { is_terminal, begun: now, written: now, before, done: before, planned }
    }

    /// One position more is done.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        if self.written.elapsed() < if self.is_terminal { REDRAW } else { REPORT } {
            return;
        }
        self.written = Instant::now();
        let line = self.line(self.begun.elapsed());
        let mut stderr = io::stderr().lock();
        let _ = if self.is_terminal {
            write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    /// Makes room for results.
    pub(super) fn hide(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// `[######..................] 12/46 positions  left 0:00:07`.
    fn line(&self, elapsed: Duration) -> String {
        let Status { before, done, planned, .. } = *self;
        let full = BAR * done / planned.max(1);
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR - full));
        let each = elapsed.as_secs_f64() / (done - before).max(1) as f64;
        let left = ((planned - done) as f64 * each).round() as u64;
        let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
        format!("[{bar}] {done}/{planned} positions  left {hours}:{minutes:02}:{seconds:02}")
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.hide();
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
            status.line(Duration::from_secs(4)),
            "[######..................] 12/48 positions  left 0:01:12"
        );
        status.done = 48;
        assert!(status.line(Duration::from_secs(60)).ends_with("] 48/48 positions  left 0:00:00"));
    }
}
