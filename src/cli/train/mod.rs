//! `pontifex train`: the network, from games of `pontifex selfplay`.

mod status;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context;
use clap::Args;

use self::status::Status;
use super::exit::{INTERRUPTED, UsageError};
use super::interrupt;
use crate::arena::ProcessGroups;
use crate::train::network::{Summary, TrainError, TrainGames, TrainJob, TrainOptions};

/// Train the network on games of `pontifex selfplay`
///
/// Beside FILE, the network, stand FILE.checkpoint, from which the same
/// command goes on where it was interrupted, and the losses as they fell, as
/// a table and a picture: FILE.curves.txt and FILE.curves.svg. Ctrl-C ends
/// the run when the window of games under way is learnt, a second one at
/// once.
#[derive(Args, Debug)]
pub(super) struct Train {
    /// Files of games
    #[arg(required = true, value_name = "GAMES")]
    inputs: Vec<PathBuf>,
    /// Where the network goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Threads that learn side by side; the network is the same with any
    /// number of them [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// How often every game is learnt
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().epochs,
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    epochs: u64,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().batch as u64,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    batch: u64,
    /// Games whose positions are in memory, and are shuffled, together
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().window as u64,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    window: u64,
    /// Length of the first steps; it falls by a cosine to a fiftieth
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().rate,
          value_parser = rate)]
    rate: f32,
    /// What each weight loses in a step, as a part of the rate
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().decay,
          value_parser = decay)]
    decay: f32,
    /// The same for the rows of weights of the inputs
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().input_decay,
          value_parser = decay)]
    input_decay: f32,
    /// The search's share in what is learnt of result and lead; the rest is
    /// how the game ended
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().search_share,
          value_parser = share)]
    search_share: f32,
    /// Share of the positions below those of the games that is learnt, beside
    /// those whose policy is
    #[arg(long, value_name = "X", default_value_t = TrainOptions::default().below_share,
          value_parser = share)]
    below_share: f32,
    /// Only measure the losses on one game in N, by its number; 0 is none
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().hold_out)]
    hold_out: u64,
    /// Decides the first weights, and the order of games and positions
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().seed)]
    seed: u64,
}

fn number(text: &str, is_in_range: impl Fn(f32) -> bool) -> Option<f32> {
    text.parse().ok().filter(|&number| is_in_range(number))
}

fn share(text: &str) -> Result<f32, String> {
    let share = number(text, |share| (0.0..=1.0).contains(&share));
    share.ok_or_else(|| "a number from 0 to 1".to_owned())
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = number(text, |rate| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| "a number above 0, 1 at most".to_owned())
}

fn decay(text: &str) -> Result<f32, String> {
    let decay = number(text, |decay| (0.0..=100.0).contains(&decay));
    decay.ok_or_else(|| "a number from 0 to 100".to_owned())
}

/// What could not be written is a failure; anything else is in what was asked
/// for.
fn refused(error: TrainError) -> anyhow::Error {
    match error {
        TrainError::File { .. } => error.into(),
        _ => UsageError(error.to_string()).into(),
    }
}

impl Train {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let threads = self.threads.unwrap_or(0) as usize;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.context("the threads cannot be started")?.install(|| self.train())
    }

    fn train(&self) -> anyhow::Result<ExitCode> {
        let games =
            TrainGames::read(&self.inputs).map_err(|error| UsageError(error.to_string()))?;
        let mut job = TrainJob::open(&self.output, &self.options(), games).map_err(refused)?;
        let (windows, planned) = job.windows();
        if windows > 0 {
            let file = self.output.display();
            let line = match planned - windows {
                0 => format!("pontifex: {file} is done"),
                left => format!("pontifex: {file} has {windows} windows, {left} are missing"),
            };
            let _ = writeln!(io::stderr(), "{line}");
        }
        let stop = interrupt::ask_first(&ProcessGroups::default(), "learning the window under way");
        let mut status = Status::new(&job);
        while !stop.load(Ordering::Relaxed)
            && let Some(row) = job.advance()?
        {
            status.learnt(&row);
        }
        job.save()?;
        let speed = status.speed();
        drop(status);
        self.report(&job, speed)?;
        let is_interrupted = !job.is_done();
        Ok(ExitCode::from(if is_interrupted { INTERRUPTED as u8 } else { 0 }))
    }

    fn options(&self) -> TrainOptions {
        TrainOptions {
            batch: self.batch as usize,
            window: self.window as usize,
            epochs: self.epochs,
            rate: self.rate,
            decay: self.decay,
            input_decay: self.input_decay,
            search_share: self.search_share,
            below_share: self.below_share,
            hold_out: self.hold_out,
            seed: self.seed,
        }
    }

    /// Prints what was learnt, how the network does on the games held out,
    /// and how fast it was learnt in this run.
    fn report(&self, job: &TrainJob, speed: Option<f64>) -> io::Result<()> {
        let (file, positions) = (self.output.display(), job.positions());
        let ((windows, planned), (games, held_out)) = (job.windows(), job.games());
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{file}: {games} games, {windows} of {planned} windows, {positions:.0} positions"
        )?;
        if held_out > 0 {
            write!(out, "{:12}", format!("{held_out} held out"))?;
            for name in Summary::NAMES {
                write!(out, "{name:>10}")?;
            }
            writeln!(out)?;
            for (name, summary) in ["linear", "network"].into_iter().zip(job.measure()) {
                write!(out, "{name:12}")?;
                for value in summary.values() {
                    let text = if value.is_nan() { "-".to_owned() } else { format!("{value:.4}") };
                    write!(out, "{text:>10}")?;
                }
                writeln!(out)?;
            }
        }
        if let Some(speed) = speed {
            writeln!(out, "{speed:.0} positions a second")?;
        }
        out.flush()
    }
}
