//! The options of `pontifex match`, from the command line and a file, and the
//! tournament that follows from them: defaults, openings and checks.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::{Args, Parser};
use pontifex::board::Size;
use pontifex::clock::Seconds;
use pontifex::game::{Move, Rules, Supply};
use pontifex_tournament::{
    Adjudication, DrawRule, EngineCommand, EngineSpec, Format, Limit, LimitError, Order, Player,
    ProcessGroups, ResignRule, Shard, Sprt, Tournament, default_openings, openings,
};
use toml::{Table, Value};

use crate::exit::{EngineError, UsageError, explain};
use crate::options;

/// The options of the command line and of tournament files.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct MatchOptions {
    /// An engine: 'name=A cmd="./a gtp" dir=. param.threads=1 time=0.5';
    /// cmd=builtin is this engine. Give two or more
    #[arg(long, value_name = "SPEC")]
    pub(super) engine: Vec<EngineSpec>,
    /// Pairings: match, round-robin, or gauntlet (the first engine against all
    /// others) [default: match for two engines, round-robin for more]
    #[arg(long)]
    pub(super) format: Option<Format>,
    #[command(flatten)]
    pub(super) length: Length,
    /// Openings, one per line [default: the suite of the board, else random
    /// openings from the seed]
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Order of the openings: sequential or shuffled [default: shuffled]
    #[arg(long)]
    pub(super) order: Option<Order>,
    /// Size of the board [default: 10]
    #[arg(long, value_name = "N", value_parser = size)]
    pub(super) board: Option<Size>,
    /// standard, unlimited or TILES,BRIDGES [default: standard]
    #[arg(long)]
    pub(super) supply: Option<Supply>,
    /// off: openings are given and nobody swaps; play: the engines open and may
    /// swap [default: off]
    #[arg(long, value_name = "off|play")]
    pub(super) pie: Option<Pie>,
    #[command(flatten)]
    pub(super) limit: LimitOption,
    /// By how many milliseconds a move may exceed its time [default: 100]
    #[arg(long, value_name = "MS")]
    pub(super) margin: Option<u64>,
    /// Seconds after its time when a silent engine loses; also the time for
    /// commands that need no search [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = patience)]
    pub(super) stall: Option<Seconds>,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: Option<u16>,
    /// Record every game as soon as it ends, and play only missing games
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Play only this part of the games, as in 2/8; see --merge
    #[arg(long, value_name = "2/8")]
    pub(super) shard: Option<Shard>,
    /// Stop when this test is decided: elo0=0,elo1=20[,alpha=0.05][,beta=0.05][,model=normalized|logistic]
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
    /// Adjudicate a loss after moves in a row with a low win rate: movecount=3,winrate=0.02,twosided=false
    #[arg(long, value_name = "RULE")]
    pub(super) resign: Option<ResignRule>,
    /// Adjudicate a draw after moves in a row of both engines with a win rate near 0.5: movenumber=30,movecount=4,winrate=0.02
    #[arg(long, value_name = "RULE")]
    pub(super) draw: Option<DrawRule>,
    /// End a game once the solver proves its result; NODES limits the solver after each move
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) proof: Option<u64>,
    /// Seed of the order of the openings and of every game [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
}

/// The number of games or of rounds.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub(super) struct Length {
    /// Games per pairing, an even number [default: two per opening; with --sprt
    /// 40000]
    #[arg(long, value_name = "N", value_parser = even)]
    pub(super) games: Option<usize>,
    /// Rounds per pairing, each of two games: half of --games
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub(super) rounds: Option<usize>,
}

