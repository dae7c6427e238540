//! Makes the test data in `tests/suite/data`. Every subcommand prints lines for one of its files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pontifex::game::Move;

mod endings;
mod journal;
mod perft;
mod small_boards;
mod tactics;

/// Makes the test data in `tests/suite/data`. Prints to standard output.
#[derive(Parser)]
#[command(bin_name = "cargo test --release --test makedata --", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lines for `endings.txt`: endings with values by brute force (minutes)
    Endings {
        /// Journals of `pontifex match`
        #[arg(required = true, value_name = "JOURNAL")]
        journals: Vec<PathBuf>,
    },
    /// Lines for `tactics.txt`: positions with few right turns (minutes)
    Tactics {
        /// Which positions
        #[arg(long, value_enum, default_value = "small")]
        kind: tactics::Kind,
        /// Journals of `pontifex match`
        #[arg(required = true, value_name = "JOURNAL")]
        journals: Vec<PathBuf>,
    },
    /// Lines for `tactics.txt`: positions of random games on small boards
    Studies {
        /// The number of random games
        #[arg(long, default_value_t = 20_000)]
        games: u64,
    },
    /// Lines for `small_boards.txt`: White's first turns, solved (5x5: a quarter of an hour)
    SmallBoards {
        /// The board's size
        #[arg(long)]
        board: u64,
        /// The limit of positions for each question to the solver
        #[arg(long, default_value_t = 5_000_000)]
        nodes: u64,
        /// First turns, such as b2,c3; without any, all
        #[arg(value_name = "OPENING")]
        openings: Vec<Move>,
    },
    /// All of `perft.txt`, counted by the reference rules (minutes)
    Perft,
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Endings { journals } => endings::print(&journal::games(&journals)?),
        Command::Tactics { kind, journals } => tactics::print(kind, &journal::games(&journals)?),
        Command::Studies { games } => tactics::print_studies(games),
        Command::SmallBoards { board, nodes, openings } => {
            small_boards::print(board, openings, nodes)?;
        }
        Command::Perft => perft::print(),
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
