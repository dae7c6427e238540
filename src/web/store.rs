//! The files of sessions: one each, named by its id, in a folder that belongs
//! to one server at a time.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde_json::Value;

use super::id::SessionId;
use crate::play::{self, SavedSession};

/// The longest file that is read. A full game with variations has a tenth of it.
const MAX_BYTES: u64 = 4 << 20;

/// The file that a server locks while it uses the folder.
const LOCK: &str = "lock";

/// The folder and its sessions.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    capacity: usize,
    known: Mutex<HashMap<SessionId, Known>>,
    /// Holds the lock.
    _lock: File,
}

/// What is known about a session without reading its file.
#[derive(Clone, Debug)]
struct Known {
    /// The time of its last use.
    used: SystemTime,
    /// Its entry in the list of games, once one was requested.
    entry: Option<Value>,
}

impl From<SystemTime> for Known {
    fn from(used: SystemTime) -> Known {
        Known { used, entry: None }
    }
}

impl Store {
    /// Opens or creates the folder for up to `capacity` sessions.
    ///
    /// # Errors
    /// The system's, or that another server uses the folder.
    pub(super) fn open(folder: &Path, capacity: usize) -> io::Result<Store> {
        fs::create_dir_all(folder)?;
        let lock =
            File::options().write(true).create(true).truncate(false).open(folder.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::ResourceBusy, "another server keeps its games there")
            }
            TryLockError::Error(error) => error,
        })?;
        let mut known = HashMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
                continue;
            };
            if let Ok(id) = id.parse() {
                let modified = entry.metadata().and_then(|data| data.modified());
                known.insert(id, modified.unwrap_or(SystemTime::UNIX_EPOCH).into());
            }
        }
        Ok(Store { folder: folder.to_owned(), capacity, known: Mutex::new(known), _lock: lock })
    }

    /// Whether there is a file of the session.
    pub(super) fn has(&self, id: SessionId) -> bool {
        self.lock().contains_key(&id)
    }

    /// Writes a session. A crash leaves the old file or the new one, complete.
    pub(super) fn write(&self, id: SessionId, saved: &SavedSession) -> io::Result<()> {
        let part = self.folder.join(format!("{id}.part"));
        let mut file = File::create(&part)?;
        serde_json::to_writer(&mut file, saved)?;
        file.write_all(b"\n")?;
        file.sync_data()?;
        drop(file);
        fs::rename(&part, self.path(id))?;
        self.lock().insert(id, SystemTime::now().into());
        Ok(())
    }

    /// The sessions with the times of their last use and their entries in the
    /// list of games, most recently used first. Sessions without a move and
    /// damaged ones are left out.
    pub(super) fn list(&self) -> Vec<(SessionId, SystemTime, Value)> {
        let known: Vec<_> = self.lock().iter().map(|(&id, known)| (id, known.clone())).collect();
        let entry = |(id, Known { used, entry }): (SessionId, Known)| {
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
        let entry = play::entry(&table);
        if let Some(known) = self.lock().get_mut(&id).filter(|known| known.used == used) {
            known.entry = Some(entry.clone());
        }
        Some(entry)
    }

    /// Deletes a session.
    pub(super) fn remove(&self, id: SessionId) -> io::Result<()> {
        fs::remove_file(self.path(id))?;
        self.lock().remove(&id);
        Ok(())
    }

    /// Reads a session. A damaged file is renamed to `ID.damaged`; one that
    /// cannot be read now stays where it is.
    ///
    /// # Errors
    /// The reason in one line.
    pub(super) fn read(&self, id: SessionId) -> Result<SavedSession, String> {
        self.load(id).map_err(|error| match error.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                self.set_aside(id, &error.to_string())
            }
            _ => format!("{}: {error}", self.path(id).display()),
        })
    }

    fn load(&self, id: SessionId) -> io::Result<SavedSession> {
        let mut text = String::new();
        File::open(self.path(id))?.take(MAX_BYTES).read_to_string(&mut text)?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Renames a damaged file, so that its content can be rescued by hand.
    /// Returns a line that says so.
    pub(super) fn set_aside(&self, id: SessionId, reason: &str) -> String {
        self.lock().remove(&id);
        let path = self.path(id);
        let aside = path.with_extension("damaged");
        match fs::rename(&path, &aside) {
            Ok(()) => {
                format!("{} is damaged: {reason}; it is now {}", path.display(), aside.display())
            }
            Err(error) => format!("{} is damaged: {reason}; {error}", path.display()),
        }
    }

    /// Deletes the least recently used sessions that are not in use until there
    /// is room for one more; `false` if all are in use.
    pub(super) fn make_room(&self, is_in_use: impl Fn(SessionId) -> bool) -> bool {
        let mut known = self.lock();
        while known.len() >= self.capacity {
            let idle = known.iter().filter(|(id, _)| !is_in_use(**id));
            let Some(oldest) = idle.min_by_key(|(_, known)| known.used).map(|(&id, _)| id) else {
                return false;
            };
            known.remove(&oldest);
            let _ = fs::remove_file(self.path(oldest));
        }
        true
    }

    fn path(&self, id: SessionId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::play::{Event, Session, Table};

    /// A session as saved after some requests.
    fn saved_after(requests: &[&str]) -> SavedSession {
        let (mut session, _) = Session::start(String::new(), Table::first());
        for request in requests {
            let (_, request) = play::read(request).unwrap();
            session.handle(Event::Request(Box::new(request)), Duration::ZERO);
        }
        SavedSession::of(session.table())
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("pontifex-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn an_unreadable_file_is_not_damaged() {
        let folder = folder("store-unread");
        let store = Store::open(&folder, 3).unwrap();
        let id = SessionId::random();
        store.write(id, &saved_after(&[])).unwrap();
        let path = store.path(id);
        let away = path.with_extension("away");
        fs::rename(&path, &away).unwrap();
        fs::create_dir(&path).unwrap();
        let error = store.read(id).unwrap_err();
        assert!(!error.contains("damaged") && store.has(id), "{error}");
        fs::remove_dir(&path).unwrap();
        fs::rename(&away, &path).unwrap();
        assert!(store.read(id).is_ok());
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn the_list_has_games_with_moves_most_recent_first() {
        let folder = folder("store-list");
        let store = Store::open(&folder, 9).unwrap();
        let [empty, first, second] = [(); 3].map(|()| SessionId::random());
        let play = r#"{"type":"play","move":"a1,b1"}"#;
        let resign = r#"{"type":"resign","player":"red"}"#;
        store.write(empty, &saved_after(&[])).unwrap();
        store.write(first, &saved_after(&[play])).unwrap();
        store.write(second, &saved_after(&[play])).unwrap();
        fs::write(store.path(first), "{").unwrap();
        let ids = || store.list().iter().map(|&(id, ..)| id).collect::<Vec<_>>();
        assert_eq!(ids(), [second], "a damaged one is not listed");
        store.write(first, &saved_after(&[play])).unwrap();
        assert_eq!(ids(), [first, second]);
        assert_eq!(store.list()[0].2["turns"], 1);
        store.write(second, &saved_after(&[play, resign])).unwrap();
        assert_eq!(store.list()[0].2["result"]["text"], "W+R");
        store.remove(second).unwrap();
        assert_eq!(ids(), [first]);
        assert!(store.remove(second).is_err());
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn old_idle_sessions_are_deleted_and_damaged_files_set_aside() {
        let folder = folder("store");
        let store = Store::open(&folder, 3).unwrap();
        let saved = saved_after(&[]);
        let ids: Vec<SessionId> = (0..3).map(|_| SessionId::random()).collect();
        for &id in &ids {
            store.write(id, &saved).unwrap();
        }
        assert_eq!(store.read(ids[1]).unwrap(), saved);
        assert!(!store.make_room(|_| true));
        assert!(store.make_room(|id| id == ids[0]));
        assert!(store.has(ids[0]) && !store.has(ids[1]) && store.has(ids[2]));

        fs::write(store.path(ids[2]), "{\"version\":1,").unwrap();
        drop(store);
        let store = Store::open(&folder, 3).unwrap();
        assert!(store.has(ids[2]));
        let error = store.read(ids[2]).unwrap_err();
        assert!(error.contains("is damaged: ") && error.contains(".damaged"), "{error}");
        assert!(!store.has(ids[2]) && folder.join(format!("{}.damaged", ids[2])).exists());
        let _ = fs::remove_dir_all(&folder);
    }
}
