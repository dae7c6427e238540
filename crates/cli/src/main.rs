//! The program `pontifex`: the command line, one file per subcommand.
//!
//! Arguments are processed in two stages: clap parses them, and then they are
//! resolved (configuration file, parameters, position text) before anything
//! runs.

mod analyze;
mod bench;
mod completions;
mod convert;
mod engine_json;
mod exit;
mod fit;
mod gtp;
mod matches;
mod named_files;
mod openings;
mod options;
mod perft;
mod picture;
mod progress;
mod puzzles;
mod review;
mod review_html;
mod selfplay;
mod serve;
mod site;
mod teufel;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// An engine for the board game Ponte del Diavolo.
///
/// Without a subcommand, runs `pontifex gtp`.
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
    Puzzles(puzzles::Puzzles),
    Selfplay(selfplay::Selfplay),
    Serve(Box<serve::Serve>),
    Site(site::Site),
    Teufel(teufel::Teufel),
    Completions(completions::Completions),
}

/// Runs the program with the arguments of the process.
fn main() -> ExitCode {
    // If this fails, an interrupt still ends the process, but with the default
    // exit code of the system.
    let _ = ctrlc::set_handler(exit::handle);
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
        Command::Puzzles(puzzles) => puzzles.run()?,
        Command::Selfplay(selfplay) => return selfplay.run(),
        Command::Serve(serve) => return serve.run(),
        Command::Site(site) => site.run()?,
        Command::Teufel(teufel) => teufel.run()?,
        Command::Completions(completions) => completions.run(Arguments::command())?,
    }
    Ok(ExitCode::SUCCESS)
}
