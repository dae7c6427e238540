//! `pontifex perft`: counts move sequences, to compare implementations of the rules.

use std::io::{self, Write};

use clap::{ArgMatches, Args};
use rayon::prelude::*;

use super::exit;
use super::exit::UsageError;
use super::options::RULES;
use super::progress::Progress;
use pontifex::game::{Move, Position, Rules, Setup, perft, perft_divide};

/// Count the move sequences of DEPTH turns
#[derive(Args, Debug)]
#[command(args = RULES.args())]
pub(super) struct Perft {
    /// Number of turns
    depth: u32,
    /// Start from this position text (ROWS SIDE BRIDGES STATE)
    #[arg(long, value_name = "TEXT", conflicts_with = "board")]
    position: Option<String>,
    /// Also print the count after each first move
    #[arg(long)]
    divide: bool,
}

impl Perft {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<()> {
        let start = self.start(RULES.resolve(matches)?.options.rules)?;
        exit::exit_on_broken_pipe();
        let counts = count(&start, self.depth);
        let mut output = io::stdout().lock();
        if self.divide {
            for (mv, count) in &counts {
                writeln!(output, "{mv} {count}")?;
            }
        }
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        // There is one sequence of no moves.
        writeln!(output, "{}", if self.depth == 0 { 1 } else { total })?;
        Ok(output.flush()?)
    }

    fn start(&self, rules: Rules) -> Result<Position, UsageError> {
        let Some(text) = &self.position else { return Ok(Position::new(rules)) };
        let setup = Setup::parse(text, rules.supply, rules.pie)
            .map_err(|error| UsageError(format!("--position: {error}")))?;
        setup.validate().map_err(|error| UsageError(format!("--position: {error}")))
    }
}

/// The count after each first move, in the order of [`Position::moves`], on all cores.
fn count(start: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let moves: Vec<Move> = perft_divide(start, 1).map(|(mv, _)| mv).collect();
    let progress = Progress::new("perft", moves.len());
    let count_after = |mv: Move| {
        let mut position = *start;
        for step in mv.steps() {
            position.make(step);
        }
        let count = perft(&position, depth);
        progress.advance();
        (mv, count)
    };
    moves.into_par_iter().map(count_after).collect()
}
