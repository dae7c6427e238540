//! A queue of experiments: tournaments of one file, played one after the other.
//!
//! A queue runs overnight with nobody at the terminal, and its games are worth hours. Three things
//! follow:
//!
//! - **Errors of the file come first.** All experiments are read and checked before any is played:
//!   their options, the parameters of the built-in engine, and that each journal belongs to its
//!   experiment. A missing program is only a warning, because it may be built by the time it is
//!   needed.
//! - **One failure does not end the queue.** An engine that does not start, or a file that cannot
//!   be written, makes its experiment [`TrialState::Failed`], and the next one begins. The exit
//!   code at the end is that of the first failure.
//! - **The journals are the state.** A queue keeps no list of what is done. Each experiment has a
//!   journal, named after it, and is finished if its games decide the test or none is missing. So
//!   the same command resumes after any interruption, even in the middle of an experiment, and
//!   experiments may be added to the file.
//!
//! An interrupt finishes the running games and prints the report so far. `docs/queue.md` is for
//! users.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::{fs, io};

use clap::{ArgMatches, Args};
use pontifex::messages::tell;
use pontifex_tournament::ProcessGroups;
use pontifex_tournament::report::to_text;

use super::experiment::{Experiment, Trial, TrialState, read_experiments};
use super::queue_report;
use crate::exit;
use crate::exit::{INTERRUPTED, UsageError};
use crate::named_files::{ignore_broken_pipe, print};
use crate::options::file_error;

#[derive(Args, Debug)]
pub(super) struct QueueOptions {
    /// Play the experiments of a TOML file one after the other and report on all: shared options,
    /// then tables [[experiment]]; see docs/queue.md
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["config", "merge", "check", "engine", "journal", "records", "sprt_exit"])]
    pub(super) queue: Option<PathBuf>,
    /// The folder for the journals of a queue [default: FILE with the ending .journals]
    #[arg(long, value_name = "DIR", requires = "queue")]
    journals: Option<PathBuf>,
    /// Only print the finished experiments of a queue as rows of docs/experiments.tsv; play nothing
    #[arg(long, requires = "queue", conflicts_with = "json")]
    rows: bool,
}

impl QueueOptions {
    /// Plays the missing games of all experiments and reports; for rows, only reports.
    pub(super) fn play(
        &self,
        path: &Path,
        arguments: &ArgMatches,
        as_json: bool,
    ) -> anyhow::Result<ExitCode> {
        let default = || path.with_extension("journals");
        let journals = self.journals.clone().unwrap_or_else(default);
        let experiments = read_experiments(path, arguments, &journals)?;
        let refuse =
            |name: &str, error| file_error(path, format_args!("experiment '{name}': {error}"));
        if self.rows {
            let trials = experiments.iter().map(|experiment| {
                Trial::for_report(experiment).map_err(|error| refuse(&experiment.name, error))
            });
            print_rows(&trials.collect::<Result<Vec<_>, _>>()?)?;
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
        ignore_broken_pipe(print(text.as_bytes()))?;

        let failure_code = trials.iter().find_map(|trial| match &trial.state {
            TrialState::Failed(error) => Some(exit::code(error)),
            _ => None,
        });
        let is_complete = trials
            .iter()
            .all(|trial| !matches!(trial.state, TrialState::Waiting | TrialState::Interrupted));
        Ok(ExitCode::from(match failure_code {
            // An interrupt that came after the last game changes nothing.
            _ if is_stopped && !is_complete => INTERRUPTED as u8,
            Some(code) => code,
            None => 0,
        }))
    }
}

/// Prints the rows of finished experiments.
fn print_rows(trials: &[Trial]) -> anyhow::Result<()> {
    let mut rows = String::new();
    for trial in trials {
        if matches!(trial.state, TrialState::Finished) {
            rows += &queue_report::rows(trial);
        } else {
            let (name, state) = (&trial.experiment.name, trial.state.name());
            tell(format_args!("experiment '{name}' has no row: {state}"));
        }
    }
    print(rows.as_bytes())
}

/// Plays one experiment after the other, and reports each on stderr. Returns whether there was an
/// interrupt.
fn play_all(trials: &mut [Trial]) -> bool {
    let groups = ProcessGroups::default();
    let stop = exit::defer_interrupt(&groups, exit::FINISHING_GAMES);
    exit::kill_engines_when_terminated(&groups);
    let count = trials.len();
    for (trial, number) in trials.iter_mut().zip(1..) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let Experiment { name, .. } = trial.experiment;
        let games = trial.run.results().games();
        let progress = match games {
            _ if trial.run.is_finished() => format!("finished before with {games} games"),
            0 => "no game played yet".to_owned(),
            games => format!("{games} games played before"),
        };
        tell(format_args!("experiment {number} of {count}, '{name}': {progress}"));
        trial.play(&groups, stop);
        if trial.run.results().games() > games {
            let _ = writeln!(io::stderr(), "{}", to_text(trial.run.results()));
        }
        if let TrialState::Failed(error) = &trial.state {
            tell(format_args!("experiment '{name}' failed: {error:#}"));
        }
    }
    stop.load(Ordering::Relaxed)
}
