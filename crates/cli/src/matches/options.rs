//! The options of `pontifex match`, from the command line and a file, and the tournament that
//! follows from them: defaults, openings and checks.
//!
//! A tournament file goes through the command line's own parser: each key becomes an argument,
//! `time = 0.1` becomes `--time=0.1`. So both have the same options with the same checks. Every
//! option is an `Option` without a default of clap, because only a value that was given may
//! override one of lower precedence. The defaults are in [`tournament`].

use std::mem;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use pontifex::board::Size;
use pontifex::clock::Seconds;
use pontifex::game::{Move, Rules, Supply};
use pontifex_tournament::{
    Adjudication, DrawRule, EngineCommand, EngineSpec, Format, Limit, Order, Player, ProcessGroups,
    ResignRule, Shard, SpecError, Sprt, Tournament, default_openings, openings,
};
use thiserror::Error;
use toml::{Table, Value};

use crate::clap_errors::explain_clap_error;
use crate::exit::{UnusableEngine, UsageError};
use crate::options::{option_text, supply, whole, within};

/// The options of the command line and of tournament files.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct MatchOptions {
    /// An engine: 'name=A cmd="./a gtp" dir=. param.threads=1 time=0.5'; cmd=builtin is this
    /// engine. Give two or more
    #[arg(long, value_name = "SPEC")]
    pub(super) engine: Vec<EngineSpec>,
    /// Pairings: match, round-robin, or gauntlet (the first engine against all others)
    /// [default: match for two engines, round-robin for more]
    #[arg(long)]
    pub(super) format: Option<Format>,
    #[command(flatten)]
    pub(super) length: Length,
    /// Openings, one per line [default: the suite of the board, else random openings from the seed]
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Order of the openings: sequential or shuffled [default: shuffled]
    #[arg(long)]
    pub(super) order: Option<Order>,
    /// Size of the board [default: 10]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(4..=12).try_map(Size::new))]
    pub(super) board: Option<Size>,
    /// standard, unlimited or TILES,BRIDGES [default: standard]
    #[arg(long, allow_hyphen_values = true, value_parser = supply)]
    pub(super) supply: Option<Supply>,
    /// off: openings are given and nobody swaps; play: the engines open and may swap [default: off]
    #[arg(long, value_name = "off|play")]
    pub(super) pie: Option<Pie>,
    #[command(flatten)]
    pub(super) limit: LimitOption,
    /// By how many milliseconds a move may exceed its time [default: 100]
    #[arg(long, value_name = "MS")]
    pub(super) margin: Option<u64>,
    /// Seconds after its time when a silent engine loses; also the time for commands that need no
    /// search [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = within(Seconds::millis(10)..=Seconds::MAX))]
    pub(super) stall: Option<Seconds>,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) concurrency: Option<u16>,
    /// Record every game as soon as it ends, and play only missing games
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Play only this part of the games, as in 2/8; see --merge
    #[arg(long, value_name = "2/8")]
    pub(super) shard: Option<Shard>,
    /// Stop when this test is decided:
    /// elo0=0,elo1=20[,alpha=0.05][,beta=0.05][,model=normalized|logistic]
    #[arg(long, value_name = "TEST")]
    pub(super) sprt: Option<Sprt>,
    /// Exit code 0 for H1, 10 for H0, 11 for undecided
    #[arg(long)]
    pub(super) sprt_exit: bool,
    /// Print the results as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Write the games as SGF, into one file or one file each in a directory
    #[arg(long, value_name = "FILE.sgf|DIR")]
    pub(super) records: Option<PathBuf>,
    /// Log all lines to and from the engines, one file per game in this directory
    #[arg(long, value_name = "DIR")]
    pub(super) logs: Option<PathBuf>,
    /// Ask engines for the evaluation of every move, for the journal and the records
    #[arg(long)]
    pub(super) evaluations: bool,
    /// Adjudicate a loss after moves in a row with a low win rate:
    /// movecount=3,winrate=0.02,twosided=false
    #[arg(long, value_name = "RULE")]
    pub(super) resign: Option<ResignRule>,
    /// Adjudicate a draw after moves in a row of both engines with a win rate near 0.5:
    /// movenumber=30,movecount=4,winrate=0.02
    #[arg(long, value_name = "RULE")]
    pub(super) draw: Option<DrawRule>,
    /// End a game once the solver proves its result; NODES limits the solver after each move
    #[arg(long, value_name = "NODES", value_parser = whole(1..=u64::MAX))]
    pub(super) proof: Option<u64>,
    /// Seed of the order of the openings and of every game [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
}

