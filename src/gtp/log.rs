//! The log of all traffic.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::messages::tell;

/// A log file of all traffic, one line each, times in UTC: `TIME > LINE` to the engine,
/// `TIME < LINE` from it, and `TIME ! WARNING`. The referee of matches marks lines the same way.
///
/// The reader thread logs a line when it arrives, not when it is answered, so the times show what
/// an engine had to wait for.
#[derive(Debug)]
pub struct TrafficLog {
    /// Shared by the reader thread and the session. `None` once writing has failed.
    file: Mutex<Option<File>>,
}

impl TrafficLog {
    /// Opens a log file for appending.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> io::Result<TrafficLog> {
        let file = File::options().append(true).create(true).open(path)?;
        Ok(TrafficLog { file: Mutex::new(Some(file)) })
    }

    /// Logs an input line.
    pub(super) fn log_input(&self, line: &[u8]) {
        self.write(">", &String::from_utf8_lossy(line));
    }

    /// Logs an answer or some of its lines, without the empty line at its end.
    pub(super) fn log_answer(&self, answer: &str) {
        let lines = answer.trim_end_matches('\n');
        if !lines.is_empty() {
            self.write("<", lines);
        }
    }

    /// Logs a warning about a file that was read.
    pub(super) fn log_warning(&self, warning: &str) {
        self.write("!", warning);
    }

    /// Writes lines. A failure, such as a full disk, is reported once and ends the log, but not the
    /// game.
    fn write(&self, direction: &str, text: &str) {
        let time = utc_now();
        // A single write, so that the lines of two threads never mix.
        let mut lines = String::new();
        for line in text.trim_end_matches(['\n', '\r']).split('\n') {
            lines.extend([time.as_str(), " ", direction, " ", line, "\n"]);
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_all(lines.as_bytes())) {
            tell(format_args!("cannot write the log any more: {error}"));
            *file = None;
        }
    }
}

/// The current time in UTC, as ISO 8601 with milliseconds: `2026-11-29T08:15:00.000Z`.
pub fn utc_now() -> String {
    // Formatting a time before 1970 would panic, and a clock may be that wrong.
    humantime::format_rfc3339_millis(SystemTime::now().max(UNIX_EPOCH)).to_string()
}
