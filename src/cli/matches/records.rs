//! The games of a match as SGF files.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::game::Rules;
use crate::notation::sgf;
use crate::tournament::Entry;

/// The output of the games.
pub(super) struct Records {
    target: Target,
    rules: Rules,
}

enum Target {
    /// All games in one file.
    File(File),
    /// One file per game in this folder; the names written so far.
    Folder(PathBuf, HashSet<String>),
}

impl Records {
    /// Creates a file or folder for games by `rules`. A path is a folder if it is
    /// an existing folder or has no extension. An existing file is
    /// overwritten.
    pub(super) fn create(path: &Path, rules: Rules) -> io::Result<Records> {
        let is_folder = path.is_dir()
            || path.extension().is_none()
            || path.to_str().is_some_and(|path| path.ends_with(std::path::is_separator));
        let target = if is_folder {
            fs::create_dir_all(path)?;
            Target::Folder(path.to_owned(), HashSet::new())
        } else {
            Target::File(File::create(path)?)
        };
        Ok(Records { target, rules })
    }

    /// Writes a game.
    pub(super) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let record = entry.record(self.rules).map_err(io::Error::other)?;
        let text = sgf::write(&record);
        match &mut self.target {
            Target::File(file) => file.write_all(text.as_bytes()),
            Target::Folder(folder, written) => {
                // Names of engines may differ only in characters that file
                // names do not keep.
                let mut number = 1;
                while written.contains(&file_name(entry, number)) {
                    number += 1;
                }
                let name = file_name(entry, number);
                fs::write(folder.join(&name), text)?;
                written.insert(name);
                Ok(())
            }
        }
    }
}

/// `00012-A-B-1.sgf`: the round (from 1), the engines, and the game of the pair;
/// `00012-A-B-1-2.sgf` if that name is taken.
fn file_name(entry: &Entry, number: u32) -> String {
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric() && c != '_', "_");
    let game = if entry.white == entry.a { 1 } else { 2 };
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    format!("{:05}-{}-{}-{game}{number}.sgf", entry.round + 1, plain(&entry.a), plain(&entry.b))
}
