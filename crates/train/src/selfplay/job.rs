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
use pontifex::search::Searcher;

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
