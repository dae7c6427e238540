//! Files of games: a line of text with the settings, then for each game its length (4 bytes), its
//! CRC-32 (4 bytes) and its encoding.
//!
//! ```text
//!   pontifex-games 3 board=10 supply=standard full=400 …\n
//!   ┌────────┬────────┬───────────┬────────┬────────┬───────────┬────────┬───
//!   │ length │ CRC-32 │ game      │ length │ CRC-32 │ game      │ length │ CR     ◄ cut off
//!   └────────┴────────┴───────────┴────────┴────────┴───────────┴────────┴───
//! ```
//!
//! A run locks its file and writes each game when it is over. The next run removes a game that was
//! cut off and replays it.
//!
//! # Cut off or damaged
//! Two faults look alike, and must be told apart. A run that is killed, or a power failure, leaves
//! an incomplete game at the end: this is normal, and cutting it off loses nothing. A flipped bit
//! in the middle is not: cutting there would lose every later game. A damaged *length* is the
//! treacherous case, since it makes a complete game look as if it reached beyond the end of the
//! file. The checksum decides: if some prefix of the rest of the file has the checksum of the game,
//! the game is complete and its length is wrong ([`is_cut_off`]).
//!
//! A damaged file is read up to the damage and never written. The error names the byte, so that the
//! file can be cut there by hand.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::selfplay::record::Played;
use crate::selfplay::settings::Header;
use pontifex::files::{self, LockedFile};

/// A file that games are added to.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    file: LockedFile,
    /// The end of its last game, in bytes.
    end: u64,
}

impl DataFile {
    /// Opens `path` to add games, or creates it, and calls `accept` for each game in it. `accept`
    /// returns whether the game is sound.
    ///
    /// # Errors
    /// See [`DataError`]. A file with a header other than `header` is refused and left unchanged.
    pub fn open(
        path: &Path,
        header: &Header,
        accept: &mut dyn FnMut(&Played) -> bool,
    ) -> Result<DataFile, DataError> {
        let file_error = |error| DataError::File { path: path.to_owned(), error };
        let file = LockedFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => DataError::Locked { path: path.to_owned() },
            TryLockError::Error(error) => file_error(error),
        })?;
        let first_line = format!("{MAGIC}{header}\n");
        let mut data_file = DataFile { path: path.to_owned(), file, end: 0 };
        if data_file.has_content(&first_line).map_err(file_error)? {
            data_file.end = data_file.read_games(header, accept)?;
            data_file.truncate().map_err(file_error)?;
        } else {
            data_file.truncate().map_err(file_error)?;
            data_file.write(first_line.as_bytes()).map_err(file_error)?;
        }
        Ok(data_file)
    }

    /// Whether the file has more than a prefix of its first line. A run that was killed while
    /// writing that line leaves a prefix, which may be replaced.
    fn has_content(&mut self, first_line: &str) -> io::Result<bool> {
        let mut prefix = Vec::new();
        (&*self.file).take(first_line.len() as u64).read_to_end(&mut prefix)?;
        self.file.rewind()?;
        Ok(prefix.len() == first_line.len() || !first_line.as_bytes().starts_with(&prefix))
    }

    /// Calls `accept` for each game and returns the end of the last.
    fn read_games(
        &self,
        header: &Header,
        accept: &mut dyn FnMut(&Played) -> bool,
    ) -> Result<u64, DataError> {
        let path = &self.path;
        let file_error = |error| DataError::File { path: path.clone(), error };
        let length = self.file.metadata().map_err(file_error)?.len();
        let mut games = Games::new(path, &*self.file, length)?;
        let differences = games.header().differences(header);
        if !differences.is_empty() {
            return Err(DataError::OtherSettings { path: path.clone(), differences });
        }
        let (mut count, mut end) = (0, games.end_read());
        while let Some(game) = games.next() {
            if !accept(&game?) {
                return Err(DataError::Damaged { path: path.clone(), before: count, at: end });
            }
            (count, end) = (count + 1, games.end_read());
        }
        Ok(end)
    }

    /// Removes what follows the last game.
    fn truncate(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end)).map(drop)
    }

    /// Appends all of `bytes`, or nothing: half a game in front of the next one would be damage.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // If this fails too, the next run cuts the file.
                let _ = self.truncate();
                Err(error)
            }
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// [`DataError::File`], for example on a full disk. The games before are intact, and more can
    /// be added later.
    pub fn add(&mut self, game: &Played) -> Result<(), DataError> {
        self.write(&frame(game)).map_err(|error| self.file_error(error))
    }

    /// Flushes all games to the disk.
    ///
    /// # Errors
    /// [`DataError::File`].
    pub fn sync(&self) -> Result<(), DataError> {
        self.file.sync_all().map_err(|error| self.file_error(error))
    }

    fn file_error(&self, error: io::Error) -> DataError {
        DataError::File { path: self.path.clone(), error }
    }
}

