//! The sessions of a server, in memory or in their files.
//!
//! Whoever knows the id of a session may play in it, and it stays in its file until somebody
//! opens it. Opening, deleting and tidying happen at the same time, so one rule
//! matters most: **a session never lives twice**. Two copies would play different games and
//! overwrite each other's file.
//!
//! ```text
//!   known to the store ──find──► slot, empty ──start──► slot with a Session ──visit──► Visit
//!         ▲                      one task reads         everybody gets it       │
//!         │                      the file, others wait                          │ leave
//!         └───────────── clear_slot ◄── is_over ◄── end, if nobody visits ◄─────┘
//! ```
//!
//! - Whoever opens a session takes its [`Slot`], a cell that is filled once. Others who come
//!   meanwhile wait for the same cell.
//! - Whoever has got it holds a [`Visit`]. A session with visitors does not end, and a visit
//!   to one that has ended is refused ([`Session::visit`]).
//! - A slot is cleared only when its session is over, or when it is empty and nobody else
//!   holds it. [`AppState::find`] tries again after a visit was refused: by then the slot is
//!   cleared, and the session can be read anew.

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

/// The most sessions that are kept, those without a move included. Chosen: more games than a
/// household plays in years, and files of a few megabytes together.
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

/// The place of a session in memory; empty until it is read. Not to be confused with a search
/// slot.
pub(super) type Slot = Arc<OnceCell<Arc<Session>>>;

impl AppState {
    /// Creates a session. It is started once a page comes.
    pub(super) async fn create(self: &Arc<AppState>) -> Result<SessionId, NoRoom> {
        if let Ok(id) = self.reserve().await {
            return Ok(id);
        }
        // Sessions without a move that nobody visits may be deleted, but not while they are in
        // memory. So they leave it first.
        for (id, session) in self.live() {
            if self.store.is_empty(id) {
                self.drop_idle(id, &session).await;
            }
        }
        self.reserve().await
    }

    /// Creates a session if there is room or can be made. Making room reads and deletes files,
    /// so it runs on a blocking thread.
    async fn reserve(self: &Arc<AppState>) -> Result<SessionId, NoRoom> {
        let app = Arc::clone(self);
        let reserve = move || app.make_room().map(|()| app.store.create());
        spawn_blocking(reserve).await.unwrap_or(Err(NoRoom { capacity: MAX_SESSIONS }))
    }

    /// Makes room for another session, or says that there is none.
    pub(super) fn make_room(&self) -> Result<(), NoRoom> {
        self.store.make_room(|id| self.slots.contains_key(&id))
    }

    /// Visits a session, which is read from its file if necessary; `None` if there is
    /// none.
    pub(super) async fn find(self: &Arc<AppState>, id: SessionId) -> Option<Visit> {
        while self.store.contains(id) {
            // The clone takes the slot out of the map's lock and keeps `clear_slot` from
            // removing it before it is filled.
            let slot = Slot::clone(&self.slots.entry(id).or_default());
            let session = slot.get_or_try_init(|| self.start(id)).await.ok();
            let (is_there, visit) = (session.is_some(), session.and_then(Session::visit));
            // Before `clear_slot`, which counts the holders.
            drop(slot);
            if visit.is_some() {
                return visit;
            }
            self.clear_slot(id);
            // It could not be read. Trying again would read the same file.
            if !is_there {
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
        self.clear_slot(id);
        // On a thread: it is deleted even if the client leaves now and this future is dropped.
        let delete = spawn_blocking(move || path.map_or(Ok(()), std::fs::remove_file));
        delete.await?.map(|()| Removal::Done)
    }

    /// Drops idle sessions from memory, and engines of idle games.
    pub(super) async fn tidy(self: &Arc<AppState>) {
        let app = Arc::clone(self);
        let _ = spawn_blocking(move || app.drop_idle_engines()).await;
        for (id, session) in self.live() {
            if session.mark_idle() {
                self.drop_idle(id, &session).await;
            }
        }
    }

    async fn drop_idle(&self, id: SessionId, session: &Session) {
        session.end(Ending::Idle, || {}).await;
        self.clear_slot(id);
    }

    /// Ends and saves all sessions, for up to `limit`, and says what is lost.
    pub(super) async fn close(&self, limit: Duration) {
        let mut closing: JoinSet<()> =
            self.live().map(|(_, session)| async move { session.close().await }).collect();
        let all = async { while closing.join_next().await.is_some() {} };
        if tokio::time::timeout(limit, all).await.is_err() {
            let seconds = limit.as_secs_f64();
            let count = closing.len();
            tell(format_args!("{count} games could not be saved in {seconds} s"));
        }
    }

    /// The sessions in memory, collected first: iterating locks the map, and callers wait.
    fn live(&self) -> impl Iterator<Item = (SessionId, Arc<Session>)> + use<> {
        let live = |slot: dashmap::mapref::multiple::RefMulti<'_, SessionId, Slot>| {
            Some((*slot.key(), Arc::clone(slot.value().get()?)))
        };
        self.slots.iter().filter_map(live).collect::<Vec<_>>().into_iter()
    }

    /// Takes a slot away if no session lives in it and nobody is about to start one.
    fn clear_slot(&self, id: SessionId) {
        self.slots.remove_if(&id, |_, slot| match slot.get() {
            Some(session) => session.is_over(),
            // The map's own. Others would be about to fill it.
            None => Arc::strong_count(slot) == 1,
        });
    }
}
