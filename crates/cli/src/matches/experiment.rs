//! The experiments of a queue: how its file is read, and the state of each experiment.
//!
//! An experiment's options come from four places. Each overrides those below it, except that
//! engines add up:
//!
//! ```text
//! command line              pontifex match --queue night.toml --games 4
//! table of the experiment   [[experiment]] time = 0.1
//! head of the file          concurrency = 2
//! defaults of a match
//! ```
//!
//! The experiment's engines come before the shared ones, so Elo is that of the experiment's own
//! first engine. All options are those of a single match, so a key means the same in a queue, in a
//! tournament file and on the command line.
//!
//! [`pairing_limit`] says under which conditions two engines play, in the words of the record of
//! experiments: `10x10 0.1s`, `12x12 1500 iterations`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use clap::ArgMatches;
use pontifex::clock::Seconds;
use pontifex_tournament::{Ending, EngineCommand, Limit, ProcessGroups, Tournament};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use toml::Table;

use crate::exit::UsageError;
use crate::matches::options;
use crate::matches::options::{MatchOptions, TableError, threads_of};
use crate::matches::run::{MatchRun, RunOutcome, start_error};
use crate::options::{file_error, read_toml};

/// One experiment of a queue.
#[derive(Debug)]
pub(super) struct Experiment {
    /// Names its journal. Unique in the queue, even if case is ignored.
    pub(super) name: String,
    /// The topic in the record of experiments. Several experiments may share one.
    pub(super) topic: Option<String>,
    /// The change that is tried, for the record of experiments.
    pub(super) change: Option<String>,
    /// All options, the shared ones included, with a journal in the queue's folder.
    pub(super) options: MatchOptions,
}

/// The file of a queue: what is shared, and the experiments.
#[derive(Deserialize)]
struct QueueFile {
    #[serde(default, deserialize_with = "non_empty_text")]
    topic: Option<String>,
    #[serde(default)]
    experiment: Vec<ExperimentTable>,
    #[serde(flatten)]
    shared: Table,
}

/// A table `[[experiment]]` of the file.
#[derive(Deserialize)]
struct ExperimentTable {
    name: Name,
    #[serde(default, deserialize_with = "non_empty_text")]
    topic: Option<String>,
    #[serde(default, deserialize_with = "non_empty_text")]
    change: Option<String>,
    #[serde(flatten)]
    options: Table,
}

/// The name of an experiment, which is also the name of a file: without separators, and not hidden.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = QueueError;

    fn try_from(name: String) -> Result<Name, QueueError> {
        let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_valid = !name.is_empty() && !name.starts_with('.') && name.chars().all(is_allowed);
        if is_valid { Ok(Name(name)) } else { Err(QueueError::Name(name)) }
    }
}

/// Reads a text that is not empty.
fn non_empty_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(value)?;
    let is_empty = text.trim().is_empty();
    if is_empty { Err(D::Error::custom("a text is empty, leave it out")) } else { Ok(Some(text)) }
}

/// An error in the file of a queue.
#[derive(Debug, Error)]
enum QueueError {
    #[error("there is no experiment: begin each with [[experiment]]")]
    Empty,
    #[error("{0} belongs to one experiment, below its [[experiment]]")]
    NotShared(&'static str),
    #[error("{0} cannot be set in a queue: {1}")]
    NotInQueue(&'static str, &'static str),
    #[error("a name cannot be '{0}': letters, digits, -, _ and ., as in name = \"fewer-rollouts\"")]
    Name(String),
    #[error("two experiments are called '{0}': each needs its own name")]
    SameName(String),
    #[error("it has no engines: give each as [[experiment.engine]]")]
    NoEngines,
    #[error("another one has its records in {}, too", .0.display())]
    SameRecords(PathBuf),
    #[error(transparent)]
    Options(#[from] TableError),
    #[error("experiment '{0}': {1}")]
    Experiment(String, Box<QueueError>),
}

/// Reads the experiments of a file. Options of the command line take precedence over those of the
/// experiment, and these over the shared ones. The experiment's engines come first.
///
/// # Errors
/// One line that names the file and the experiment or the line.
pub(super) fn read_experiments(
    path: &Path,
    command_line: &ArgMatches,
    journals: &Path,
) -> Result<Vec<Experiment>, UsageError> {
    let file: QueueFile = read_toml(path)?;
    file.experiments(command_line, journals).map_err(|error| file_error(path, error))
}

impl QueueFile {
    fn experiments(
        self,
        command_line: &ArgMatches,
        journals: &Path,
    ) -> Result<Vec<Experiment>, QueueError> {
        if self.experiment.is_empty() {
            return Err(QueueError::Empty);
        }
        // Shared records would overwrite each other.
        let mut own = ["name", "change", "records"].into_iter();
        if let Some(key) = own.find(|key| self.shared.contains_key(*key)) {
            return Err(QueueError::NotShared(key));
        }
        let mut shared = MatchOptions::default();
        add_table(&mut shared, &self.shared)?;
        let (mut experiments, mut names, mut records) =
            (Vec::new(), HashSet::new(), HashSet::new());
        for ExperimentTable { name: Name(name), topic, change, options: table } in self.experiment {
            // Some file systems ignore case, and names are those of the journals.
            if !names.insert(name.to_lowercase()) {
                return Err(QueueError::SameName(name));
            }
            let refuse = |error| QueueError::Experiment(name.clone(), Box::new(error));
            let mut options = shared.clone();
            add_table(&mut options, &table).map_err(refuse)?;
            options.update(command_line)?;
            if options.engine.is_empty() {
                return Err(refuse(QueueError::NoEngines));
            }
            if let Some(path) = &options.records
                && !records.insert(path.clone())
            {
                return Err(refuse(QueueError::SameRecords(path.clone())));
            }
            options.journal = Some(journals.join(format!("{name}.jsonl")));
            let topic = topic.or_else(|| self.topic.clone());
            experiments.push(Experiment { name, topic, change, options });
        }
        Ok(experiments)
    }
}

/// Adds the options of a match in a table.
fn add_table(options: &mut MatchOptions, table: &Table) -> Result<(), QueueError> {
    match NOT_IN_QUEUE.iter().find(|(key, _)| table.contains_key(*key)) {
        Some((key, instead)) => Err(QueueError::NotInQueue(key, instead)),
        None => Ok(options.update_from_table(table)?),
    }
}

/// The board and the limits of a pairing.
pub(super) fn pairing_limit(tournament: &Tournament, pairing: [usize; 2]) -> String {
    let [a, b] = pairing.map(|engine| engine_limit(tournament, engine));
    let size = tournament.rules.size.get();
    if a == b { format!("{size}x{size} {a}") } else { format!("{size}x{size} {a} against {b}") }
}

/// The limit of one engine, with its threads if they are known to be several.
fn engine_limit(tournament: &Tournament, engine: usize) -> String {
    let limit = match tournament.limit_of(engine) {
        Limit::Move { seconds } => format!("{seconds}s"),
        Limit::Fischer { main, increment: Seconds::ZERO } => format!("{main}s per game"),
        Limit::Fischer { main, increment } => format!("{main}+{increment}s"),
        Limit::ByoYomi { main, period, periods } => format!("{main}+{period}x{periods}s"),
        Limit::Iterations { count: 1 } => "1 iteration".to_owned(),
        Limit::Iterations { count } => format!("{count} iterations"),
    };
    match threads_of(&tournament.engines[engine]) {
        0 | 1 => limit,
        threads => format!("{limit} {threads} threads"),
    }
}

/// An experiment, its games so far and its state.
pub(super) struct Trial<'e> {
    pub(super) experiment: &'e Experiment,
    pub(super) run: MatchRun<'e>,
    pub(super) state: TrialState,
}

/// The progress of an experiment. [`TrialState::name`] is the word in reports.
pub(super) enum TrialState {
    /// Not started by this run, though its journal may have games.
    Waiting,
    /// The test of the experiment is decided, or all games are played.
    Finished,
    /// Some games are played, others are missing.
    Interrupted,
    /// An engine does not start, or a file cannot be written.
    Failed(anyhow::Error),
}

impl TrialState {
    pub(super) fn name(&self) -> &'static str {
        match self {
            TrialState::Waiting => "waiting",
            TrialState::Finished => "finished",
            TrialState::Interrupted => "interrupted",
            TrialState::Failed(_) => "failed",
        }
    }
}

