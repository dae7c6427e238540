//! The games of a match as SGF files.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use pontifex::files;
use pontifex::game::Rules;
use pontifex::notation::sgf;
use pontifex_tournament::Entry;

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
    /// Creates a file or folder with `games` by `rules`, to which more can be
    /// added. A path is a folder if it is an existing folder or has no
    /// extension. An existing file is replaced once all `games` are written.
    pub(super) fn create(path: &Path, rules: Rules, games: &[&Entry]) -> io::Result<Records> {
        let is_folder = path.is_dir()
            || path.extension().is_none()
            || path.to_str().is_some_and(|path| path.ends_with(std::path::is_separator));
        if is_folder {
            fs::create_dir_all(path)?;
            let target = Target::Folder(path.to_owned(), HashSet::new());
            let mut records = Records { target, rules };
            games.iter().try_for_each(|entry| records.add(entry))?;
            return Ok(records);
        }
        let texts: Vec<String> =
            games.iter().map(|entry| text(entry, rules)).collect::<io::Result<_>>()?;
        let file = files::begin(path, texts.concat().as_bytes())?;
        Ok(Records { target: Target::File(file), rules })
    }

    /// Writes a game, whole or not at all.
    pub(super) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let text = text(entry, self.rules)?;
        match &mut self.target {
            Target::File(file) => {
                // A pipe has no end to go back to.
                let end = file.seek(io::SeekFrom::End(0));
                file.write_all(text.as_bytes()).inspect_err(|_| {
                    if let Ok(end) = end {
                        let _ = file.set_len(end);
                    }
                })
            }
            Target::Folder(folder, written) => {
                // Names of engines may differ only in characters that file
                // names do not keep.
                let mut number = 1;
                while written.contains(&file_name(entry, number)) {
                    number += 1;
                }
                let name = file_name(entry, number);
                files::write_whole(&folder.join(&name), text.as_bytes())?;
                written.insert(name);
                Ok(())
            }
        }
    }
}

fn text(entry: &Entry, rules: Rules) -> io::Result<String> {
    Ok(sgf::write(&entry.record(rules).map_err(io::Error::other)?))
}

/// `00012-A-B-1.sgf`: the round (from 1), the engines, and the game of the pair;
/// `00012-A-B-1-2.sgf` if that name is taken.
fn file_name(entry: &Entry, number: u32) -> String {
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric() && c != '_', "_");
    let game = if entry.white == entry.a { 1 } else { 2 };
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    format!("{:05}-{}-{}-{game}{number}.sgf", entry.round + 1, plain(&entry.a), plain(&entry.b))
}
