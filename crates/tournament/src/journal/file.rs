//! The journal as a file: what a crash leaves behind, and how the next run continues.
//!
//! **The problem.** A match takes hours, and its process may end at any moment: by Ctrl-C,
//! `kill -9`, the time limit of a cluster job or a full disk. Every game finished by then must be
//! in the file, and the next run must cope with whatever the crash left at its end.
//!
//! **The idea.** The file only grows, by one whole line at a time:
//!
//! ```text
//! {"journal":"pontifex match","format":1,...}\n    the header, written with the file
//! {"a":"new","b":"old","round":0,...}\n            a finished game
//! {"a":"new","b":"old","round":0,...}\n            a finished game
//! {"a":"new","b":"ol                               torn: the process ended during a write
//! ```
//!
//! The line feed commits a line. It is the last byte written, and there is only one in a line,
//! because `serde_json` escapes line feeds inside strings. Bytes after the last line feed were
//! never committed. Readers ignore them. The next run cuts them off and replays that game.
//!
//! Opening a journal takes these steps, and their order is what makes it safe:
//!
//! ```text
//! lock        fails if another run writes the file
//! read        the whole file
//! parse       every committed line; the file is refused if one is unreadable
//! compare     the configuration with the tournament's; the file is refused if they differ
//! truncate    to the last line feed: the first change
//! append      one `write` for each game
//! ```
//!
//! **Invariants.**
//! - Bytes up to the last line feed never change. So a journal can be read while a run writes it.
//! - One process writes, under the lock of [`LockedFile`]. Two runs would both miss the same games,
//!   play them twice and mix their lines.
//! - A refused file is unchanged. [`Journal::open`] parses the whole file and compares the
//!   configurations before it cuts anything off.
//! - A torn last line is the only damage that is repaired. A crash cannot cause an unreadable line
//!   before the last line feed, and skipping it would silently replay a game. So the journal is
//!   refused, and the error has the line's number.
//! - A file without a line feed is overwritten only if it is empty or a torn header. A mistaken
//!   `--journal letter.txt` leaves the letter alone.
//!
//! **Limits.** Nothing is synced. Written lines survive the end of the process, because they are in
//! the system's cache by then. A power failure may lose the last games, which the next run then
//! replays. Only [`write_new`], which has all games at once, writes the file whole or not at all.
//!
//! **One journal, one tournament.** The header holds the configuration: everything that decides
//! which games are played and how. A run refuses a journal with another configuration, and the
//! error names each difference. So the results of two matches cannot be added up by accident.

use std::fs::{self, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::journal::entry::Entry;
use pontifex::board::Size;
use pontifex::files::{self, LockedFile};
use pontifex::game::Rules;
use pontifex::messages::data_error;
use pontifex::notation::{Record, without_mark};

/// A journal open for writing, and locked until it is dropped.
#[derive(Debug)]
pub struct Journal {
    file: LockedFile,
    /// For error messages only.
    path: PathBuf,
}

/// The first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Always [`KIND`]. The first key of the file, which tells a journal from other JSON lines.
    journal: String,
    /// Always [`FORMAT`].
    format: u32,
    /// The version of pontifex that created the journal. Later runs may use another one.
    pub version: String,
    /// The name of the machine that created the journal; empty if unknown.
    pub host: String,
    /// When the journal was created, in UTC as in `2026-11-20T13:34:18.494Z`.
    pub started: String,
    /// The command line of the run that created the journal, without the program.
    pub arguments: Vec<String>,
    /// The number of games of the tournament when the journal was created, all shards together. A
    /// later run may play more.
    pub planned: usize,
    /// Everything that decides which games are played and how, as in
    /// [`Tournament::config`](crate::Tournament::config).
    pub config: Value,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be opened, read or written, for example because the disk is full.
    #[error("journal {file}: {reason}")]
    Io {
        /// The journal's path as it was given.
        file: String,
        /// The system's error.
        reason: io::Error,
    },
    /// Another process holds the journal's lock.
    #[error("journal {file} is being written by another run")]
    Locked {
        /// The journal's path as it was given.
        file: String,
    },
    /// The first line is not the header of a journal in a known format.
    #[error("{file} is not a journal of pontifex match: {reason}")]
    NotAJournal {
        /// The file's path as it was given.
        file: String,
        /// Why the file is not a journal.
        reason: String,
    },
    /// A whole line is not a game. A torn last line is not an error.
    #[error("journal {file}, line {line}: {reason}")]
    Line {
        /// The journal's path as it was given.
        file: String,
        /// The number of the line, from 1; the header is line 1.
        line: usize,
        /// Why the line cannot be read, with the column.
        reason: String,
    },
    /// The journal belongs to another tournament.
    #[error(
        "journal {file} has another configuration: {}; a changed match needs another journal",
        differences.join("; ")
    )]
    Configuration {
        /// The journal's path as it was given.
        file: String,
        /// One line for each key, as in `seed is 1 in the journal, 2 now`; not empty.
        differences: Vec<String>,
    },
    /// [`write_new`] does not replace a file.
    #[error("{file} exists already")]
    Exists {
        /// The path of the file that exists.
        file: String,
    },
}

