//! The status line of self-play on stderr.

use std::time::Duration;

use crate::status_line::{StatusLine, clock};
use pontifex_train::selfplay::Played;

/// The interval of updates on a terminal.
const REDRAW: Duration = Duration::from_secs(2);

/// The status line.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// Games finished before this run, and planned in all.
    before: u64,
    planned: u64,
    /// Games and positions of this run.
    games: u64,
    positions: u64,
}

impl Status {
    /// A status with `before` of `planned` games finished.
    pub(super) fn new(before: u64, planned: u64) -> Status {
        Status { line: StatusLine::new(REDRAW), before, planned, games: 0, positions: 0 }
    }

    /// Counts a finished game.
    pub(super) fn finished(&mut self, game: &Played) {
        self.games += 1;
        self.positions += game.steps.len() as u64;
        if self.line.is_due() {
            let text = self.text(self.line.elapsed());
            self.line.show(&text);
        }
    }

    /// Whether all games are finished.
    pub(super) fn is_done(&self) -> bool {
        self.before + self.games == self.planned
    }

    /// The games an hour of this run, if there were any.
    pub(super) fn games_an_hour(&self) -> Option<f64> {
        (self.games > 0).then(|| an_hour(self.games, self.line.elapsed()))
    }

    /// `120/1000  33635 games/h  3021442 positions/h  left 0:01:34`
    fn text(&self, elapsed: Duration) -> String {
        let done = self.before + self.games;
        let games = an_hour(self.games, elapsed);
        let positions = an_hour(self.positions, elapsed);
        let left = self.planned.saturating_sub(done) as f64 / games * 3600.0;
        format!(
            "{done}/{}  {games:.0} games/h  {positions:.0} positions/h  left {}",
            self.planned,
            clock(left)
        )
    }
}

fn an_hour(count: u64, elapsed: Duration) -> f64 {
    count as f64 * 3600.0 / elapsed.as_secs_f64().max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_progress_and_speed() {
        let mut status = Status::new(100, 1000);
        (status.games, status.positions) = (20, 1800);
        assert_eq!(
            status.text(Duration::from_secs(10)),
            "120/1000  7200 games/h  648000 positions/h  left 0:07:20"
        );
        assert!(!status.is_done());
        status.games = 900;
        assert!(status.is_done());
        assert!(status.text(Duration::ZERO).ends_with("left 0:00:00"));
    }
}
