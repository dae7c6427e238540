//! Writing results without overwriting inputs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::exit::{UsageError, is_broken_pipe};
use pontifex::files;

/// Refuses to overwrite an input. `option` is the option that names the output.
pub(super) fn spare<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    option: &str,
    output: &Path,
) -> Result<(), UsageError> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_same = |input: &&PathBuf| input.as_os_str() != "-" && real(input) == real(output);
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

/// Makes it no error that nobody reads what was printed: for commands that have
/// more to do than to print.
pub(super) fn even_unread(printed: Result<(), impl Into<anyhow::Error>>) -> anyhow::Result<()> {
    printed
        .map_err(Into::into)
        .or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Writes a file whole or not at all, replacing an existing one.
pub(super) fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    files::write_whole(path, bytes.as_ref())
        .with_context(|| format!("cannot write {}", path.display()))
}
