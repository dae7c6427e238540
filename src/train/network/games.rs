use std::path::{Path, PathBuf};

use crate::train::selfplay::{DataError, Games, Played};

/// Games to learn from, and the files they are from.
#[derive(Debug, Default)]
pub struct TrainGames {
    pub(super) games: Vec<Played>,
    pub(super) files: Vec<GameFile>,
}

/// What tells a file of games from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameFile {
    /// Its name, without folders.
    pub(super) name: String,
    pub(super) games: u64,
    /// CRC-32 of the bytes of the games.
    pub(super) sum: u32,
}

impl TrainGames {
    /// The games of these files, one after the other.
    ///
    /// # Errors
    /// A file that cannot be read, or a game that is damaged, not legal or
    /// not over.
    pub fn read(paths: &[PathBuf]) -> Result<TrainGames, DataError> {
        let mut all = TrainGames::default();
        for path in paths {
            let file = all.add(path)?;
            all.files.push(file);
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path) -> Result<GameFile, DataError> {
        let mut games = Games::open(path)?;
        let (mut sum, mut before, mut at) = (crc32fast::Hasher::new(), 0, games.at());
        while let Some(game) = games.next() {
            let game = game?;
            if !game.is_sound() {
                return Err(DataError::Damaged { path: path.to_owned(), before, at });
            }
            sum.update(&game.to_bytes());
            self.games.push(game);
            (before, at) = (before + 1, games.at());
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        // Names stand at the ends of lines.
        let name = name.replace(char::is_control, " ").trim().to_owned();
        Ok(GameFile { name, games: before, sum: sum.finalize() })
    }
}
