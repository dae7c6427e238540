//! What all sessions share: engines, the places to search, the files.

use std::sync::Arc;
use std::time::Duration;

use super::id::SessionId;
use super::pool::Pool;
use super::scheduler::Scheduler;
use super::settings::{BUILT_IN, Settings};
use super::store::Store;
use crate::engine::{Engine, Options};
use crate::tournament::{EngineSpec, Player, ProcessGroups};

/// How long an engine remembers a game in which nothing happens.
const REST: Duration = Duration::from_secs(300);

/// Processes of engines that may rest.
const RESTING_PROCESSES: usize = 8;

/// What an engine is kept for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Lane {
    /// To move in the game.
    Game,
    /// To analyse and review it.
    Study,
}

/// What all sessions share.
#[derive(Debug)]
pub(super) struct AppState {
    pub(super) settings: Settings,
    pub(super) store: Store,
    pub(super) scheduler: Scheduler,
    /// Engines that remember a game.
    pub(super) engines: Pool<(SessionId, Lane), Engine>,
    /// Processes that know a game, by the session's seat, with the set they
    /// can be ended by.
    pub(super) opponents: Pool<(SessionId, usize), (ProcessGroups, Player)>,
    /// All processes.
    pub(super) groups: ProcessGroups,
    /// Options of each engine: its share of threads and memory.
    options: Options,
}

impl AppState {
    /// Divides threads and memory: as many searches at once as each has
    /// threads, and as many engines again may remember games.
    pub(super) fn new(settings: Settings, store: Store, groups: ProcessGroups) -> Arc<AppState> {
        let threads = settings.options.search.threads.max(1);
        let places = (threads as f64).sqrt().ceil() as usize;
        let mut options = settings.options.clone();
        options.search.threads = (threads / places).max(1);
        options.search.memory = (options.search.memory / (2 * places)).max(1);
        options.ponder = false;
        Arc::new(AppState {
            settings,
            store,
            scheduler: Scheduler::new(places),
            engines: Pool::new(places),
            opponents: Pool::new(RESTING_PROCESSES),
            groups,
            options,
        })
    }

    /// A new engine with its share of threads and memory.
    pub(super) fn engine(&self) -> Engine {
        Engine::new(self.options.clone())
    }

    /// The foreign engine of that name.
    pub(super) fn spec(&self, name: &str) -> Option<&EngineSpec> {
        self.settings.engines.iter().find(|spec| spec.name == name)
    }

    /// The names of all engines, this one first.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.settings.engines.iter().map(|spec| spec.name.as_str());
        std::iter::once(BUILT_IN).chain(others)
    }

    /// Engines whose games rest give back what they hold.
    pub(super) fn tidy(&self) {
        self.engines.expire(REST);
        self.opponents.expire(REST);
    }
}
