//! From options to a tournament: defaults, openings and checks.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

use crate::exit::{EngineError, UsageError};
use crate::matches::options::{MatchOptions, Pie};
use pontifex::clock::Seconds;
use pontifex::game::{Move, Rules};
use pontifex_tournament::{
    EngineCommand, EngineSpec, Format, Limit, Player, ProcessGroups, Tournament, default_openings,
    openings,
};

/// The default number of rounds with the pie rule.
const PIE_ROUNDS: usize = 50;

/// The largest number of rounds of a sequential test.
const SPRT_ROUNDS: usize = 20_000;

/// The tournament that the options ask for, checked except for its engines.
pub(super) fn tournament(options: &MatchOptions) -> Result<Tournament, UsageError> {
    let engines = options.engine.clone();
    if engines.is_empty() {
        return Err(UsageError(
            "engines are missing: give --engine 'name=A cmd=\"./a gtp\"' twice, or --config FILE"
                .to_owned(),
        ));
    }
    check_test(options, engines.len())?;
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
        limit: options.limit.limit().unwrap_or(Limit::Move { seconds: Seconds::whole(1) }),
        margin: Duration::from_millis(options.margin.unwrap_or(100)),
        stall: options.stall.map_or(Player::DEFAULT_STALL, Seconds::duration),
        seed,
        shard: options.shard,
    };
    tournament.check().map_err(|error| UsageError(error.to_string()))?;
    Ok(tournament)
}

/// Checks the options of the sequential test.
pub(super) fn check_test(options: &MatchOptions, engines: usize) -> Result<(), UsageError> {
    let wrong = if options.sprt_exit && options.sprt.is_none() {
        "--sprt-exit needs --sprt elo0=0,elo1=20"
    } else if options.sprt.is_some() && engines > 2 {
        "--sprt tests two engines, but there are more"
    } else {
        return Ok(());
    };
    Err(UsageError(wrong.to_owned()))
}

/// Checks that the programs exist, and that the built-in engine accepts its
/// parameters.
pub(super) fn check_engines(tournament: &Tournament) -> Result<(), EngineError> {
    tournament.engines.iter().try_for_each(|engine| check_engine(engine, tournament.stall))
}

/// Checks one engine of a tournament.
pub(super) fn check_engine(engine: &EngineSpec, stall: Duration) -> Result<(), EngineError> {
    engine.check_path().map_err(|error| EngineError(error.to_string()))?;
    if engine.command == EngineCommand::Builtin {
        Player::start(engine, &ProcessGroups::default(), stall)
            .map_err(|failure| EngineError(failure.to_string()))?;
    }
    Ok(())
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
        // The engines choose the first move.
        None if rules.pie => Ok(vec![Vec::new()]),
        None => Ok(default_openings(rules, seed)),
    }
}

/// A warning if more threads would search than there are cores: the clocks would
/// measure the scheduler.
pub(super) fn crowded(tournament: &Tournament, concurrency: usize) -> Option<String> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = tournament.engines.iter().map(threads_of).max().unwrap_or(1);
    (concurrency * threads > cores).then(|| {
        format!(
            "{concurrency} games at a time with {threads} threads each need more than the {cores} cores: times will be unfair"
        )
    })
}

/// The number of an engine's threads according to its parameters. Only one of
/// the two engines of a game searches at a time.
pub(super) fn threads_of(engine: &EngineSpec) -> usize {
    let threads = engine.params.iter().find(|(name, _)| name == "threads");
    threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
}
