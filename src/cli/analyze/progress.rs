use std::time::Duration;

use crate::cli::status_line::StatusLine;
use crate::engine::{Analysis, Candidate};

/// How long a line stays on a terminal.
const REDRAW: Duration = Duration::from_millis(500);

/// How a search goes on, on the status line.
#[derive(Debug)]
pub(super) struct Progress {
    line: StatusLine,
}

impl Progress {
    /// A search begins.
    pub(super) fn new() -> Progress {
        Progress { line: StatusLine::new(REDRAW) }
    }

    /// How often it is to be told of.
    pub(super) fn interval(&self) -> Duration {
        self.line.interval()
    }

    /// What is known now.
    pub(super) fn show(&mut self, analysis: &Analysis) {
        let text = text(analysis, self.line.elapsed());
        self.line.show(&text);
    }
}

/// `3 s  120345 visits  56.3 %  +1.2  d4,e6 c2,c3 d4-e6`.
fn text(analysis: &Analysis, elapsed: Duration) -> String {
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
