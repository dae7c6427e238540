//! Files of games: a line of text that says how they were played, then for
//! each game its length (4 bytes), its CRC-32 (4) and its bytes.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Played;

/// What a file says of its games; files of the same header belong together.
pub type Header = String;

const MAGIC: &str = "pontifex-games 2";

/// The longest a game can be.
const MOST_BYTES: usize = 1 << 20;

/// A file of games is of no use.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else.
    #[error("{path} is not a file of `pontifex selfplay`: it does not begin with '{MAGIC}'")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Its games were played in another way than those to be added.
    #[error("{path} holds games played with '{there}', not with '{wanted}'")]
    Other {
        /// The file.
        path: PathBuf,
        /// How its games were played.
        there: Header,
        /// How those to be added are.
        wanted: Header,
    },
    /// A game is not what was written.
    #[error("{path}: the game at byte {at} is damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        at: u64,
    },
}

/// A file that games are added to.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    file: File,
}

impl DataFile {
    /// Opens `path` to add games played as `header` says, making it if there
    /// is none; and the numbers of the games it has. A game cut off at the
    /// end is taken away.
    pub fn open(path: &Path, header: &str) -> Result<(DataFile, Vec<u64>), DataError> {
        let failed = |error| DataError::File { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let mut numbers = Vec::new();
        if bytes.is_empty() {
            file.write_all(format!("{MAGIC} {header}\n").as_bytes()).map_err(failed)?;
        } else {
            let (there, games) = split(path, &bytes)?;
            if there != header {
                let (there, wanted) = (there.to_owned(), header.to_owned());
                return Err(DataError::Other { path: path.to_owned(), there, wanted });
            }
            let mut end = bytes.len() - games.len();
            for game in (Games { path, bytes: games, at: end }) {
                let (game, after) = game?;
                numbers.push(game.number);
                end = after;
            }
            file.set_len(end as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok((DataFile { path: path.to_owned(), file }, numbers))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Played) -> Result<(), DataError> {
        let game = game.to_bytes();
        let mut bytes = Vec::with_capacity(game.len() + 8);
        bytes.extend((game.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&game).to_le_bytes());
        bytes.extend(game);
        self.file
            .write_all(&bytes)
            .map_err(|error| DataError::File { path: self.path.clone(), error })
    }
}

/// The games in `path`; one cut off at the end is left out.
pub fn read(path: &Path) -> Result<Vec<Played>, DataError> {
    let bytes =
        std::fs::read(path).map_err(|error| DataError::File { path: path.to_owned(), error })?;
    let (_, games) = split(path, &bytes)?;
    let at = bytes.len() - games.len();
    Games { path, bytes: games, at }.map(|game| game.map(|(game, _)| game)).collect()
}

/// The header of a file and its games.
fn split<'a>(path: &Path, bytes: &'a [u8]) -> Result<(&'a str, &'a [u8]), DataError> {
    let foreign = || DataError::Foreign { path: path.to_owned() };
    let end = bytes.iter().take(4096).position(|&byte| byte == b'\n').ok_or_else(foreign)?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| foreign())?;
    let header = line.strip_prefix(MAGIC).ok_or_else(foreign)?;
    Ok((header.trim_start(), &bytes[end + 1..]))
}

/// The games of a file and where each ends.
struct Games<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<(Played, usize), DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (head, rest) = self.bytes.split_first_chunk::<8>()?;
        let [length, sum] = [&head[..4], &head[4..]]
            .map(|bytes| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)));
        let length = length as usize;
        let at = self.at as u64;
        let damaged = || Some(Err(DataError::Damaged { path: self.path.to_owned(), at }));
        if length > MOST_BYTES {
            self.bytes = &[];
            return damaged();
        }
        let (game, rest) = rest.split_at_checked(length)?;
        let played = (crc32fast::hash(game) == sum).then(|| Played::from_bytes(game)).flatten();
        self.at += 8 + length;
        self.bytes = if played.is_some() { rest } else { &[] };
        match played {
            Some(played) => Some(Ok((played, self.at))),
            None => damaged(),
        }
    }
}
