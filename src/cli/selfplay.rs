//! `pontifex selfplay`: games for the network to learn from.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;

use super::exit::UsageError;
use super::options::EngineOptions;
use crate::search::Searcher;
use crate::train::selfplay::{ClearGames, DataFile, Settings};

/// Make training games: the engine against itself, written down as they end.
///
/// A file that is there already is continued: games it has are not played
/// again.
#[derive(Args, Debug)]
pub(super) struct Selfplay {
    /// The file of games
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Games to play, numbered from --first
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Iterations for each ply of a turn searched in full
    #[arg(long, value_name = "N", default_value_t = Settings::default().full)]
    full: u64,
    /// Iterations for each ply of the other turns
    #[arg(long, value_name = "N", default_value_t = Settings::default().quick)]
    quick: u64,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Selfplay {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let options = self.engine.resolve()?;
        let mut settings = Settings {
            size: options.rules.size,
            supply: options.rules.supply,
            full: self.full,
            quick: self.quick,
            seed: options.search.seed,
            ..Settings::default()
        };
        settings.config.evaluator = options.search.evaluator;
        settings.config.params = options.search.params;
        settings.config.network = options.search.network;
        let header = format!(
            "board={} supply={} full={} quick={} seed={}",
            settings.size, settings.supply, settings.full, settings.quick, settings.seed
        );
        let (file, there) =
            DataFile::open(&self.output, &header).map_err(|error| UsageError(error.to_string()))?;
        let there: HashSet<u64> = there.into_iter().collect();
        let file = Mutex::new(file);
        let next = AtomicU64::new(0);
        let failed = AtomicBool::new(false);
        let clear = Mutex::new(ClearGames::default());
        let start = Instant::now();
        let played = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..options.search.threads {
                scope.spawn(|| {
                    let mut searcher = Searcher::default();
                    while !failed.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
                            break;
                        }
                        if there.contains(&number) {
                            continue;
                        }
                        let Some(game) = settings.play(number, &mut searcher) else { break };
                        let end = game.replay(|_| {});
                        let winner = end.and_then(|end| end.outcome().winner());
                        clear.lock().unwrap_or_else(PoisonError::into_inner).count(&game, winner);
                        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                        if let Err(error) = file.add(&game) {
                            let _ = writeln!(io::stderr(), "pontifex: {error}");
                            failed.store(true, Ordering::Relaxed);
                        }
                        let count = played.fetch_add(1, Ordering::Relaxed) + 1;
                        if count % 100 == 0 {
                            let rate = count as f64 / start.elapsed().as_secs_f64() * 3600.0;
                            let _ = writeln!(io::stderr(), "{count} games, {rate:.0} an hour");
                        }
                    }
                });
            }
        });
        let clear = clear.into_inner().unwrap_or_else(PoisonError::into_inner);
        writeln!(io::stdout(), "{} games; {clear:?}", played.into_inner())?;
        Ok(())
    }
}
