//! A queue of experiments: tournaments of one file, played one after the other.
//!
//! The file has shared options and a table for each experiment. Each experiment is
//! a [`Run`] with a journal of its own, so that the same command goes on where the
//! queue was interrupted.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::{fs, io};

use clap::{ArgMatches, Args};
use pontifex::messages::tell;
use pontifex_tournament::ProcessGroups;
use pontifex_tournament::report::to_text;

use super::experiment::{Experiment, State, Trial, experiments};
use super::queue_report;
use crate::exit;
use crate::exit::{INTERRUPTED, UsageError};
use crate::named_files::{even_unread, print};
use crate::options::refusal;

/// The options of a queue.
#[derive(Args, Debug)]
pub(super) struct QueueOptions {
    /// Play the experiments of a TOML file one after the other and report on
    /// all: shared options, then tables [[experiment]]; see docs/match.md
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["config", "merge", "check", "engine", "journal", "records", "sprt_exit"])]
    pub(super) queue: Option<PathBuf>,
    /// The folder for the journals of a queue [default: FILE with the ending
    /// .journals]
    #[arg(long, value_name = "DIR", requires = "queue")]
    journals: Option<PathBuf>,
    /// Only print the finished experiments of a queue as rows of
    /// docs/experiments.tsv; play nothing
    #[arg(long, requires = "queue", conflicts_with = "json")]
    rows: bool,
}

impl QueueOptions {
    /// Plays the missing games of all experiments and reports; for rows, only
    /// reports.
    pub(super) fn play(
        &self,
        path: &Path,
        matches: &ArgMatches,
        as_json: bool,
    ) -> anyhow::Result<ExitCode> {
        let default = || path.with_extension("journals");
        let journals = self.journals.clone().unwrap_or_else(default);
        let experiments = experiments(path, matches, &journals)?;
        let refuse =
            |name: &str, error| refusal(path, format_args!("experiment '{name}': {error}"));
        if self.rows {
            let read = |of| Trial::read(of).map_err(|error: UsageError| refuse(&of.name, error));
            print_rows(&experiments.iter().map(read).collect::<Result<Vec<_>, _>>()?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut trials = Vec::new();
        for experiment in &experiments {
            let name = &experiment.name;
            let (trial, warning) =
                Trial::prepare(experiment).map_err(|error| refuse(name, error))?;
            trials.push(trial);
            if let Some(warning) = warning {
                tell(format_args!("experiment '{name}' will fail: {warning}"));
            }
        }
        fs::create_dir_all(&journals)
            .map_err(|error| UsageError(format!("--journals {}: {error}", journals.display())))?;
        let is_stopped = play_all(&mut trials);
        let text = if as_json {
            format!("{}\n", queue_report::to_object(&trials))
        } else {
            queue_report::to_table(&trials)
        };
        even_unread(print(text.as_bytes()))?;

        let failed = trials.iter().find_map(|trial| match &trial.state {
            State::Failed(error) => Some(exit::code(error)),
            _ => None,
        });
        let is_whole =
            trials.iter().all(|trial| !matches!(trial.state, State::Waiting | State::Interrupted));
        Ok(ExitCode::from(match failed {
            _ if is_stopped && !is_whole => INTERRUPTED as u8,
            Some(code) => code,
            None => 0,
        }))
    }
}

/// Prints the rows of finished experiments.
fn print_rows(trials: &[Trial]) -> anyhow::Result<()> {
    let mut rows = String::new();
    for trial in trials {
        if matches!(trial.state, State::Finished) {
            rows += &queue_report::rows(trial);
        } else {
            let (name, state) = (&trial.experiment.name, trial.state.word());
            tell(format_args!("experiment '{name}' has no row: {state}"));
        }
    }
    print(rows.as_bytes())
}

/// Plays one experiment after the other, and tells on stderr how each went.
/// Returns whether an interrupt ended the queue.
fn play_all(trials: &mut [Trial]) -> bool {
    let groups = ProcessGroups::default();
    let stop = exit::ask_first(&groups, exit::GAMES);
    exit::end_with(&groups);
    let count = trials.len();
    for (trial, number) in trials.iter_mut().zip(1..) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let Experiment { name, .. } = trial.experiment;
        let games = trial.run.results().games();
        let before = match games {
            _ if trial.run.is_finished() => format!("finished before with {games} games"),
            0 => "no game played yet".to_owned(),
            games => format!("{games} games played before"),
        };
        tell(format_args!("experiment {number} of {count}, '{name}': {before}"));
        trial.play(&groups, stop);
        if trial.run.results().games() > games {
            let _ = writeln!(io::stderr(), "{}", to_text(trial.run.results()));
        }
        if let State::Failed(error) = &trial.state {
            tell(format_args!("experiment '{name}' failed: {error:#}"));
        }
    }
    stop.load(Ordering::Relaxed)
}
