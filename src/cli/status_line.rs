use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where stderr is no terminal.
const REPORT: Duration = Duration::from_secs(60);

/// A line on stderr that says how far long work has come: on a terminal one
/// that changes where it stands and goes away at the end, elsewhere a new one
/// every minute.
#[derive(Debug)]
pub(super) struct StatusLine {
    is_terminal: bool,
    begun: Instant,
    written: Instant,
    interval: Duration,
}

impl StatusLine {
    /// The work begins; on a terminal a line is to stay for at least `redraw`.
    pub(super) fn new(redraw: Duration) -> StatusLine {
        let (is_terminal, now) = (io::stderr().is_terminal(), Instant::now());
        let interval = if is_terminal { redraw } else { REPORT };
        StatusLine { is_terminal, begun: now, written: now, interval }
    }

    /// How often it is to be written.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// How long ago the work began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether it is time to write it again.
    pub(super) fn is_due(&self) -> bool {
        self.written.elapsed() >= self.interval
    }

    /// Writes it.
    pub(super) fn show(&mut self, line: &str) {
        self.written = Instant::now();
        let mut stderr = io::stderr().lock();
        let _ = if self.is_terminal {
            write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    /// Takes it away, to make room for results.
    pub(super) fn hide(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Writes a text of its own above it.
    pub(super) fn say(&self, text: &str) {
        let clear = if self.is_terminal { "\r\x1b[K" } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{}", text.trim_end());
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.hide();
    }
}

/// As in `0:08:12`.
pub(super) fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn seconds_are_rounded_into_minutes_and_hours() {
        for (seconds, text) in [(0.0, "0:00:00"), (59.6, "0:01:00"), (36_610.0, "10:10:10")] {
            assert_eq!(clock(seconds), text);
        }
        assert_eq!(clock(f64::NAN), "0:00:00");
    }
}
