//! The command: plays, merges or checks, and reports.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use clap::{ArgMatches, Args};
use pontifex::clock::Seconds;
use pontifex::messages::{one_line, tell};
use pontifex_tournament::journal::{self, Header};
use pontifex_tournament::report::{to_json, to_text};
use pontifex_tournament::{
    CheckResult, CheckVerdict, Ending, EngineSpec, Player, ProcessGroups, Results, Verdict, check,
    merge,
};

use crate::exit::{self, INTERRUPTED, UnusableEngine, UsageError};
use crate::matches::options::{self, MatchOptions};
use crate::matches::queue::QueueOptions;
use crate::matches::run::{self, MatchRun, RunOutcome};
use crate::named_files::{ignore_broken_pipe, print};
use crate::options::{file_error, read_toml};

/// Play engines against each other: matches, round-robins, gauntlets
///
/// Every opening is played twice with colours exchanged. Exit codes: 0 success, 1 failure, 2 wrong
/// usage, 3 an engine cannot be used, 10 or 11 H0 accepted or undecided with --sprt-exit, 129
/// SIGHUP, 130 interrupted, 143 SIGTERM. A queue goes on after an experiment that fails, and has
/// its exit code at the end.
#[derive(Args, Debug)]
pub(crate) struct Match {
    #[command(flatten)]
    options: MatchOptions,
    /// Read options and engines from a TOML file, under the same names; the command line takes
    /// precedence
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Merge the journals of shards and report; with --journal, write the merged journal
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["check", "engine", "shard"])]
    merge: Vec<PathBuf>,
    /// Check whether this engine can be refereed, and report what fails
    #[arg(long, value_name = "CMD", conflicts_with = "engine")]
    check: Option<String>,
    #[command(flatten)]
    queue: QueueOptions,
}

impl Match {
    pub(crate) fn run(self: Box<Self>, arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
        let Match { mut options, config, merge, check, queue } = *self;
        if let Some(path) = &queue.queue {
            return queue.play(path, arguments, options.json);
        }
        if let Some(path) = &config {
            options = MatchOptions::default();
            options
                .update_from_table(&read_toml(path)?)
                .and_then(|()| options.update(arguments))
                .map_err(|error| file_error(path, error))?;
        }
        match check {
            Some(line) => run_checks(&line, &options),
            None if !merge.is_empty() => merge_journals(&merge, &options),
            None => play(&options),
        }
    }
}

/// Plays the missing games of the tournament and reports.
fn play(options: &MatchOptions) -> anyhow::Result<ExitCode> {
    let tournament = options::tournament(options)?;
    options::check_engines(&tournament)?;
    let mut run = MatchRun::new(options, tournament);
    run.open_journal()?;
    let groups = ProcessGroups::default();
    let stop = exit::defer_interrupt(&groups, exit::FINISHING_GAMES);
    exit::kill_engines_when_terminated(&groups);
    let writes_files =
        options.journal.is_some() || options.records.is_some() || options.logs.is_some();
    if !writes_files && !options.sprt_exit {
        exit::exit_on_broken_pipe();
    }
    let RunOutcome { ending, records } = run.play(&groups, stop)?;
    report(run.results(), options.json)?;
    records?;
    match ending {
        Ending::CannotStart(failure) => Err(run::start_error(&failure).into()),
        Ending::Stopped if stop.load(Ordering::Relaxed) => Ok(ExitCode::from(INTERRUPTED as u8)),
        Ending::Complete | Ending::Decided(_) | Ending::Stopped => {
            Ok(verdict_code(run.results(), options.sprt_exit))
        }
    }
}

/// Prints the results. A broken pipe is not an error.
fn report(results: &Results, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { format!("{}\n", to_json(results)) } else { to_text(results) };
    ignore_broken_pipe(print(text.as_bytes()))
}

/// The exit code: 0, or with `--sprt-exit` the verdict of the test.
fn verdict_code(results: &Results, sprt_exit: bool) -> ExitCode {
    let verdict = results.sprt_state().map(|state| state.verdict).filter(|_| sprt_exit);
    ExitCode::from(match verdict {
        None | Some(Verdict::H1) => 0,
        Some(Verdict::H0) => 10,
        Some(Verdict::Continue) => 11,
    })
}

/// Merges journals and reports.
fn merge_journals(paths: &[PathBuf], options: &MatchOptions) -> anyhow::Result<ExitCode> {
    let merged = merge::merge(paths, options.sprt)
        .map_err(|error| UsageError(format!("--merge: {error}")))?;
    let merge::Merged { header, results, rules, duplicates } = merged;
    options::check_sprt(options, results.names().len())?;
    if let Some(path) = &options.journal {
        let arguments = env::args().skip(1).collect();
        let header = Header::new(arguments, header.planned, header.config);
        journal::write_new(path, &header, results.entries().into_iter())
            .map_err(|error| UsageError(error.to_string()))?;
    }
    run::open_records(options, rules, &results)?;
    let (games, planned) = (results.games(), header.planned);
    tell(format_args!("{games} of {planned} games, {duplicates} duplicates ignored"));
    run::warn_of_new_versions(&results);
    report(&results, options.json)?;
    Ok(verdict_code(&results, options.sprt_exit))
}

/// Checks an engine and prints one line per check.
fn run_checks(line: &str, options: &MatchOptions) -> anyhow::Result<ExitCode> {
    let spec = if line.trim() == "builtin" {
        EngineSpec::builtin("builtin")
    } else {
        EngineSpec::process("engine", line)
    };
    spec.check_path().map_err(|error| UnusableEngine(error.to_string()))?;
    let groups = ProcessGroups::default();
    exit::defer_interrupt(&groups, exit::FINISHING_GAMES).store(true, Ordering::Relaxed);
    exit::kill_engines_when_terminated(&groups);
    let timeout = options.stall.map_or(Player::DEFAULT_STALL, Seconds::duration);
    let checks = check(&spec, &groups, timeout);
    let text = if options.json {
        serde_json::to_string(&checks)? + "\n"
    } else {
        checks.iter().map(check_line).collect()
    };
    ignore_broken_pipe(print(text.as_bytes()))?;
    match checks.iter().filter(|check| check.verdict == CheckVerdict::Fail).count() {
        0 => Ok(ExitCode::SUCCESS),
        1 => Err(UnusableEngine("the engine fails 1 check".to_owned()).into()),
        failed => Err(UnusableEngine(format!("the engine fails {failed} checks")).into()),
    }
}

fn check_line(check: &CheckResult) -> String {
    let verdict = match check.verdict {
        CheckVerdict::Pass => "pass",
        CheckVerdict::Warn => "warn",
        CheckVerdict::Fail => "FAIL",
        CheckVerdict::Skipped => "skip",
    };
    format!("{verdict}  {}: {}\n", check.name, one_line(&check.detail))
}
