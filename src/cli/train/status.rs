//! How the training goes on, on stderr.

use std::time::Duration;

use crate::cli::status_line::{StatusLine, clock};
use crate::train::network::{Row, TrainJob};

/// The status line.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// Windows learnt before this run, and in the end.
    before: u64,
    planned: u64,
    /// Positions learnt before.
    positions_before: f64,
    /// Windows and positions of this run.
    windows: u64,
    positions: f64,
}

impl Status {
    pub(super) fn new(job: &TrainJob) -> Status {
        let (before, planned) = job.windows();
        Status::of(before, planned, job.positions())
    }

    fn of(before: u64, planned: u64, positions_before: f64) -> Status {
        // A window takes seconds: none is left out on a terminal.
        let line = StatusLine::new(Duration::ZERO);
        Status { line, before, planned, positions_before, windows: 0, positions: 0.0 }
    }

    /// A window is learnt.
    pub(super) fn learnt(&mut self, row: &Row) {
        self.windows += 1;
        self.positions = row.positions - self.positions_before;
        if self.line.is_due() {
            let text = self.text(row, self.line.elapsed());
            self.line.show(&text);
        }
    }

    /// Positions a second in this run, if there were any.
    pub(super) fn speed(&self) -> Option<f64> {
        (self.windows > 0).then(|| self.positions / seconds(self.line.elapsed()))
    }

    /// `12/36  epoch 2.00  41000 positions/s  result 0.4312 (held out 0.4398)
    /// policy 2.5011 (held out 2.5209)  left 0:08:12`
    fn text(&self, row: &Row, elapsed: Duration) -> String {
        let (done, planned) = (self.before + self.windows, self.planned);
        let speed = self.positions / seconds(elapsed);
        let left = planned.saturating_sub(done) as f64 * seconds(elapsed) / self.windows as f64;
        let losses = |name: &str, train: f64, held_out: f64| {
            let beside = if held_out.is_nan() {
                String::new()
            } else {
                format!(" (held out {held_out:.4})")
            };
            format!("{name} {train:.4}{beside}")
        };
        let result = losses("result", row.train.result, row.held_out.result);
        let policy = losses("policy", row.train.policy, row.held_out.policy);
        format!(
            "{done}/{planned}  epoch {:.2}  {speed:.0} positions/s  {result}  {policy}  \
             left {}",
            row.epoch,
            clock(left)
        )
    }
}

fn seconds(elapsed: Duration) -> f64 {
    elapsed.as_secs_f64().max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::network::Summary;

    #[test]
    fn the_line_says_how_far_it_is_and_how_fast() {
        let summary = |result, policy| Summary {
            result,
            error: 0.2,
            foreseen: 0.8,
            lead: 4.0,
            policy,
            first: 0.3,
            owner: 0.4,
        };
        let mut status = Status::of(10, 36, 1e6);
        (status.windows, status.positions) = (2, 820_000.0);
        let (train, held_out) = (summary(0.4312, 2.50111), summary(0.4398, 2.5209));
        let mut row = Row { epoch: 2.0, rate: 0.001, positions: 1.82e6, train, held_out };
        assert_eq!(
            status.text(&row, Duration::from_secs(20)),
            "12/36  epoch 2.00  41000 positions/s  result 0.4312 (held out 0.4398)  \
             policy 2.5011 (held out 2.5209)  left 0:04:00"
        );
        row.held_out = summary(f64::NAN, f64::NAN);
        let line = status.text(&row, Duration::from_secs(20));
        assert!(line.contains("result 0.4312  policy 2.5011  left"), "{line}");
    }
}
