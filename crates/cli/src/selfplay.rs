//! `pontifex selfplay`: training games of the engine against itself.
//!
//! A run may last for days on several machines, so the file of games is the only state. Games are
//! numbered: a run plays the numbers that its file lacks, and a shard is a share of the numbers.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{ArgMatches, Args};
use pontifex::engine::Options;
use pontifex::messages::tell;
use pontifex_tournament::{ProcessGroups, Shard};
use pontifex_train::selfplay::{self, DataError, DataFile, Played, Settings, Tally};

use super::exit;
use super::exit::{INTERRUPTED, UsageError};
use super::named_files::ignore_broken_pipe;
use super::options::{SELFPLAY, whole, within};
use crate::progress::{StatusLine, format_clock};

/// Make training games by self-play
///
/// Writes every game to FILE when it is over. An existing file is continued: its games are not
/// played again. Ctrl-C ends the run after the games in progress, a second Ctrl-C at once. The file
/// is intact either way.
#[derive(Args, Debug)]
#[command(args = SELFPLAY.args())]
pub(super) struct Selfplay {
    /// The file of games
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Number of games, over all shards
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = whole::<u64>(1..=1_000_000_000))]
    games: u64,
    /// Play only one part of the games, for example 2/8 for the second of eight; use one file for
    /// each
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Search iterations for each step of a turn searched in full
    #[arg(long, value_name = "N", default_value_t = Settings::default().full_iterations,
          value_parser = whole::<u64>(1..=Settings::MAX_FULL))]
    full: u64,
    /// Search iterations for each step of the other turns
    #[arg(long, value_name = "N", default_value_t = Settings::default().quick_iterations,
          value_parser = whole(1..=u64::MAX))]
    quick: u64,
    /// Share of turns searched in full
    #[arg(long, value_name = "X", default_value_t = Settings::default().full_share,
          value_parser = within(0.0..=1.0))]
    full_share: f64,
    /// Once a side's win rate stays below X the result is clear, and tiny searches play the rest; 0
    /// plays all games with full searches
    #[arg(long, value_name = "X", default_value_t = Settings::default().resign_below,
          value_parser = within(0.0..=0.5_f32))]
    resign: f32,
    /// Share of games played on with full searches nevertheless
    #[arg(long, value_name = "X", default_value_t = Settings::default().resign_checked_share,
          value_parser = within(0.0..=1.0))]
    resign_check: f64,
    /// Begin with the engine's own turns instead of random ones
    #[arg(long)]
    no_random_turns: bool,
}

impl Selfplay {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let options = SELFPLAY.resolve(matches)?.options;
        let settings = self.settings(&options);
        let (mut tally, mut existing) = (Tally::default(), HashSet::new());
        let mut file = DataFile::open(&self.output, &settings.header(), &mut |game| {
            existing.insert(game.number);
            tally.count(game)
        })
        .map_err(|error| match error {
            DataError::File { .. } => anyhow::Error::from(error),
            _ => UsageError(error.to_string()).into(),
        })?;

        let numbers = || self.shard.unwrap_or(Shard::WHOLE).numbers(self.games);
        let mut missing = numbers().filter(|number| !existing.contains(number));
        let (planned, missing_count) = (numbers().count() as u64, missing.clone().count() as u64);
        let mut status = Status::new(planned - missing_count, planned);
        if !existing.is_empty() {
            let (file, count) = (self.output.display(), existing.len());
            tell(format_args!("{file} has {count} games, {missing_count} are missing"));
        }