/// The only version of the format that is read. A new optional key needs no new version; see
/// [`Entry`].
const FORMAT: u32 = 1;

/// The value of a journal's first key.
const KIND: &str = "pontifex match";

impl Journal {
    /// Creates a journal, or continues one of the same configuration and returns its games.
    ///
    /// # Errors
    /// See [`JournalError`]. An error leaves the file unchanged.
    pub fn open(path: &Path, header: &Header) -> Result<(Journal, Vec<Entry>), JournalError> {
        let file_error = |reason| io_error(path, reason);
        let mut file = LockedFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked { file: path.display().to_string() },
            TryLockError::Error(reason) => file_error(reason),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(file_error)?;
        // The end of the committed bytes; 0 if even the header is torn.
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
        // Lossy, because a torn line may end within a character.
        let text = String::from_utf8_lossy(without_mark(&bytes));
        let entries = if end == 0 && is_torn_header(&text) {
            Vec::new()
        } else {
            let (old, entries) = parse(path, &text)?;
            old.check_config(path, &header.config)?;
            entries
        };
        // The file is known to be this tournament's journal. Nothing above changed it.
        file.set_len(end as u64).map_err(file_error)?;
        file.seek(SeekFrom::End(0)).map_err(file_error)?;
        let mut journal = Journal { file, path: path.to_owned() };
        if end == 0 {
            journal.write_line(header)?;
        }
        Ok((journal, entries))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`JournalError::Io`], for example on a full disk. The file may then end in a part of the
    /// line. Stop appending, or the next line would be glued to that part. The next
    /// [`Journal::open`] cuts it off.
    pub fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.write_line(entry)
    }

    /// Appends a value and its line feed with one system call. Two calls would leave a torn line
    /// whenever the process ends between them.
    fn write_line(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value).map_err(io::Error::from);
        line.and_then(|line| self.file.write_all((line + "\n").as_bytes()))
            .map_err(|reason| io_error(&self.path, reason))
    }
}

impl Header {
    /// The header of a journal created now, on this machine, for a tournament of `planned` games.
    pub fn new(arguments: Vec<String>, planned: usize, config: Value) -> Header {
        Header {
            journal: KIND.to_owned(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: host(),
            started: pontifex::gtp::utc_now(),
            arguments,
            planned,
            config,
        }
    }

    /// The rules of the games; `None` if the configuration lacks the board, the supply or the pie
    /// rule, or has a value that this version does not know.
    pub fn rules(&self) -> Option<Rules> {
        let size = Size::new(self.config["board"].as_u64()?).ok()?;
        let supply = self.config["supply"].as_str()?.parse().ok()?;
        Some(Rules { size, supply, pie: self.config["pie"].as_str()? != "off" })
    }

    /// Checks that the journal at `path`, whose header this is, belongs to the tournament that
    /// `config` describes.
    fn check_config(&self, path: &Path, config: &Value) -> Result<(), JournalError> {
        let differences = config_differences(&self.config, config);
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::Configuration { file: path.display().to_string(), differences })
    }
}

/// Reads a journal, even while it is being written.
///
/// # Errors
/// See [`JournalError`].
pub fn read(path: &Path) -> Result<(Header, Vec<Entry>), JournalError> {
    let mut bytes = Vec::new();
    files::open_regular(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|reason| io_error(path, reason))?;
    parse(path, &String::from_utf8_lossy(without_mark(&bytes)))
}

/// The games of a journal as records; `None` if the file does not begin as a journal does.
///
/// # Errors
/// See [`JournalError`].
pub fn read_records(path: &Path, bytes: &[u8]) -> Option<Result<Vec<Record>, JournalError>> {
    let text = String::from_utf8_lossy(without_mark(bytes));
    text.starts_with(&format!("{{\"journal\":\"{KIND}\"")).then(|| {
        let (header, entries) = parse(path, &text)?;
        let refuse =
            |reason: String| JournalError::NotAJournal { file: path.display().to_string(), reason };
        let rules = header
            .rules()
            .ok_or_else(|| refuse("its header has no board, supply and pie".to_owned()))?;
        let record = |(n, entry): (usize, &Entry)| {
            entry.record(rules).map_err(|error| JournalError::Line {
                file: path.display().to_string(),
                // Counted from 1, below the header.
                line: n + 2,
                reason: error.to_string(),
            })
        };
        entries.iter().enumerate().map(record).collect()
    })
}

