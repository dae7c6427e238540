//! The sessions of a server, in memory or in their files.
//!
//! Whoever knows the id of a session may play in it, and it stays in its file until somebody opens
//! it. Opening, deleting and tidying happen concurrently, so one rule matters most: **a session
//! never lives twice**. Two copies would play different games and overwrite each other's file.
//!
//! ```text
//!   known to the store ──find──► LazySession ──start──► Session ──visit──► Visit
//!         ▲                      one task reads         everybody            │
//!         │                      the file, others wait  gets it              │ leave
//!         └───────────── unload ◄── is_over ◄── end, if nobody visits ◄──────┘
//! ```
//!
//! - Whoever opens a session takes its [`LazySession`], which is filled once. Others who come
//!   meanwhile wait for the same one.
//! - Whoever uses it holds a [`Visit`]. A session with visitors is not dropped, and a visit to one
//!   that has ended is refused ([`Session::visit`]).
//! - A session is unloaded only when it is over, or when it was never filled and nobody else holds
//!   it. [`AppState::find`] retries after a visit was refused: by then the session is unloaded, and
//!   can be read again.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use pontifex::messages::tell;
use pontifex_play::NoRoom;
use tokio::sync::OnceCell;
use tokio::task::{JoinSet, spawn_blocking};

use super::app::AppState;
use super::session::{Ending, Session, Visit};
use super::store::SessionId;

#[cfg(test)]
mod tests;

/// The most sessions that are kept, including those without a move. Set by judgement: more games
/// than a household plays in years, and files of a few megabytes together.
pub(super) const MAX_SESSIONS: usize = 1000;

/// The result of removing a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Removal {
    Done,
    /// There is no such session.
    Unknown,
    /// A page shows the session, or something in it is not saved yet.
    InUse,
}

/// A session in memory, empty until it is read.
pub(super) type LazySession = Arc<OnceCell<Arc<Session>>>;

impl AppState {
    /// Creates a session. It is started when a page comes.
    pub(super) async fn create(self: &Arc<AppState>) -> Result<SessionId, NoRoom> {
        if let Ok(id) = self.reserve().await {
            return Ok(id);
        }
        // Sessions without a move that nobody visits may be deleted, but not while they are in
        // memory. So they are unloaded first.
        for (id, session) in self.loaded_sessions() {
            if self.store.is_empty(id) {
                self.drop_idle(id, &session).await;
            }
        }
        self.reserve().await
    }

    /// Creates a session if there is room or room can be made. Making room reads and deletes files,
    /// so it runs on a blocking thread.
    async fn reserve(self: &Arc<AppState>) -> Result<SessionId, NoRoom> {
        let app = Arc::clone(self);
        let reserve = move || app.make_room().map(|()| app.store.create());
        spawn_blocking(reserve).await.unwrap_or(Err(NoRoom { capacity: MAX_SESSIONS }))
    }

    /// Makes room for another session, or says that there is none.
    pub(super) fn make_room(&self) -> Result<(), NoRoom> {
        self.store.make_room(|id| self.sessions.contains_key(&id))
    }

    /// Visits a session, which is read from its file if necessary; `None` if there is none.
    pub(super) async fn find(self: &Arc<AppState>, id: SessionId) -> Option<Visit> {
        while self.store.contains(id) {
            // The clone needs no lock of the map, and keeps `unload` from removing the session
            // before it is filled.
            let lazy = LazySession::clone(&self.sessions.entry(id).or_default());
            let session = lazy.get_or_try_init(|| self.start(id)).await.ok();
            let (is_loaded, visit) = (session.is_some(), session.and_then(Session::visit));
            // Before `unload`, which counts the holders.
            drop(lazy);
            if visit.is_some() {
                return visit;
            }
            self.unload(id);
            // It could not be read. Another attempt would read the same file.
            if !is_loaded {
                break;
            }
        }
        None
    }

    async fn start(self: &Arc<AppState>, id: SessionId) -> Result<Arc<Session>, ()> {
        let app = Arc::clone(self);
        let read = spawn_blocking(move || app.store.read(id)).await;
        let table = read.map_err(drop)?.ok_or(())?.map_err(tell)?;
        Ok(Session::start(id, self, table))
    }

    /// Deletes a session, unless a page shows it. A search for it is cancelled.
    pub(super) async fn remove(self: &Arc<AppState>, id: SessionId) -> io::Result<Removal> {
        let Some(visit) = self.find(id).await else { return Ok(Removal::Unknown) };
        // The visit itself would keep the session from ending.
        let session = visit.leave();
        let mut path = None;
        if !session.end(Ending::Discarded, || path = self.store.forget(id)).await {
            return Ok(Removal::InUse);
        }
        self.unload(id);
        // On a thread of its own, because this future is dropped if the client leaves now.
        let delete = spawn_blocking(move || path.map_or(Ok(()), std::fs::remove_file));
        delete.await?.map(|()| Removal::Done)
    }

    /// Drops idle sessions from memory, and engines of idle games.
    pub(super) async fn tidy(self: &Arc<AppState>) {
        let app = Arc::clone(self);
        let _ = spawn_blocking(move || app.drop_idle_engines()).await;
        for (id, session) in self.loaded_sessions() {
            if session.mark_idle() {
                self.drop_idle(id, &session).await;
            }
        }
    }

    async fn drop_idle(&self, id: SessionId, session: &Session) {
        session.end(Ending::Idle, || {}).await;
        self.unload(id);
    }

    /// Saves and ends all sessions within `timeout`, and logs how many could not be saved.
    pub(super) async fn close(&self, timeout: Duration) {
        let mut closing: JoinSet<()> = self
            .loaded_sessions()
            .map(|(_, session)| async move { session.close().await })
            .collect();
        let all_closed = async { while closing.join_next().await.is_some() {} };
        if tokio::time::timeout(timeout, all_closed).await.is_err() {
            let seconds = timeout.as_secs_f64();
            let count = closing.len();
            tell(format_args!("{count} games could not be saved in {seconds} s"));
        }
    }

    /// The sessions in memory, collected first: iterating locks the map, and callers await.
    fn loaded_sessions(&self) -> impl Iterator<Item = (SessionId, Arc<Session>)> + use<> {
        let loaded = |lazy: dashmap::mapref::multiple::RefMulti<'_, SessionId, LazySession>| {
            Some((*lazy.key(), Arc::clone(lazy.value().get()?)))
        };
        self.sessions.iter().filter_map(loaded).collect::<Vec<_>>().into_iter()
    }

    /// Unloads a session if it is over, or if it is empty and nobody is about to start it.
    fn unload(&self, id: SessionId) {
        self.sessions.remove_if(&id, |_, lazy| match lazy.get() {
            Some(session) => session.is_over(),
            // Only the map holds it. Another holder would be about to fill it.
            None => Arc::strong_count(lazy) == 1,
        });
    }
}
