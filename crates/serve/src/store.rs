//! The files of the sessions: one each, named by its id, in a folder that belongs to one
//! server at a time and to its owner only.
//!
//! ```text
//!   sessions/lock                                   held while a server uses the folder
//!   sessions/0123456789abcdef0123456789abcdef.json      a session
//!   sessions/0123456789abcdef0123456789abcdef.damaged   a file that could not be read
//!   sessions/.pontifex-Xk3fQ1.part                      a file being written
//! ```
//!
//! - **Crash safety.** A file is replaced as a whole ([`write_private`]), and no page hears of
//!   a change before. So there is no journal: after a crash the old file or the new one is
//!   there, and the server had shown no more than that.
//! - **One server.** Two servers on one folder would overwrite each other's games. The lock is
//!   the operating system's and ends with the process.
//! - **Without files.** A session becomes a file with its first move. Before, it is only in
//!   memory, and the first to be forgotten when there are too many: links and crawlers make
//!   many sessions that nobody plays in.
//! - **An index in memory.** `known` has every session from the start, so that questions about
//!   ids never touch the disk. List entries are read from the files when first asked for.
//! - **Hostile files.** The folder may hold anything. Names are checked to be ids before a
//!   path is made of them, links and devices are left out, and content is checked like a
//!   message from a page. A damaged file is set aside rather than deleted; somebody may mend it.

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

/// The longest file that is read, in bytes. A full game with variations has a tenth of it.
/// Without a limit, one huge file could fill the memory.
const MAX_BYTES: u64 = 4 << 20;

/// How long a game that was played is safe from being deleted to make room. Chosen: a month,
/// in which friends who play slowly still move.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// The folder and its sessions.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    capacity: usize,
    /// Every session, with and without a file.
    known: DashMap<SessionId, Known>,
    /// Held while sessions are deleted: two threads that make room at once would each delete
    /// one for the same newcomer.
    deleting: Mutex<()>,
    /// The folder stays locked until this is dropped.
    _lock: LockedFile,
}

/// What is known about a session without reading its file.
#[derive(Clone, Debug)]
struct Known {
    /// The time of its last use.
    used: SystemTime,
    content: Content,
    /// Its entry in the list of games, once one was requested.
    entry: Option<Listed>,
}

/// A session's entry in the list of games; `None` without a move.
type Listed = Option<Entry>;

/// Where a session is while it is not in memory.
#[derive(Clone, Debug)]
enum Content {
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

impl Known {
    fn file(used: SystemTime) -> Known {
        Known { used, content: Content::File, entry: None }
    }

    fn is_file(&self) -> bool {
        matches!(self.content, Content::File)
    }

    fn is_empty(&self) -> bool {
        matches!(self.content, Content::Memory(_))
            || self.entry.as_ref().is_some_and(Option::is_none)
    }

    /// By what to choose the session to delete, the smallest first: those without a move, then
    /// the ones used longest ago. `None` if it may not be deleted.
    fn deletion_rank(&self) -> Option<(bool, SystemTime)> {
        let is_empty = self.is_empty();
        // A time in the future, after the system's clock was set back, counts as now.
        let age = self.used.elapsed().unwrap_or_default();
        (is_empty || age > KEPT_FOR).then_some((!is_empty, self.used))
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
            list_files(folder)?.into_iter().map(|(id, used)| (id, Known::file(used))).collect();
        let deleting = Mutex::default();
        Ok(Store { folder: folder.to_owned(), capacity, known, deleting, _lock: lock })
    }

    /// Whether there is such a session.
    pub(super) fn contains(&self, id: SessionId) -> bool {
        self.known.contains_key(&id)
    }

    /// Whether nothing has been played in the session.
    pub(super) fn is_empty(&self, id: SessionId) -> bool {
        self.known.get(&id).is_some_and(|known| known.is_empty())
    }

