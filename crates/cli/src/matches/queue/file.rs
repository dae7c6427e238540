//! The file of a queue: shared options, and a table per experiment.

use std::collections::HashSet;
use std::path::Path;

use toml::{Table, Value};

use crate::config;
use crate::exit::UsageError;
use crate::matches::options::{MatchOptions, from_table};

/// Options that a queue has for all experiments or not at all, and what to do
/// instead.
const UNFIT: [(&str, &str); 3] = [
    ("journal", "every experiment has its own, in the folder of --journals"),
    ("json", "give --json on the command line"),
    ("sprt-exit", "the verdicts are in the report"),
];

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
    let mut table = config::table(path)?;
    let experiments = experiments(&mut table, command_line, journals);
    experiments.map_err(|reason| config::refusal(path, &reason))
}

fn experiments(
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
fn name(table: &mut Table) -> Result<String, String> {
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