/// Iterates over the games of a file. A game that is cut off at the end is left out: it is still
/// being written, or writing was interrupted.
#[derive(Debug)]
pub struct Games<R = File> {
    path: PathBuf,
    header: Header,
    input: BufReader<R>,
    read_count: u64,
    /// The end of the last game read, in bytes.
    end_read: u64,
    /// The length of the file when it was opened. A run may append games meanwhile: they are not
    /// read, since the last may be incomplete.
    length: u64,
}

/// The beginning of a file. The header follows on the same line.
const MAGIC: &str = "pontifex-games 3 ";

/// The maximum length of the first line, in bytes. It limits how much of a foreign file without a
/// line feed is read.
const MAX_HEADER_BYTES: u64 = 4096;

/// The maximum length of a game, in bytes: more than ten times that of a long one. So a damaged
/// length cannot ask for gigabytes.
const MAX_GAME_BYTES: usize = 1 << 20;

impl Games {
    /// Opens a file, which may still be written to.
    ///
    /// # Errors
    /// When it cannot be read, or does not begin with the first line of a file of games.
    pub fn open(path: &Path) -> Result<Games, DataError> {
        let file_error = |error| DataError::File { path: path.to_owned(), error };
        let file = files::open_regular(path).map_err(file_error)?;
        let length = file.metadata().map_err(file_error)?.len();
        Games::new(path, file, length)
    }
}

impl<R: Read> Games<R> {
    /// Reads from `input`, which has `length` bytes. `path` is for errors.
    fn new(path: &Path, input: R, length: u64) -> Result<Games<R>, DataError> {
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        (&mut input)
            .take(MAX_HEADER_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| DataError::File { path: path.to_owned(), error })?;
        let text = line.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok());
        let header = text
            .and_then(|line| line.strip_prefix(MAGIC))
            .map(Header::parse)
            .ok_or_else(|| DataError::Foreign { path: path.to_owned() })?;
        let end_read = line.len() as u64;
        Ok(Games { path: path.to_owned(), header, input, read_count: 0, end_read, length })
    }

    /// The settings of the games.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The end in bytes of the last game read, or of the first line before any game.
    fn end_read(&self) -> u64 {
        self.end_read
    }

    /// Reads the next game.
    fn next_game(&mut self) -> io::Result<Next> {
        // With fewer bytes than those of length and checksum, the file ends or is cut off here.
        let Some(remaining) = self.length.saturating_sub(self.end_read).checked_sub(8) else {
            return Ok(Next::End);
        };
        let mut head = [[0; 4]; 2];
        self.input.read_exact(head.as_flattened_mut())?;
        let [length, checksum] = head.map(u32::from_le_bytes);
        if length == 0 || length as usize > MAX_GAME_BYTES || u64::from(length) > remaining {
            let mut rest = Vec::new();
            (&mut self.input).take(remaining).read_to_end(&mut rest)?;
            let is_end = is_cut_off(length, checksum, &rest);
            return Ok(if is_end { Next::End } else { Next::Damaged });
        }
        let mut bytes = vec![0; length as usize];
        self.input.read_exact(&mut bytes)?;
        let is_whole = crc32fast::hash(&bytes) == checksum;
        let game = is_whole.then(|| Played::from_bytes(&bytes)).flatten();
        Ok(game.map_or(Next::Damaged, |game| Next::Game(game, 8 + bytes.len() as u64)))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Played, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (before, at) = (self.read_count, self.end_read);
        let next = self.next_game();
        let path = || self.path.clone();
        let error = match next {
            Ok(Next::Game(game, bytes)) => {
                self.read_count += 1;
                self.end_read += bytes;
                return Some(Ok(game));
            }
            Ok(Next::End) => None,
            Ok(Next::Damaged) => Some(DataError::Damaged { path: path(), before, at }),
            Err(error) => Some(DataError::File { path: path(), error }),
        };
        // The iterator ends after an error: where the next game begins is unknown.
        self.length = 0;
        error.map(Err)
    }
}

