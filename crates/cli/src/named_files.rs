//! Records read from files named on the command line, and results written without overwriting
//! inputs.
//!
//! A command on several files skips a file that cannot be read: it reports the error, processes the
//! others and ends with exit code 1. If none can be read, the last error is that of the command.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use pontifex::files;
use pontifex::messages::tell;
use pontifex::notation::{DefaultRules, Record, Text};
use pontifex_tournament::journal::read_records;

use super::exit::{UsageError, is_broken_pipe};

/// Reads all games of a file, which is a record in any format or the journal of a match; `-` is
/// standard input. Returns the name of the file for messages, and the games.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn records(
    path: &Path,
    default_rules: &DefaultRules,
) -> Result<(String, Vec<Record>), UsageError> {
    let (file, bytes) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), files::read_pipe(io::stdin().lock()))
    } else {
        (path.display().to_string(), files::read(path))
    };
    let refuse = |reason: String| UsageError(format!("{file}: {reason}"));
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    let records = match read_records(Path::new(&file), &bytes) {
        Some(records) => records.map_err(|error| UsageError(error.to_string()))?,
        None => parse_records(&file, &bytes, default_rules)?,
    };
    Ok((file, records))
}

/// Parses all games of a file. Each repair becomes a warning on standard error.
///
/// # Errors
/// The bytes are not a record.
pub(super) fn parse_records(
    file: &str,
    bytes: &[u8],
    default_rules: &DefaultRules,
) -> Result<Vec<Record>, UsageError> {
    let (records, warnings) = Record::read_all(Text::decode(bytes), default_rules)
        .map_err(|error| UsageError(format!("{file}: {error}")))?;
    for warning in warnings {
        tell(format_args!("{file}: {warning}"));
    }
    Ok(records)
}

/// The inputs that could be read.
#[derive(Debug)]
pub(super) struct Batch<T> {
    pub(super) items: Vec<T>,
    /// Whether some could not be read. Their errors have been reported.
    pub(super) is_incomplete: bool,
}

impl<T> Batch<T> {
    /// Reads inputs one by one. One that cannot be read is reported and skipped.
    ///
    /// # Errors
    /// None can be read.
    pub(super) fn read<I>(
        inputs: impl IntoIterator<Item = I>,
        read: impl Fn(I) -> Result<T, UsageError>,
    ) -> Result<Batch<T>, UsageError> {
        let (mut items, mut errors) = (Vec::new(), Vec::new());
        for input in inputs {
            match read(input) {
                Ok(item) => items.push(item),
                Err(error) => errors.push(error),
            }
        }
        // The last error becomes that of the command.
        let fatal = if items.is_empty() { errors.pop() } else { None };
        let is_incomplete = !errors.is_empty();
        errors.iter().for_each(tell);
        fatal.map_or(Ok(Batch { items, is_incomplete }), Err)
    }
}

/// The exit code of a command that has processed all inputs that could be read.
pub(super) fn batch_exit_code(is_incomplete: bool) -> ExitCode {
    if is_incomplete { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Picks game `number`, counted from 1.
///
/// # Errors
/// The file has fewer games.
pub(super) fn pick_game(
    file: &str,
    mut records: Vec<Record>,
    number: u64,
) -> Result<Record, UsageError> {
    let count = records.len();
    match usize::try_from(number - 1).ok().filter(|&index| index < count) {
        Some(index) => Ok(records.swap_remove(index)),
        None if count == 0 => Err(UsageError(format!("{file}: no game found"))),
        None => {
            Err(UsageError(format!("{file}: --game {number}: the file has games 1 to {count}")))
        }
    }
}

/// Refuses to overwrite an input, even through a link. `option` is the option that names the
/// output.
pub(super) fn refuse_overwrite<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    option: &str,
    output: &Path,
) -> Result<(), UsageError> {
    // A file that does not exist has no canonical path and is no input either.
    let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_same =
        |input: &&PathBuf| input.as_os_str() != "-" && canonical(input) == canonical(output);
    match inputs.into_iter().find(is_same) {
        Some(input) => {
            let input = input.display();
            Err(UsageError(format!("{option} would overwrite {input}: name another file")))
        }
        None => Ok(()),
    }
}

/// Writes to standard output.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    Ok(stdout.flush()?)
}

/// Ignores a broken pipe in the result of printing: for commands that also do something else, for
/// example write files.
pub(super) fn ignore_broken_pipe(
    result: Result<(), impl Into<anyhow::Error>>,
) -> anyhow::Result<()> {
    result
        .map_err(Into::into)
        .or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Writes a file whole or not at all, replacing an existing one.
pub(super) fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    files::write_whole(path, bytes.as_ref())
        .with_context(|| format!("cannot write {}", path.display()))
}
