//! `pontifex openings`: makes openings for matches and for the pie rule.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, Subcommand};

use crate::exit::UsageError;
use crate::options::RuleOptions;
use crate::progress::Progress;
use pontifex_tournament::openings::{FirstMaker, MakeError, SuiteMaker};

/// Make openings for matches, or even first placements for the pie rule
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(super) struct Openings {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// Random turns of two tiles that a search evaluates as near even, no two
    /// the same under symmetry; an interrupted run continues
    Suite(Suite),
    /// First placements after which the game is near even, up to symmetry; an
    /// interrupted run continues
    First(First),
}

#[derive(Args, Debug)]
struct Suite {
    /// The file to write or to extend
    file: PathBuf,
    /// The number of openings in the file
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// Turns per opening: a number or a range, as in 2..4
    #[arg(long, value_name = "N", default_value = "2..4", value_parser = turns)]
    turns: RangeInclusive<usize>,
    #[command(flatten)]
    judge: Judge,
}

#[derive(Args, Debug)]
struct First {
    /// The file to write
    file: PathBuf,
    /// The largest number of placements to keep
    #[arg(long, value_name = "N", default_value_t = 32,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    count: u64,
    #[command(flatten)]
    judge: Judge,
}

/// How openings are evaluated.
#[derive(Args, Debug)]
struct Judge {
    /// Iterations of each of the two searches per opening, in the last stage
    /// [default: 2000 for a suite, 16000 for first placements]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Largest distance of White's expected result from 1/2 [default: 0.05 for
    /// a suite, 0.02 for first placements]
    #[arg(long, value_name = "X", value_parser = threshold)]
    threshold: Option<f64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings evaluated at a time; does not change the result
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    #[command(flatten)]
    rules: RuleOptions,
}

fn turns(text: &str) -> Result<RangeInclusive<usize>, String> {
    let range = match text.split_once("..") {
        Some((first, last)) => first.parse().and_then(|first| Ok(first..=last.parse()?)),
        None => text.parse().map(|turns| turns..=turns),
    };
    match range {
        Ok(range)
            if !range.is_empty() && (1..=20).contains(range.start()) && *range.end() <= 20 =>
        {
            Ok(range)
        }
        _ => Err("a number of turns, 1 to 20, or two of them, as in 2..4".to_owned()),
    }
}

fn threshold(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(threshold) if (0.0..=0.5).contains(&threshold) => Ok(threshold),
        _ => Err("a number from 0 to 0.5".to_owned()),
    }
}

impl Openings {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.kind {
            Kind::Suite(suite) => suite.run(),
            Kind::First(first) => first.run(),
        }
    }
}

impl Suite {
    fn run(self) -> anyhow::Result<()> {
        let Judge { playouts, threshold, seed, threads, rules } = self.judge;
        let (rules, threads) = (rules.resolve()?.rules, threads as usize);
        let (playouts, threshold) = (playouts.unwrap_or(2000), threshold.unwrap_or(0.05));
        let maker = SuiteMaker { rules, turns: self.turns, playouts, threshold, seed, threads };
        let progress = Progress::new("openings", self.count);
        let mut candidates = 0;
        let made = maker.make(&self.file, self.count, &mut |_, drawn| {
            candidates = drawn;
            progress.advance();
        });
        drop(progress);
        made.map_err(explain)?;
        let _ = writeln!(io::stderr(), "{} openings of {candidates} candidates", self.count);
        Ok(())
    }
}

impl First {
    fn run(self) -> anyhow::Result<()> {
        let Judge { playouts, threshold, seed, threads, rules } = self.judge;
        let (rules, threads) = (rules.resolve()?.rules, threads as usize);
        let (playouts, threshold) = (playouts.unwrap_or(16_000), threshold.unwrap_or(0.02));
        let count = self.count as usize;
        let maker = FirstMaker { rules, count, playouts, threshold, seed, threads };
        let made = maker.make(&self.file, &mut |done, total, stage| {
            if done == total {
                let _ = writeln!(io::stderr(), "stage {stage}: {total} placements evaluated");
            }
        });
        let placements = made.map_err(explain)?;
        ensure!(!placements.is_empty(), "no placement is even enough: use a larger --threshold");
        let _ = writeln!(io::stderr(), "{} placements", placements.len());
        Ok(())
    }
}

/// Reports a file made with other options as wrong usage.
fn explain(error: MakeError) -> anyhow::Error {
    match error {
        MakeError::Other { .. } => UsageError(error.to_string()).into(),
        error => error.into(),
    }
}
