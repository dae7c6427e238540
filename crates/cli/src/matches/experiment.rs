//! The experiments of a queue: how its file is read, and what is known of each.
//!
//! `limit` says under which conditions two engines play, in the words of the record
//! of experiments: `10x10 0.1s`, `12x12 1500 iterations`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use pontifex::clock::Seconds;
use pontifex_tournament::{Ending, EngineCommand, Limit, ProcessGroups, Tournament};
use toml::{Table, Value};

use crate::exit::UsageError;
use crate::matches::options;
use crate::matches::options::{MatchOptions, from_table, threads_of};
use crate::matches::run::{Played, Run, does_not_start};
use crate::options::{refusal, table};

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

/// Reads the experiments of a file. Options of the command line go before those
/// of the experiment, and these before the shared ones. The experiment's engines
/// come first.
///
/// # Errors
/// One line that names the file and the experiment.
pub(super) fn read(
    path: &Path,
    command_line: &MatchOptions,
    journals: &Path,
) -> Result<Vec<Experiment>, UsageError> {
    let mut table = table(path)?;
    let experiments = experiments(&mut table, command_line, journals);
    experiments.map_err(|reason| refusal(path, &reason))
}

pub(super) fn experiments(
    table: &mut Table,
    command_line: &MatchOptions,
    journals: &Path,
) -> Result<Vec<Experiment>, String> {
    let tables = match table.remove("experiment") {
        Some(Value::Array(tables)) if !tables.is_empty() => tables,
        Some(Value::Array(_)) | None => {
            return Err("there is no experiment: begin each with [[experiment]]".to_owned());
        }
        Some(_) => return Err("an experiment begins with [[experiment]]".to_owned()),
    };
    let topic = take_text(table, "topic")?;
    for key in ["name", "change", "records"] {
        if table.contains_key(key) {
            return Err(format!("{key} belongs to one experiment, below its [[experiment]]"));
        }
    }
    let shared = options(table)?;
    let (mut read, mut names, mut records) = (Vec::new(), HashSet::new(), HashSet::new());
    for (value, number) in tables.into_iter().zip(1..) {
        let refuse = |reason: String| format!("experiment {number}: {reason}");
        let Value::Table(mut table) = value else {
            return Err(refuse("it begins with [[experiment]]".to_owned()));
        };
        let name = name(&mut table).map_err(refuse)?;
        // Some file systems ignore case.
        if !names.insert(name.to_lowercase()) {
            return Err(format!("two experiments are called '{name}': each needs its own name"));
        }
        let refuse = |reason: String| format!("experiment '{name}': {reason}");
        let own_topic = take_text(&mut table, "topic").map_err(refuse)?;
        let change = take_text(&mut table, "change").map_err(refuse)?;
        let own = options(&table).map_err(refuse)?;
        let mut options = command_line.clone().or(own).or(shared.clone());
        if options.engine.is_empty() {
            return Err(refuse("it has no engines: give each as [[experiment.engine]]".to_owned()));
        }
        if let Some(path) = options.records.as_ref().filter(|path| !records.insert((*path).clone()))
        {
            let path = path.display();
            return Err(refuse(format!("another one has its records in {path}, too")));
        }
        options.journal = Some(journals.join(format!("{name}.jsonl")));
        let topic = own_topic.or_else(|| topic.clone());
        read.push(Experiment { name, topic, change, options });
    }
    Ok(read)
}

/// The options of a match in a table.
fn options(table: &Table) -> Result<MatchOptions, String> {
    match UNFIT.iter().find(|(key, _)| table.contains_key(*key)) {
        Some((key, instead)) => Err(format!("{key} cannot be set in a queue: {instead}")),
        None => from_table(table),
    }
}

/// Takes the name out of an experiment's table. It must do for a file.
pub(super) fn name(table: &mut Table) -> Result<String, String> {
    const FORM: &str = "letters, digits, -, _ and ., as in name = \"fewer-rollouts\"";
    let name = take_text(table, "name")?.ok_or_else(|| format!("its name is missing: {FORM}"))?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.starts_with('.') || !name.chars().all(fits) {
        return Err(format!("its name cannot be '{name}': {FORM}"));
    }
    Ok(name)
}

/// Takes a text out of a table.
fn take_text(table: &mut Table, key: &str) -> Result<Option<String>, String> {
    match table.remove(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
        Some(other) => Err(format!("{key} cannot be {other}: it is a text, as in {key} = \"...\"")),
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
