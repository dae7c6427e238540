//! The folder of the games, and what may lie in it. It is for its owner only.

use std::fs::{self, DirBuilder, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

use super::SessionId;
use pontifex::files::{LockedFile, open_regular_with};
use pontifex::messages::tell;

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
