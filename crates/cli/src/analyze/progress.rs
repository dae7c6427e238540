//! The progress of an analysis on the status line.

use std::time::Duration;

use crate::status_line::StatusLine;
use pontifex::engine::{Analysis, Candidate};

/// Redraw interval of the line on a terminal.
const REDRAW: Duration = Duration::from_millis(500);

/// The status line of a search.
#[derive(Debug)]
pub(super) struct Progress {
    line: StatusLine,
}

impl Progress {
    /// The line at the start of a search.
    pub(super) fn new() -> Progress {
        Progress { line: StatusLine::new(REDRAW) }
    }

    /// Interval between reports of the search.
    pub(super) fn interval(&self) -> Duration {
        self.line.interval()
    }

    /// Shows the results so far.
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
