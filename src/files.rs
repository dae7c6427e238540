//! Files: atomic writes, and reads that are certain to end.
//!
//! **Writing.** A game that took an hour must not be lost because the disk was full when its file
//! was replaced. So an existing file is never overwritten in place:
//!
//! ```text
//! .pontifex-Xk3fQ1.part     created in the folder of game.sgf
//!   write, fsync            the content is on the disk
//!   rename to game.sgf      old or new, never half of either
//!   fsync the folder        the rename is on the disk
//! ```
//!
//! The order matters. A rename before the first sync can survive a power failure that the content
//! does not, and then leaves an empty file. The temporary file is in the same folder for two
//! reasons: a rename works only within a file system, and if the folder's permissions forbid
//! writing, nothing is lost yet. An error deletes the temporary file. A crash leaves it behind, and
//! the old file untouched.
//!
//! Not every path names a file that can be replaced. A symbolic link is followed, so that it stays
//! a link. A pipe, a device or an open file under `/dev/fd` is written directly, since there is
//! nothing to replace.
//!
//! **Reading.** `/dev/zero` and a pipe without a writer never end. Only a path that a person names
//! on the command line may be a pipe, and it is read only up to a limit.
//!
//! **Locks.** Two programs that append to one file would mix their lines. [`LockedFile`] holds a
//! lock of the operating system, which is released however the process ends. A lock file would be
//! left behind by a crash.
//!
//! Files that grow line by line, such as journals, have their own rules. They use only [`begin`]
//! and the functions that open files.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::ops::{Deref, DerefMut};
use std::path::Path;

use crate::notation::plain_text;

#[cfg(not(target_family = "wasm"))]
#[allow(unused_imports)] // the features decide which of these are used
pub use replacing::{begin, check_writable, write_new, write_private, write_whole};

/// The most bytes that are read from a pipe: without a limit, `yes |` would fill the memory. Set by
/// judgement: more than any collection of records.
const MAX_PIPE: u64 = 256 << 20;

/// Opens a file for reading if it is a regular one. A named pipe does not block.
///
/// # Errors
/// An I/O error, or one that says what kind of file it is.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, OpenOptions::new().read(true))
}

/// Opens a file with `options` if it is a regular one or does not exist yet.
///
/// # Errors
/// The errors of [`open_regular`].
pub fn open_regular_with(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Opening a pipe may block forever, and opening a device may have side effects. So the kind is
    // checked before opening, and again on the open file, since the path may lead elsewhere by
    // then.
    match fs::metadata(path) {
        Ok(metadata) => check_regular(&metadata)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// A file with an exclusive advisory lock: only programs that also lock it are kept out.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens a regular file for reading and writing, creates it if it does not exist, and locks it.
    ///
    /// # Errors
    /// The errors of [`open_regular`], or `WouldBlock` if the file is locked.
    pub fn open(path: &Path) -> Result<LockedFile, TryLockError> {
        let options = File::options().read(true).write(true).create(true).truncate(false).clone();
        LockedFile::lock(open_regular_with(path, &options).map_err(TryLockError::Error)?)
    }

    /// Locks an open file.
    ///
    /// # Errors
    /// `WouldBlock` if it is locked, or another I/O error.
    pub fn lock(file: File) -> Result<LockedFile, TryLockError> {
        file.try_lock()?;
        Ok(LockedFile(file))
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the file would not suffice: a child process that another thread is just starting
        // inherits it, still locked, until the child executes its program. If unlocking fails,
        // closing the file is the fallback.
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

/// Reads a file that a person names: a regular one, a pipe such as the shell's `<(...)`, or a
/// terminal.
///
/// # Errors
/// An I/O error, one that says what kind of file it is, or that a pipe has too many bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if is_device(&metadata) {
        let file = File::open(path)?;
        return if io::IsTerminal::is_terminal(&file) {
            read_pipe(file)
        } else {
            Err(not_regular(&metadata))
        };
    }
    if is_pipe(&metadata) {
        return read_pipe(File::open(path)?);
    }
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file as text, of the same kinds as [`read`]. A byte-order mark is skipped.
///
/// # Errors
/// The errors of [`read`], or that the text is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    plain_text(&read(path)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Reads standard input or a pipe to its end.
///
/// # Errors
/// An I/O error, or that there are more than 256 MiB.
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

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(not_regular(metadata)) }
}