        let stop = exit::defer_interrupt(&ProcessGroups::default(), exit::FINISHING_GAMES);
        let result = selfplay::run(
            &settings,
            &mut missing,
            options.search.threads,
            &mut file,
            stop,
            &mut |game| {
                tally.count(game);
                status.count(game);
            },
        );
        let rate = status.games_per_hour();
        let is_done = status.is_done();
        drop(status);
        ignore_broken_pipe(self.report(&tally, rate))?;
        result?;
        let is_interrupted = stop.load(Ordering::Relaxed) && !is_done;
        Ok(ExitCode::from(if is_interrupted { INTERRUPTED as u8 } else { 0 }))
    }

    fn settings(&self, options: &Options) -> Settings {
        let mut settings = Settings {
            size: options.rules.size,
            supply: options.rules.supply,
            full_iterations: self.full,
            quick_iterations: self.quick,
            full_share: self.full_share,
            resign_below: self.resign,
            resign_checked_share: self.resign_check,
            random_turns: !self.no_random_turns,
            seed: options.search.seed,
            ..Settings::default()
        };
        settings.config.evaluator = options.search.evaluator;
        settings.config.weights = options.search.weights.clone();
        settings.config.params = options.search.params;
        settings
    }

    /// Prints the counts of the whole file, and the speed of this run.
    fn report(&self, tally: &Tally, rate: Option<f64>) -> io::Result<()> {
        let Tally { games, turns, positions, full, quick, white, red, .. } = *tally;
        let Tally { clear, checked, mispredicted, .. } = *tally;
        let (file, draws, value) = (self.output.display(), tally.draws(), full + quick);
        let mut out = io::stdout().lock();
        writeln!(out, "{file}: {games} games, {turns} turns, {positions} positions")?;
        writeln!(out, "to train on: policy {full}, value {value}")?;
        writeln!(out, "White won {white}, drew {draws}, lost {red}")?;
        writeln!(
            out,
            "decided before the end: {clear}, {checked} of them checked, {mispredicted} predicted wrongly"
        )?;
        if let Some(rate) = rate {
            writeln!(out, "{rate:.0} games an hour")?;
        }
        out.flush()
    }
}

/// The interval of updates on a terminal. Set by judgement: the rates change slowly.
const REDRAW: Duration = Duration::from_secs(2);

/// The status line: games done, the speed of this run and the time left.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// Games finished before this run. They count as done, but not for the rates.
    before: u64,
    planned: u64,
    /// Games and positions of this run.
    games: u64,
    positions: u64,
}

impl Status {
    /// A status with `before` of `planned` games finished.
    pub(super) fn new(before: u64, planned: u64) -> Status {
        Status { line: StatusLine::new(REDRAW), before, planned, games: 0, positions: 0 }
    }

    /// Counts a finished game.
    pub(super) fn count(&mut self, game: &Played) {
        self.games += 1;
        self.positions += game.steps.len() as u64;
        if self.line.is_due() {
            let text = self.text(self.line.elapsed());
            self.line.show(&text);
        }
    }

    /// Whether all games are finished.
    pub(super) fn is_done(&self) -> bool {
        self.before + self.games == self.planned
    }

    /// The games an hour of this run, if there were any.
    pub(super) fn games_per_hour(&self) -> Option<f64> {
        (self.games > 0).then(|| per_hour(self.games, self.line.elapsed()))
    }

    /// `120/1000  33635 games/h  3021442 positions/h  left 0:01:34`
    fn text(&self, elapsed: Duration) -> String {
        let done = self.before + self.games;
        let games = per_hour(self.games, elapsed);
        let positions = per_hour(self.positions, elapsed);
        let remaining = self.planned.saturating_sub(done) as f64 / games * 3600.0;
        format!(
            "{done}/{}  {games:.0} games/h  {positions:.0} positions/h  left {}",
            self.planned,
            format_clock(remaining)
        )
    }
}

fn per_hour(count: u64, elapsed: Duration) -> f64 {
    count as f64 * 3600.0 / elapsed.as_secs_f64().max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_progress_and_speed() {
        let mut status = Status::new(100, 1000);
        (status.games, status.positions) = (20, 1800);
        assert_eq!(
            status.text(Duration::from_secs(10)),
            "120/1000  7200 games/h  648000 positions/h  left 0:07:20"
        );
        assert!(!status.is_done());
        status.games = 900;
        assert!(status.is_done());
        assert!(status.text(Duration::ZERO).ends_with("left 0:00:00"));
    }
}
