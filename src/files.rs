//! Files, written whole or not at all and read only where reading ends.
//!
//! **Writing.** A game that took an hour must not be lost because the disk was full
//! when its file was replaced. So nobody writes into an existing file:
//!
//! ```text
//! .pontifex-Xk3fQ1.part     created in the folder of game.sgf
//!   write, fsync            the content is on the disk
//!   rename to game.sgf      old or new, never half of either
//!   fsync the folder        the rename is on the disk
//! ```
//!
//! The order matters. A rename before the first sync can survive a power failure
//! that the content does not, and then leaves an empty file. The temporary file lies
//! in the same folder, because a rename works only within a file system, and because
//! what the folder's permissions forbid fails before anything is lost. An error on
//! the way deletes the temporary file. A crash leaves it, and the old file untouched.
//!
//! Not every path names a file that can be replaced. A symbolic link is
//! followed, so that it stays a link. A pipe, a device or an open file under
//! `/dev/fd` is written straight, since there is nothing to replace.
//!
//! **Reading.** `/dev/zero` and a pipe that nobody writes to never end. Only what a
//! person names on the command line may be a pipe, and only up to a limit.
//!
//! **Locks.** Two programs that add to one file would mix their lines. [`LockedFile`]
//! holds the lock of the operating system, which ends with the process, however it
//! ends. A lock file would be left behind by a crash.
//!
//! Files that grow line by line, such as journals, have their own rules and only use
//! the opening functions.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::ops::{Deref, DerefMut};
use std::path::Path;

use crate::notation::plain_text;

#[cfg(not(target_family = "wasm"))]
#[allow(unused_imports)] // which of it is used depends on the features
pub use replacing::{begin, check_writable, write_new, write_private, write_whole};

/// The number of bytes that are read from a pipe, whose end nobody knows. Chosen: more
/// than any collection of records. Without a limit `yes |` would fill the memory.
const MAX_PIPE: u64 = 256 << 20;

/// Opens a file for reading if it is a regular one.
///
/// # Errors
/// The system's, or what the file is instead. A named pipe does not block.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, OpenOptions::new().read(true))
}