/// The error for something that is not a regular file.
fn not_regular(metadata: &Metadata) -> io::Error {
    let (kind, noun) = match metadata {
        folder if folder.is_dir() => (ErrorKind::IsADirectory, "folder"),
        pipe if is_pipe(pipe) => (ErrorKind::InvalidInput, "pipe"),
        device if is_device(device) => (ErrorKind::InvalidInput, "device"),
        _ => (ErrorKind::InvalidInput, "socket or something else"),
    };
    io::Error::new(kind, format!("it is a {noun}, not a regular file"))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

/// Always fails: a browser has no files.
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

    /// The number of symbolic links that are followed, as on Linux. Links may form a cycle.
    const MAX_LINKS: usize = 40;

    /// Writes a file whole or not at all. An existing file keeps its permissions and, where the
    /// system allows that, its owner; a hard link to it keeps the old content. If `path` is a
    /// symbolic link, the file to which it leads is replaced, and the link stays. Pipes and
    /// devices, and the target of `/dev/stdout`, are written directly.
    ///
    /// # Errors
    /// An I/O error. The old file is then unchanged.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
        match Target::of(path)? {
            Target::File(path) => replace(&path, bytes, None),
            Target::Stream => OpenOptions::new().append(true).open(path)?.write_all(bytes),
        }
    }

    /// Replaces a file by `bytes`, whole or not at all, and opens it for appending.
    ///
    /// # Errors
    /// The errors of [`write_whole`].
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
    /// An I/O error: [`ErrorKind::AlreadyExists`] if `path` exists.
    pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = folder_of(path);
        let mut part = create_part(folder, None)?;
        part.as_file_mut().write_all(bytes)?;
        part.as_file().sync_all()?;
        // The rename itself refuses to replace a file. With a separate check before it, two
        // programs could both find no file.
        part.persist_noclobber(path).map_err(|error| error.error)?;
        sync_folder(folder)
    }

    /// Checks that [`write_whole`] could write now, for work that takes hours before it writes.
    /// Nothing is left behind.
    ///
    /// # Errors
    /// The errors of [`write_whole`].
    pub fn check_writable(path: &Path) -> io::Result<()> {
        match Target::of(path)? {
            Target::File(path) => {
                old_metadata(&path).and(create_part(folder_of(&path), None)).map(drop)
            }
            Target::Stream => Ok(()),
        }
    }

    /// Writes a file like [`write_whole`], but only its owner may read or write it (mode 0600, on
    /// Unix), and a symbolic link is itself replaced.
    ///
    /// # Errors
    /// The errors of [`write_whole`], or that `path` is neither a regular file nor a link.
    pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => {
                Err(not_regular(&metadata))
            }
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => replace(path, bytes, Some(0o600)),
        }
    }

    /// The target of writing to a path.
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
                    Ok(metadata) if metadata.is_dir() => return Err(not_regular(&metadata)),
                    Ok(metadata) if !metadata.is_symlink() => {
                        let is_file = metadata.is_file();
                        return Ok(if is_file { Target::File(path) } else { Target::Stream });
                    }
                    Ok(_) if is_descriptor(&path) => return Ok(Target::Stream),
                    // A relative link starts from its own folder; `join` with an absolute path is
                    // that path.
                    Ok(_) => path = folder_of(&path).join(fs::read_link(&path)?),
                }
            }
            Err(io::Error::other("too many symbolic links"))
        }
    }

    /// Whether a link is `/proc/self/fd/N` under any name: an open file. Other processes, such as
    /// the shell, also write to it, so it must not be replaced.
    fn is_descriptor(link: &Path) -> bool {
        let folder = fs::canonicalize(folder_of(link)).unwrap_or_default();
        ["/proc", "/dev/fd"].iter().any(|descriptors| folder.starts_with(descriptors))
    }

    /// The folder of a file, `.` for a bare name, whose parent is empty.
    fn folder_of(path: &Path) -> &Path {
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Replaces or creates the file at `path`. Its mode is `mode`, or else that of the old file, or
    /// else the default.
    fn replace(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
        let folder = folder_of(path);
        let old = if mode.is_none() { old_metadata(path)? } else { None };
        let mut part = create_part(folder, mode)?;
        part.as_file_mut().write_all(bytes)?;
        #[cfg(unix)]
        if let Some(old) = &old {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only the superuser can change the owner; for other users the file becomes their own.
            // The permissions are set afterwards, since a change of the owner may clear some of
            // them.
            let _ = fchown(part.as_file(), Some(old.uid()), Some(old.gid()));
            part.as_file().set_permissions(old.permissions())?;
        }
        #[cfg(not(unix))]
        let _ = old;
        part.as_file().sync_all()?;
        part.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    }

    /// Returns the metadata of the file at `path`; `None` if it does not exist. A read-only file is
    /// an error.
    fn old_metadata(path: &Path) -> io::Result<Option<Metadata>> {
        // A rename would replace even a read-only file, so check the permission to write.
        match OpenOptions::new().write(true).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            old => Ok(Some(old?.metadata()?)),
        }
    }

    /// Creates a temporary file in `folder`, which is deleted when it is dropped.
    fn create_part(folder: &Path, mode: Option<u32>) -> io::Result<NamedTempFile> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            // The system clears the bits of the process's umask.
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(mode.unwrap_or(0o666));
        }
        #[cfg(not(unix))]
        let _ = mode;
        // The errors of `tempfile` name the temporary file, which is of no use to the user.
        let mut cause = None;
        let open =
            |path: &Path| options.open(path).inspect_err(|error| cause = error.raw_os_error());
        let part = Builder::new().prefix(".pontifex-").suffix(".part").make_in(folder, open);
        part.map_err(|error| cause.map_or(error, io::Error::from_raw_os_error))
    }

    /// Makes a rename survive a power failure, on systems that support it.
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

    /// An empty folder, which is removed when it is dropped.
    fn new_folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn file_names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_and_replaced_without_a_trace() {
        let folder = new_folder();
        let path = folder.path().join("game.sgf");
        for text in ["first and longer", "second"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(file_names(folder.path()), ["game.sgf"]);
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

        fn make_pipe(path: &Path) {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        }

        #[test]
        fn permissions_stay_and_are_the_usual_ones_for_a_new_file() {
            let folder = new_folder();
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
            let folder = new_folder();
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
        fn devices_and_pipes_are_written_directly() {
            write_whole(Path::new("/dev/null"), b"text").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            assert!(write_whole(Path::new("/dev/full"), b"text").is_err());
            let folder = new_folder();
            let pipe = folder.path().join("pipe");
            make_pipe(&pipe);
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
        fn irregular_files_are_named_and_do_not_block() {
            let folder = new_folder();
            let pipe = folder.path().join("pipe");
            make_pipe(&pipe);
            for (path, noun) in
                [(Path::new("/dev/zero"), "device"), (folder.path(), "folder"), (&pipe, "pipe")]
            {
                let error = open_regular(path).unwrap_err().to_string();
                assert_eq!(error, format!("it is a {noun}, not a regular file"));
                if path != pipe {
                    assert_eq!(read(path).unwrap_err().to_string(), error);
                }
            }
            let error = open_regular(&folder.path().join("none")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }
}
