//! From options to a tournament: defaults, openings, checks.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use super::options::{MatchOptions, Pie};
use crate::cli::exit::{EngineError, UsageError};
use crate::game::{Move, Rules};
use crate::tournament::{
    EngineCommand, EngineSpec, Format, Limit, Player, ProcessGroups, Tournament, default_openings,
    openings,
};

/// Pairs of games where the engines open by themselves.
const PIE_ROUNDS: usize = 50;

/// The longest test, in pairs of games.
const SPRT_ROUNDS: usize = 20_000;

/// The tournament that the options ask for.
///
/// # Errors
/// A [`UsageError`], or an [`EngineError`] for a program that is not there.
pub(super) fn plan(options: &MatchOptions) -> anyhow::Result<Tournament> {
    let engines = options.engine.clone();
    if engines.is_empty() {
        return Err(UsageError(
            "engines are missing: --engine 'name=A cmd=\"./a gtp\"' twice, or --config FILE"
                .to_owned(),
        )
        .into());
    }
    let rules = Rules {
        size: options.board.unwrap_or_default(),
        supply: options.supply.unwrap_or_default(),
        pie: options.pie == Some(Pie::Play),
    };
    let seed = options.seed.unwrap_or(1);
    let openings = openings_for(options, rules, seed)?;
    let default_rounds = match (options.sprt, rules.pie) {
        (Some(_), _) => SPRT_ROUNDS,
        (None, true) => PIE_ROUNDS,
        (None, false) => openings.len(),
    };
    let default_format = if engines.len() > 2 { Format::RoundRobin } else { Format::Match };
    let tournament = Tournament {
        format: options.format.unwrap_or(default_format),
        engines,
        rounds: options.length.rounds().unwrap_or(default_rounds),
        rules,
        openings,
        order: options.order.unwrap_or_default(),
        limit: options.limit.limit().unwrap_or(Limit::Move { seconds: 1.0 }),
        margin: Duration::from_millis(options.margin.unwrap_or(100)),
        stall: options.stall.map_or(Player::DEFAULT_STALL, Duration::from_secs_f64),
        seed,
        shard: options.shard,
    };
    tournament.check().map_err(|error| UsageError(error.to_string()))?;
    for engine in &tournament.engines {
        engine.check_path().map_err(|error| EngineError(error.to_string()))?;
        if engine.command == EngineCommand::Builtin {
            // Wrong parameters show at once.
            Player::start(engine, &ProcessGroups::default(), tournament.stall)
                .map_err(|failure| EngineError(failure.to_string()))?;
        }
    }
    Ok(tournament)
}

fn openings_for(
    options: &MatchOptions,
    rules: Rules,
    seed: u64,
) -> Result<Vec<Vec<Move>>, UsageError> {
    match &options.openings {
        Some(path) => {
            openings::read(path, rules).map_err(|error| UsageError(format!("--openings: {error}")))
        }
        // The engines open by themselves.
        None if rules.pie => Ok(vec![Vec::new()]),
        None => Ok(default_openings(rules, seed)),
    }
}

/// What to warn of when more threads would think than there are cores: then
/// the clocks measure the scheduler.
pub(super) fn crowded(tournament: &Tournament, concurrency: usize) -> Option<String> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = tournament.engines.iter().map(threads_of).max().unwrap_or(1);
    (concurrency * threads > cores).then(|| {
        format!(
            "{concurrency} games at a time with {threads} threads each are more than the {cores} cores: times will not be fair"
        )
    })
}

/// How many threads an engine thinks with, as far as its parameters tell. Of
/// two engines in a game only one thinks.
fn threads_of(engine: &EngineSpec) -> usize {
    let threads = engine.params.iter().find(|(name, _)| name == "threads");
    threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
}