/// The number of games or of rounds.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub(super) struct Length {
    /// Games per pairing, an even number [default: two per opening; with --sprt 40000]
    #[arg(long, value_name = "N", value_parser = parse_even)]
    pub(super) games: Option<usize>,
    /// Rounds per pairing, each of two games: half of --games
    #[arg(long, value_name = "N", value_parser = within(1..=MAX_GAMES))]
    pub(super) rounds: Option<usize>,
}

/// The limit of engines without their own.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub(super) struct LimitOption {
    /// Seconds per move [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| Limit::from_key("time", text))]
    time: Option<Limit>,
    /// Main time and increment in seconds, as in 60+0.5
    #[arg(long, value_name = "MAIN+INC", value_parser = |text: &str| Limit::from_key("tc", text))]
    tc: Option<Limit>,
    /// Main time and periods in seconds, as in 60+10x3
    #[arg(long, value_name = "MAIN+PERIODxCOUNT", value_parser = |text: &str| Limit::from_key("byoyomi", text))]
    byoyomi: Option<Limit>,
    /// Search iterations per move, without a clock
    #[arg(long, value_name = "N", value_parser = |text: &str| Limit::from_key("playouts", text))]
    playouts: Option<Limit>,
}

/// The use of the pie rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Pie {
    /// Nobody swaps.
    Off,
    /// The engines may swap.
    Play,
}

impl Length {
    /// Pairs of games of each pairing.
    pub(super) fn rounds(&self) -> Option<usize> {
        self.rounds.or(self.games.map(|games| games / 2))
    }
}

impl LimitOption {
    pub(super) fn limit(&self) -> Option<Limit> {
        self.time.or(self.tc).or(self.byoyomi).or(self.playouts)
    }
}

impl MatchOptions {
    /// Adds options of higher precedence, whose engines follow.
    pub(super) fn update(&mut self, matches: &ArgMatches) -> Result<(), TableError> {
        // clap appends to a list of engines; here those of lower precedence come first.
        let lower = mem::take(self);
        *self = MatchOptions { engine: Vec::new(), ..lower.clone() };
        // Within each of these groups, an option replaces any other.
        if matches.contains_id("Length") {
            self.length = Length::default();
        }
        if matches.contains_id("LimitOption") {
            self.limit = LimitOption::default();
        }
        let updated = self.update_from_arg_matches(matches);
        updated.map_err(|error| TableError::Options(explain_clap_error(error)))?;
        self.engine.splice(..0, lower.engine);
        // An absent flag has no value, so it cannot override one of lower precedence.
        self.sprt_exit |= lower.sprt_exit;
        self.json |= lower.json;
        self.evaluations |= lower.evaluations;
        Ok(())
    }

    /// Adds the options of a tournament file, which have higher precedence: by name, and one table
    /// per engine. Its engines come first.
    pub(super) fn update_from_table(&mut self, table: &Table) -> Result<(), TableError> {
        let (mut arguments, mut engines) = (Vec::new(), Vec::new());
        for (key, value) in table {
            match (key.as_str(), value) {
                ("engine", Value::Array(tables)) => {
                    engines = tables.iter().map(engine_of).collect::<Result<_, _>>()?;
                }
                // A flag has no argument for "off"; other options take `=off` below.
                ("json" | "sprt-exit" | "evaluations", Value::Boolean(false)) => {}
                (_, Value::Boolean(true)) => arguments.push(format!("--{key}")),
                (_, Value::Array(_) | Value::Table(_)) => {
                    return Err(TableError::SeveralValues(key.clone()));
                }
                (_, value) => arguments.push(format!("--{key}={}", option_text(value))),
            }
        }
        let command = MatchOptions::augment_args(Command::new("match")).no_binary_name(true);
        let matches = command.try_get_matches_from(arguments);
        self.update(&matches.map_err(|error| TableError::Options(explain_clap_error(error)))?)?;
        self.engine.splice(..0, engines);
        Ok(())
    }
}

