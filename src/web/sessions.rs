//! The sessions of a server: those in memory, the others in their files.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::app::AppState;
use super::id::SessionId;
use super::saved::SavedSession;
use super::session::Session;
use super::settings::BUILT_IN;
use super::table::Table;

/// Sessions that are kept, the most recently used.
pub(super) const MOST_SESSIONS: usize = 1000;

/// What became of a session that was to be removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Removal {
    Done,
    /// There is none.
    Unknown,
    /// A page shows it, or an engine works for it.
    InUse,
}

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) app: Arc<AppState>,
    loaded: Mutex<HashMap<SessionId, Arc<Session>>>,
}

impl Sessions {
    pub(super) fn new(app: Arc<AppState>) -> Sessions {
        Sessions { app, loaded: Mutex::default() }
    }

    /// A new session; `None` when there are too many in use.
    ///
    /// # Errors
    /// Why it cannot be kept, one line.
    pub(super) fn create(&self) -> Result<SessionId, String> {
        let store = &self.app.store;
        let mut loaded = self.lock();
        let is_in_use =
            |id| loaded.get(&id).is_some_and(|session: &Arc<Session>| session.is_in_use());
        if !store.make_room(is_in_use) {
            return Err("too many games are being played".to_owned());
        }
        loaded.retain(|&id, _| store.has(id));
        let id = SessionId::random();
        let table = Table::first(BUILT_IN);
        store
            .write(id, &SavedSession::of(&table))
            .map_err(|error| format!("the game cannot be saved: {error}"))?;
        loaded.insert(id, Arc::new(Session::start(id, &self.app, table)));
        Ok(id)
    }

    /// The session, taken up from its file when it has to be; `None` when
    /// there is none.
    pub(super) fn get(&self, id: SessionId) -> Option<Arc<Session>> {
        let mut loaded = self.lock();
        if let Some(session) = loaded.get(&id).filter(|session| session.is_alive()) {
            return Some(Arc::clone(session));
        }
        let store = &self.app.store;
        if !store.has(id) {
            return None;
        }
        let read = |kept: SavedSession| {
            kept.table().map_err(|reason| store.set_aside(id, &reason.to_string()))
        };
        match store.read(id).and_then(read) {
            Ok(table) => {
                let session = Arc::new(Session::start(id, &self.app, table));
                loaded.insert(id, Arc::clone(&session));
                Some(session)
            }
            Err(told) => {
                let _ = writeln!(io::stderr(), "pontifex: {told}");
                None
            }
        }
    }

    /// Removes a session for good, unless it is in use.
    ///
    /// # Errors
    /// Why its file cannot be removed.
    pub(super) fn remove(&self, id: SessionId) -> io::Result<Removal> {
        let mut loaded = self.lock();
        if !self.app.store.has(id) {
            return Ok(Removal::Unknown);
        }
        if loaded.get(&id).is_some_and(is_held) {
            return Ok(Removal::InUse);
        }
        loaded.remove(&id);
        self.app.store.remove(id)?;
        Ok(Removal::Done)
    }

    /// Sessions nobody has looked at since the last time leave the memory;
    /// engines whose games rest give back what they hold.
    pub(super) fn tidy(&self) {
        self.app.tidy();
        // Nobody else has it, and nobody gets it meanwhile: it can be taken
        // up again from its file.
        self.lock().retain(|_, session| is_held(session) || !session.grow_idle());
    }

    /// Ends and saves all sessions.
    pub(super) async fn close(&self) {
        let sessions: Vec<_> = self.lock().drain().map(|(_, session)| session).collect();
        for session in sessions {
            session.close().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Session>>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether somebody has the session, or something goes on in it.
fn is_held(session: &Arc<Session>) -> bool {
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
        // Its one thread works only where it is told to.
        let runtime = Builder::new_current_thread().build().unwrap();
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
        };
        let store = Store::open(&data, 10).unwrap();
        let sessions = Sessions::new(AppState::new(settings, store, ProcessGroups::default()));
        let id = sessions.create().unwrap();
        let is_there = || sessions.lock().contains_key(&id);
        // What a page that has left still has is given back a little later.
        let is_given_back = || !sessions.lock().get(&id).is_some_and(is_held);
        let wait = || {
            runtime.block_on(async {
                let mut left = 100;
                while left > 0 {
                    yield_now().await;
                    left = if is_given_back() { left - 1 } else { 100 };
                }
            });
        };
        for _ in 0..3 {
            let session = sessions.get(id).unwrap();
            drop(session.join());
            drop(session);
            wait();
            sessions.tidy();
            assert!(is_there(), "it may come back");
        }
        sessions.tidy();
        assert!(!is_there());

        let session = sessions.get(id).unwrap();
        let visit = session.join();
        let new = json!({
            "type": "new", "board": 6, "players": {"white": "human", "red": "human"},
            "clock": {"kind": "absolute", "main": 1000},
        });
        runtime.block_on(visit.ask(serde_json::from_value(new).unwrap()));
        drop((visit, session));
        wait();
        (0..3).for_each(|_| sessions.tidy());
        assert!(is_there(), "a clock runs");
        assert_eq!(sessions.remove(id).unwrap(), Removal::Done, "yet nobody needs it");
        let _ = std::fs::remove_dir_all(&data);
    }
}
