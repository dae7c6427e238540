//! Plays many games in parallel.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use super::file::DataFile;
use super::reader::DataError;
use super::record::Played;
use super::settings::Settings;
use crate::search::Searcher;

/// A job failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// A game could not be written.
    #[error(transparent)]
    File(#[from] DataError),
    /// The memory is too small for a search.
    #[error("{0} MiB of memory is too little for a search")]
    Memory(usize),
}

/// Plays the games with these numbers on `threads` threads, adds each to `file`
/// when it is over, then calls `show`. Once `stop` is set, no more games are
/// started, and those running are finished.
///
/// # Errors
/// See [`JobError`]. Games written before are intact.
pub fn run(
    settings: &Settings,
    numbers: impl Iterator<Item = u64> + Send,
    threads: usize,
    file: &mut DataFile,
    stop: &AtomicBool,
    mut show: impl FnMut(&Played),
) -> Result<(), JobError> {
    let numbers = Mutex::new(numbers);
    let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        let (sender, games) = sync_channel(threads);
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut searcher = Searcher::default();
                while !stop.load(Ordering::Relaxed)
                    && let Some(number) = next()
                {
                    let game = settings.play(number, &mut searcher);
                    // The receiver is gone after an error.
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for game in games {
            let game = game.ok_or(JobError::Memory(settings.config.memory))?;
            file.add(&game)?;
            show(&game);
        }
        Ok(file.sync()?)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::read;
    use super::*;
    use crate::board::Size;

    fn settings() -> Settings {
        Settings { size: Size::MIN, full: 12, quick: 4, ..Settings::default() }
    }

    /// Plays games 0 to 9 into a new file and reads them back, by number.
    fn play(name: &str, threads: usize, stop_after: usize) -> Vec<Played> {
        let path = std::env::temp_dir().join(format!("pontifex-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        let settings = settings();
        let mut file = DataFile::open(&path, &settings.header(), |_| true).unwrap();
        let stop = AtomicBool::new(false);
        let mut shown = 0;
        run(&settings, 0..10, threads, &mut file, &stop, |_| {
            shown += 1;
            stop.store(shown >= stop_after, Ordering::Relaxed);
        })
        .unwrap();
        let mut games = read(&path).unwrap();
        assert_eq!(games.len(), shown);
        fs::remove_file(path).unwrap();
        games.sort_by_key(|game| game.number);
        games
    }

    #[test]
    fn games_do_not_depend_on_the_number_of_threads() {
        let alone = play("alone.games", 1, 10);
        assert!(alone.iter().map(|game| game.number).eq(0..10));
        assert_eq!(play("together.games", 3, 10), alone);
    }

    #[test]
    fn running_games_are_finished_after_a_stop() {
        let games = play("stopped.games", 2, 1);
        // At most one more on each thread, and those already sent.
        assert!((1..10).contains(&games.len()), "{} games", games.len());
    }
}
