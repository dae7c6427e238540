//! The cache of a review: a file from which an interrupted review continues.
//!
//! A review of many games can take hours. The cache keeps every finished search, so Ctrl-C or a
//! power failure costs at most the searches that were running.
//!
//! The file consists of JSON lines. The first holds the settings of the searches, every other line
//! one searched position, written as soon as its search ends:
//!
//! ```text
//!   {"cache":"pontifex review","format":2,"settings":{"time":"0.2", …}}
//!   {"game":"5d3f01c9","index":17,"found":{…},"crc":"a01b2c3d"}
//!   {"game":"5d3f01c9","ind                      ◄ cut off: without a line feed, ignored
//! ```
//!
//! What a reader may rely on:
//! - Results under other settings are never mixed: such a file is replaced as a whole, with a note.
//! - A line counts only if serializing its contents again gives the same bytes. After a changed
//!   digit, and in a line of two writers or of another version, the position is searched again.
//! - Nothing that might be somebody's data is lost: a file with damaged lines, or one that is not a
//!   cache at all, is copied to `NAME.damaged` first.
//! - A run holds a lock on the file while it writes, so two runs cannot mix their lines.
//!
//! A game is identified by a checksum of its moves and not by its file, so renaming or sorting
//! records keeps the cache valid.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::plan::SearchedPosition;
use crate::files::{self, LockedFile};
use crate::notation::without_mark;

/// The version of the format; no other is read.
const FORMAT: u32 = 2;

/// The value of the first key of a cache.
const KIND: &str = "pontifex review";

#[derive(Serialize, Deserialize)]
struct Header {
    cache: String,
    format: u32,
    settings: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct CacheEntry {
    /// [`RecordedGame::key`](super::RecordedGame::key).
    game: String,
    /// The index of the position in the game, from 0.
    index: usize,
    found: SearchedPosition,
    /// A checksum over the other fields.
    crc: String,
}

/// Why a cache cannot be used.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be opened, read or written.
    #[error("cache {file}: {reason}")]
    Io {
        /// The path of the cache.
        file: String,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// Another process holds the lock.
    #[error("cache {file} is being written by another run")]
    Locked {
        /// The path of the cache.
        file: String,
    },
}

/// A cache that is being written.
#[derive(Debug)]
pub struct Cache {
    file: LockedFile,
}

/// A cache that was opened, and its earlier results.
#[derive(Debug)]
pub struct Opened {
    /// The cache, for the results of further searches.
    pub cache: Cache,
    /// The earlier results, by game key and index of the position.
    pub known: HashMap<(String, usize), SearchedPosition>,
    /// A message about the file, one line.
    pub note: Option<String>,
}

/// The contents of a file.
struct Contents {
    known: HashMap<(String, usize), SearchedPosition>,
    /// The valid lines, the first included.
    lines: Vec<u8>,
    note: Option<String>,
    /// Whether a part of it is damaged or not a cache.
    is_damaged: bool,
}

impl Cache {
    /// Creates a cache, or continues one with the same settings. A cache with other settings is
    /// replaced. If the file is damaged, its valid lines are used, and a copy is kept with
    /// `.damaged` appended to its name.
    ///
    /// # Errors
    /// See [`CacheError`].
    pub fn open(path: &Path, settings: &Map<String, Value>) -> Result<Opened, CacheError> {
        let name = path.display().to_string();
        let io_error = |reason| CacheError::Io { file: name.clone(), reason };
        let mut file = LockedFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => CacheError::Locked { file: name.clone() },
            TryLockError::Error(reason) => io_error(reason),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io_error)?;
        let Contents { known, mut lines, note, is_damaged } =
            read_contents(without_mark(&bytes), settings);
        let mut note = note.map(|note| format!("cache {name}: {note}"));
        if is_damaged {
            let backup = damaged_path(path);
            files::write_whole(&backup, &bytes).map_err(io_error)?;
            note = note.map(|note| format!("{note}; it is kept as {}", backup.display()));
        }
        if lines.is_empty() {
            let header =
                Header { cache: KIND.to_owned(), format: FORMAT, settings: settings.clone() };
            lines = json_line(&header).map_err(io_error)?;
        }
        // In place, not as a new file: the lock belongs to this file.
        if lines != bytes {
            let rewrite = |file: &mut File| {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&lines)
            };
            rewrite(&mut file).map_err(io_error)?;
        }
        Ok(Opened { cache: Cache { file }, known, note })
    }

    /// Writes the results for a position.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, game: &str, index: usize, found: &SearchedPosition) -> io::Result<()> {
        self.file.write_all(&json_line(&CacheEntry::new(game, index, found)?)?)
    }
}