/// The result of reading a game.
enum Next {
    /// A game and its length in the file.
    Game(Played, u64),
    Damaged,
    End,
}

/// Whether the file was cut off within a game of this length and checksum; `rest` is what follows
/// them. If a prefix of `rest` has the checksum, the game is complete and its length is damaged.
/// After a loss of power the rest of a file can be zeros.
fn is_cut_off(length: u32, checksum: u32, rest: &[u8]) -> bool {
    if length == 0 || length as usize > MAX_GAME_BYTES {
        return length == 0 && checksum == 0 && rest.iter().all(|&byte| byte == 0);
    }
    // The rest is shorter than the length, so at most a mebibyte is tried.
    let mut hasher = crc32fast::Hasher::new();
    !rest.iter().any(|&byte| {
        hasher.update(&[byte]);
        hasher.clone().finalize() == checksum
    })
}

/// The bytes of a game in a file: length, checksum, encoding.
fn frame(game: &Played) -> Vec<u8> {
    let game = game.to_bytes();
    let mut bytes = Vec::with_capacity(game.len() + 8);
    bytes.extend((game.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&game).to_le_bytes());
    bytes.extend(game);
    bytes
}

/// Reads all games in `path`, except one that is cut off at the end.
///
/// # Errors
/// The first fault of the file; the games before it are lost. [`Games`] yields them.
pub fn read(path: &Path) -> Result<Vec<Played>, DataError> {
    Games::open(path)?.collect()
}

/// Whether these bytes are the beginning of a file of games, of any version.
pub fn is_file_of_games(bytes: &[u8]) -> bool {
    bytes.starts_with(b"pontifex-games ")
}

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file, as the caller named it.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },
    /// Another process is adding games to it.
    #[error("{} is being written by another run", path.display())]
    Locked {
        /// The file, as the caller named it.
        path: PathBuf,
    },
    /// It is not a file of games.
    #[error(
        "{} is not a file of pontifex selfplay: it does not begin with '{}'",
        path.display(),
        MAGIC.trim_end()
    )]
    Foreign {
        /// The file, as the caller named it.
        path: PathBuf,
    },
    /// Its games were played with other settings.
    #[error("{} has games of other settings: {}", path.display(), differences.join("; "))]
    OtherSettings {
        /// The file, as the caller named it.
        path: PathBuf,
        /// Each setting that differs, with both values.
        differences: Vec<String>,
    },
    /// A game is damaged.
    #[error(
        "{}: game {} of the file, at byte {at}, is damaged; the file cut there is whole again",
        path.display(),
        before + 1
    )]
    Damaged {
        /// The file, as the caller named it.
        path: PathBuf,
        /// The number of games before it.
        before: u64,
        /// Where the damaged game begins, in bytes from the start of the file.
        at: u64,
    },
}
