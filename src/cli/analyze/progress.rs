use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::engine::{Analysis, Candidate};

/// How a search goes on, on stderr: a line that changes on a terminal, else a
/// line a minute.
#[derive(Debug)]
pub(super) struct Progress {
    is_terminal: bool,
    begun: Instant,
}

impl Progress {
    /// A search begins.
    pub(super) fn new() -> Progress {
        Progress { is_terminal: io::stderr().is_terminal(), begun: Instant::now() }
    }

    /// How often it is to be told of.
    pub(super) fn interval(&self) -> Duration {
        if self.is_terminal { Duration::from_millis(500) } else { Duration::from_secs(60) }
    }

    /// What is known now.
    pub(super) fn show(&mut self, analysis: &Analysis) {
        let line = line(analysis, self.begun.elapsed());
        let mut stderr = io::stderr().lock();
        let _ = if self.is_terminal {
            write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `3 s  120345 visits  56.3 %  +1.2  d4,e6 c2,c3 d4-e6`.
fn line(analysis: &Analysis, elapsed: Duration) -> String {
    let best: &[_] = analysis.candidates.first().map_or(&[], |best: &Candidate| &best.line);
    let best: Vec<String> = best.iter().take(4).map(ToString::to_string).collect();
    format!(
        "{} s  {} visits  {:.1} %  {:+.1}  {}",
        elapsed.as_secs(),
        analysis.visits,
        100.0 * analysis.winrate,
        analysis.lead,
        best.join(" ")
    )
}
