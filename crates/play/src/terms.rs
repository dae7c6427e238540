//! The terms of a game: who plays, how long engines may think, and the clocks of both seats. The
//! clocks remember the times at earlier nodes, so that a turn can be taken back. `host_info` tells
//! a page what it may choose from.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use ts_rs::TS;

use super::message::{FormatEntry, Info, LevelText, Limits};
use pontifex::board::Size;
use pontifex::clock::{Clock, Limit, Seconds};
use pontifex::engine::{self, Level};
use pontifex::messages::excerpt;
use pontifex::notation::{FORMATS, Format};

/// The built-in engine's name where players are chosen.
pub const BUILT_IN: &str = "pontifex";

/// Who has a seat: a human, a friend who plays on another device by links, or the engine of that
/// name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(from = "String", into = "String")]
#[ts(type = "string")]
pub enum Seat {
    Human,
    Friend,
    Engine(String),
}

const HUMAN: &str = "human";
const FRIEND: &str = "friend";

/// The names that no engine may have.
pub const RESERVED: [&str; 3] = [BUILT_IN, HUMAN, FRIEND];

impl Seat {
    /// Who has the seat in a game that is not played by links.
    #[must_use]
    pub(super) fn without_links(self) -> Seat {
        if self == Seat::Friend { Seat::Human } else { self }
    }
}

impl From<String> for Seat {
    fn from(name: String) -> Seat {
        match name.as_str() {
            HUMAN => Seat::Human,
            FRIEND => Seat::Friend,
            _ => Seat::Engine(name),
        }
    }
}

impl From<Seat> for String {
    fn from(seat: Seat) -> String {
        match seat {
            Seat::Human => HUMAN.to_owned(),
            Seat::Friend => FRIEND.to_owned(),
            Seat::Engine(name) => name,
        }
    }
}

/// The id by which two devices know the game that they play by links.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct LinkId(String);

impl TryFrom<String> for LinkId {
    type Error = &'static str;

    fn try_from(id: String) -> Result<LinkId, &'static str> {
        let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if (1..=40).contains(&id.len()) && id.chars().all(is_fit) {
            Ok(LinkId(id))
        } else {
            Err("a link has 1 to 40 letters a to z, digits and hyphens")
        }
    }
}

impl From<LinkId> for String {
    fn from(id: LinkId) -> String {
        id.0
    }
}

/// How the engines play: a bound on each move, or the built-in engine as an opponent for people.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(
    untagged,
    expecting = "level is {\"level\": N} from 1 to 10, {\"time\": SECONDS} from 0.01 to 3600 or {\"playouts\": N} from 1 to 100000000"
)]
pub enum Strength {
    Time {
        time: Seconds,
    },
    /// Search iterations.
    Playouts {
        playouts: u64,
    },
    /// The number of a [`Level`].
    Level {
        level: u8,
    },
}

impl Strength {
    /// The longest time.
    pub const MAX_TIME: Seconds = Seconds::whole(3600);
    /// The most iterations.
    pub const MAX_PLAYOUTS: u64 = 100_000_000;

    /// Returns the strength if it is in range.
    pub(super) fn check(self) -> Result<Strength, TermsError> {
        let is_in_range = match self {
            Strength::Time { time } => (Seconds::millis(10)..=Self::MAX_TIME).contains(&time),
            Strength::Playouts { playouts } => (1..=Self::MAX_PLAYOUTS).contains(&playouts),
            Strength::Level { level } => Level::new(level).is_some(),
        };
        if is_in_range { Ok(self) } else { Err(TermsError::Strength) }
    }
}

/// The kind of clock, the same for both players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ClockKind {
    None,
    Absolute { main: Seconds },
    Fischer { main: Seconds, increment: Seconds },
    Byoyomi { main: Seconds, period: Seconds, count: u32 },
}

impl ClockKind {
    /// The time control for a [`Clock`](pontifex::clock::Clock); `None` without a clock.
    ///
    /// # Errors
    /// When a time or count is out of range.
    pub(super) fn limit(self) -> Result<Option<Limit>, TermsError> {
        let main_times = Seconds::whole(1)..=Seconds::whole(1_000_000);
        let times = Seconds::ZERO..=Seconds::whole(1_000_000);
        let periods = Seconds::millis(100)..=Seconds::whole(1_000_000);
        let (limit, is_in_range) = match self {
            ClockKind::None => return Ok(None),
            ClockKind::Absolute { main } => {
                let limit = Limit::Fischer { main, increment: Seconds::ZERO };
                (limit, main_times.contains(&main))
            }
            ClockKind::Fischer { main, increment } => {
                let is_in_range = main_times.contains(&main) && times.contains(&increment);
                (Limit::Fischer { main, increment }, is_in_range)
            }
            ClockKind::Byoyomi { main, period, count } => {
                let is_in_range = times.contains(&main)
                    && periods.contains(&period)
                    && (1..=1000).contains(&count);
                (Limit::ByoYomi { main, period, periods: count }, is_in_range)
            }
        };
        if is_in_range { Ok(Some(limit)) } else { Err(TermsError::Clock) }
    }
}

/// The clocks of a game. Times of day are counted from the session's start.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Clocks {
    kind: ClockKind,
    /// The clocks at the node where the game goes on; `None` without clocks.
    by_seat: Option<Pair>,
    /// The clocks at the nodes at which one was started.
    by_node: BTreeMap<u32, Pair>,
    /// When the running clock was started; `None` while none runs.
    started_at: Option<Duration>,
    /// The current time, as last set.
    now: Duration,
}

