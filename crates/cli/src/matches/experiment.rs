//! The experiments of a queue: how its file is read, and what is known of each.
//!
//! `limit` says under which conditions two engines play, in the words of the record
//! of experiments: `10x10 0.1s`, `12x12 1500 iterations`.

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
use crate::matches::run::{Played, Run, does_not_start};
use crate::options::{read, refusal};

/// One experiment of a queue.
#[derive(Debug)]
pub(super) struct Experiment {
    /// Names its journal.
    pub(super) name: String,
    /// What it belongs to, for the record of experiments.
    pub(super) topic: Option<String>,
    /// What is tried, for the record of experiments.
    pub(super) change: Option<String>,
    /// With a journal in the queue's folder.
    pub(super) options: MatchOptions,
}

/// A queue as its file states it: what is shared, and the experiments.
#[derive(Deserialize)]
struct QueueFile {
    #[serde(default, deserialize_with = "text")]
    topic: Option<String>,
    #[serde(default)]
    experiment: Vec<ExperimentTable>,
    #[serde(flatten)]
    shared: Table,
}

#[derive(Deserialize)]
struct ExperimentTable {
    name: Name,
    #[serde(default, deserialize_with = "text")]
    topic: Option<String>,
    #[serde(default, deserialize_with = "text")]
    change: Option<String>,
    #[serde(flatten)]
    options: Table,
}

/// The name of an experiment. It must do for a file.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = QueueError;

    fn try_from(name: String) -> Result<Name, QueueError> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_fit = !name.is_empty() && !name.starts_with('.') && name.chars().all(fits);
        if is_fit { Ok(Name(name)) } else { Err(QueueError::Name(name)) }
    }
}

/// Reads a text that is not empty.
fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(value)?;
    let is_empty = text.trim().is_empty();
    if is_empty { Err(D::Error::custom("a text is empty, leave it out")) } else { Ok(Some(text)) }
}

/// What is wrong with the file of a queue.
#[derive(Debug, Error)]
enum QueueError {
    #[error("there is no experiment: begin each with [[experiment]]")]
    Empty,
    #[error("{0} belongs to one experiment, below its [[experiment]]")]
    NotShared(&'static str),
    #[error("{0} cannot be set in a queue: {1}")]
    Unfit(&'static str, &'static str),
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

/// Reads the experiments of a file. Options of the command line go before those
/// of the experiment, and these before the shared ones. The experiment's engines
/// come first.
///
/// # Errors
/// One line that names the file and the experiment or the line.
pub(super) fn experiments(
    path: &Path,
    command_line: &ArgMatches,
    journals: &Path,
) -> Result<Vec<Experiment>, UsageError> {
    let file: QueueFile = read(path)?;
    file.experiments(command_line, journals).map_err(|error| refusal(path, error))
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
        let mut own = ["name", "change", "records"].into_iter();
        if let Some(key) = own.find(|key| self.shared.contains_key(*key)) {
            return Err(QueueError::NotShared(key));
        }
        let mut shared = MatchOptions::default();
        add(&mut shared, &self.shared)?;
        let (mut read, mut names, mut records) = (Vec::new(), HashSet::new(), HashSet::new());
        for ExperimentTable { name: Name(name), topic, change, options: table } in self.experiment {
            // Some file systems ignore case.
            if !names.insert(name.to_lowercase()) {
                return Err(QueueError::SameName(name));
            }
            let refuse = |error| QueueError::Experiment(name.clone(), Box::new(error));
            let mut options = shared.clone();
            add(&mut options, &table).map_err(refuse)?;
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
            read.push(Experiment { name, topic, change, options });
        }
        Ok(read)
    }
}

/// Adds the options of a match in a table.
fn add(options: &mut MatchOptions, table: &Table) -> Result<(), QueueError> {
    match UNFIT.iter().find(|(key, _)| table.contains_key(*key)) {
        Some((key, instead)) => Err(QueueError::Unfit(key, instead)),
        None => Ok(options.update_from_table(table)?),
    }
}

/// The board and the limits of a pairing.
pub(super) fn limit(tournament: &Tournament, pairing: [usize; 2]) -> String {
    let [a, b] = pairing.map(|engine| limit_of(tournament, engine));
    let size = tournament.rules.size.get();
    if a == b { format!("{size}x{size} {a}") } else { format!("{size}x{size} {a} against {b}") }
}

/// The limit of one engine, with its threads if they are known to be several.
fn limit_of(tournament: &Tournament, engine: usize) -> String {
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

/// An experiment, its games and its state.
pub(super) struct Trial<'e> {
    pub(super) experiment: &'e Experiment,
    pub(super) run: Run<'e>,
    pub(super) state: State,
}

/// How far an experiment is.
pub(super) enum State {
    /// Its turn has not come.
    Waiting,
    /// Its test is decided, or all games are played.
    Finished,
    /// Some games are played, others are missing.
    Interrupted,
    /// An engine does not start, or a file cannot be written.
    Failed(anyhow::Error),
}

impl State {
    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Finished => "finished",
            State::Interrupted => "interrupted",
            State::Failed(_) => "failed",
        }
    }
}

impl<'e> Trial<'e> {
    /// Prepares an experiment, with the games of its journal if that exists.
    ///
    /// Wrong settings of the built-in engine are errors of the file. A missing
    /// program may be there when its turn comes: it is returned as a warning.
    pub(super) fn prepare(
        experiment: &'e Experiment,
    ) -> Result<(Trial<'e>, Option<String>), UsageError> {
        let options = &experiment.options;
        let mut run = Run::new(options, options::tournament(options)?);
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
        Ok((Trial { experiment, run, state: State::Waiting }, warning))
    }

    /// Takes up an experiment as its journal says, to report on it and not to
    /// play.
    pub(super) fn read(experiment: &'e Experiment) -> Result<Trial<'e>, UsageError> {
        let options = &experiment.options;
        let mut run = Run::new(options, options::tournament(options)?);
        if options.journal.as_ref().is_some_and(|path| path.exists()) {
            run.read_journal()?;
        }
        let state = match run.results().games() {
            _ if run.is_finished() => State::Finished,
            0 => State::Waiting,
            _ => State::Interrupted,
        };
        Ok(Trial { experiment, run, state })
    }

    /// Plays the missing games.
    pub(super) fn play(&mut self, groups: &ProcessGroups, stop: &AtomicBool) {
        self.state = self.try_play(groups, stop).unwrap_or_else(State::Failed);
    }

    fn try_play(&mut self, groups: &ProcessGroups, stop: &AtomicBool) -> anyhow::Result<State> {
        if !self.run.is_finished() {
            options::check_engines(self.run.tournament())?;
        }
        let Played { ending, records } = self.run.play(groups, stop)?;
        records?;
        match ending {
            Ending::Complete | Ending::Decided(_) => Ok(State::Finished),
            Ending::Stopped if stop.load(Ordering::Relaxed) => Ok(State::Interrupted),
            Ending::Stopped => Err(anyhow!("the games ended early")),
            Ending::CannotStart(failure) => Err(does_not_start(&failure).into()),
        }
    }
}

/// Options that a queue has for all experiments or not at all, and what to do
/// instead.
const UNFIT: [(&str, &str); 3] = [
    ("journal", "every experiment has its own, in the folder of --journals"),
    ("json", "give --json on the command line"),
    ("sprt-exit", "the verdicts are in the report"),
];
