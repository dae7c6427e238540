//! The log of all traffic.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// The current time in UTC, as ISO 8601 with milliseconds.
pub fn utc_now() -> String {
    utc(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// Converts the time since 1970 to ISO 8601 with milliseconds.
///
/// Source: Howard Hinnant's `civil_from_days`, which counts in eras of 400 years that begin in
/// March, so that the leap day comes last.
fn utc(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    // 719 468 days lie between 0000-03-01 and 1970-01-01; 146 097 days are 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    // Without the leap days of 4, 100 and 400 years every year has 365 days.
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Five months from March or August have 153 days: 31, 30, 31, 30, 31.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        seconds / 3_600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        since_1970.subsec_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_iso_8601() {
        let text = |millis| utc(Duration::from_millis(millis));
        assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(text(951_868_799_999), "2000-02-29T23:59:59.999Z");
        assert_eq!(text(1_709_251_200_001), "2024-03-01T00:00:00.001Z");
        assert_eq!(text(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
        assert_eq!(text(4_102_444_800_000), "2100-01-01T00:00:00.000Z");
    }
}
