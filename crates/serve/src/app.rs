//! What all sessions share: settings, engines, the scheduler, the files, the sessions in memory.
//!
//! Threads and memory are divided once, at the start, among a fixed number of search slots. An
//! engine that has finished a search goes into a [`Pool`] with its tree, because the next search of
//! the same game usually continues from there. A full pool evicts the least recently used engine.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use pontifex::engine::{Engine, Options};
use pontifex_play::{Judge, Lane};
use pontifex_tournament::{EngineSpec, Player, ProcessGroups};

use super::scheduler::Scheduler;
use super::sessions::LazySession;
use super::store::{SessionId, Store};
use super::work::WorkQueue;

/// How long an engine keeps the search tree of an idle game. Set by judgement: longer than most
/// people think about a move.
const IDLE_TIME: Duration = Duration::from_secs(300);

/// The most idle engine processes. Set by judgement: enough for a few games at a time; each may
/// hold memory that nobody here controls.
const IDLE_PROCESSES: usize = 8;

/// The most idle judges of puzzles. Set by judgement: each has a table of 16 MiB or a searcher.
const IDLE_JUDGES: usize = 4;

/// The application's state.
#[derive(Debug)]
pub(super) struct AppState {
    pub(super) settings: Settings,
    pub(super) store: Store,
    /// The sessions in memory.
    pub(super) sessions: DashMap<SessionId, LazySession>,
    pub(super) scheduler: Scheduler,
    /// Slow work apart from searches.
    pub(super) work: WorkQueue,
    /// Idle engines with the search trees of their games.
    pub(super) engines: Pool<(SessionId, Lane), Engine>,
    /// Idle engine processes by session and seat, with the process groups that end them.
    pub(super) opponents: Pool<(SessionId, usize), (ProcessGroups, Player)>,
    /// Idle judges of puzzles, by the puzzle's id.
    pub(super) judges: Pool<&'static str, Judge>,
    /// All engine processes.
    pub(super) groups: ProcessGroups,
    /// The options of each engine, with its share of threads and memory.
    options: Options,
    #[cfg(test)]
    pub(super) has_broken_engines: std::sync::atomic::AtomicBool,
}

impl AppState {
    /// Divides threads and memory. The number of search slots is the square root of the threads,
    /// rounded up, a compromise between many searches and fast ones. As many idle engines may keep
    /// their trees, so each engine gets half the memory of a slot.
    pub(super) fn new(settings: Settings, store: Store, groups: ProcessGroups) -> Arc<AppState> {
        let threads = settings.options.search.threads.max(1);
        let slots = (threads as f64).sqrt().ceil() as usize;
        let mut options = settings.options.clone();
        options.search.threads = (threads / slots).max(1);
        options.search.memory = (options.search.memory / (2 * slots)).max(1);
        // Pondering would search without a slot.
        options.ponder = false;
        Arc::new(AppState {
            settings,
            store,
            sessions: DashMap::new(),
            scheduler: Scheduler::new(slots),
            work: WorkQueue::default(),
            engines: Pool::new(slots),
            opponents: Pool::new(IDLE_PROCESSES),
            judges: Pool::new(IDLE_JUDGES),
            groups,
            options,
            #[cfg(test)]
            has_broken_engines: false.into(),
        })
    }

    /// A new engine with its share of threads and memory.
    pub(super) fn new_engine(&self) -> Engine {
        #[cfg(test)]
        assert!(!self.has_broken_engines.load(std::sync::atomic::Ordering::Relaxed), "broken");
        Engine::new(self.options.clone())
    }

    /// The foreign engine with this name.
    pub(super) fn foreign_engine(&self, name: &str) -> Option<&EngineSpec> {
        self.settings.engines.iter().find(|spec| spec.name == name)
    }

    /// The names of all engines, the built-in one first.
    pub(super) fn engine_names(&self) -> impl Iterator<Item = &str> {
        let others = self.settings.engines.iter().map(|spec| spec.name.as_str());
        std::iter::once(BUILT_IN).chain(others)
    }

    /// Drops the engines of idle games.
    pub(super) fn drop_idle_engines(&self) {
        self.engines.expire(IDLE_TIME);
        self.opponents.expire(IDLE_TIME);
        self.judges.expire(IDLE_TIME);
    }
}

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 picks a free one.
    pub port: u16,
    /// Host names to accept besides its address and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// The folder of the sessions' files.
    pub data: PathBuf,
    /// Engines to choose from, besides the built-in one.
    pub engines: Vec<EngineSpec>,
    /// Options of the built-in engine; `search.threads` and `search.memory` are shared by all
    /// sessions.
    pub options: Options,
    /// A connection is closed if it sends no complete request head for this long, or reads nothing
    /// of an answer for twice as long.
    pub request_timeout: Duration,
}

impl Settings {
    /// The usual [`Settings::request_timeout`].
    pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

    /// Whether the server is for this machine alone. Other servers do not list their games: whoever
    /// knows a game's id may play in it.
    pub(super) fn is_private(&self) -> bool {
        self.address.is_loopback() && self.allowed_hosts.is_empty()
    }
}

pub use pontifex_play::{BUILT_IN, RESERVED};

/// Idle values by key.
#[derive(Debug)]
pub(super) struct Pool<K, T> {
    capacity: usize,
    idle_values: Mutex<HashMap<K, (Instant, T)>>,
}

impl<K: Hash + Eq + Clone, T> Pool<K, T> {
    /// A pool of up to `capacity` values.
    pub(super) fn new(capacity: usize) -> Pool<K, T> {
        Pool { capacity, idle_values: Mutex::default() }
    }

    /// Takes the value of `key`; `None` if there is none.
    pub(super) fn take(&self, key: &K) -> Option<T> {
        self.lock().remove(key).map(|(_, value)| value)
    }

    /// Inserts a value, and evicts the least recently used ones above the capacity. They are
    /// dropped after the lock is released: an engine frees a large tree, or waits for a process.
    pub(super) fn put(&self, key: K, value: T) {
        let mut idle = self.lock();
        let mut evicted = idle.insert(key, (Instant::now(), value)).into_iter().collect::<Vec<_>>();
        while idle.len() > self.capacity {
            let oldest = idle.iter().min_by_key(|(_, (since, _))| *since);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            evicted.extend(idle.remove(&key));
        }
        drop(idle);
    }

    /// Drops values that have been idle for longer than `age`, after releasing the lock.
    pub(super) fn expire(&self, age: Duration) {
        let expired: Vec<_> =
            self.lock().extract_if(|_, (since, _)| since.elapsed() > age).collect();
        drop(expired);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Instant, T)>> {
        self.idle_values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_value_is_dropped() {
        let pool = Pool::new(2);
        for key in 0..3 {
            pool.put(key, key * 10);
        }
        assert_eq!([pool.take(&0), pool.take(&1), pool.take(&1)], [None, Some(10), None]);
        pool.expire(Duration::ZERO);
        assert_eq!(pool.take(&2), None);
    }
}