/// An error in a tournament file.
#[derive(Debug, Error)]
pub(super) enum TableError {
    #[error("{0} is one value; engines are [[engine]]")]
    SeveralValues(String),
    #[error("engine = {0} is not a table: name, cmd, ...")]
    NoTable(Value),
    #[error(transparent)]
    Engine(#[from] SpecError),
    #[error("{0}")]
    Options(anyhow::Error),
}

/// Reads an engine from a table or from the text of `--engine`.
fn engine_of(value: &Value) -> Result<EngineSpec, TableError> {
    let table = match value {
        Value::Table(table) => table,
        Value::String(text) => return Ok(text.parse()?),
        other => return Err(TableError::NoTable(other.clone())),
    };
    let pairs = table.iter().flat_map(|(key, value)| match value {
        Value::Table(params) if key == "param" => params
            .iter()
            .map(|(name, value)| (format!("param.{name}"), option_text(value)))
            .collect(),
        _ => vec![(key.clone(), option_text(value))],
    });
    Ok(EngineSpec::from_pairs(pairs)?)
}

/// The most games of a pairing. Set by judgement: far beyond any match.
const MAX_GAMES: usize = 10_000_000;

/// The error for a number of games that is odd, out of range or not a number.
#[derive(Debug, Error)]
#[error("not an even number: each opening is played twice")]
struct NotEven;

fn parse_even(text: &str) -> Result<usize, NotEven> {
    let is_even = |games: &usize| (2..=MAX_GAMES).contains(games) && games.is_multiple_of(2);
    text.parse().ok().filter(is_even).ok_or(NotEven)
}

/// The default number of rounds with the pie rule, 100 games. Set by judgement: there is no suite
/// of openings whose length would be the natural number.
const PIE_ROUNDS: usize = 50;

/// The default number of rounds of a sequential test, which usually ends by itself long before. Set
/// by judgement: a bound for a test that accepts neither hypothesis.
const SPRT_ROUNDS: usize = 20_000;

/// Builds the tournament from the options and checks it, except for its engines.
pub(super) fn tournament(options: &MatchOptions) -> Result<Tournament, UsageError> {
    let engines = options.engine.clone();
    if engines.is_empty() {
        return Err(UsageError(
            "engines are missing: give --engine 'name=A cmd=\"./a gtp\"' twice, or --config FILE"
                .to_owned(),
        ));
    }
    check_sprt(options, engines.len())?;
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
        evaluations: options.evaluations,
        adjudication: Adjudication {
            resign: options.resign,
            draw: options.draw,
            proof: options.proof,
        },
        shard: options.shard,
    };
    tournament.check().map_err(|error| UsageError(error.to_string()))?;
    Ok(tournament)
}

/// Checks the options of the sequential test for a match of `engines` engines.
pub(super) fn check_sprt(options: &MatchOptions, engines: usize) -> Result<(), UsageError> {
    let error = if options.sprt_exit && options.sprt.is_none() {
        "--sprt-exit needs --sprt elo0=0,elo1=20"
    } else if options.sprt.is_some() && engines > 2 {
        "--sprt tests two engines, but there are more"
    } else {
        return Ok(());
    };
    Err(UsageError(error.to_owned()))
}

/// Checks that the programs exist, and that the built-in engine accepts its parameters.
pub(super) fn check_engines(tournament: &Tournament) -> Result<(), UnusableEngine> {
    tournament.engines.iter().try_for_each(|engine| check_engine(engine, tournament.stall))
}

/// Checks one engine of a tournament.
pub(super) fn check_engine(engine: &EngineSpec, stall: Duration) -> Result<(), UnusableEngine> {
    engine.check_path().map_err(|error| UnusableEngine(error.to_string()))?;
    if engine.command == EngineCommand::Builtin {
        Player::start(engine, &ProcessGroups::default(), stall)
            .map_err(|failure| UnusableEngine(failure.to_string()))?;
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

/// A warning if more threads would search than there are cores: the clocks would measure the
/// scheduler.
pub(super) fn oversubscription(tournament: &Tournament, concurrency: usize) -> Option<String> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = tournament.engines.iter().map(threads_of).max().unwrap_or(1);
    (concurrency * threads > cores).then(|| {
        format!(
            "{concurrency} games at a time with {threads} threads each need more than the {cores} cores: times will be unfair"
        )
    })
}

/// The number of an engine's threads according to its parameters. Only one of the two engines of a
/// game searches at a time.
pub(super) fn threads_of(engine: &EngineSpec) -> usize {
    let threads = engine.params.iter().find(|(name, _)| name == "threads");
    threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
}
