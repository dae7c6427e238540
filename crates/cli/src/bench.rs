//! `pontifex bench`: measures speed, and prints a signature of the search.
//!
//! The signature is the number of nodes of fixed searches. It is the same on every machine and
//! changes only when the search plays differently, so it checks a commit that should only make
//! things faster. The idea comes from Stockfish's `bench`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};

use super::exit;
use super::options::{whole, within};
use pontifex::board::Size;
use pontifex::clock::Seconds;
use pontifex::engine::{Options, bench};
use pontifex::eval::{Random, UniformGame, uniform_rollout};
use pontifex::game::{Position, Rules};
use pontifex::search::{Config, Limits, Searcher, StopSignal};

/// Measure speed, and print a signature of the search's behaviour
#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    kind: Option<BenchKind>,
}

#[derive(Subcommand, Clone, Debug)]
enum BenchKind {
    /// Measure uniformly random games per second from the empty board
    Rollouts {
        /// Board size
        #[arg(long, value_name = "N", default_value_t = 10,
              value_parser = whole::<u64>(4..=12))]
        board: u64,
        /// Duration in seconds
        #[arg(long, value_name = "S", default_value_t = Seconds::whole(2), value_parser = duration())]
        seconds: Seconds,
        /// Number of threads
        #[arg(long, value_name = "T", default_value_t = 1,
              value_parser = whole::<u64>(1..=1024))]
        threads: u64,
    },
    /// Measure search iterations per second in a middle game with 1, 2, ... threads
    Threads {
        /// Duration in seconds for each number of threads
        #[arg(long, value_name = "S", default_value_t = Seconds::whole(3), value_parser = duration())]
        seconds: Seconds,
        /// Maximum number of threads [default: all cores]
        #[arg(long, value_name = "T", value_parser = whole::<u64>(1..=1024))]
        threads: Option<u64>,
    },
}

/// A value parser for the duration of a measurement or a decision.
pub(super) fn duration() -> impl TypedValueParser<Value = Seconds> {
    within(Seconds::millis(1)..=Seconds::whole(3600))
}

/// Runs `pontifex bench`.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    exit::exit_on_broken_pipe();
    let mut out = io::stdout().lock();
    match args.kind.clone() {
        None => signature(&mut out)?,
        Some(BenchKind::Rollouts { board, seconds, threads }) => {
            rollouts(&mut out, board, seconds.duration(), threads)?;
        }
        Some(BenchKind::Threads { seconds, threads }) => {
            scaling(&mut out, seconds.duration(), threads)?;
        }
    }
    Ok(())
}

/// Prints the number of nodes in the trees of fixed searches, which is the same on every machine,
/// and the speed.
fn signature(out: &mut impl Write) -> io::Result<()> {
    let start = Instant::now();
    let mut nodes = 0;
    for (number, report) in bench::searches().enumerate() {
        nodes += report.nodes;
        writeln!(out, "position {} best {} nodes {}", number + 1, report.best, report.nodes)?;
    }
    let per_second = nodes as f64 / start.elapsed().as_secs_f64();
    writeln!(out, "{nodes} nodes {per_second:.0} nps")
}

/// Prints the number of uniformly random games per second.
fn rollouts(out: &mut impl Write, board: u64, duration: Duration, threads: u64) -> io::Result<()> {
    let size = Size::new(board).unwrap_or_default();
    let empty = Position::new(Rules { size, ..Rules::default() });
    let start = Instant::now();
    let play = |thread: u64| {
        let mut random = Random::new(thread);
        let (mut count, mut sum) = (0u64, [0u64; 3]);
        while start.elapsed() < duration {
            // A game takes microseconds: reading the clock after each would distort the result.
            for _ in 0..64 {
                let UniformGame { turns, tiles, bridges } =
                    uniform_rollout(&mut { empty }, &mut random);
                count += 1;
                for (sum, n) in sum.iter_mut().zip([turns, tiles, bridges]) {
                    *sum += u64::from(n);
                }
            }
        }
        (count, sum)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || play(thread))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    let count: u64 = results.iter().map(|(count, _)| count).sum();
    let mean = |n: usize| results.iter().map(|(_, sum)| sum[n]).sum::<u64>() as f64 / count as f64;
    writeln!(
        out,
        "rollouts {count} seconds {seconds:.3} per_second {:.0} mean_turns {:.2} mean_tiles {:.2} \
         mean_bridges {:.2}",
        count as f64 / seconds,
        mean(0),
        mean(1),
        mean(2),
    )
}

/// Prints search iterations per second for increasing numbers of threads.
fn scaling(out: &mut impl Write, duration: Duration, most: Option<u64>) -> io::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = most.map_or(cores, |most| most as usize);
    // The third position of the signature is a middle game.
    let position = bench::positions().nth(2).unwrap_or_else(|| Position::new(Rules::default()));
    let limits = Limits { time: Some(duration), ..Limits::default() };
    let mut single = 0.0;
    for threads in 1..=most {
        let config = Config { threads, ..Options::default().search };
        let stop = StopSignal::default();
        let report = Searcher::default().search(&position, &config, &limits, &stop).finish();
        let per_second = report.iterations as f64 / report.elapsed.as_secs_f64();
        if threads == 1 {
            single = per_second;
        }
        writeln!(
            out,
            "threads {threads} per_second {per_second:.0} ratio {:.2}",
            per_second / single
        )?;
    }
    Ok(())
}
