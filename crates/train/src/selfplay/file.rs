//! Writes files of games. A run locks its file and writes each game when it is
//! over. The next run removes a game that was cut off.

use std::fs::TryLockError;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::header::Header;
use super::reader::{DataError, Games, MAGIC, frame};
use super::record::Played;
use pontifex::files::LockedFile;

/// A file that games are added to.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    file: LockedFile,
    /// The end of its last game, in bytes.
    end: u64,
}

impl DataFile {
    /// Opens `path` to add games, or creates it, and calls `show` for each game
    /// in it. `show` returns whether the game is sound.
    ///
    /// # Errors
    /// See [`DataError`], among others if the header of the file is not
    /// `header`. The file is then unchanged.
    pub fn open(
        path: &Path,
        header: &Header,
        show: impl FnMut(&Played) -> bool,
    ) -> Result<DataFile, DataError> {
        let failed = |error| DataError::File { path: path.to_owned(), error };
        let file = LockedFile::open(path).map_err(|error| match error {
            TryLockError::WouldBlock => DataError::Locked { path: path.to_owned() },
            TryLockError::Error(error) => failed(error),
        })?;
        let first = format!("{MAGIC}{header}\n");
        let mut data = DataFile { path: path.to_owned(), file, end: 0 };
        if data.is_begun(&first).map_err(failed)? {
            data.end = data.games(header, show)?;
            data.cut().map_err(failed)?;
        } else {
            data.cut().map_err(failed)?;
            data.write(first.as_bytes()).map_err(failed)?;
        }
        Ok(data)
    }

    /// Whether the file has more than a prefix of its first line.
    fn is_begun(&mut self, first: &str) -> io::Result<bool> {
        let mut begin = Vec::new();
        (&*self.file).take(first.len() as u64).read_to_end(&mut begin)?;
        self.file.rewind()?;
        Ok(begin.len() == first.len() || !first.as_bytes().starts_with(&begin))
    }

    /// Calls `show` for each game and returns the end of the last.
    fn games(
        &self,
        header: &Header,
        mut show: impl FnMut(&Played) -> bool,
    ) -> Result<u64, DataError> {
        let path = &self.path;
        let failed = |error| DataError::File { path: path.clone(), error };
        let end = self.file.metadata().map_err(failed)?.len();
        let mut games = Games::new(path, &*self.file, end)?;
        let differences = games.header().differences(header);
        if !differences.is_empty() {
            return Err(DataError::Other { path: path.clone(), differences });
        }
        let (mut before, mut at) = (0, games.at());
        while let Some(game) = games.next() {
            if !show(&game?) {
                return Err(DataError::Damaged { path: path.clone(), before, at });
            }
            (before, at) = (before + 1, games.at());
        }
        Ok(at)
    }

    /// Removes what follows the last game.
    fn cut(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end)).map(drop)
    }

    /// Appends all of `bytes`, or nothing.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // If this fails too, the next run cuts the file.
                let _ = self.cut();
                Err(error)
            }
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// [`DataError::File`], for example on a full disk. The games before are
    /// intact, and more can be added later.
    pub fn add(&mut self, game: &Played) -> Result<(), DataError> {
        self.write(&frame(game)).map_err(|error| self.failed(error))
    }

    /// Flushes all games to the disk.
    ///
    /// # Errors
    /// [`DataError::File`].
    pub fn sync(&self) -> Result<(), DataError> {
        self.file.sync_all().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> DataError {
        DataError::File { path: self.path.clone(), error }
    }
}