/// Opens a file with `options` if it is a regular one or does not exist yet.
///
/// # Errors
/// Those of [`open_regular`].
pub fn open_regular_with(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Opening a pipe may wait for ever, and opening a device may act on it. So the
    // kind is looked up first, and again of what was opened: the name may lead
    // somewhere else by then.
    match fs::metadata(path) {
        Ok(data) => check_regular(&data)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// A file with an exclusive lock, which other programs that take it respect.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens a regular file for reading and writing, creates it if there is
    /// none, and locks it.
    ///
    /// # Errors
    /// Those of [`open_regular`], or `WouldBlock` if the file is locked.
    pub fn open(path: &Path) -> Result<LockedFile, TryLockError> {
        let options = File::options().read(true).write(true).create(true).truncate(false).clone();
        LockedFile::lock(open_regular_with(path, &options).map_err(TryLockError::Error)?)
    }

    /// Locks an open file.
    ///
    /// # Errors
    /// `WouldBlock` if it is locked, or the system's.
    pub fn lock(file: File) -> Result<LockedFile, TryLockError> {
        file.try_lock()?;
        Ok(LockedFile(file))
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the file would not do: a process that another thread is just
        // starting has it open, and locked, until it executes its program. If
        // unlocking fails, closing the file is what remains.
        let _ = self.0.unlock();
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

/// Reads a file that a person names: a regular one, a pipe such as the shell's
/// `<(...)`, or a terminal.
///
/// # Errors
/// The system's, what the file is instead, or that a pipe does not end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let data = fs::metadata(path)?;
    if is_device(&data) {
        let file = File::open(path)?;
        return if io::IsTerminal::is_terminal(&file) {
            read_pipe(file)
        } else {
            Err(not_regular(&data))
        };
    }
    if is_pipe(&data) {
        return read_pipe(File::open(path)?);
    }
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file as text, of the same kinds as [`read`]. A byte-order mark is skipped.
///
/// # Errors
/// Those of [`read`]; also text that is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    plain_text(&read(path)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Reads standard input or a pipe to its end.
///
/// # Errors
/// The system's, or that there are more than 256 MiB.
pub fn read_pipe(pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a text that is too long from one that fits.
    pipe.take(MAX_PIPE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_PIPE {
        let reason = format!("more than {} MiB: write them to a file", MAX_PIPE >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

fn check_regular(data: &Metadata) -> io::Result<()> {
    if data.is_file() { Ok(()) } else { Err(not_regular(data)) }
}

/// The error for something that is not a regular file.
fn not_regular(data: &Metadata) -> io::Error {
    let (kind, what) = match data {
        data if data.is_dir() => (ErrorKind::IsADirectory, "folder"),
        data if is_pipe(data) => (ErrorKind::InvalidInput, "pipe"),
        data if is_device(data) => (ErrorKind::InvalidInput, "device"),
        _ => (ErrorKind::InvalidInput, "socket or something else"),
    };
    io::Error::new(kind, format!("it is a {what}, not a regular file"))
}

#[cfg(unix)]
fn is_pipe(data: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type())
}

#[cfg(unix)]
fn is_device(data: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    data.file_type().is_char_device() || data.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

/// A browser has no files.
#[cfg(target_family = "wasm")]
pub fn write_whole(_: &Path, _: &[u8]) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_family = "wasm"))]
mod replacing {
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io::{self, ErrorKind, Write};
    use std::path::{Path, PathBuf};

    use tempfile::{Builder, NamedTempFile};

    use super::not_regular;

    /// The number of symbolic links that are followed, as on Linux. Links may lead in
    /// a circle.
    const MAX_LINKS: usize = 40;

    /// Writes a file whole or not at all. An existing file keeps its
    /// permissions and, where the system allows that, its owner; a hard link to
    /// it keeps the old content. If `path` is a symbolic link, the file to
    /// which it leads is replaced, and the link stays. Pipes and devices, and
    /// what `/dev/stdout` leads to, are written straight.
    ///
    /// # Errors
    /// The system's. The old file is unchanged then.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
        match Target::of(path)? {
            Target::File(path) => replace(&path, bytes, None),
            Target::Stream => OpenOptions::new().append(true).open(path)?.write_all(bytes),
        }
    }

    /// Replaces a file by `bytes`, whole or not at all, and opens it to add more
    /// at its end.
    ///
    /// # Errors
    /// Those of [`write_whole`].
    pub fn begin(path: &Path, bytes: &[u8]) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.append(true);
        match Target::of(path)? {
            Target::File(path) => {
                replace(&path, bytes, None)?;
                options.open(path)
            }
            Target::Stream => {
                let mut stream = options.open(path)?;
                stream.write_all(bytes)?;
                Ok(stream)
            }
        }
    }

    /// Writes a new file, whole or not at all.
    ///
    /// # Errors
    /// The system's; [`ErrorKind::AlreadyExists`] if there is something.
    pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = folder_of(path);
        let mut part = part_in(folder, None)?;
        part.as_file_mut().write_all(bytes)?;
        part.as_file().sync_all()?;
        // The rename itself refuses to replace a file. After a check before it, two
        // programs could both find none.
        part.persist_noclobber(path).map_err(|error| error.error)?;
        sync_folder(folder)
    }

    /// Checks that [`write_whole`] could write now, for work that takes hours
    /// before it writes. Nothing is left behind.
    ///
    /// # Errors
    /// Those of [`write_whole`].
    pub fn check_writable(path: &Path) -> io::Result<()> {
        match Target::of(path)? {
            Target::File(path) => old_file(&path).and(part_in(folder_of(&path), None)).map(drop),
            Target::Stream => Ok(()),
        }
    }

    /// As [`write_whole`], but only the owner may read or write the file
    /// (mode 0600, on Unix), and a symbolic link is itself replaced.
    ///
    /// # Errors
    /// Those of [`write_whole`]; also anything at `path` that is neither a regular
    /// file nor a link.
    pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Ok(data) if !data.is_file() && !data.is_symlink() => Err(not_regular(&data)),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => replace(path, bytes, Some(0o600)),
        }
    }

    /// What is written when somebody names a path.
    enum Target {
        /// A regular file, or one that does not exist yet; not a link.
        File(PathBuf),
        /// Something that cannot be replaced.
        Stream,
    }

    impl Target {
        fn of(path: &Path) -> io::Result<Target> {
            let mut path = path.to_owned();
            for _ in 0..=MAX_LINKS {
                match fs::symlink_metadata(&path) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        return Ok(Target::File(path));
                    }
                    Err(error) => return Err(error),
                    Ok(data) if data.is_dir() => return Err(not_regular(&data)),
                    Ok(data) if !data.is_symlink() => {
                        let is_file = data.is_file();
                        return Ok(if is_file { Target::File(path) } else { Target::Stream });
                    }
                    Ok(_) if is_descriptor(&path) => return Ok(Target::Stream),
                    // A relative link starts from its own folder; `join` with an
                    // absolute path is that path.
                    Ok(_) => path = folder_of(&path).join(fs::read_link(&path)?),
                }
            }
            Err(io::Error::other("too many symbolic links"))
        }
    }

    /// Whether a link is `/proc/self/fd/N` under any name: an open file. Others, such
    /// as the shell, also write to it, so it must not be replaced.
    fn is_descriptor(link: &Path) -> bool {
        let folder = fs::canonicalize(folder_of(link)).unwrap_or_default();
        ["/proc", "/dev/fd"].iter().any(|descriptors| folder.starts_with(descriptors))
    }

    /// The folder of a file. The parent of a bare name is empty, which is no path.
    fn folder_of(path: &Path) -> &Path {
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Replaces or creates the file at `path`, with `mode` or that of the old
    /// file or else the usual one.
    fn replace(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
        let folder = folder_of(path);
        let old = if mode.is_none() { old_file(path)? } else { None };
        let mut part = part_in(folder, mode)?;
        part.as_file_mut().write_all(bytes)?;
        #[cfg(unix)]
        if let Some(old) = &old {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only the superuser can give files away; for anybody else the file
            // simply becomes theirs. The permissions come after that, since a change
            // of the owner may clear some of them.
            let _ = fchown(part.as_file(), Some(old.uid()), Some(old.gid()));
            part.as_file().set_permissions(old.permissions())?;
        }
        #[cfg(not(unix))]
        let _ = old;
        part.as_file().sync_all()?;
        part.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    }

    /// The file at `path`; `None` if there is none. One that is protected from writing
    /// is an error.
    fn old_file(path: &Path) -> io::Result<Option<Metadata>> {
        // A rename would replace even a protected file, so ask for the right to write.
        match OpenOptions::new().write(true).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            old => Ok(Some(old?.metadata()?)),
        }
    }

    /// Creates a temporary file. It is deleted if it is dropped.
    fn part_in(folder: &Path, mode: Option<u32>) -> io::Result<NamedTempFile> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            // The system takes away what the process's umask forbids.
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(mode.unwrap_or(0o666));
        }
        #[cfg(not(unix))]
        let _ = mode;
        // The crate's errors name the temporary file, which tells the user nothing.
        let mut cause = None;
        let open =
            |path: &Path| options.open(path).inspect_err(|error| cause = error.raw_os_error());
        let part = Builder::new().prefix(".pontifex-").suffix(".part").make_in(folder, open);
        part.map_err(|error| cause.map_or(error, io::Error::from_raw_os_error))
    }

    /// Makes a rename survive a power failure, on systems that can.
    fn sync_folder(folder: &Path) -> io::Result<()> {
        if !cfg!(unix) {
            return Ok(());
        }
        // A folder that may be written but not read cannot be synced.
        let Ok(folder) = File::open(folder) else { return Ok(()) };
        match folder.sync_all() {
            Err(error)
                if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder, removed at the end.
    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_and_replaced_without_a_trace() {
        let folder = folder();
        let path = folder.path().join("game.sgf");
        for text in ["first and longer", "second"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["game.sgf"]);
        let missing = folder.path().join("no/game.sgf");
        let error = write_whole(&missing, b"").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(!error.to_string().contains("part"), "{error}");
        assert_eq!(
            write_whole(folder.path(), b"").unwrap_err().to_string(),
            "it is a folder, not a regular file"
        );
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        use std::process::Command;

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o7777
        }

        fn fifo(path: &Path) {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }

        #[test]
        fn permissions_stay_and_are_the_usual_ones_for_a_new_file() {
            let folder = folder();
            let [usual, new] = ["usual", "new"].map(|name| folder.path().join(name));
            File::create(&usual).unwrap();
            write_whole(&new, b"").unwrap();
            assert_eq!(mode(&new), mode(&usual));
            for bits in [0o640, 0o606, 0o755] {
                fs::set_permissions(&new, fs::Permissions::from_mode(bits)).unwrap();
                write_whole(&new, b"text").unwrap();
                assert_eq!(mode(&new), bits);
            }
            write_private(&new, b"secret").unwrap();
            assert_eq!(mode(&new), 0o600);
        }

        #[test]
        fn a_link_stays_and_leads_to_the_new_file() {
            let folder = folder();
            let [file, link, chain] =
                ["file", "link", "chain"].map(|name| folder.path().join(name));
            symlink("file", &link).unwrap();
            symlink("link", &chain).unwrap();
            for text in ["made through a link to nothing", "replaced"] {
                write_whole(&chain, text.as_bytes()).unwrap();
                assert!(link.is_symlink() && chain.is_symlink() && !file.is_symlink());
                assert_eq!(fs::read_to_string(&file).unwrap(), text);
            }
            write_private(&link, b"private").unwrap();
            assert!(!link.is_symlink(), "a private file is written nowhere else");
            assert_eq!(fs::read_to_string(&file).unwrap(), "replaced");
        }

        #[test]
        fn devices_and_pipes_are_written_straight() {
            write_whole(Path::new("/dev/null"), b"text").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            assert!(write_whole(Path::new("/dev/full"), b"text").is_err());
            let folder = folder();
            let pipe = folder.path().join("pipe");
            fifo(&pipe);
            let reader = {
                let pipe = pipe.clone();
                std::thread::spawn(move || read(&pipe).unwrap())
            };
            write_whole(&pipe, b"through").unwrap();
            assert_eq!(reader.join().unwrap(), b"through");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
            assert!(write_private(&pipe, b"").is_err());
        }

        #[test]
        fn what_is_no_regular_file_is_named_and_hangs_nobody() {
            let folder = folder();
            let pipe = folder.path().join("pipe");
            fifo(&pipe);
            for (path, what) in
                [(Path::new("/dev/zero"), "device"), (folder.path(), "folder"), (&pipe, "pipe")]
            {
                let error = open_regular(path).unwrap_err().to_string();
                assert_eq!(error, format!("it is a {what}, not a regular file"));
                if path != pipe {
                    assert_eq!(read(path).unwrap_err().to_string(), error);
                }
            }
            let error = open_regular(&folder.path().join("none")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }
}
