//! The sessions of a server, in memory or in their files.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::app::AppState;
use super::id::SessionId;
use super::session::SessionHandle;
use crate::messages::tell;
use crate::play::{SavedSession, Table};

/// The most sessions that are kept; the least recently used are deleted.
pub(super) const MAX_SESSIONS: usize = 1000;

/// The result of removing a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Removal {
    Done,
    /// There is no such session.
    Unknown,
    /// A page shows it, or it is just being changed.
    InUse,
}

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) app: Arc<AppState>,
    loaded: Mutex<HashMap<SessionId, Arc<SessionHandle>>>,
}

impl Sessions {
    pub(super) fn new(app: Arc<AppState>) -> Sessions {
        Sessions { app, loaded: Mutex::default() }
    }

    /// Creates a session.
    ///
    /// # Errors
    /// One line: all sessions are in use, or it cannot be saved.
    pub(super) fn create(&self) -> Result<SessionId, String> {
        let store = &self.app.store;
        let mut loaded = self.lock();
        let is_in_use =
            |id| loaded.get(&id).is_some_and(|session: &Arc<SessionHandle>| session.is_in_use());
        if !store.make_room(is_in_use) {
            return Err("too many games are being played".to_owned());
        }
        loaded.retain(|&id, _| store.has(id));
        let id = SessionId::random();
        let table = Table::first();
        store
            .write(id, &SavedSession::of(&table))
            .map_err(|error| format!("the game cannot be saved: {error}"))?;
        loaded.insert(id, Arc::new(SessionHandle::start(id, &self.app, table)));
        Ok(id)
    }

    /// The session, read from its file if necessary; `None` if there is none.
    pub(super) fn get(&self, id: SessionId) -> Option<Arc<SessionHandle>> {
        let mut loaded = self.lock();
        if let Some(session) = loaded.get(&id).filter(|session| session.is_alive()) {
            return Some(Arc::clone(session));
        }
        let store = &self.app.store;
        if !store.has(id) {
            return None;
        }
        let read = |saved: SavedSession| {
            saved.table().map_err(|reason| store.set_aside(id, &reason.to_string()))
        };
        match store.read(id).and_then(read) {
            Ok(table) => {
                let session = Arc::new(SessionHandle::start(id, &self.app, table));
                loaded.insert(id, Arc::clone(&session));
                Some(session)
            }
            Err(reason) => {
                tell(reason);
                None
            }
        }
    }

    /// Deletes a session, unless a page shows it.
    ///
    /// # Errors
    /// When its file cannot be deleted.
    pub(super) fn remove(&self, id: SessionId) -> io::Result<Removal> {
        let mut loaded = self.lock();
        if !self.app.store.has(id) {
            return Ok(Removal::Unknown);
        }
        // A search for it is cancelled: nobody waits for it.
        let is_held = |session: &Arc<SessionHandle>| {
            Arc::strong_count(session) > 1 || (session.is_alive() && !session.discard())
        };
        if loaded.get(&id).is_some_and(is_held) {
            return Ok(Removal::InUse);
        }
        loaded.remove(&id);
        self.app.store.remove(id)?;
        Ok(Removal::Done)
    }

    /// Drops idle sessions from memory, and engines of idle games.
    pub(super) fn tidy(&self) {
        self.app.tidy();
        // No one else holds such a session, and the lock keeps it so. It can be
        // read again from its file.
        self.lock().retain(|_, session| is_held(session) || !session.grow_idle());
    }

    /// Ends and saves all sessions.
    pub(super) async fn close(&self) {
        let sessions: Vec<_> = self.lock().drain().map(|(_, session)| session).collect();
        for session in sessions {
            session.close().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<SessionHandle>>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether someone holds the session or it is in use.
fn is_held(session: &Arc<SessionHandle>) -> bool {
    Arc::strong_count(session) > 1 || session.is_in_use()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use serde_json::json;
    use tokio::runtime::Builder;
    use tokio::task::yield_now;

    use super::*;
    use crate::engine::Options;
    use crate::tournament::ProcessGroups;
    use crate::web::settings::Settings;
    use crate::web::store::Store;

    #[test]
    fn a_session_stays_while_a_page_may_come_back_or_a_clock_runs() {
        // Tasks run only inside block_on.
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let _guard = runtime.enter();
        let data = std::env::temp_dir().join(format!("pontifex-sessions-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&data);
        let settings = Settings {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            allowed_hosts: Vec::new(),
            data: data.clone(),
            engines: Vec::new(),
            options: Options::default(),
            request_timeout: Settings::REQUEST_TIMEOUT,
        };
        let store = Store::open(&data, 10).unwrap();
        let sessions = Sessions::new(AppState::new(settings, store, ProcessGroups::default()));
        let id = sessions.create().unwrap();
        let is_there = || sessions.lock().contains_key(&id);
        // A dropped visit releases the session in a task.
        let is_released = || !sessions.lock().get(&id).is_some_and(is_held);
        let wait = || {
            runtime.block_on(async {
                let mut left = 100;
                while left > 0 {
                    yield_now().await;
                    left = if is_released() { left - 1 } else { 100 };
                }
            });
        };
        for _ in 0..3 {
            let session = sessions.get(id).unwrap();
            drop(session.join());
            drop(session);
            wait();
            sessions.tidy();
            assert!(is_there(), "the page may come back");
        }
        sessions.tidy();
        assert!(!is_there());

        let session = sessions.get(id).unwrap();
        let visit = session.join();
        let new = json!({
            "type": "new", "board": 6, "players": {"white": "human", "red": "human"},
            "clock": {"kind": "absolute", "main": 1000},
        });
        runtime.block_on(visit.greet());
        runtime.block_on(visit.ask(serde_json::from_value(new).unwrap()));
        drop((visit, session));
        wait();
        (0..3).for_each(|_| sessions.tidy());
        assert!(is_there(), "a clock runs");
        assert_eq!(
            sessions.remove(id).unwrap(),
            Removal::Done,
            "a clock does not keep it from being deleted"
        );
        let _ = std::fs::remove_dir_all(&data);
    }
}
