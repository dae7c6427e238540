//! The files of the sessions: one each, named by its id, in a folder that belongs to one server at
//! a time and to its owner only.
//!
//! ```text
//!   sessions/lock                                   held while a server uses the folder
//!   sessions/0123456789abcdef0123456789abcdef.json      a session
//!   sessions/0123456789abcdef0123456789abcdef.damaged   a file that could not be read
//!   sessions/.pontifex-Xk3fQ1.part                      a file being written
//! ```
//!
//! - **Crash safety.** A file is replaced atomically ([`write_private`]), and no page hears of a
//!   change before that. So no journal is needed: after a crash the old file or the new one is
//!   there, and no page had been shown anything newer.
//! - **One server.** Two servers on one folder would overwrite each other's games. The lock is the
//!   operating system's and ends with the process.
//! - **Without files.** A session becomes a file with its first move. Before that, it is only in
//!   memory, and is deleted first when there are too many: links and crawlers make many sessions
//!   that nobody plays in.
//! - **An index in memory.** `index` has every session from the start, so that questions about ids
//!   never touch the disk. List entries are read lazily from the files.
//! - **Hostile files.** The folder may hold anything. Names are checked to be ids before a path is
//!   made of them, links and devices are left out, and content is checked like a message from a
//!   page. A damaged file is set aside, not deleted: somebody may repair it.

use std::fs::{DirBuilder, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{fmt, fs, io};

use dashmap::DashMap;
use pontifex::files::{LockedFile, open_regular, open_regular_with, write_private};
use pontifex::messages::{data_error, tell};
use pontifex_play::message::Entry;
use pontifex_play::{NoRoom, SavedSession, Table};
use thiserror::Error;

/// The longest file that is read, in bytes. A full game with variations has a tenth of that.
/// Without a limit, one huge file could fill the memory.
const MAX_BYTES: u64 = 4 << 20;

/// How long a game that was played is safe from being deleted to make room. Set by judgement: a
/// month, in which friends who play slowly still move.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// The folder and its sessions.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    capacity: usize,
    /// Every session, with and without a file.
    index: DashMap<SessionId, KnownSession>,
    /// The lock held while sessions are deleted: two threads that make room at once would each
    /// delete one for the same newcomer.
    deletion_lock: Mutex<()>,
    /// The folder stays locked until this is dropped.
    _lock: LockedFile,
}

/// The facts about a session that need no reading of its file.
#[derive(Clone, Debug)]
struct KnownSession {
    /// The time of the session's last use.
    last_used: SystemTime,
    storage: Storage,
    /// The session's entry in the list of games, cached on the first request.
    entry: Option<ListEntry>,
}

/// A session's entry in the list of games; `None` without a move.
type ListEntry = Option<Entry>;

/// Where the saved form of a session is.
#[derive(Clone, Debug)]
enum Storage {
    File,
    /// A session in which nothing has been played; a new one if `None`.
    Memory(Option<Box<SavedSession>>),
}

/// A session that cannot be read.
#[derive(Debug, Error)]
pub(super) enum ReadError {
    #[error("{} is damaged: {reason}; it is now {}", path.display(), aside.display())]
    SetAside { path: PathBuf, reason: io::Error, aside: PathBuf },
    #[error("{} is damaged: {reason}; {error}", path.display())]
    Damaged { path: PathBuf, reason: io::Error, error: io::Error },
    #[error("{}: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
}

impl KnownSession {
    fn file(last_used: SystemTime) -> KnownSession {
        KnownSession { last_used, storage: Storage::File, entry: None }
    }

    fn is_file(&self) -> bool {
        matches!(self.storage, Storage::File)
    }

    fn is_empty(&self) -> bool {
        matches!(self.storage, Storage::Memory(_))
            || self.entry.as_ref().is_some_and(Option::is_none)
    }

    /// The order of deletion, smallest first: sessions without a move, then those that were used
    /// longest ago. `None` if the session may not be deleted.
    fn deletion_rank(&self) -> Option<(bool, SystemTime)> {
        let is_empty = self.is_empty();
        // A time in the future, after the system's clock was set back, counts as now.
        let age = self.last_used.elapsed().unwrap_or_default();
        (is_empty || age > KEPT_FOR).then_some((!is_empty, self.last_used))
    }
}

