//! The command line: one file per subcommand.
//!
//! Arguments come in two stages: clap reads them as they were typed, then
//! they are resolved (configuration file, registry of parameters, position
//! text) before anything runs.

mod analyze;
mod bench;
mod completions;
mod config;
mod convert;
mod engine_json;
mod exit;
mod fit;
mod gtp;
mod input;
mod interrupt;
mod matches;
mod openings;
mod options;
mod output;
mod perft;
mod picture;
mod progress;
mod review;
mod selfplay;
#[cfg(feature = "web")]
mod serve;
mod status_line;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An engine for the board game Ponte del Diavolo.
///
/// Without a subcommand it is `pontifex gtp`.
#[derive(Parser, Debug)]
#[command(name = "pontifex", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Option<Command>,
    #[command(flatten)]
    gtp: gtp::Gtp,
}

#[derive(Subcommand, Debug)]
enum Command {
    Gtp(gtp::Gtp),
    Analyze(Box<analyze::Analyze>),
    Review(Box<review::Review>),
    Perft(perft::Perft),
    Convert(convert::Convert),
    EngineJson(engine_json::EngineJson),
    Match(Box<matches::Match>),
    Bench(bench::BenchArgs),
    Openings(openings::Openings),
    Fit(fit::Fit),
    Selfplay(selfplay::Selfplay),
    #[cfg(feature = "web")]
    Serve(Box<serve::Serve>),
    Completions(completions::Completions),
}

/// Runs what the process's arguments ask for.
pub fn main() -> ExitCode {
    // Should this fail, an interrupt still ends the process, with the
    // system's exit code.
    let _ = ctrlc::set_handler(interrupt::handle);
    match Arguments::try_parse().map_err(exit::explain).and_then(run) {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.subcommand.unwrap_or(Command::Gtp(arguments.gtp)) {
        Command::Gtp(gtp) => gtp.run()?,
        Command::Analyze(analyze) => return analyze.run(),
        Command::Review(review) => return review.run(),
        Command::Perft(perft) => perft.run()?,
        Command::Convert(convert) => convert.run()?,
        Command::EngineJson(engine) => return engine.run(),
        Command::Match(matches) => return matches.run(),
        Command::Bench(args) => bench::run(&args)?,
        Command::Openings(openings) => openings.run()?,
        Command::Fit(fit) => fit.run()?,
        Command::Selfplay(selfplay) => return selfplay.run(),
        #[cfg(feature = "web")]
        Command::Serve(serve) => return serve.run(),
        Command::Completions(completions) => completions.run()?,
    }
    Ok(ExitCode::SUCCESS)
}