impl Clocks {
    /// Full clocks, none running.
    ///
    /// # Errors
    /// When a time of `kind` is out of range.
    pub(super) fn new(kind: ClockKind) -> Result<Clocks, TermsError> {
        Ok(Clocks { kind, by_seat: full_clocks(kind)?, ..Clocks::none() })
    }

    pub(super) fn none() -> Clocks {
        Clocks {
            kind: ClockKind::None,
            by_seat: None,
            by_node: BTreeMap::new(),
            started_at: None,
            now: Duration::ZERO,
        }
    }

    /// Restores saved clocks; `None` when they do not fit `kind`.
    pub(super) fn restored(
        kind: ClockKind,
        by_seat: Option<Pair>,
        by_node: BTreeMap<u32, Pair>,
    ) -> Option<Clocks> {
        let full = full_clocks(kind).ok()?;
        let fits_kind =
            |clock: &Clock| full.is_some_and(|[fresh, _]| clock.control() == fresh.control());
        let mut all = by_seat.iter().chain(by_node.values()).flatten();
        let fits = by_seat.is_some() == full.is_some() && all.all(fits_kind);
        fits.then_some(Clocks { kind, by_seat, by_node, ..Clocks::none() })
    }

    pub(super) fn kind(&self) -> ClockKind {
        self.kind
    }

    pub(super) fn by_seat(&self) -> Option<Pair> {
        self.by_seat
    }

    pub(super) fn earlier_clocks(&self) -> &BTreeMap<u32, Pair> {
        &self.by_node
    }

    /// Sets the current time.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = now;
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    pub(super) fn is_running(&self) -> bool {
        self.started_at.is_some()
    }

    /// Starts the clock of the side to move at `node`, unless one runs.
    pub(super) fn start(&mut self, node: u32) {
        if let (None, Some(clocks)) = (self.started_at, self.by_seat) {
            self.by_node.insert(node, clocks);
            self.started_at = Some(self.now);
        }
    }

    /// Stops the running clock without charging its time.
    pub(super) fn reset(&mut self) {
        self.started_at = None;
    }

    /// The time since the running clock was started, 0 while none runs.
    pub(super) fn spent(&self) -> Seconds {
        self.started_at.map_or(Seconds::ZERO, |since| self.now.saturating_sub(since).into())
    }

    /// Stops the running clock and charges `time` to `seat`.
    pub(super) fn spend(&mut self, seat: usize, time: Seconds) {
        self.started_at = None;
        if let Some(clocks) = &mut self.by_seat {
            clocks[seat].spend(time);
        }
    }

    /// Sets the clocks as they were at `node`.
    pub(super) fn restore(&mut self, node: u32) {
        if let Some(clocks) = self.by_node.get(&node) {
            self.by_seat = Some(*clocks);
        } else if self.by_seat.iter().flatten().any(|clock| clock.allowed() == Some(Seconds::ZERO))
        {
            // Files of earlier versions do not record earlier clocks. A flag that has fallen would
            // end the game again at once.
            self.by_seat = full_clocks(self.kind).ok().flatten();
        }
    }

    /// Forgets the clocks at removed nodes.
    pub(super) fn retain(&mut self, has_node: impl Fn(u32) -> bool) {
        self.by_node.retain(|&node, _| has_node(node));
    }
}

fn full_clocks(kind: ClockKind) -> Result<Option<Pair>, TermsError> {
    Ok(kind.limit()?.map(|limit| [Clock::new(limit); 2]))
}

/// The clocks of both seats.
type Pair = [Clock; 2];

/// Terms out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum TermsError {
    #[error(
        "level is {{\"level\": N}} from 1 to {top}, {{\"time\": SECONDS}} from 0.01 to {max} or {{\"playouts\": N}} from 1 to {most}",
        top = Level::HIGHEST, max = Strength::MAX_TIME, most = Strength::MAX_PLAYOUTS
    )]
    Strength,
    #[error(
        "clock needs main of 1 to 1000000 seconds (byoyomi 0), increment of 0 or more, period of 0.1 or more, count of 1 to 1000"
    )]
    Clock,
}

/// The refusal of an engine that a host does not have.
pub fn no_engine<'a>(name: &str, engines: impl IntoIterator<Item = &'a str>) -> String {
    let engines: Vec<&str> = engines.into_iter().collect();
    let verb = if engines.len() == 1 { "is" } else { "are" };
    format!("no engine is called {}, there {verb} {}", excerpt(name), engines.join(", "))
}

fn format(format: &Format) -> FormatEntry {
    let [en, de, fr] = format.titles;
    let title = BTreeMap::from([("en", en), ("de", de), ("fr", fr)]);
    FormatEntry { name: format.name, extension: format.extension, title }
}

/// What a page may choose from. `private` is whether links to the host work on this machine only.
pub fn host_info(engines: &[&str], private: bool) -> Info {
    let level = |level: Level| {
        let text = |text: engine::LevelText| {
            (text.language, LevelText { name: text.name, character: text.character })
        };
        level.texts().map(text).into_iter().collect()
    };
    Info {
        version: env!("CARGO_PKG_VERSION"),
        engines: engines.iter().map(|&name| name.to_owned()).collect(),
        sizes: Size::all().collect(),
        private,
        levels: Level::all().map(level).collect(),
        formats: FORMATS.map(format).into(),
        limits: Limits { time: Strength::MAX_TIME, playouts: Strength::MAX_PLAYOUTS },
    }
}