/// The limit of engines without their own.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub(super) struct LimitOption {
    /// Seconds per move [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| limit("time", text))]
    time: Option<Limit>,
    /// Main time and increment in seconds, as in 60+0.5
    #[arg(long, value_name = "MAIN+INC", value_parser = |text: &str| limit("tc", text))]
    tc: Option<Limit>,
    /// Main time and periods in seconds, as in 60+10x3
    #[arg(long, value_name = "MAIN+PERIODxCOUNT", value_parser = |text: &str| limit("byoyomi", text))]
    byoyomi: Option<Limit>,
    /// Search iterations per move, without a clock
    #[arg(long, value_name = "N", value_parser = |text: &str| limit("playouts", text))]
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
    /// Merges the options with those of a file, which have lower precedence. The
    /// engines of both take part, those of the file first.
    pub(super) fn or_file(self, path: &Path) -> Result<MatchOptions, UsageError> {
        let table = options::table(path)?;
        let file = from_table(&table).map_err(|reason| options::refusal(path, &reason))?;
        let engine = [&file.engine[..], &self.engine].concat();
        Ok(MatchOptions { engine, ..self.or(file) })
    }

    /// Merges the options with others of lower precedence, whose engines follow.
    pub(super) fn or(self, other: MatchOptions) -> MatchOptions {
        let has_length = self.length.rounds().is_some();
        let has_limit = self.limit.limit().is_some();
        MatchOptions {
            engine: [self.engine, other.engine].concat(),
            format: self.format.or(other.format),
            length: if has_length { self.length } else { other.length },
            openings: self.openings.or(other.openings),
            order: self.order.or(other.order),
            board: self.board.or(other.board),
            supply: self.supply.or(other.supply),
            pie: self.pie.or(other.pie),
            limit: if has_limit { self.limit } else { other.limit },
            margin: self.margin.or(other.margin),
            stall: self.stall.or(other.stall),
            concurrency: self.concurrency.or(other.concurrency),
            journal: self.journal.or(other.journal),
            shard: self.shard.or(other.shard),
            sprt: self.sprt.or(other.sprt),
            sprt_exit: self.sprt_exit || other.sprt_exit,
            json: self.json || other.json,
            records: self.records.or(other.records),
            logs: self.logs.or(other.logs),
            evaluations: self.evaluations || other.evaluations,
            resign: self.resign.or(other.resign),
            draw: self.draw.or(other.draw),
            proof: self.proof.or(other.proof),
            seed: self.seed.or(other.seed),
        }
    }
}

/// A tournament file as arguments.
#[derive(Parser, Debug)]
#[command(no_binary_name = true)]
struct FileArguments {
    #[command(flatten)]
    options: MatchOptions,
}

/// The options of a tournament file: by name, and one table per engine.
pub(super) fn from_table(table: &Table) -> Result<MatchOptions, String> {
    let (mut arguments, mut engines) = (Vec::new(), Vec::new());
    for (key, value) in table {
        match (key.as_str(), value) {
            ("engine", Value::Array(tables)) => {
                for engine in tables {
                    engines.push(engine_of(engine)?);
                }
            }
            ("json" | "sprt-exit" | "evaluations", Value::Boolean(false)) => {}
            (_, Value::Boolean(true)) => arguments.push(format!("--{key}")),
            (_, Value::Array(_) | Value::Table(_)) => {
                return Err(format!("{key} is one value; engines are [[engine]]"));
            }
            (_, value) => arguments.push(format!("--{key}={}", word(value))),
        }
    }
    let parsed =
        FileArguments::try_parse_from(arguments).map_err(|error| explain(error).to_string())?;
    Ok(MatchOptions { engine: engines, ..parsed.options })
}

/// Reads an engine from a table or from the text of `--engine`.
fn engine_of(value: &Value) -> Result<EngineSpec, String> {
    let table = match value {
        Value::Table(table) => table,
        Value::String(text) => {
            return text.parse().map_err(|error: pontifex_tournament::SpecError| error.to_string());
        }
        other => return Err(format!("engine = {other} is not a table: name, cmd, ...")),
    };
    let mut pairs = Vec::new();
    for (key, value) in table {
        match (key.as_str(), value) {
            ("param", Value::Table(params)) => {
                pairs.extend(
                    params.iter().map(|(name, value)| (format!("param.{name}"), word(value))),
                );
            }
            _ => pairs.push((key.clone(), word(value))),
        }
    }
    EngineSpec::from_pairs(pairs).map_err(|error| error.to_string())
}

/// Formats a value as on the command line.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}

fn limit(key: &'static str, text: &str) -> Result<Limit, LimitError> {
    Limit::from_key(key, text)
}

fn size(text: &str) -> Result<Size, String> {
    let number: u64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Size::new(number).map_err(|error| error.to_string())
}

fn rounds(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|rounds| (1..=10_000_000).contains(rounds))
        .ok_or_else(|| "not a number from 1 to 10000000".to_owned())
}

fn even(text: &str) -> Result<usize, String> {
    rounds(text)
        .ok()
        .filter(|games| games % 2 == 0)
        .ok_or_else(|| "not an even number: each opening is played twice".to_owned())
}

fn patience(text: &str) -> Result<Seconds, String> {
    text.parse()
        .ok()
        .filter(|&seconds| seconds >= Seconds::millis(10))
        .ok_or_else(|| "not a number of seconds, 0.01 or more".to_owned())
}

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
