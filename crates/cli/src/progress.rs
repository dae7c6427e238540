//! The status line of long work, and the progress of work with a known number of steps.
//!
//! Both write to standard error, so that results on standard output stay clean. On a terminal the
//! line is redrawn in place with `\r`, the text and `ESC [K`, which clears the rest of the line. In
//! a file every update is a line of its own, and updates are rarer.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pontifex::messages::{one_line, printable};

/// The interval between lines if stderr is not a terminal. Set by judgement: a night's log stays
/// short.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A line on stderr that shows the progress of long work. On a terminal it is redrawn in place and
/// removed at the end; elsewhere a new line is written every minute.
#[derive(Debug)]
pub(super) struct StatusLine {
    is_terminal: bool,
    start: Instant,
    last_update: Instant,
    interval: Duration,
}

impl StatusLine {
    /// Starts the clock. `redraw` is the interval between updates on a terminal.
    pub(super) fn new(redraw: Duration) -> StatusLine {
        let (is_terminal, now) = (io::stderr().is_terminal(), Instant::now());
        let interval = if is_terminal { redraw } else { LINE_INTERVAL };
        StatusLine { is_terminal, start: now, last_update: now, interval }
    }

    /// The interval between updates.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// The time since the work began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the next update is due.
    pub(super) fn is_due(&self) -> bool {
        self.last_update.elapsed() >= self.interval
    }

    pub(super) fn show(&mut self, line: &str) {
        self.last_update = Instant::now();
        // Two spaces separate the parts of the line; `printable` would collapse them into one.
        let line = line.split("  ").map(printable).collect::<Vec<_>>().join("  ");
        let mut stderr = io::stderr().lock();
        let _ = if self.is_terminal {
            write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    /// Removes the line, to make room for results.
    pub(super) fn hide(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Writes a message of one or more lines above the line.
    pub(super) fn write_above(&self, text: &str) {
        let clear = if self.is_terminal { "\r\x1b[K" } else { "" };
        // The lines of a report are indented, but `one_line` trims. The indent is limited, so that
        // a program's text cannot push the message out of sight.
        let indented = |line: &str| {
            let indent = line.len() - line.trim_start_matches(' ').len();
            format!("{}{}", " ".repeat(indent.min(8)), one_line(line))
        };
        let lines: Vec<String> = text.trim_end().split('\n').map(indented).collect();
        let _ = writeln!(io::stderr(), "{clear}{}", lines.join("\n"));
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.hide();
    }
}

/// Formats seconds as hours, minutes and seconds: `0:08:12`.
pub(super) fn format_clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Width of the bar in characters. Set by judgement: the whole line fits into 80 columns.
const BAR_WIDTH: usize = 24;

/// Shows on the status line how many steps are done, and the time left. Threads can share it.
#[derive(Debug)]
pub(super) struct Progress {
    /// The name of the steps, in the plural.
    label: &'static str,
    /// Steps done before this run. The remaining time is estimated from the others alone.
    before: usize,
    total: usize,
    /// The number of steps done, and the line.
    state: Mutex<(usize, StatusLine)>,
}

impl Progress {
    /// Work of `total` steps, none of which is done.
    pub(super) fn new(label: &'static str, total: usize) -> Progress {
        Progress::resumed(label, 0, total)
    }

    /// Work of `total` steps, of which `before` are done.
    pub(super) fn resumed(label: &'static str, before: usize, total: usize) -> Progress {
        let line = StatusLine::new(Duration::from_millis(200));
        Progress { label, before, total, state: Mutex::new((before, line)) }
    }

    /// Counts one more step.
    pub(super) fn advance(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, line) = &mut *state;
        *done += 1;
        if line.is_due() {
            line.show(&self.text(*done, line.elapsed()));
        }
    }

    /// Clears the line for results.
    pub(super) fn hide(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1.hide();
    }

    /// `[######..................] 12/46 positions  left 0:00:07`.
    fn text(&self, done: usize, elapsed: Duration) -> String {
        let Progress { label, before, total, .. } = *self;
        let full = BAR_WIDTH * done.min(total) / total.max(1);
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR_WIDTH - full));
        let seconds_each = elapsed.as_secs_f64() / (done - before).max(1) as f64;
        let remaining = format_clock(total.saturating_sub(done) as f64 * seconds_each);
        format!("[{bar}] {done}/{total} {label}  left {remaining}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_progress_and_remaining_time() {
        let progress = Progress::resumed("positions", 10, 48);
        assert_eq!(
            progress.text(12, Duration::from_secs(4)),
            "[######..................] 12/48 positions  left 0:01:12"
        );
        let done = progress.text(48, Duration::from_secs(60));
        assert!(done.ends_with("#] 48/48 positions  left 0:00:00"), "{done}");
    }

    #[test]
    fn clocks_show_whole_seconds() {
        for (seconds, text) in [(0.0, "0:00:00"), (59.6, "0:01:00"), (36_610.0, "10:10:10")] {
            assert_eq!(format_clock(seconds), text);
        }
        assert_eq!(format_clock(f64::NAN), "0:00:00");
    }
}