/// Reads the games of a journal of the tournament that `config` describes, even while it is being
/// written.
///
/// # Errors
/// See [`JournalError`].
pub fn read_games(path: &Path, config: &Value) -> Result<Vec<Entry>, JournalError> {
    let (header, entries) = read(path)?;
    header.check_config(path, config)?;
    Ok(entries)
}

/// Writes a whole journal to a new file.
///
/// # Errors
/// See [`JournalError`].
pub fn write_new<'e>(
    path: &Path,
    header: &Header,
    entries: impl Iterator<Item = &'e Entry>,
) -> Result<(), JournalError> {
    let text = || -> serde_json::Result<String> {
        let mut text = serde_json::to_string(header)? + "\n";
        for entry in entries {
            text += &serde_json::to_string(entry)?;
            text.push('\n');
        }
        Ok(text)
    };
    let written =
        text().map_err(io::Error::from).and_then(|text| files::write_new(path, text.as_bytes()));
    written.map_err(|reason| match reason.kind() {
        io::ErrorKind::AlreadyExists => JournalError::Exists { file: path.display().to_string() },
        _ => io_error(path, reason),
    })
}

/// Parses the complete lines of a journal.
fn parse(path: &Path, text: &str) -> Result<(Header, Vec<Entry>), JournalError> {
    let file = || path.display().to_string();
    let refuse = |reason: String| JournalError::NotAJournal { file: file(), reason };
    // Excludes the last line feed. Otherwise `split` would return an empty line after it.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.split('\n').enumerate();
    let first = lines.next().map(|(_, line)| line).filter(|line| !line.is_empty());
    let first = first.ok_or_else(|| refuse("it has no header line".to_owned()))?;
    let header: Value = serde_json::from_str(first).map_err(|error| refuse(data_error(&error)))?;
    // Kind and format are checked before the other keys, which another format may lack. The error
    // then names the format and not some missing key.
    if header["journal"] != KIND {
        return Err(refuse("its first line is not a header".to_owned()));
    }
    if header["format"] != FORMAT {
        return Err(refuse(format!("it has format {}, expected {FORMAT}", header["format"])));
    }
    let header = serde_json::from_value(header).map_err(|error| refuse(data_error(&error)))?;
    let entry = |(n, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| JournalError::Line {
            file: file(),
            line: n + 1,
            reason: data_error(&error),
        })
    };
    Ok((header, lines.map(entry).collect::<Result<_, _>>()?))
}

/// Whether a text without a line feed is empty or the beginning of a header.
fn is_torn_header(text: &str) -> bool {
    // `serde_json` writes fields in the order of the struct, so every header begins like this.
    let prefix = format!("{{\"journal\":\"{KIND}\"");
    prefix.starts_with(text) || text.starts_with(&prefix)
}

fn io_error(path: &Path, reason: io::Error) -> JournalError {
    JournalError::Io { file: path.display().to_string(), reason }
}

/// The machine's name; empty if unknown. Only for people who want to know where a journal comes
/// from.
fn host() -> String {
    // Linux has the file. Elsewhere a shell may have exported the variable.
    let file = fs::read_to_string("/proc/sys/kernel/hostname");
    file.ok().or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default().trim().to_owned()
}

/// The differences between the configuration of a journal and another one, one line each:
/// `engines[0].cmd is "./a" in the journal, "./b" now`.
pub(super) fn config_differences(journal: &Value, now: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    add_differences("", journal, now, &mut lines);
    lines
}

/// Adds a line for each value below `path` that differs. A missing key is `null`.
fn add_differences(path: &str, old: &Value, new: &Value, lines: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let [old, new] = [old, new].map(|object| object.get(key).unwrap_or(&Value::Null));
                let dot = if path.is_empty() { "" } else { "." };
                add_differences(&format!("{path}{dot}{key}"), old, new, lines);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (n, (old, new)) in old.iter().zip(new).enumerate() {
                add_differences(&format!("{path}[{n}]"), old, new, lines);
            }
        }
        // With an engine added or removed, element n may be another engine on the other side, so
        // only the lengths are reported.
        (Value::Array(old), Value::Array(new)) => {
            lines.push(format!("{path} are {} in the journal, {} now", old.len(), new.len()));
        }
        _ if old != new => {
            let text = |value: &Value| match value {
                Value::Null => "not set".to_owned(),
                value => value.to_string(),
            };
            lines.push(format!("{path} is {} in the journal, {} now", text(old), text(new)));
        }
        _ => {}
    }
}
