//! `pontifex openings`: makes openings for matches and for the pie rule.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::ensure;
use clap::{ArgMatches, Args, Subcommand};

use crate::exit::UsageError;
use crate::fit::read_games;
use crate::named_files::print;
use crate::options::{RULES, whole, within};
use crate::progress::Progress;
use pontifex::game::{Color, Position, Rules};
use pontifex_tournament::openings::{ExplorerMaker, Extent, FirstMaker, MakeError, SuiteMaker};
use thiserror::Error;

/// Make openings for matches, or even first placements for the pie rule
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(super) struct Openings {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// Random turns of two tiles that a search evaluates as near even, no two the same under
    /// symmetry; an interrupted run continues
    Suite(Suite),
    /// First placements after which the game is near even, up to symmetry; an interrupted run
    /// continues
    First(First),
    /// How games of self-play, or of records, begin: first turns and replies up to symmetry, with
    /// their results and the engine's value, as JSON for the page
    Explorer(Explorer),
}

#[derive(Args, Debug)]
struct Suite {
    /// The file to write or to extend
    file: PathBuf,
    /// The number of openings in the file
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// Turns per opening: a number or a range, as in 2..4
    #[arg(long, value_name = "N", default_value = "2..4", value_parser = parse_turns)]
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
          value_parser = whole::<u64>(1..=1000))]
    count: u64,
    #[command(flatten)]
    judge: Judge,
}

#[derive(Args, Debug)]
#[command(args = RULES.args())]
struct Explorer {
    /// Games from the empty board, without the pie rule
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The most first turns
    #[arg(long, value_name = "N", default_value_t = 60)]
    turns: usize,
    /// The most replies to each
    #[arg(long, value_name = "N", default_value_t = 12)]
    replies: usize,
    /// The fewest games with a turn
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = whole(1..=u64::MAX))]
    least: u64,
    /// Iterations of each of the two searches for a value
    #[arg(long, value_name = "N", default_value_t = 4000,
          value_parser = whole(1..=u64::MAX))]
    playouts: u64,
    /// Values searched for at a time; does not change the result
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole::<u64>(1..=1024))]
    threads: u64,
}

/// How openings are evaluated.
#[derive(Args, Debug)]
#[command(args = RULES.args())]
struct Judge {
    /// Iterations of each of the two searches per opening, in the last stage
    /// [default: 2000 for a suite, 16000 for first placements]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    playouts: Option<u64>,
    /// Largest distance of White's expected result from 1/2
    /// [default: 0.05 for a suite, 0.02 for first placements]
    #[arg(long, value_name = "X", value_parser = within(0.0..=0.5))]
    threshold: Option<f64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings evaluated at a time; does not change the result
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole::<u64>(1..=1024))]
    threads: u64,
}

/// The error for a text that is not a range of turns.
#[derive(Debug, Error)]
#[error("a number of turns, 1 to 20, or two of them, as in 2..4")]
struct NotTurns;

fn parse_turns(text: &str) -> Result<RangeInclusive<usize>, NotTurns> {
    let number = |text: &str| text.parse().ok().filter(|turns| (1..=20).contains(turns));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let ends = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    ends.map(|(first, last)| first..=last).ok_or(NotTurns)
}

impl Openings {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<()> {
        let rules = RULES.resolve(matches)?.options.rules;
        match self.kind {
            Kind::Suite(suite) => suite.run(rules),
            Kind::First(first) => first.run(rules),
            Kind::Explorer(explorer) => explorer.run(rules),
        }
    }
}

impl Suite {
    fn run(self, rules: Rules) -> anyhow::Result<()> {
        let Judge { playouts, threshold, seed, threads } = self.judge;
        let threads = threads as usize;
        // Set by judgement: a suite needs many openings, each played twice with colours exchanged,
        // so a coarse evaluation is enough.
        let (playouts, threshold) = (playouts.unwrap_or(2000), threshold.unwrap_or(0.05));
        let maker = SuiteMaker { rules, turns: self.turns, playouts, threshold, seed, threads };
        let progress = Progress::new("openings", self.count);
        let mut candidates = 0;
        let result = maker.make(&self.file, self.count, &mut |_, drawn| {
            candidates = drawn;
            progress.advance();
        });
        drop(progress);
        result.map_err(from_make_error)?;
        let _ = writeln!(io::stderr(), "{} openings of {candidates} candidates", self.count);
        Ok(())
    }
}

impl First {
    fn run(self, rules: Rules) -> anyhow::Result<()> {
        let Judge { playouts, threshold, seed, threads } = self.judge;
        let threads = threads as usize;
        // Set by judgement: the placements are few, and one opponent chooses the side, so they are
        // evaluated more closely than a suite.
        let (playouts, threshold) = (playouts.unwrap_or(16_000), threshold.unwrap_or(0.02));
        let count = self.count as usize;
        let maker = FirstMaker { rules, count, playouts, threshold, seed, threads };
        let result = maker.make(&self.file, &mut |done, total, stage| {
            if done == total {
                let _ = writeln!(io::stderr(), "stage {stage}: {total} placements evaluated");
            }
        });
        let placements = result.map_err(from_make_error)?;
        ensure!(!placements.is_empty(), "no placement is even enough: use a larger --threshold");
        let _ = writeln!(io::stderr(), "{} placements", placements.len());
        Ok(())
    }
}

impl Explorer {
    fn run(self, rules: Rules) -> anyhow::Result<()> {
        // The explorer counts first turns and replies, and a swap is neither.
        let rules = Rules { pie: false, ..rules };
        let mut maker = ExplorerMaker::new(rules);
        for path in &self.games {
            for (game, number) in read_games(path)?.iter().zip(1..) {
                if *game.start() != Position::new(rules) {
                    let path = path.display();
                    let text = format!(
                        "{path}: game {number} does not begin on the empty {}x{} board with the supply {} and without the pie rule",
                        rules.size, rules.size, rules.supply
                    );
                    return Err(UsageError(text).into());
                }
                maker.add(game.moves(), f64::from(game.result(Color::White)));
            }
        }
        let least = usize::try_from(self.least)?;
        let extent = Extent { first_moves: self.turns, replies: self.replies, min_games: least };
        let progress = Progress::new("values", maker.value_count(extent));
        let threads = self.threads as usize;
        let explorer = maker.make(extent, self.playouts, threads, &|| progress.advance());
        drop(progress);
        print(format!("{}\n", serde_json::to_string(&explorer)?).as_bytes())
    }
}

/// Converts an error of making openings: it is wrong usage if the file was made with other options.
fn from_make_error(error: MakeError) -> anyhow::Error {
    match error {
        MakeError::Mismatch { .. } => UsageError(error.to_string()).into(),
        error => error.into(),
    }
}