fn json_line<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

impl CacheEntry {
    fn new(game: &str, index: usize, found: &SearchedPosition) -> io::Result<CacheEntry> {
        let crc = crc32fast::hash(&serde_json::to_vec(&(game, index, found))?);
        let (game, found) = (game.to_owned(), found.clone());
        Ok(CacheEntry { game, index, found, crc: format!("{crc:08x}") })
    }

    /// The entry in a line; `None` if the line is not exactly as it was written.
    fn read(bytes: &[u8]) -> Option<CacheEntry> {
        let CacheEntry { game, index, found, .. } = serde_json::from_slice(bytes).ok()?;
        let entry = CacheEntry::new(&game, index, &found).ok()?;
        (json_line(&entry).ok()? == bytes).then_some(entry)
    }
}

/// The name under which a damaged file is kept.
fn damaged_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".damaged");
    path.with_file_name(name)
}

fn read_contents(bytes: &[u8], settings: &Map<String, Value>) -> Contents {
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
    let mut lines = bytes[..complete].split_inclusive(|&byte| byte == b'\n');
    let mut contents =
        Contents { known: HashMap::new(), lines: Vec::new(), note: None, is_damaged: false };
    let Some(first) = lines.next() else {
        // An empty file, or the beginning of a first line, is not damaged.
        if !is_beginning(bytes) {
            (contents.is_damaged, contents.note) = (true, Some(NO_CACHE.to_owned()));
        }
        return contents;
    };
    let header = serde_json::from_slice::<Header>(first);
    let Some(header) = header.ok().filter(|header| header.cache == KIND) else {
        (contents.is_damaged, contents.note) = (true, Some(NO_CACHE.to_owned()));
        return contents;
    };
    if header.format != FORMAT || header.settings != *settings {
        let differences = setting_differences(&header.settings, settings);
        let differences = if differences.is_empty() {
            "another format".to_owned()
        } else {
            differences.join(", ")
        };
        contents.note = Some(format!("it has other settings ({differences}) and is replaced"));
        return contents;
    }
    contents.lines.extend_from_slice(first);
    let mut damaged_lines = Vec::new();
    for (n, line) in lines.enumerate() {
        if let Some(entry) = CacheEntry::read(line) {
            contents.lines.extend_from_slice(line);
            contents.known.insert((entry.game, entry.index), entry.found);
        } else {
            damaged_lines.push((n + 2).to_string());
        }
    }
    if !damaged_lines.is_empty() {
        contents.is_damaged = true;
        let (s, are) = if damaged_lines.len() == 1 { ("", "is") } else { ("s", "are") };
        contents.note =
            Some(format!("line{s} {} {are} damaged and searched again", damaged_lines.join(", ")));
    }
    contents
}

const NO_CACHE: &str = "it is not a usable cache of pontifex review, and is replaced";

/// Whether an incomplete line can be the beginning of a cache.
fn is_beginning(bytes: &[u8]) -> bool {
    let beginning = format!("{{\"cache\":\"{KIND}\",");
    // Either may be the shorter one.
    let length = bytes.len().min(beginning.len());
    bytes[..length] == beginning.as_bytes()[..length]
}

/// The settings that differ: `time 0.2 -> 0.5`.
fn setting_differences(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "none".to_owned(),
    };
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let differing = names.into_iter().filter(|&name| old.get(name) != new.get(name));
    differing
        .map(|name| format!("{name} {} -> {}", text(old.get(name)), text(new.get(name))))
        .collect()
}
