//! Output files of the opening makers: a fixed header, then one line per
//! result. An interrupted run continues such a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use pontifex::files;
use pontifex::messages::excerpt;
use pontifex::notation::without_mark;

/// Why openings cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The file cannot be read or written.
    #[error("cannot write {}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The cause.
        reason: io::Error,
    },
    /// The file was made with other options, or is something else.
    #[error("{} line {line} is '{found}', but with these options it would be '{wanted}': name another file", file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// The first line that differs, from 1.
        line: usize,
        /// The line in the file.
        found: String,
        /// The line that these options would make.
        wanted: String,
    },
    /// No new opening is found any more.
    #[error(
        "only {found} of {count} openings found among {tried} candidates: ask for fewer openings, more turns or a larger threshold"
    )]
    Exhausted {
        /// The number of openings found, which are in the file.
        found: usize,
        /// The number of openings wanted.
        count: usize,
        /// The number of candidates drawn.
        tried: u64,
    },
}

/// A file of lines below a header.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Opens the file, or creates it with `header` (whole lines), and returns
    /// the complete lines below the header. An incomplete last line is
    /// removed.
    pub(super) fn open(path: &Path, header: &str) -> Result<(Lines, Vec<String>), MakeError> {
        let wrong = |reason| MakeError::File { file: path.to_owned(), reason };
        let read = || io::read_to_string(files::open_regular(path)?);
        let text = match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(wrong)?,
        };
        let mark = text.len() - without_mark(text.as_bytes()).len();
        let is_begun = !header.starts_with(&text[mark..]);
        if is_begun {
            check_header(path, &text[mark..], header)?;
        } else {
            files::write_whole(path, header.as_bytes()).map_err(wrong)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(wrong)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if is_begun {
            file.set_len(whole as u64).map_err(wrong)?;
        }
        let lines = text.get(mark + header.len()..whole).unwrap_or_default().lines();
        Ok((Lines { path: path.to_owned(), file }, lines.map(str::to_owned).collect()))
    }

    /// Appends a line and writes it immediately.
    pub(super) fn push(&mut self, line: &str) -> Result<(), MakeError> {
        let wrong = |reason| MakeError::File { file: self.path.clone(), reason };
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(wrong)
    }
}

/// Checks that the text begins with the header.
///
/// # Errors
/// The first line that differs.
fn check_header(path: &Path, text: &str, header: &str) -> Result<(), MakeError> {
    let mut found = text.lines();
    for (number, wanted) in header.lines().enumerate() {
        let found = found.next().unwrap_or_default();
        if found != wanted {
            return Err(differs(path, number + 1, found, wanted));
        }
    }
    Ok(())
}

/// The error for a file whose line `line` should be `wanted`.
pub(super) fn differs(path: &Path, line: usize, found: &str, wanted: &str) -> MakeError {
    let (found, wanted) = (excerpt(found), excerpt(wanted));
    MakeError::Other { file: path.to_owned(), line, found, wanted }
}