impl Store {
    /// Opens or creates the folder for up to `capacity` sessions.
    ///
    /// # Errors
    /// An error of the system; `ResourceBusy` if another server uses the folder.
    pub(super) fn open(folder: &Path, capacity: usize) -> io::Result<Store> {
        create_private(folder)?;
        let lock = lock_folder(folder)?;
        let index: DashMap<SessionId, KnownSession> = list_files(folder)?
            .into_iter()
            .map(|(id, used)| (id, KnownSession::file(used)))
            .collect();
        let deletion_lock = Mutex::default();
        Ok(Store { folder: folder.to_owned(), capacity, index, deletion_lock, _lock: lock })
    }

    /// Whether there is a session with this id.
    pub(super) fn contains(&self, id: SessionId) -> bool {
        self.index.contains_key(&id)
    }

    /// Whether nothing has been played in the session.
    pub(super) fn is_empty(&self, id: SessionId) -> bool {
        self.index.get(&id).is_some_and(|known| known.is_empty())
    }

    /// Makes room for another session. If there are too many, deletes the oldest ones without a
    /// move, then the oldest ones that were not used for a month, but none for which `is_open`
    /// holds.
    pub(super) fn make_room(&self, is_open: impl Fn(SessionId) -> bool) -> Result<(), NoRoom> {
        if self.index.len() >= self.capacity {
            // Files of earlier versions may have no move. Listing finds out which.
            self.list();
        }
        let _deleting = self.deletion_lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.index.len() >= self.capacity {
            let rank = |known: &KnownSession| known.deletion_rank();
            let closed = self.index.iter().filter(|known| !is_open(*known.key()));
            let ranked = closed.filter_map(|known| Some((rank(&known)?, *known.key())));
            let Some((_, id)) = ranked.min() else {
                return Err(NoRoom { capacity: self.capacity });
            };
            // It may have been opened since it was chosen. If so, another one is chosen.
            if let Some((_, known)) = self.index.remove_if(&id, |_, _| !is_open(id))
                && known.is_file()
            {
                let _ = fs::remove_file(self.path(id));
            }
        }
        Ok(())
    }

    /// Creates a session, for which there is room.
    pub(super) fn create(&self) -> SessionId {
        let id = SessionId::random();
        let (last_used, storage) = (SystemTime::now(), Storage::Memory(None));
        self.index.insert(id, KnownSession { last_used, storage, entry: None });
        id
    }

