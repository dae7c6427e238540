//! One run: plays a tournament with its journal to the end, and writes the games as SGF files and
//! the progress to stderr.
//!
//! The journal is authoritative: a game counts only after it is written there, and a journal that
//! cannot be written ends the run. Records are for people and can be made again from the journal,
//! so an error in writing them does not stop the games and is reported at the end. They are
//! rewritten at each start, beginning with the games of the journal.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::env;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use pontifex::files;
use pontifex::game::Rules;
use pontifex::messages::tell;
use pontifex::notation::sgf;
use pontifex_tournament::journal::{self, Header};
use pontifex_tournament::{
    Ending, Entry, Failure, FailureKind, Journal, Observer, ProcessGroups, Results, RunOptions,
    Tournament, Verdict, run,
};

use crate::exit::{UnusableEngine, UsageError};
use crate::matches::options;
use crate::matches::options::MatchOptions;
use crate::progress::{StatusLine, format_clock};

/// A tournament and its games so far.
pub(super) struct MatchRun<'o> {
    options: &'o MatchOptions,
    tournament: Tournament,
    results: Results,
    /// The open journal, whose games are in `results`. `None` without `--journal`, or before
    /// [`MatchRun::open_journal`].
    journal: Option<Journal>,
}

/// How the games of a run ended.
pub(super) struct RunOutcome {
    pub(super) ending: Ending,
    /// The error in writing records, which does not end the games.
    pub(super) records: anyhow::Result<()>,
}

