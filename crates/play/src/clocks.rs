//! The clocks of a game: both seats' time, which clock runs, and the times at
//! earlier nodes, so that a turn can be taken back.

use std::collections::BTreeMap;
use std::time::Duration;

use super::terms::{ClockKind, TermsError};
use pontifex::clock::{Clock, Seconds};

/// The clocks of both seats.
pub(super) type Pair = [Clock; 2];

/// The clocks of a game. Times of day are counted from the session's start.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Clocks {
    kind: ClockKind,
    /// At the node where the game goes on; `None` without clocks.
    seats: Option<Pair>,
    /// The clocks at the nodes at which one was started.
    earlier: BTreeMap<u32, Pair>,
    /// When the running clock was started; `None` while none runs.
    since: Option<Duration>,
    /// The current time, as last set.
    now: Duration,
}

impl Clocks {
    /// Full clocks, none running.
    ///
    /// # Errors
    /// When a time of `kind` is out of range.
    pub(super) fn new(kind: ClockKind) -> Result<Clocks, TermsError> {
        Ok(Clocks { kind, seats: full(kind)?, ..Clocks::none() })
    }

    /// No clocks.
    pub(super) fn none() -> Clocks {
        Clocks {
            kind: ClockKind::None,
            seats: None,
            earlier: BTreeMap::new(),
            since: None,
            now: Duration::ZERO,
        }
    }

    /// Restores saved clocks; `None` when they do not fit `kind`.
    pub(super) fn restored(
        kind: ClockKind,
        seats: Option<Pair>,
        earlier: BTreeMap<u32, Pair>,
    ) -> Option<Clocks> {
        let full = full(kind).ok()?;
        let fits_kind =
            |clock: &Clock| full.is_some_and(|[fresh, _]| clock.control() == fresh.control());
        let mut all = seats.iter().chain(earlier.values()).flatten();
        let fits = seats.is_some() == full.is_some() && all.all(fits_kind);
        fits.then_some(Clocks { kind, seats, earlier, ..Clocks::none() })
    }

    pub(super) fn kind(&self) -> ClockKind {
        self.kind
    }

    pub(super) fn seats(&self) -> Option<Pair> {
        self.seats
    }

    pub(super) fn earlier(&self) -> &BTreeMap<u32, Pair> {
        &self.earlier
    }

    /// Sets the current time.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = now;
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// Starts the clock of the side to move at `node`, unless one runs.
    pub(super) fn start(&mut self, node: u32) {
        if let (None, Some(seats)) = (self.since, self.seats) {
            self.earlier.insert(node, seats);
            self.since = Some(self.now);
        }
    }

    /// Stops the running clock without charging its time.
    pub(super) fn reset(&mut self) {
        self.since = None;
    }

    /// The time since the running clock was started, 0 while none runs.
    pub(super) fn spent(&self) -> Seconds {
        self.since.map_or(Seconds::ZERO, |since| self.now.saturating_sub(since).into())
    }

    /// Stops the running clock and charges `time` to `seat`.
    pub(super) fn spend(&mut self, seat: usize, time: Seconds) {
        self.since = None;
        if let Some(seats) = &mut self.seats {
            seats[seat].spend(time);
        }
    }

    /// Sets the clocks as they were at `node`.
    pub(super) fn restore(&mut self, node: u32) {
        if let Some(seats) = self.earlier.get(&node) {
            self.seats = Some(*seats);
        } else if self.seats.iter().flatten().any(|clock| clock.allowed() == Some(Seconds::ZERO)) {
            // An old file does not record earlier clocks, and without time the
            // game could not go on.
            self.seats = full(self.kind).ok().flatten();
        }
    }

    /// Forgets the clocks at removed nodes.
    pub(super) fn retain(&mut self, has_node: impl Fn(u32) -> bool) {
        self.earlier.retain(|&node, _| has_node(node));
    }
}

fn full(kind: ClockKind) -> Result<Option<Pair>, TermsError> {
    Ok(kind.limit()?.map(|limit| [Clock::new(limit); 2]))
}
