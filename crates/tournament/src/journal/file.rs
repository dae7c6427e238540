//! Reading and writing journals, and comparing the configurations of two.

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
use pontifex::notation::{Record, without_mark};

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    file: LockedFile,
    path: PathBuf,
}

/// The first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The kind of file: `pontifex match`.
    journal: String,
    /// The version of the format: 1.
    format: u32,
    /// The version of pontifex that created it.
    pub version: String,
    /// The machine it was created on.
    pub host: String,
    /// The creation time in UTC.
    pub started: String,
    /// The command line.
    pub arguments: Vec<String>,
    /// The number of games of the tournament, all shards together.
    pub planned: usize,
    /// Everything that decides which games are played and how.
    pub config: Value,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("journal {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The cause.
        reason: io::Error,
    },
    /// Another process is writing it.
    #[error("journal {file} is being written by another run")]
    Locked {
        /// The file.
        file: String,
    },
    /// The file is not a journal.
    #[error("{file} is not a journal of pontifex match: {reason}")]
    NotAJournal {
        /// The file.
        file: String,
        /// The cause.
        reason: String,
    },
    /// A line is not a game.
    #[error("journal {file}, line {line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The journal belongs to another tournament.
    #[error(
        "journal {file} has another configuration: {}; a changed match needs another journal",
        differences.join("; ")
    )]
    Configuration {
        /// The file.
        file: String,
        /// The differences.
        differences: Vec<String>,
    },
    /// The file to be written exists.
    #[error("{file} exists already")]
    Exists {
        /// The file.
        file: String,
    },
}

/// The version of the format; no other is read.
const FORMAT: u32 = 1;

/// The value of a journal's first key.
const KIND: &str = "pontifex match";

impl Journal {
    /// Creates a journal, or continues one of the same configuration and
    /// returns its games.
    ///
    /// # Errors
    /// See [`JournalError`]. The file is not changed then.
    pub fn open(path: &Path, header: &Header) -> Result<(Journal, Vec<Entry>), JournalError> {
        let io = |reason| io_error(path, reason);
        let mut file = LockedFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked { file: path.display().to_string() },
            TryLockError::Error(reason) => io(reason),
        })?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = String::from_utf8_lossy(without_mark(&text));
        let entries = if end == 0 && is_torn_header(&text) {
            Vec::new()
        } else {
            let (old, entries) = parse(path, &text)?;
            old.check(path, &header.config)?;
            entries
        };
        file.set_len(end as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut journal = Journal { file, path: path.to_owned() };
        if end == 0 {
            journal.line(header)?;
        }
        Ok((journal, entries))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`JournalError::Io`], for example on a full disk.
    pub fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.line(entry)
    }

    /// Appends a line in one write, so that a process that ends leaves no
    /// partial line. The file is not synced: a power failure may lose games.
    fn line(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value).map_err(io::Error::from);
        line.and_then(|line| self.file.write_all((line + "\n").as_bytes()))
            .map_err(|reason| io_error(&self.path, reason))
    }
}

impl Header {
    /// The header of a new journal.
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

    /// The rules of its games, if it states them.
    pub fn rules(&self) -> Option<Rules> {
        let size = Size::new(self.config["board"].as_u64()?).ok()?;
        let supply = self.config["supply"].as_str()?.parse().ok()?;
        Some(Rules { size, supply, pie: self.config["pie"].as_str()? != "off" })
    }

    /// Whether the journal at `path`, which has this header, is of the
    /// tournament that `config` describes.
    fn check(&self, path: &Path, config: &Value) -> Result<(), JournalError> {
        let differences = differences(&self.config, config);
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
    let mut text = Vec::new();
    files::open_regular(path)
        .and_then(|mut file| file.read_to_end(&mut text))
        .map_err(|reason| io_error(path, reason))?;
    parse(path, &String::from_utf8_lossy(without_mark(&text)))
}

/// The games of a journal as records; `None` if the file does not begin as a journal
/// does.
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
                line: n + 2,
                reason: error.to_string(),
            })
        };
        entries.iter().enumerate().map(record).collect()
    })
}

/// Reads the games of a journal of the tournament that `config` describes, even
/// while it is being written.
///
/// # Errors
/// See [`JournalError`].
pub fn read_games(path: &Path, config: &Value) -> Result<Vec<Entry>, JournalError> {
    let (header, entries) = read(path)?;
    header.check(path, config)?;
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
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.split('\n').enumerate();
    let first = lines.next().map(|(_, line)| line).filter(|line| !line.is_empty());
    let first = first.ok_or_else(|| refuse("it has no header line".to_owned()))?;
    let header: Value = serde_json::from_str(first).map_err(|error| refuse(error.to_string()))?;
    if header["journal"] != KIND {
        return Err(refuse("its first line is not a header".to_owned()));
    }
    if header["format"] != FORMAT {
        return Err(refuse(format!("it has format {}, expected {FORMAT}", header["format"])));
    }
    let header = serde_json::from_value(header).map_err(|error| refuse(error.to_string()))?;
    let entry = |(n, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| JournalError::Line {
            file: file(),
            line: n + 1,
            reason: error.to_string(),
        })
    };
    Ok((header, lines.map(entry).collect::<Result<_, _>>()?))
}

/// Whether a text without a line feed is empty or the beginning of a header.
fn is_torn_header(text: &str) -> bool {
    let begin = format!("{{\"journal\":\"{KIND}\"");
    begin.starts_with(text) || text.starts_with(&begin)
}

fn io_error(path: &Path, reason: io::Error) -> JournalError {
    JournalError::Io { file: path.display().to_string(), reason }
}

/// The machine's name; empty if unknown.
fn host() -> String {
    let file = fs::read_to_string("/proc/sys/kernel/hostname");
    file.ok().or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default().trim().to_owned()
}

/// The differences between the configuration of a journal and another one, one
/// line each: `engines[0].cmd is "./a" in the journal, "./b" now`.
pub(super) fn differences(journal: &Value, now: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", journal, now, &mut found);
    found
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let [old, new] = [old, new].map(|object| object.get(key).unwrap_or(&Value::Null));
                let dot = if path.is_empty() { "" } else { "." };
                compare(&format!("{path}{dot}{key}"), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (n, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}[{n}]"), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            found.push(format!("{path} are {} in the journal, {} now", old.len(), new.len()));
        }
        _ if old != new => {
            let text = |value: &Value| match value {
                Value::Null => "not set".to_owned(),
                value => value.to_string(),
            };
            found.push(format!("{path} is {} in the journal, {} now", text(old), text(new)));
        }
        _ => {}
    }
}
