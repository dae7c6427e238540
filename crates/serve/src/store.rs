//! The sessions that there are, and their files: one each, named by its id, in a
//! folder that belongs to one server at a time and to its owner only.
//!
//! A session becomes a file with its first move. Before, and as long as nothing
//! else has been set up in it, it is only in memory, and the first to be forgotten
//! when there are too many.

use std::fs::{DirBuilder, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{fmt, fs, io};

use dashmap::DashMap;
use pontifex::files::{LockedFile, open_regular, open_regular_with, write_private};
use pontifex::messages::tell;
use pontifex_play::{SavedSession, Table};
use serde_json::Value;

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

/// The file that a server locks while it uses the folder.
pub(super) const LOCK: &str = "lock";

/// The sessions with a file, and when it was written. Permissions are tightened;
/// what is named like a session but is no regular file is left out with a
/// warning.
pub(super) fn games(folder: &Path) -> io::Result<Vec<(SessionId, SystemTime)>> {
    let mut games = Vec::new();
    let mut is_ours = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((id, ending)) = name.to_str().and_then(split) else {
            is_ours &= name.to_str().is_some_and(is_own_name);
            continue;
        };
        let data = entry.metadata()?;
        if !data.is_file() {
            let kind = if data.is_symlink() { "a symbolic link" } else { "no regular file" };
            tell(format_args!("{} is {kind}; it is left out", entry.path().display()));
            continue;
        }
        tighten(&entry.path(), &data, 0o600);
        if ending == "json" {
            games.push((id, data.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
        }
    }
    // A folder with something else in it is not ours to close to others.
    if is_ours {
        tighten(folder, &fs::metadata(folder)?, 0o700);
    }
    Ok(games)
}

/// The id and the ending in a file's name, if it is that of a session.
fn split(name: &str) -> Option<(SessionId, &str)> {
    let (id, ending) = name.split_once('.')?;
    ["json", "damaged", "part"].contains(&ending).then_some((id.parse().ok()?, ending))
}

/// Whether a file that is not named after a session is ours all the same.
fn is_own_name(name: &str) -> bool {
    let is_part = |name: &str| name.strip_prefix(".pontifex-")?.strip_suffix(".part").map(drop);
    name == LOCK || is_part(name).is_some()
}

/// Creates the folder if there is none, for its owner only.
pub(super) fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Locks the folder until the returned file is dropped.
pub(super) fn lock(folder: &Path) -> io::Result<LockedFile> {
    let path = folder.join(LOCK);
    if fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "the file 'lock' is a symbolic link"));
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let lock = open_regular_with(&path, &options)?;
    let lock = LockedFile::lock(lock).map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(ErrorKind::ResourceBusy, "another server keeps its games there")
        }
        TryLockError::Error(error) => error,
    })?;
    tighten(&path, &lock.metadata()?, 0o600);
    Ok(lock)
}

/// Takes all permissions beyond `mode` away, on Unix. What is shared by intent
/// (the sticky bit, as of `/tmp`) or belongs to somebody else is left as it is.
#[cfg(unix)]
fn tighten(path: &Path, data: &fs::Metadata, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let bits = data.permissions().mode();
    if bits & 0o1000 == 0 && bits & 0o777 & !mode != 0 {
        // Fails, and does no harm, if it belongs to somebody else.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(bits & mode));
    }
}

#[cfg(not(unix))]
fn tighten(_: &Path, _: &fs::Metadata, _: u32) {}

/// 128 random bits; as text, 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SessionId(u128);

impl SessionId {
    /// An id that cannot be guessed.
    ///
    /// # Panics
    /// When the system has no random numbers.
    pub(super) fn random() -> SessionId {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        SessionId(u128::from_ne_bytes(bytes))
    }
}

/// A seed that nobody has had before.
///
/// # Panics
/// When the system has no random numbers.
pub(super) fn seed() -> u64 {
    SessionId::random().0 as u64
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for SessionId {
    type Err = ();

    /// Reads exactly 32 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<SessionId, ()> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(());
        }
        u128::from_str_radix(text, 16).map(SessionId).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests;