impl<'o> MatchRun<'o> {
    /// A run without games yet. Touches no file.
    pub(super) fn new(options: &'o MatchOptions, tournament: Tournament) -> MatchRun<'o> {
        let pairings = tournament.schedule().pairings().to_vec();
        let results = Results::new(tournament.names(), pairings, options.sprt);
        MatchRun { options, tournament, results, journal: None }
    }

    pub(super) fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    pub(super) fn results(&self) -> &Results {
        &self.results
    }

    /// Opens or creates the journal of the options, if there is one, and counts its games.
    pub(super) fn open_journal(&mut self) -> Result<(), UsageError> {
        if let (Some(path), None) = (&self.options.journal, &self.journal) {
            self.journal = Some(resume(path, &self.tournament, &mut self.results)?);
        }
        Ok(())
    }

    /// Counts the games of the journal of the options, if there is one. Another run may be writing
    /// it.
    pub(super) fn read_journal(&mut self) -> Result<(), UsageError> {
        let Some(path) = &self.options.journal else { return Ok(()) };
        let entries = journal::read_games(path, &self.tournament.config());
        let entries = entries.map_err(|error| UsageError(error.to_string()))?;
        count_games(path, entries, &mut self.results)
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
    /// The journal or the records cannot be opened, or the journal cannot be written.
    pub(super) fn play(
        &mut self,
        groups: &ProcessGroups,
        stop: &AtomicBool,
    ) -> anyhow::Result<RunOutcome> {
        self.open_journal()?;
        let MatchRun { options, tournament, results, journal } = self;
        let mut records = open_records(options, tournament.rules, results)?;
        let concurrency = usize::from(options.concurrency.unwrap_or(1));
        if let Some(warning) = options::oversubscription(tournament, concurrency) {
            tell(warning);
        }
        let planned = tournament.schedule().len();
        let mut status = Status::new(records.as_mut(), results.games(), planned);
        let logs = options.logs.as_deref();
        if let Some(logs) = logs {
            fs::create_dir_all(logs)
                .map_err(|error| UsageError(format!("--logs {}: {error}", logs.display())))?;
        }
        let run_options = RunOptions { concurrency, groups, stop, logs };
        let ending = run(tournament, results, journal.as_mut(), run_options, &mut status)?;
        let error = status.error.take();
        drop(status);
        warn_of_new_versions(results);
        let records = error.map_or(Ok(()), Err).context("records cannot be written");
        Ok(RunOutcome { ending, records })
    }
}

/// The error of a run that an engine ended.
pub(super) fn start_error(failure: &Failure) -> UnusableEngine {
    UnusableEngine(format!("an engine does not start: {failure}"))
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
    count_games(path, entries, results)?;
    Ok(journal)
}

/// Counts the games of a journal.
fn count_games(path: &Path, entries: Vec<Entry>, results: &mut Results) -> Result<(), UsageError> {
    for (n, entry) in entries.into_iter().enumerate() {
        if !results.add(entry) {
            // Counted from 1, and the first line is the header.
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
pub(super) fn open_records(
    options: &MatchOptions,
    rules: Rules,
    results: &Results,
) -> Result<Option<Records>, UsageError> {
    let Some(path) = &options.records else { return Ok(None) };
    let refuse = |error: io::Error| UsageError(format!("--records {}: {error}", path.display()));
    Records::create(path, rules, &results.entries()).map(Some).map_err(refuse)
}

/// Warns of engines whose version changed between games.
pub(super) fn warn_of_new_versions(results: &Results) {
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

/// The games as SGF, in one file or one file each.
pub(super) struct Records {
    target: Target,
    rules: Rules,
}

enum Target {
    /// All games in one file.
    File(File),
    /// One file per game in this folder; the names written so far.
    Folder(PathBuf, HashSet<String>),
}

impl Records {
    /// Creates a file or folder with `games` by `rules`, to which more can be added. A path is a
    /// folder if it is an existing folder or has no extension. An existing file is replaced after
    /// all `games` are written.
    pub(super) fn create(path: &Path, rules: Rules, games: &[&Entry]) -> io::Result<Records> {
        let is_folder = path.is_dir()
            || path.extension().is_none()
            || path.to_str().is_some_and(|path| path.ends_with(std::path::is_separator));
        if is_folder {
            fs::create_dir_all(path)?;
            let target = Target::Folder(path.to_owned(), HashSet::new());
            let mut records = Records { target, rules };
            games.iter().try_for_each(|entry| records.add(entry))?;
            return Ok(records);
        }
        let texts: Vec<String> =
            games.iter().map(|entry| record_text(entry, rules)).collect::<io::Result<_>>()?;
        let file = files::begin(path, texts.concat().as_bytes())?;
        Ok(Records { target: Target::File(file), rules })
    }

    /// Writes a game, whole or not at all.
    pub(super) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let text = record_text(entry, self.rules)?;
        match &mut self.target {
            Target::File(file) => {
                // A partly written game would make the file unreadable, so it is cut off again. A
                // pipe cannot be truncated.
                let end = file.seek(io::SeekFrom::End(0));
                file.write_all(text.as_bytes()).inspect_err(|_| {
                    if let Ok(end) = end {
                        let _ = file.set_len(end);
                    }
                })
            }
            Target::Folder(folder, written) => {
                // Names of engines may differ only in characters that are removed from file names.
                let mut number = 1;
                while written.contains(&file_name(entry, number)) {
                    number += 1;
                }
                let name = file_name(entry, number);
                files::write_whole(&folder.join(&name), text.as_bytes())?;
                written.insert(name);
                Ok(())
            }
        }
    }
}

fn record_text(entry: &Entry, rules: Rules) -> io::Result<String> {
    Ok(sgf::write(&entry.record(rules).map_err(io::Error::other)?))
}

/// The name of a game's record; `00012-A-B-1-2.sgf` if `00012-A-B-1.sgf` is taken.
fn file_name(entry: &Entry, number: u32) -> String {
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    format!("{}{number}.sgf", entry.file_stem())
}

/// The interval between updates on a terminal. Set by judgement: smooth, and cheap beside the
/// games.
const REDRAW: Duration = Duration::from_millis(200);

/// How many failures of an engine and kind are reported in full, with the last lines of the engine.
/// Set by judgement: an engine that crashes in each of a thousand games says the same each time.
const FULL_REPORTS: u32 = 3;

/// The status line, the reports of failures, and the records.
pub(super) struct Status<'r> {
    records: Option<&'r mut Records>,
    /// The first error in writing records.
    pub(super) error: Option<io::Error>,
    line: StatusLine,
    /// The number of games finished before this run.
    before: usize,
    /// The number of games at the end.
    planned: usize,
    /// The failures so far of each engine and kind.
    reported: HashMap<(String, FailureKind), u32>,
    /// The warnings shown so far, each of which is shown only once.
    warned: HashSet<String>,
}

impl<'r> Status<'r> {
    /// A status of `planned` games, `before` of which are finished.
    pub(super) fn new(
        records: Option<&'r mut Records>,
        before: usize,
        planned: usize,
    ) -> Status<'r> {
        Status {
            records,
            error: None,
            line: StatusLine::new(REDRAW),
            before,
            planned,
            reported: HashMap::new(),
            warned: HashSet::new(),
        }
    }

    fn redraw(&mut self, results: &Results) {
        if self.line.is_due() {
            let text = status_text(results, self.before, self.planned, self.line.elapsed());
            self.line.show(&text);
        }
    }
}

impl Observer for Status<'_> {
    fn finished(&mut self, entry: &Entry, results: &Results) {
        if let Some(failure) = &entry.failure {
            let count = self.reported.entry((failure.engine.clone(), failure.kind)).or_default();
            *count += 1;
            let (count, game) = (*count, format!("{} - {}", entry.a, entry.b));
            let text = if count > FULL_REPORTS { failure.to_string() } else { failure.report() };
            let number = entry.round + 1;
            self.line
                .write_above(&format!("{game}, round {number}, {} White: {text}", entry.white));
        }
        if let Some(records) = &mut self.records
            && let Err(error) = records.add(entry)
        {
            // The games are worth more than their records.
            self.error.get_or_insert(error);
            self.records = None;
        }
        self.redraw(results);
    }

    fn warning(&mut self, engine: &str, warning: &str) {
        let text = format!("engine {engine}: {warning}");
        if self.warned.insert(text.clone()) {
            self.line.write_above(&text);
        }
    }

    fn tick(&mut self, results: &Results) {
        self.redraw(results);
    }
}

/// The status line: `120/1000  A - B +62 =3 -55  Elo +20.3 ±31.0  LLR +0.41
/// (-2.94, +2.94)  1440 games/h  left 0:36:40`.
fn status_text(results: &Results, before: usize, planned: usize, elapsed: Duration) -> String {
    let mut parts = vec![format!("{}/{planned}", results.games())];
    if let [pairing @ [a, b]] = *results.pairings() {
        let names = results.names();
        let [losses, draws, wins] = results.pairing(pairing).games.counts();
        parts.push(format!("{} - {} +{wins} ={draws} -{losses}", names[a], names[b]));
        if let Some(elo) = results.pairs().tally(a, b).elo() {
            parts.push(format!("Elo {:+.1} ±{:.1}", elo.value, elo.margin()));
        }
    }
    if let Some(state) = results.sprt_state() {
        parts.push(format!("LLR {:+.2} ({:+.2}, {:+.2})", state.llr, state.lower, state.upper));
    }
    let failures: u64 = (0..results.names().len())
        .flat_map(|engine| FailureKind::ALL.map(|kind| results.failures(engine, kind)))
        .sum();
    if failures > 0 {
        parts.push(format!("{failures} failures"));
    }
    let played = results.games().saturating_sub(before);
    if played > 0 {
        // Wall time divided by all games, so concurrency is accounted for.
        let seconds_each = elapsed.as_secs_f64() / played as f64;
        let remaining = planned.saturating_sub(results.games()) as f64 * seconds_each;
        parts.push(format!("{:.0} games/h", 3600.0 / seconds_each.max(1e-6)));
        parts.push(format!("left {}", format_clock(remaining)));
    }
    parts.join("  ")
}
