//! The sessions that there are, and their files: one each, named by its id, in a
//! folder that belongs to one server at a time.
//!
//! A session becomes a file with its first move. Before, and as long as nothing
//! else has been set up in it, it is only in memory, and the first to be
//! forgotten when there are too many.

mod folder;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use dashmap::DashMap;
use serde_json::Value;

use self::folder::{create_private, games, lock};
use super::id::SessionId;
use pontifex::files::{LockedFile, open_regular, write_private};
use pontifex_play::{self, SavedSession, Table};

/// The longest file that is read. A full game with variations has a tenth of it.
const MAX_BYTES: u64 = 4 << 20;

/// How long a game that was played is safe from being deleted to make room.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// The folder and its sessions.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    capacity: usize,
    known: DashMap<SessionId, Known>,
    /// Held while a place is found, so that no two sessions get the same one.
    reserving: Mutex<()>,
    /// Holds the lock.
    _lock: LockedFile,
}

/// What is known about a session without reading its file.
#[derive(Clone, Debug)]
struct Known {
    /// The time of its last use.
    used: SystemTime,
    content: Content,
    /// Whether it is in use. Only others are deleted to make room.
    is_open: bool,
    /// Its entry in the list of games, once one was requested; `null` for a
    /// session without a move.
    entry: Option<Value>,
}

/// Where a session is while it is not open.
#[derive(Clone, Debug)]
enum Content {
    File,
    /// A session in which nothing has been played; a new one if `None`.
    Memory(Option<Box<SavedSession>>),
}

impl Known {
    fn file(used: SystemTime) -> Known {
        Known { used, content: Content::File, is_open: false, entry: None }
    }

    fn is_empty(&self) -> bool {
        matches!(self.content, Content::Memory(_))
            || self.entry.as_ref().is_some_and(Value::is_null)
    }

    /// The rank and the age of what may be deleted to make room, the first one
    /// first; `None` if it may not.
    fn dispensable(&self) -> Option<(bool, SystemTime)> {
        let is_empty = self.is_empty();
        let age = self.used.elapsed().unwrap_or_default();
        (!self.is_open && (is_empty || age > KEPT_FOR)).then_some((!is_empty, self.used))
    }
}

impl Store {
    /// Opens or creates the folder for up to `capacity` sessions.
    ///
    /// # Errors
    /// The system's, or that another server uses the folder.
    pub(super) fn open(folder: &Path, capacity: usize) -> io::Result<Store> {
        create_private(folder)?;
        let lock = lock(folder)?;
        let known: DashMap<SessionId, Known> =
            games(folder)?.into_iter().map(|(id, used)| (id, Known::file(used))).collect();
        let reserving = Mutex::default();
        Ok(Store { folder: folder.to_owned(), capacity, known, reserving, _lock: lock })
    }

    /// Whether there is such a session.
    pub(super) fn contains(&self, id: SessionId) -> bool {
        self.known.contains_key(&id)
    }

    /// Whether nothing has been played in the session.
    pub(super) fn is_empty(&self, id: SessionId) -> bool {
        self.known.get(&id).is_some_and(|known| known.is_empty())
    }

    /// Makes a place for a session: a new one, or one that is about to be written
    /// and until then `is_open`. If there are too many, the oldest one without a
    /// move is deleted, then the oldest one that was last used a month ago.
    ///
    /// # Errors
    /// One line: none may be deleted.
    pub(super) fn reserve(&self, is_open: bool) -> Result<SessionId, String> {
        if self.known.len() >= self.capacity {
            // Files of earlier versions may have no move.
            self.list();
        }
        let mut deleted = Vec::new();
        let reserving = self.reserving.lock().unwrap_or_else(PoisonError::into_inner);
        while self.known.len() >= self.capacity {
            let rank = |known: &Known| known.dispensable();
            let all = self.known.iter().filter_map(|known| Some((rank(&known)?, *known.key())));
            let Some((_, id)) = all.min() else {
                let capacity = self.capacity;
                return Err(format!(
                    "there are {capacity} games, and no more are kept; delete some of them"
                ));
            };
            // It may have been opened since.
            if let Some((id, known)) = self.known.remove_if(&id, |_, known| !known.is_open) {
                deleted.extend(matches!(known.content, Content::File).then_some(id));
            }
        }
        let id = SessionId::random();
        let content = Content::Memory(None);
        self.known.insert(id, Known { used: SystemTime::now(), content, is_open, entry: None });
        drop(reserving);
        for id in deleted {
            let _ = fs::remove_file(self.path(id));
        }
        Ok(id)
    }