impl<'e> Trial<'e> {
    /// Prepares an experiment, with the games of its journal if that exists.
    ///
    /// Wrong settings of the built-in engine are errors of the file. A missing program may exist by
    /// the time it is needed, so it is returned as a warning.
    pub(super) fn prepare(
        experiment: &'e Experiment,
    ) -> Result<(Trial<'e>, Option<String>), UsageError> {
        let options = &experiment.options;
        let mut run = MatchRun::new(options, options::tournament(options)?);
        if options.journal.as_ref().is_some_and(|path| path.exists()) {
            run.open_journal()?;
        }
        let mut warning = None;
        if !run.is_finished() {
            let tournament = run.tournament();
            for engine in &tournament.engines {
                match options::check_engine(engine, tournament.stall) {
                    Err(error) if engine.command == EngineCommand::Builtin => {
                        return Err(UsageError(error.to_string()));
                    }
                    Err(error) => warning = Some(error.to_string()),
                    Ok(()) => {}
                }
            }
        }
        Ok((Trial { experiment, run, state: TrialState::Waiting }, warning))
    }

    /// Prepares an experiment for a report only, in the state that its journal shows. Reads the
    /// journal without a lock, because another process may be playing.
    pub(super) fn for_report(experiment: &'e Experiment) -> Result<Trial<'e>, UsageError> {
        let options = &experiment.options;
        let mut run = MatchRun::new(options, options::tournament(options)?);
        if options.journal.as_ref().is_some_and(|path| path.exists()) {
            run.read_journal()?;
        }
        let state = match run.results().games() {
            _ if run.is_finished() => TrialState::Finished,
            0 => TrialState::Waiting,
            _ => TrialState::Interrupted,
        };
        Ok(Trial { experiment, run, state })
    }

    /// Plays the missing games.
    pub(super) fn play(&mut self, groups: &ProcessGroups, stop: &AtomicBool) {
        self.state = self.try_play(groups, stop).unwrap_or_else(TrialState::Failed);
    }

    fn try_play(
        &mut self,
        groups: &ProcessGroups,
        stop: &AtomicBool,
    ) -> anyhow::Result<TrialState> {
        if !self.run.is_finished() {
            options::check_engines(self.run.tournament())?;
        }
        let RunOutcome { ending, records } = self.run.play(groups, stop)?;
        records?;
        match ending {
            Ending::Complete | Ending::Decided(_) => Ok(TrialState::Finished),
            Ending::Stopped if stop.load(Ordering::Relaxed) => Ok(TrialState::Interrupted),
            // Games are missing, and nobody interrupted.
            Ending::Stopped => Err(anyhow!("the games ended early")),
            Ending::CannotStart(failure) => Err(start_error(&failure).into()),
        }
    }
}

/// Options of a match that the file of a queue cannot have, and what to do instead.
const NOT_IN_QUEUE: [(&str, &str); 3] = [
    ("journal", "every experiment has its own, in the folder of --journals"),
    ("json", "give --json on the command line"),
    ("sprt-exit", "the verdicts are in the report"),
];