    /// Makes room for another session. If there are too many, the oldest one without a
    /// move is deleted, then the oldest one that was last used a month ago, but none
    /// that `is_open`.
    pub(super) fn make_room(&self, is_open: impl Fn(SessionId) -> bool) -> Result<(), NoRoom> {
        if self.known.len() >= self.capacity {
            // Files of earlier versions may have no move. Listing finds out which.
            self.list();
        }
        let _deleting = self.deleting.lock().unwrap_or_else(PoisonError::into_inner);
        while self.known.len() >= self.capacity {
            let rank = |known: &Known| known.deletion_rank();
            let all = self.known.iter().filter(|known| !is_open(*known.key()));
            let all = all.filter_map(|known| Some((rank(&known)?, *known.key())));
            let Some((_, id)) = all.min() else {
                return Err(NoRoom { capacity: self.capacity });
            };
            // It may have been opened since it was chosen. If so, another one is chosen.
            if let Some((_, known)) = self.known.remove_if(&id, |_, _| !is_open(id))
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
        let (used, content) = (SystemTime::now(), Content::Memory(None));
        self.known.insert(id, Known { used, content, entry: None });
        id
    }

    /// Reads a session; `None` if there is none. A damaged file is renamed to
    /// `ID.damaged`; one that cannot be read now stays where it is.
    pub(super) fn read(&self, id: SessionId) -> Option<Result<Table, ReadError>> {
        let content = self.known.get(&id)?.content.clone();
        let read = match content {
            Content::Memory(None) => Ok(Table::first()),
            Content::Memory(Some(saved)) => saved.table().map_err(io::Error::other),
            Content::File => self.load(id),
        };
        let path = self.path(id);
        Some(read.map_err(|reason| match reason.kind() {
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

    /// Writes a session. A crash leaves the old file or the new one, complete. A session
    /// without a move that has no file gets none.
    ///
    /// # Errors
    /// The system's, or that the session was deleted.
    pub(super) fn write(&self, id: SessionId, saved: &SavedSession) -> io::Result<()> {
        let gone = || io::Error::new(ErrorKind::NotFound, "the game was deleted");
        let has_file = self.known.get(&id).ok_or_else(gone)?.is_file();
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

    /// Writes a game that was replaced, as a session of its own. If that fails, the session is
    /// forgotten again: the next attempt makes another one.
    pub(super) fn add(&self, saved: &SavedSession) -> io::Result<()> {
        let id = self.create();
        self.write(id, saved).inspect_err(|_| drop(self.forget(id)))
    }

    /// The games with the times of their last use and their entries in the list
    /// of games, most recently used first. Sessions without a move and damaged
    /// ones are left out.
    pub(super) fn list(&self) -> Vec<(SessionId, SystemTime, Entry)> {
        let known: Vec<(SessionId, SystemTime, Option<Listed>)> = self
            .known
            .iter()
            .filter(|known| known.is_file())
            .map(|known| (*known.key(), known.used, known.entry.clone()))
            .collect();
        let entry = |(id, used, entry): (SessionId, SystemTime, Option<Listed>)| {
            let entry = entry.or_else(|| self.read_entry(id, used))?;
            Some((id, used, entry?))
        };
        let mut list: Vec<_> = known.into_iter().filter_map(entry).collect();
        list.sort_by_key(|&(_, used, _)| std::cmp::Reverse(used));
        list
    }

    /// Reads a session's entry from its file and remembers it, unless the
    /// session has been used since.
    fn read_entry(&self, id: SessionId, used: SystemTime) -> Option<Listed> {
        let table = self.load(id).ok()?;
        let entry = pontifex_play::game_list_entry(&table);
        if let Some(mut known) = self.known.get_mut(&id).filter(|known| known.used == used) {
            known.entry = Some(entry.clone());
        }
        Some(entry)
    }

    /// Forgets a session. Returns its file, which the caller deletes where waiting does no
    /// harm; `None` if it has no file.
    pub(super) fn forget(&self, id: SessionId) -> Option<PathBuf> {
        let (_, known) = self.known.remove(&id)?;
        known.is_file().then(|| self.path(id))
    }

    fn load(&self, id: SessionId) -> io::Result<Table> {
        let path = self.path(id);
        // A link could lead to any file of the owner, whose content an error would then tell.
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

/// The sessions with a file, and when it was written. Permissions are tightened;
/// what is named like a session but is no regular file is left out with a
/// warning.
pub(super) fn list_files(folder: &Path) -> io::Result<Vec<(SessionId, SystemTime)>> {
    let mut games = Vec::new();
    let mut is_ours = true;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((id, ending)) = name.to_str().and_then(parse_file_name) else {
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
fn parse_file_name(name: &str) -> Option<(SessionId, &str)> {
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

/// Locks the folder until the returned file is dropped. The file itself stays: if it were
/// deleted, two servers could hold locks on two files of the same name.
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
