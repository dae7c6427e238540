//! `pontifex gtp` and `pontifex engine-json`: the engine for other programs, on standard input and
//! output.

use std::io::{self, BufReader, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use clap::{ArgMatches, Args};

use super::exit;
use super::exit::INTERRUPTED;
use super::options::{ANALYSES, ENGINE, within};
use pontifex::gtp::{self, Session, TrafficLog};
use pontifex::json::{self, End, Settings};
use pontifex_tournament::ProcessGroups;

/// Run the engine on stdin and stdout, for controllers or by hand
#[derive(Args, Debug)]
#[command(args = ENGINE.args())]
pub(super) struct Gtp {
    /// Append all traffic to FILE, with the time of each line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Use single-point moves from the start, for GoGui and Sabaki; the pie rule is then off unless
    /// --pie on is given
    #[arg(long)]
    points: bool,
}

impl Gtp {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<()> {
        let mut resolved = ENGINE.resolve(matches)?;
        // After a swap, controllers for single points ask the wrong player for Red's move.
        resolved.options.rules.pie &= !self.points || resolved.is_given("pie");
        let mut session = Session::new(resolved.options);
        session.set_single_points(self.points);
        let open = |path: PathBuf| {
            TrafficLog::open(&path).with_context(|| format!("cannot write {}", path.display()))
        };
        let log = self.log.map(open).transpose()?;
        if io::stdin().is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "pontifex {}, an engine for Ponte del Diavolo. Enter GTP commands, for example\n\
                 showboard, genmove w or list_commands; quit ends the session.",
                env!("CARGO_PKG_VERSION")
            );
        }
        exit::exit_on_broken_pipe();
        let input = BufReader::new(io::stdin());
        gtp::run(&mut session, input, io::stdout(), log).context("cannot write to stdout")
    }
}

/// Analyse many positions at once: queries on stdin, answers on stdout, JSON lines
///
/// docs/engine-json.md documents every field. At the end of input all open queries are answered
/// first. Ctrl-C terminates and reports every open query; a second one ends the process at once.
#[derive(Args, Debug)]
#[command(args = ANALYSES.args())]
pub(super) struct EngineJson {
    /// Positions to analyse at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = within(1..=1024_usize))]
    analysis_threads: Option<usize>,
    /// Answer with single points, for clients that play Go: a turn is two points
    #[arg(long)]
    points: bool,
    /// Do not warn of what is ignored, for clients that read one line per query
    #[arg(long)]
    no_warnings: bool,
}

impl EngineJson {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let options = ANALYSES.resolve(matches)?.options;
        let requested = self.analysis_threads.and_then(NonZero::new);
        let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let positions = requested.unwrap_or_else(cores);
        if io::stdin().is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "pontifex {}, an engine for Ponte del Diavolo, reads JSON lines.\n\
                 Type {{\"id\":\"a\",\"moves\":[\"d4,e6\"]}}; the end of input ends it.",
                env!("CARGO_PKG_VERSION")
            );
        }
        let interrupted =
            exit::defer_interrupt(&ProcessGroups::default(), "terminating the open queries");
        exit::exit_on_broken_pipe();
        let input = BufReader::new(io::stdin());
        let settings =
            Settings { options, positions, points: self.points, warns: !self.no_warnings };
        let end = json::run(settings, input, io::stdout().lock(), interrupted)
            .context("cannot write to stdout")?;
        Ok(match end {
            End::Done => ExitCode::SUCCESS,
            End::Interrupted => ExitCode::from(INTERRUPTED as u8),
        })
    }
}
