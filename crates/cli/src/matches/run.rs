//! One run: a tournament with its journal and its records, played to its end.

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use crate::exit::{EngineError, UsageError};
use crate::matches::options::MatchOptions;
use crate::matches::plan;
use crate::matches::records::Records;
use crate::matches::status::Status;
use pontifex::game::Rules;
use pontifex::messages::tell;
use pontifex_tournament::journal::{self, Entry, Header};
use pontifex_tournament::{
    Ending, Failure, Journal, ProcessGroups, Results, RunOptions, Tournament, Verdict, run,
};

/// A tournament and its games so far.
pub(super) struct Run<'o> {
    options: &'o MatchOptions,
    tournament: Tournament,
    results: Results,
    /// Open and counted.
    journal: Option<Journal>,
}

/// How the games of a run ended.
pub(super) struct Played {
    pub(super) ending: Ending,
    /// The error of writing records, which does not end the games.
    pub(super) records: anyhow::Result<()>,
}

impl<'o> Run<'o> {
    /// A run without games yet. Touches no file.
    pub(super) fn new(options: &'o MatchOptions, tournament: Tournament) -> Run<'o> {
        let pairings = tournament.schedule().pairings().to_vec();
        let results = Results::new(tournament.names(), pairings, options.sprt);
        Run { options, tournament, results, journal: None }
    }

    pub(super) fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    pub(super) fn results(&self) -> &Results {
        &self.results
    }

    /// Opens or creates the journal of the options, if there is one, and counts
    /// its games.
    pub(super) fn open_journal(&mut self) -> Result<(), UsageError> {
        if let (Some(path), None) = (&self.options.journal, &self.journal) {
            self.journal = Some(resume(path, &self.tournament, &mut self.results)?);
        }
        Ok(())
    }

    /// Counts the games of the journal of the options, if there is one. Another
    /// run may be writing it.
    pub(super) fn read_journal(&mut self) -> Result<(), UsageError> {
        let Some(path) = &self.options.journal else { return Ok(()) };
        let entries = journal::read_games(path, &self.tournament.config());
        let entries = entries.map_err(|error| UsageError(error.to_string()))?;
        count(path, entries, &mut self.results)
    }

    /// Whether the test is decided or no game is missing.
    pub(super) fn is_finished(&self) -> bool {
        let verdict = self.results.sprt_state().map(|state| state.verdict);
        matches!(verdict, Some(Verdict::H0 | Verdict::H1))
            || self.tournament.schedule().games().all(|key| self.results.game(&key).is_some())
    }

    /// Plays the missing games, and writes warnings to stderr.
    ///
    /// # Errors
    /// The journal or the records cannot be opened, or the journal cannot be
    /// written.
    pub(super) fn play(
        &mut self,
        groups: &ProcessGroups,
        stop: &AtomicBool,
    ) -> anyhow::Result<Played> {
        self.open_journal()?;
        let Run { options, tournament, results, journal } = self;
        let mut records = records(options, tournament.rules, results)?;
        let concurrency = usize::from(options.concurrency.unwrap_or(1));
        if let Some(warning) = plan::crowded(tournament, concurrency) {
            tell(warning);
        }
        let planned = tournament.schedule().len();
        let mut status = Status::new(records.as_mut(), results.games(), planned);
        let run_options = RunOptions { concurrency, groups, stop };
        let ending = run(tournament, results, journal.as_mut(), run_options, &mut status)?;
        let error = status.error.take();
        drop(status);
        warn_of_changes(results);
        let records = error.map_or(Ok(()), Err).context("records cannot be written");
        Ok(Played { ending, records })
    }
}

/// The error of a run that an engine ended.
pub(super) fn does_not_start(failure: &Failure) -> EngineError {
    EngineError(format!("an engine does not start: {failure}"))
}

/// Opens the journal and counts its games.
fn resume(
    path: &Path,
    tournament: &Tournament,
    results: &mut Results,
) -> Result<Journal, UsageError> {
    let arguments = env::args().skip(1).collect();
    let header = Header::new(arguments, tournament.schedule().planned(), tournament.config());
    let (journal, entries) =
        Journal::open(path, &header).map_err(|error| UsageError(error.to_string()))?;
    count(path, entries, results)?;
    Ok(journal)
}

/// Counts the games of a journal.
fn count(path: &Path, entries: Vec<Entry>, results: &mut Results) -> Result<(), UsageError> {
    for (n, entry) in entries.into_iter().enumerate() {
        if !results.add(entry) {
            let line = n + 2;
            return Err(UsageError(format!(
                "journal {}, line {line}: the game is not of this tournament or is repeated",
                path.display()
            )));
        }
    }
    Ok(())
}

/// The records of `--records`, with the games finished so far.
pub(super) fn records(
    options: &MatchOptions,
    rules: Rules,
    results: &Results,
) -> Result<Option<Records>, UsageError> {
    let Some(path) = &options.records else { return Ok(None) };
    let refuse = |error: io::Error| UsageError(format!("--records {}: {error}", path.display()));
    Records::create(path, rules, &results.entries()).map(Some).map_err(refuse)
}

/// Warns of engines whose version changed between games.
pub(super) fn warn_of_changes(results: &Results) {
    for name in results.names() {
        let mut versions = BTreeSet::new();
        for entry in results.entries() {
            let seats = entry.seats().into_iter().zip(&entry.versions);
            let own = seats.filter(|(seat, version)| seat == name && !version.is_empty());
            versions.extend(own.map(|(_, version)| version.as_str()));
        }
        if versions.len() > 1 {
            let versions = Vec::from_iter(versions).join(", ");
            tell(format_args!("'{name}' has changed between games: {versions}"));
        }
    }
}
