//! Reading records from files named on the command line.

use std::io;
use std::path::Path;

use super::exit::UsageError;
use pontifex::files;
use pontifex::messages::tell;
use pontifex::notation::{Assumed, Record, Text};

/// Reads all games of a file; `-` is standard input. Returns the name of the file
/// for messages, and the games.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn records(path: &Path, assumed: &Assumed) -> Result<(String, Vec<Record>), UsageError> {
    let (file, bytes) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), files::read_pipe(io::stdin().lock()))
    } else {
        (path.display().to_string(), files::read(path))
    };
    let refuse = |reason: String| UsageError(format!("{file}: {reason}"));
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    let records = parse(&file, &bytes, assumed)?;
    Ok((file, records))
}

/// Parses all games of a file. What had to be mended becomes a line on standard
/// error.
///
/// # Errors
/// The bytes are not a record.
pub(super) fn parse(
    file: &str,
    bytes: &[u8],
    assumed: &Assumed,
) -> Result<Vec<Record>, UsageError> {
    let (records, warnings) = Record::read_all(Text::decode(bytes), assumed)
        .map_err(|error| UsageError(format!("{file}: {error}")))?;
    for warning in warnings {
        tell(format_args!("{file}: {warning}"));
    }
    Ok(records)
}

/// Picks game `number`, counted from 1.
///
/// # Errors
/// The file has fewer games.
pub(super) fn one(file: &str, mut records: Vec<Record>, number: u64) -> Result<Record, UsageError> {
    let count = records.len();
    match usize::try_from(number - 1).ok().filter(|&index| index < count) {
        Some(index) => Ok(records.swap_remove(index)),
        None if count == 0 => Err(UsageError(format!("{file}: no game found"))),
        None => {
            Err(UsageError(format!("{file}: --game {number}: the file has games 1 to {count}")))
        }
    }
}