    /// Reads a session; `None` if there is none. A damaged file is renamed to `ID.damaged`. One
    /// that cannot be read now stays where it is.
    pub(super) fn read(&self, id: SessionId) -> Option<Result<Table, ReadError>> {
        let storage = self.index.get(&id)?.storage.clone();
        let result = match storage {
            Storage::Memory(None) => Ok(Table::first()),
            Storage::Memory(Some(saved)) => saved.table().map_err(io::Error::other),
            Storage::File => self.load(id),
        };
        let path = self.path(id);
        Some(result.map_err(|reason| match reason.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                self.forget(id);
                let aside = path.with_extension("damaged");
                match fs::rename(&path, &aside) {
                    Ok(()) => ReadError::SetAside { path, reason, aside },
                    Err(error) => ReadError::Damaged { path, reason, error },
                }
            }
            _ => ReadError::Unreadable { path, reason },
        }))
    }

    /// Writes a session. A crash leaves the old file or the new one, complete. A session without a
    /// move that has no file gets none.
    ///
    /// # Errors
    /// An error of the system; `NotFound` if the session was deleted.
    pub(super) fn write(&self, id: SessionId, saved: &SavedSession) -> io::Result<()> {
        let deleted = || io::Error::new(ErrorKind::NotFound, "the game was deleted");
        let has_file = self.index.get(&id).ok_or_else(deleted)?.is_file();
        let storage = if has_file || !saved.is_empty() {
            let mut text = serde_json::to_vec(saved)?;
            text.push(b'\n');
            write_private(&self.path(id), &text)?;
            Storage::File
        } else {
            Storage::Memory(Some(Box::new(saved.clone())))
        };
        if let Some(mut known) = self.index.get_mut(&id) {
            (known.last_used, known.storage, known.entry) = (SystemTime::now(), storage, None);
        }
        Ok(())
    }

    /// Writes a game that was replaced, as a session of its own. If that fails, the session is
    /// forgotten again: the next attempt makes another one.
    pub(super) fn add(&self, saved: &SavedSession) -> io::Result<()> {
        let id = self.create();
        self.write(id, saved).inspect_err(|_| drop(self.forget(id)))
    }

    /// The games with the times of their last use and their entries in the list of games, most
    /// recently used first. Sessions without a move and damaged ones are left out.
    pub(super) fn list(&self) -> Vec<(SessionId, SystemTime, Entry)> {
        let sessions: Vec<(SessionId, SystemTime, Option<ListEntry>)> = self
            .index
            .iter()
            .filter(|known| known.is_file())
            .map(|known| (*known.key(), known.last_used, known.entry.clone()))
            .collect();
        let entry = |(id, used, entry): (SessionId, SystemTime, Option<ListEntry>)| {
            let entry = entry.or_else(|| self.read_entry(id, used))?;
            Some((id, used, entry?))
        };
        let mut list: Vec<_> = sessions.into_iter().filter_map(entry).collect();
        list.sort_by_key(|&(_, used, _)| std::cmp::Reverse(used));
        list
    }

    /// Reads a session's entry from its file and remembers it, unless the session has been used
    /// since.
    fn read_entry(&self, id: SessionId, used: SystemTime) -> Option<ListEntry> {
        let table = self.load(id).ok()?;
        let entry = pontifex_play::game_list_entry(&table);
        if let Some(mut known) = self.index.get_mut(&id).filter(|known| known.last_used == used) {
            known.entry = Some(entry.clone());
        }
        Some(entry)
    }

    /// Removes a session from the index. Returns the path of its file, which the caller deletes
    /// where blocking does no harm; `None` if it has no file.
    pub(super) fn forget(&self, id: SessionId) -> Option<PathBuf> {
        let (_, known) = self.index.remove(&id)?;
        known.is_file().then(|| self.path(id))
    }

    fn load(&self, id: SessionId) -> io::Result<Table> {
        let path = self.path(id);
        // A link could lead to any file of the owner, and an error would reveal its content.
        if fs::symlink_metadata(&path)?.is_symlink() {
            let reason = "it is a symbolic link, not a regular file";
            return Err(io::Error::new(ErrorKind::InvalidInput, reason));
        }
        let mut text = String::new();
        open_regular(&path)?.take(MAX_BYTES).read_to_string(&mut text)?;
        let damaged = |reason: String| io::Error::new(ErrorKind::InvalidData, reason);
        let saved: SavedSession =
            serde_json::from_str(&text).map_err(|error| damaged(data_error(&error)))?;
        saved.table().map_err(|reason| damaged(reason.to_string()))
    }

    fn path(&self, id: SessionId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

/// The name of the file that a server locks while it uses the folder.
pub(super) const LOCK: &str = "lock";

/// The sessions that have a file, and when it was written. Tightens permissions. Anything named
/// like a session that is not a regular file is left out with a warning.
pub(super) fn list_files(folder: &Path) -> io::Result<Vec<(SessionId, SystemTime)>> {
    let mut games = Vec::new();
    let mut is_ours = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((id, extension)) = name.to_str().and_then(parse_file_name) else {
            is_ours &= name.to_str().is_some_and(is_own_name);
            continue;
        };
        let metadata = entry.metadata()?;
        if !metadata.is_file() {
            let kind = if metadata.is_symlink() { "a symbolic link" } else { "no regular file" };
            tell(format_args!("{} is {kind}; it is left out", entry.path().display()));
            continue;
        }
        tighten(&entry.path(), &metadata, 0o600);
        if extension == "json" {
            games.push((id, metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
        }
    }
    // A folder with something else in it is not ours to close to others.
    if is_ours {
        tighten(folder, &fs::metadata(folder)?, 0o700);
    }
    Ok(games)
}

/// The id and the extension in the name of a session's file; `None` for other names.
fn parse_file_name(name: &str) -> Option<(SessionId, &str)> {
    let (id, extension) = name.split_once('.')?;
    ["json", "damaged", "part"].contains(&extension).then_some((id.parse().ok()?, extension))
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

/// Locks the folder until the returned file is dropped. The file itself stays: if it were deleted,
/// two servers could hold locks on two files of the same name.
pub(super) fn lock_folder(folder: &Path) -> io::Result<LockedFile> {
    let path = folder.join(LOCK);
    if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
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

/// Removes all permissions beyond `mode`, on Unix. Does nothing to files that are shared on purpose
/// (with the sticky bit, like `/tmp`) or belong to somebody else.
#[cfg(unix)]
fn tighten(path: &Path, metadata: &fs::Metadata, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let bits = metadata.permissions().mode();
    if bits & 0o1000 == 0 && bits & 0o777 & !mode != 0 {
        // Fails if it belongs to somebody else. Then it is up to them.
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

/// A seed for an opponent for people: 64 random bits, so that no two games are alike.
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
