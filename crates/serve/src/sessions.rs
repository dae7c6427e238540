//! The sessions of a server, in memory or in their files, and their ids:
//! whoever knows an id may play in its session.
//!
//! A session never lives twice. Whoever opens it holds its slot, and there is one
//! slot for an id as long as anybody has it: under the slot's lock the session is
//! read and started, or ended and dropped. Whoever has got a session counts as
//! its holder, and a session that is held is not ended. No lock concerns more than
//! one session while a file is read or a task is waited for.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use pontifex::messages::tell;
use tokio::sync::Mutex;
use tokio::task::{JoinSet, spawn_blocking};

use super::app::AppState;
use super::commands::Ending;
use super::session::SessionHandle;
use super::store::SessionId;

#[cfg(test)]
mod tests;

/// The most sessions that are kept, those without a move included.
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
    slots: DashMap<SessionId, Arc<Slot>>,
}

/// The place of a session in memory; empty before it is read and once it has
/// ended.
type Slot = Mutex<Option<Arc<SessionHandle>>>;

impl Sessions {
    pub(super) fn new(app: Arc<AppState>) -> Sessions {
        Sessions { app, slots: DashMap::new() }
    }

    /// Creates a session. It is started once a page comes.
    ///
    /// # Errors
    /// One line: there are too many games.
    pub(super) async fn create(&self) -> Result<SessionId, String> {
        if let Ok(id) = self.reserve().await {
            return Ok(id);
        }
        self.drop_empty().await;
        self.reserve().await
    }

    async fn reserve(&self) -> Result<SessionId, String> {
        let app = Arc::clone(&self.app);
        let reserved = spawn_blocking(move || app.store.reserve(false)).await;
        reserved.map_err(|error| error.to_string())?
    }

    /// The session, read from its file if necessary; `None` if there is none. It
    /// stays in memory as long as the result is held.
    pub(super) async fn find(&self, id: SessionId) -> Option<Arc<SessionHandle>> {
        if !self.app.store.contains(id) {
            return None;
        }
        let slot = self.slot(id);
        let mut session = slot.lock().await;
        if !session.as_ref().is_some_and(|session| session.is_alive()) {
            *session = self.start(id).await;
        }
        let found = session.clone();
        drop(session);
        drop(slot);
        self.drop_empty_slot(id);
        found
    }

    async fn start(&self, id: SessionId) -> Option<Arc<SessionHandle>> {
        let app = Arc::clone(&self.app);
        let read = spawn_blocking(move || app.store.take_up(id)).await;
        let table = read.ok().flatten()?;
        let table = table.inspect_err(|reason| tell(reason)).ok()?;
        Some(Arc::new(SessionHandle::start(id, &self.app, table)))
    }

    /// Deletes a session, unless a page shows it. A search for it is cancelled.
    ///
    /// # Errors
    /// When its file cannot be deleted.
    pub(super) async fn remove(&self, id: SessionId) -> io::Result<Removal> {
        if !self.app.store.contains(id) {
            return Ok(Removal::Unknown);
        }
        let slot = self.slot(id);
        let removed = self.remove_from(&slot, id).await;
        drop(slot);
        self.drop_empty_slot(id);
        removed
    }

    /// Nobody opens the session while its slot is locked.
    async fn remove_from(&self, slot: &Slot, id: SessionId) -> io::Result<Removal> {
        let Ok(mut session) = slot.try_lock() else { return Ok(Removal::InUse) };
        if !end(&mut session, Ending::Discarded).await {
            return Ok(Removal::InUse);
        }
        let app = Arc::clone(&self.app);
        let removed = spawn_blocking(move || app.store.remove(id)).await;
        removed.unwrap_or_else(|error| Err(io::Error::other(error))).map(|()| Removal::Done)
    }

    /// Drops idle sessions from memory, and engines of idle games.
    pub(super) async fn tidy(&self) {
        let app = Arc::clone(&self.app);
        let _ = spawn_blocking(move || app.tidy()).await;
        for id in self.ids() {
            self.drop_idle(id, SessionHandle::mark_idle).await;
        }
    }

    /// Drops sessions without a move that nobody holds, so that they can be
    /// deleted.
    async fn drop_empty(&self) {
        for id in self.ids() {
            if self.app.store.is_empty(id) {
                self.drop_idle(id, |_| true).await;
            }
        }
    }

    /// Ends a session that nobody holds and that is at rest, if it `may` end.
    async fn drop_idle(&self, id: SessionId, may: impl Fn(&SessionHandle) -> bool) {
        let slot = self.slot(id);
        if let Ok(mut session) = slot.try_lock()
            && session.as_ref().is_none_or(|session| !session.is_alive() || may(session))
            && end(&mut session, Ending::Idle).await
        {
            self.app.store.close(id);
        }
        drop(slot);
        self.drop_empty_slot(id);
    }

    /// Ends and saves all sessions, for up to `limit`, and says what is lost.
    pub(super) async fn close(&self, limit: Duration) {
        let mut closing = JoinSet::new();
        for id in self.ids() {
            let slot = self.slot(id);
            closing.spawn(async move {
                let session = slot.lock().await.clone();
                if let Some(session) = session {
                    session.close().await;
                }
            });
        }
        let all = async { while closing.join_next().await.is_some() {} };
        if tokio::time::timeout(limit, all).await.is_err() {
            let seconds = limit.as_secs_f64();
            let count = closing.len();
            tell(format_args!("{count} games could not be saved in {seconds} s"));
        }
    }

    fn ids(&self) -> Vec<SessionId> {
        self.slots.iter().map(|slot| *slot.key()).collect()
    }

    fn slot(&self, id: SessionId) -> Arc<Slot> {
        Arc::clone(&self.slots.entry(id).or_default())
    }

    /// Drops the slot of a session that is not in memory, unless somebody has it
    /// and may start the session there.
    fn drop_empty_slot(&self, id: SessionId) {
        let is_empty = |slot: &Slot| slot.try_lock().is_ok_and(|session| session.is_none());
        self.slots.remove_if(&id, |_, slot| Arc::strong_count(slot) == 1 && is_empty(slot));
    }
}

/// Ends the session in a slot if nobody else holds it; whether it is gone. Its
/// slot is locked, so that nobody else gets it.
async fn end(session: &mut Option<Arc<SessionHandle>>, ending: Ending) -> bool {
    let is_gone = match session {
        None => true,
        Some(session) if !session.is_alive() => true,
        Some(session) => {
            let is_wanted =
                Arc::strong_count(session) > 1 || (ending == Ending::Idle && session.is_in_use());
            !is_wanted && session.end(ending).await
        }
    };
    if is_gone {
        *session = None;
    }
    is_gone
}
