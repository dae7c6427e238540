//! A training and its files: the network, the checkpoint, the curves.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::chart;
use super::checkpoint::{self, Checkpoint, Fault, Subject};
use super::curves::Row;
use super::games::TrainGames;
use super::losses::Summary;
use super::options::TrainOptions;
use super::trainer::Trainer;
use super::training::Training;
use crate::eval::network::{Network, NetworkError};

/// How often at most the network and the checkpoint are written.
const SAVED_EVERY: Duration = Duration::from_secs(60);

/// A network cannot be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another run trains the same network.
    #[error("{} is being written by another run", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing to learn.
    #[error("there is no game to learn from: {games} games were read, {held_out} of them held out")]
    NoGames {
        /// Games that were read.
        games: usize,
        /// Games held out.
        held_out: usize,
    },
    /// The network would take the place of something else.
    #[error("{} is there and is no network: name another file for the output", path.display())]
    Output {
        /// The file.
        path: PathBuf,
    },
    /// What should be the checkpoint is something else.
    #[error(
        "{} is no checkpoint of pontifex train: move it away, or name another file for the output",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is not what was written.
    #[error("{} is damaged: delete it to train from the beginning", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is of another training.
    #[error(
        "{} is of another training: {}; go back to what it says, or delete it to train from the \
         beginning",
        path.display(),
        differences.join("; ")
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
}

/// A network that is being trained into a file.
#[derive(Debug)]
pub struct TrainJob {
    output: PathBuf,
    subject: Subject,
    training: Training,
    /// Locked while this run trains the network.
    _lock: File,
    /// How many windows it has, and when it was written.
    saved: Option<(u64, Instant)>,
}

impl TrainJob {
    /// Begins to train a network into the file `output`, or goes on where its
    /// checkpoint says that an earlier run stopped.
    ///
    /// # Errors
    /// See [`TrainError`]; nothing but an empty file for the lock was written
    /// then, unless the disk is full.
    pub fn open(
        output: &Path,
        options: &TrainOptions,
        games: TrainGames,
    ) -> Result<TrainJob, TrainError> {
        let subject = Subject { options: options.header(), files: games.files.clone() };
        let path = beside(output, "checkpoint");
        if !path.exists() {
            check_output(output)?;
        }
        let mut training = Training::new(*options, games);
        let [fitted, held_out] = training.games();
        if fitted == 0 {
            return Err(TrainError::NoGames { games: held_out, held_out });
        }
        let lock = lock(&beside(output, "lock"), output)?;
        if let Some(there) = read_checkpoint(&path, &subject)? {
            training.windows = there.windows;
            training.curves = there.curves;
            training.trainer = Trainer::with(there.weights, there.adam);
        }
        let output = output.to_owned();
        let mut job = TrainJob { output, subject, training, _lock: lock, saved: None };
        // Of the other files there may be older ones, or none. And better now
        // than later it shows that nothing can be written.
        job.save()?;
        job.write_curves()?;
        Ok(job)
    }

    /// Learns the next window, if there is one, and writes the curves; the
    /// network and the checkpoint when the last ones are a minute old, or
    /// nothing is left to learn.
    ///
    /// # Errors
    /// [`TrainError::File`], as on a full disk.
    pub fn advance(&mut self) -> Result<Option<Row>, TrainError> {
        let Some(row) = self.training.advance().copied() else { return Ok(None) };
        self.write_curves()?;
        if self.is_done() || self.saved.is_none_or(|(_, when)| when.elapsed() >= SAVED_EVERY) {
            self.save()?;
        }
        Ok(Some(row))
    }

    /// Writes the network and the checkpoint, if they are not up to date.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn save(&mut self) -> Result<(), TrainError> {
        let windows = self.training.windows;
        if self.saved.is_some_and(|(there, _)| there == windows) {
            return Ok(());
        }
        if windows > 0 {
            write(&self.output, &self.training.trainer.to_bytes())?;
        }
        let checkpoint = checkpoint::to_bytes(&self.subject, &self.training);
        write(&beside(&self.output, "checkpoint"), &checkpoint)?;
        self.saved = Some((windows, Instant::now()));
        Ok(())
    }

    fn write_curves(&self) -> Result<(), TrainError> {
        let curves = &self.training.curves;
        write(&beside(&self.output, "curves.txt"), curves.to_string().as_bytes())?;
        let name = self.output.file_name().unwrap_or_default().to_string_lossy();
        write(&beside(&self.output, "curves.svg"), chart::svg(&name, curves).as_bytes())?;
        Ok(())
    }

    /// Windows that are learnt, and those there are.
    pub fn windows(&self) -> (u64, u64) {
        (self.training.windows, self.training.planned())
    }

    /// Whether nothing is left to learn.
    pub fn is_done(&self) -> bool {
        self.training.windows >= self.training.planned()
    }

    /// Games that are learnt, and those held out.
    pub fn games(&self) -> (usize, usize) {
        self.training.games().into()
    }

    /// Positions learnt, each as often as it was.
    pub fn positions(&self) -> f64 {
        self.training.curves.positions()
    }

    /// Mean losses on the games held out: those of the linear evaluation, and
    /// of the network.
    pub fn measure(&self) -> [Summary; 2] {
        [self.training.measure_linear(), self.training.measure()]
    }
}

/// The file that is called as the network is, and then `name`.
fn beside(output: &Path, name: &str) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".");
    path.push(name);
    path.into()
}

/// The lock of the training of `output`, a file that stays.
fn lock(path: &Path, output: &Path) -> Result<File, TrainError> {
    let failed = |error| TrainError::File { path: path.to_owned(), error };
    let file = File::create(path).map_err(failed)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => TrainError::Locked { path: output.to_owned() },
        TryLockError::Error(error) => failed(error),
    })?;
    Ok(file)
}

/// The checkpoint in a file, if there is one, and it is of this training.
fn read_checkpoint(path: &Path, subject: &Subject) -> Result<Option<Checkpoint>, TrainError> {
    let path = path.to_owned();
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TrainError::File { path, error }),
    };
    let there = match checkpoint::from_bytes(&bytes) {
        Ok(there) => there,
        Err(Fault::Foreign) => return Err(TrainError::Foreign { path }),
        Err(Fault::Damaged) => return Err(TrainError::Damaged { path }),
    };
    let differences = there.subject.differences(subject);
    if !differences.is_empty() {
        return Err(TrainError::Other { path, differences });
    }
    if there.fits() { Ok(Some(there)) } else { Err(TrainError::Damaged { path }) }
}

/// Refuses to write over what is no network.
fn check_output(path: &Path) -> Result<(), TrainError> {
    let path = path.to_owned();
    match fs::read(&path).map(|bytes| Network::from_bytes(&bytes)) {
        Ok(Err(NetworkError::Foreign)) => Err(TrainError::Output { path }),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TrainError::File { path, error })
        }
        _ => Ok(()),
    }
}

/// Writes a file so that there is always the old one or the new one, whole.
fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let new = beside(path, "new");
    let written = File::create(&new)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&new, path));
    written.map_err(|error| {
        // Half of it is of no use.
        let _ = fs::remove_file(&new);
        TrainError::File { path: path.to_owned(), error }
    })
}
