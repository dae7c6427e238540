//! The program `pontifex`: the command line, a file for each subcommand or for two that belong
//! together.
//!
//! Arguments are processed in two stages: clap parses them, and then they are resolved
//! (configuration file, parameters, position text) before anything runs. So wrong usage is refused
//! before a file is touched or an engine started.
//!
//! Subcommands are structs that derive clap's traits. Their options for the engine come from the
//! registry of parameters instead, see `options`. Doc comments of the arguments are the text of
//! `--help`.

mod analyze;
mod bench;
mod clap_errors;
mod convert;
mod exit;
mod fit;
mod matches;
mod named_files;
mod openings;
mod options;
mod perft;
mod picture;
mod progress;
mod protocols;
mod puzzles;
mod review;
mod selfplay;
mod serve;
mod teufel;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

/// An engine for the board game Ponte del Diavolo.
///
/// Without a subcommand, runs `pontifex gtp`.
#[derive(Parser, Debug)]
#[command(name = "pontifex", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Option<Command>,
    #[command(flatten)]
    gtp: protocols::Gtp,
}

#[derive(Subcommand, Debug)]
enum Command {
    Gtp(protocols::Gtp),
    Analyze(Box<analyze::Analyze>),
    Review(Box<review::Review>),
    Perft(perft::Perft),
    Convert(convert::Convert),
    EngineJson(protocols::EngineJson),
    Match(Box<matches::Match>),
    Bench(bench::BenchArgs),
    Openings(openings::Openings),
    Fit(fit::Fit),
    Puzzles(puzzles::Puzzles),
    Selfplay(selfplay::Selfplay),
    Serve(Box<serve::Serve>),
    Site(serve::Site),
    Teufel(teufel::Teufel),
    Completions(Completions),
}

/// Runs the program with the arguments of the process. An error is printed to standard error, and
/// the exit code says whether there was one.
pub fn main() -> ExitCode {
    exit::handle_interrupts();
    match parse()
        .map_err(clap_errors::explain_clap_error)
        .and_then(|(arguments, matches)| run(arguments, &matches))
    {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}

/// Parses the command line. Returns the arguments and the matches of the innermost subcommand, from
/// which the options of the registry are read.
fn parse() -> Result<(Arguments, ArgMatches), clap::Error> {
    let mut command = with_negative_numbers(Arguments::command());
    let mut matches = command.try_get_matches_from_mut(env::args_os())?;
    let arguments =
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    while let Some((_, inner)) = matches.remove_subcommand() {
        matches = inner;
    }
    Ok((arguments, matches))
}

/// Accepts "-1" as a value wherever one is expected, so that the error says what it must be.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| arg.get_action().takes_values();
    command
        .mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}

fn run(arguments: Arguments, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    match arguments.subcommand.unwrap_or(Command::Gtp(arguments.gtp)) {
        Command::Gtp(gtp) => gtp.run(matches)?,
        Command::Analyze(analyze) => return analyze.run(matches),
        Command::Review(review) => return review.run(matches),
        Command::Perft(perft) => perft.run(matches)?,
        Command::Convert(convert) => return convert.run(matches),
        Command::EngineJson(engine) => return engine.run(matches),
        Command::Match(tournament) => return tournament.run(matches),
        Command::Bench(args) => bench::run(&args)?,
        Command::Openings(openings) => openings.run(matches)?,
        Command::Fit(fit) => fit.run()?,
        Command::Puzzles(puzzles) => puzzles.run()?,
        Command::Selfplay(selfplay) => return selfplay.run(matches),
        Command::Serve(serve) => return serve.run(matches),
        Command::Site(site) => site.run()?,
        Command::Teufel(teufel) => teufel.run()?,
        Command::Completions(completions) => completions.run(Arguments::command())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script for the arguments of `command`.
    fn run(self, mut command: clap::Command) -> anyhow::Result<()> {
        // Not to stdout directly: the generator panics on a broken pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "pontifex", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
