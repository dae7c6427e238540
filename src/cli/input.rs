//! Records from the files that are named on the command line.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::exit::UsageError;
use crate::notation::{Assumed, Record};

/// What the file is called, and every game in it; `-` is standard input.
///
/// # Errors
/// A [`UsageError`] that names the file and says what is wrong with it.
pub(super) fn records(path: &Path, assumed: &Assumed) -> Result<(String, Vec<Record>), UsageError> {
    let (file, bytes) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_owned(), read.map(|_| bytes))
    } else {
        (path.display().to_string(), fs::read(path))
    };
    let refuse = |reason: String| UsageError(format!("{file}: {reason}"));
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        refuse(format!("this is not text in UTF-8, byte {at} is not of a character"))
    })?;
    let records = Record::parse_all(&text, assumed).map_err(|error| refuse(error.to_string()))?;
    Ok((file, records))
}

/// Game `number` (from 1) of the records of `file`.
///
/// # Errors
/// A [`UsageError`] that says how many there are.
pub(super) fn one(file: &str, mut records: Vec<Record>, number: u64) -> Result<Record, UsageError> {
    let count = records.len();
    match usize::try_from(number - 1).ok().filter(|&index| index < count) {
        Some(index) => Ok(records.swap_remove(index)),
        None if count == 0 => Err(UsageError(format!("{file}: there is no game in it"))),
        None => Err(UsageError(format!("{file}: --game {number}: it has games 1 to {count}"))),
    }
}
