//! The files of sessions: one each, in one folder, named by the session. A
//! folder belongs to one server at a time.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde_json::Value;

use super::id::SessionId;
use super::saved::SavedSession;
use super::view;

/// The longest file that is read: a full game with variations has a tenth.
const MOST_BYTES: u64 = 4 << 20;

/// The file that a server locks while the folder is its own.
const LOCK: &str = "lock";

/// The folder and what is in it.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    most: usize,
    known: Mutex<HashMap<SessionId, Known>>,
    /// Locked as long as it is open.
    _lock: File,
}

/// What is known of a session without its file.
#[derive(Clone, Debug)]
struct Known {
    /// When it was last used.
    used: SystemTime,
    /// What a list says of it, once one was asked for.
    entry: Option<Value>,
}

impl From<SystemTime> for Known {
    fn from(used: SystemTime) -> Known {
        Known { used, entry: None }
    }
}

impl Store {
    /// Opens the folder, making it when it is not there. `most` sessions are
    /// kept.
    ///
    /// # Errors
    /// The system's, and that another server has the folder.
    pub(super) fn open(folder: &Path, most: usize) -> io::Result<Store> {
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
        Ok(Store { folder: folder.to_owned(), most, known: Mutex::new(known), _lock: lock })
    }

    /// Whether the session is kept.
    pub(super) fn has(&self, id: SessionId) -> bool {
        self.lock().contains_key(&id)
    }

    /// Writes a session: whoever reads the file finds the old or the new one,
    /// whole.
    pub(super) fn write(&self, id: SessionId, kept: &SavedSession) -> io::Result<()> {
        let part = self.folder.join(format!("{id}.part"));
        let mut file = File::create(&part)?;
        serde_json::to_writer(&mut file, kept)?;
        file.write_all(b"\n")?;
        file.sync_data()?;
        drop(file);
        fs::rename(&part, self.path(id))?;
        self.lock().insert(id, SystemTime::now().into());
        Ok(())
    }

    /// The sessions, when they were last used, and what a list says of them;
    /// the last used first. Those in which nothing was played are left out,
    /// and so are damaged ones.
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

    /// What a list says of a session, from its file; remembered unless the
    /// session has been used since.
    fn look_up(&self, id: SessionId, used: SystemTime) -> Option<Value> {
        let table = self.load(id).ok()?.table().ok()?;
        let entry = view::entry(&table);
        if let Some(known) = self.lock().get_mut(&id).filter(|known| known.used == used) {
            known.entry = Some(entry.clone());
        }
        Some(entry)
    }

    /// Removes a session for good.
    pub(super) fn remove(&self, id: SessionId) -> io::Result<()> {
        fs::remove_file(self.path(id))?;
        self.lock().remove(&id);
        Ok(())
    }

    /// Reads a session. A damaged file is set aside as `ID.damaged`; one that
    /// cannot be read now stays where it is.
    ///
    /// # Errors
    /// Why there is none, one line.
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
        File::open(self.path(id))?.take(MOST_BYTES).read_to_string(&mut text)?;
        Ok(serde_json::from_str(&text)?)
    }

    /// The file is damaged: it is kept under another name for who wants to
    /// save what can be saved. What happened, one line.
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

    /// Removes the oldest sessions that are not in use, so that there is room
    /// for one more; `false` when all are in use.
    pub(super) fn make_room(&self, is_in_use: impl Fn(SessionId) -> bool) -> bool {
        let mut known = self.lock();
        while known.len() >= self.most {
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
    use super::*;
    use crate::game::Color;
    use crate::notation::WonBy;
    use crate::web::table::Table;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("pontifex-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_folder_is_one_servers() {
        let folder = folder("store-lock");
        let store = Store::open(&folder, 3).unwrap();
        let error = Store::open(&folder, 3).unwrap_err();
        assert_eq!(error.to_string(), "another server keeps its games there");
        drop(store);
        Store::open(&folder, 3).unwrap();
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn what_cannot_be_read_now_is_not_damaged() {
        let folder = folder("store-unread");
        let store = Store::open(&folder, 3).unwrap();
        let id = SessionId::random();
        store.write(id, &SavedSession::of(&Table::first("pontifex"))).unwrap();
        let path = store.path(id);
        let away = path.with_extension("away");
        fs::rename(&path, &away).unwrap();
        fs::create_dir(&path).unwrap();
        let told = store.read(id).unwrap_err();
        assert!(!told.contains("damaged") && store.has(id), "{told}");
        fs::remove_dir(&path).unwrap();
        fs::rename(&away, &path).unwrap();
        assert!(store.read(id).is_ok());
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn the_list_has_what_was_played_the_last_first() {
        let folder = folder("store-list");
        let store = Store::open(&folder, 9).unwrap();
        let [empty, first, second] = [(); 3].map(|()| SessionId::random());
        let mut table = Table::first("pontifex");
        store.write(empty, &SavedSession::of(&table)).unwrap();
        table.play("a1,b1".parse().unwrap()).unwrap();
        store.write(first, &SavedSession::of(&table)).unwrap();
        store.write(second, &SavedSession::of(&table)).unwrap();
        fs::write(store.path(first), "{").unwrap();
        let ids = || store.list().iter().map(|&(id, ..)| id).collect::<Vec<_>>();
        assert_eq!(ids(), [second], "a damaged one is not listed");
        store.write(first, &SavedSession::of(&table)).unwrap();
        assert_eq!(ids(), [first, second]);
        assert_eq!(store.list()[0].2["turns"], 1);
        table.end(Color::White, WonBy::Resignation, String::new()).unwrap();
        store.write(second, &SavedSession::of(&table)).unwrap();
        assert_eq!(store.list()[0].2["result"]["text"], "W+R");
        store.remove(second).unwrap();
        assert_eq!(ids(), [first]);
        assert!(store.remove(second).is_err());
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn the_oldest_idle_sessions_go_and_damaged_files_are_set_aside() {
        let folder = folder("store");
        let store = Store::open(&folder, 3).unwrap();
        let kept = SavedSession::of(&Table::first("pontifex"));
        let ids: Vec<SessionId> = (0..3).map(|_| SessionId::random()).collect();
        for &id in &ids {
            store.write(id, &kept).unwrap();
        }
        assert_eq!(store.read(ids[1]).unwrap(), kept);
        assert!(!store.make_room(|_| true));
        assert!(store.make_room(|id| id == ids[0]));
        assert!(store.has(ids[0]) && !store.has(ids[1]) && store.has(ids[2]));

        fs::write(store.path(ids[2]), "{\"version\":1,").unwrap();
        drop(store);
        let store = Store::open(&folder, 3).unwrap();
        assert!(store.has(ids[2]));
        let told = store.read(ids[2]).unwrap_err();
        assert!(told.contains("is damaged: ") && told.contains(".damaged"), "{told}");
        assert!(!store.has(ids[2]) && folder.join(format!("{}.damaged", ids[2])).exists());
        let _ = fs::remove_dir_all(&folder);
    }
}