    /// Opens a session: until it is closed it is not deleted to make room. `None`
    /// if there is none.
    ///
    /// # Errors
    /// The reason in one line. A damaged file is renamed to `ID.damaged`; one that
    /// cannot be read now stays where it is.
    pub(super) fn take_up(&self, id: SessionId) -> Option<Result<Table, String>> {
        let content = {
            let mut known = self.known.get_mut(&id)?;
            known.is_open = true;
            known.content.clone()
        };
        let table = match content {
            Content::Memory(None) => Ok(Table::first()),
            Content::Memory(Some(saved)) => saved.table().map_err(|reason| reason.to_string()),
            Content::File => self.read(id),
        };
        if table.is_err() {
            self.close(id);
        }
        Some(table)
    }

    /// The session is not in use any more.
    pub(super) fn close(&self, id: SessionId) {
        if let Some(mut known) = self.known.get_mut(&id) {
            known.is_open = false;
        }
    }

    /// Writes a session. A crash leaves the old file or the new one, complete.
    /// One without a move gets no file, if it has none.
    pub(super) fn write(&self, id: SessionId, saved: &SavedSession) -> io::Result<()> {
        let is_file = |known: &Known| matches!(known.content, Content::File);
        let gone = || io::Error::new(ErrorKind::NotFound, "the game was deleted");
        let has_file = is_file(&*self.known.get(&id).ok_or_else(gone)?);
        let content = if has_file || !saved.is_empty() {
            let mut text = serde_json::to_vec(saved)?;
            text.push(b'\n');
            write_private(&self.path(id), &text)?;
            Content::File
        } else {
            Content::Memory(Some(Box::new(saved.clone())))
        };
        if let Some(mut known) = self.known.get_mut(&id) {
            (known.used, known.content, known.entry) = (SystemTime::now(), content, None);
        }
        Ok(())
    }

    /// The games with the times of their last use and their entries in the list
    /// of games, most recently used first. Sessions without a move and damaged
    /// ones are left out.
    pub(super) fn list(&self) -> Vec<(SessionId, SystemTime, Value)> {
        let is_file = |known: &Known| matches!(known.content, Content::File);
        let known: Vec<(SessionId, SystemTime, Option<Value>)> = self
            .known
            .iter()
            .filter(|known| is_file(known))
            .map(|known| (*known.key(), known.used, known.entry.clone()))
            .collect();
        let entry = |(id, used, entry): (SessionId, SystemTime, Option<Value>)| {
            let entry = entry.or_else(|| self.look_up(id, used))?;
            (!entry.is_null()).then_some((id, used, entry))
        };
        let mut list: Vec<_> = known.into_iter().filter_map(entry).collect();
        list.sort_by_key(|&(_, used, _)| std::cmp::Reverse(used));
        list
    }

    /// Reads a session's entry from its file and remembers it, unless the
    /// session has been used since.
    fn look_up(&self, id: SessionId, used: SystemTime) -> Option<Value> {
        let table = self.load(id).ok()?.table().ok()?;
        let entry = pontifex_play::entry(&table);
        if let Some(mut known) = self.known.get_mut(&id).filter(|known| known.used == used) {
            known.entry = Some(entry.clone());
        }
        Some(entry)
    }

    /// Deletes a session.
    pub(super) fn remove(&self, id: SessionId) -> io::Result<()> {
        if self.known.get(&id).is_some_and(|known| matches!(known.content, Content::File)) {
            fs::remove_file(self.path(id))?;
        }
        self.forget(id);
        Ok(())
    }

    /// Gives up the place of a session that has no file.
    pub(super) fn forget(&self, id: SessionId) {
        self.known.remove(&id);
    }

    fn read(&self, id: SessionId) -> Result<Table, String> {
        match self.load(id).map(|saved| saved.table()) {
            Ok(Ok(table)) => Ok(table),
            Ok(Err(reason)) => Err(self.set_aside(id, &reason.to_string())),
            Err(error) => Err(match error.kind() {
                ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                    self.set_aside(id, &error.to_string())
                }
                _ => format!("{}: {error}", self.path(id).display()),
            }),
        }
    }

    fn load(&self, id: SessionId) -> io::Result<SavedSession> {
        let path = self.path(id);
        if fs::symlink_metadata(&path)?.is_symlink() {
            let reason = "it is a symbolic link, not a regular file";
            return Err(io::Error::new(ErrorKind::InvalidInput, reason));
        }
        let mut text = String::new();
        open_regular(&path)?.take(MAX_BYTES).read_to_string(&mut text)?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Renames a damaged file, so that its content can be rescued by hand.
    /// Returns a line that says so.
    fn set_aside(&self, id: SessionId, reason: &str) -> String {
        self.forget(id);
        let path = self.path(id);
        let aside = path.with_extension("damaged");
        match fs::rename(&path, &aside) {
            Ok(()) => {
                format!("{} is damaged: {reason}; it is now {}", path.display(), aside.display())
            }
            Err(error) => format!("{} is damaged: {reason}; {error}", path.display()),
        }
    }

    fn path(&self, id: SessionId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}
