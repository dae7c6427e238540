//! Reads the options of JavaScript programs from JSON. An unknown name or a value out of range is
//! an error that says in one line what would be right. A program with a typo must not
//! search with the defaults instead.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Map, Value};
use thiserror::Error;

use pontifex::board::Size;
use pontifex::clock::Seconds;
use pontifex::engine::{AnalysisRequest, Level, Options};
use pontifex::game::{Rules, Supply};
use pontifex::messages::data_error;

/// The memory of an engine whose options do not set it. Set by judgement: little beside what a
/// browser's tab takes anyway.
const DEFAULT_MEMORY_MIB: usize = 128;

/// The largest memory of an engine: a WebAssembly memory has at most 4 GiB, and half of it is left for everything
/// besides the tree.
const MAX_MEMORY_MIB: u64 = 2048;

/// The longest search: a day.
const MAX_TIME_MS: f64 = 86_400_000.0;

/// JavaScript's largest exact integer, as in `Number.MAX_SAFE_INTEGER`.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Names of the options of a game.
const GAME: [&str; 3] = ["board", "supply", "pie"];
/// Names of the further options of an engine.
const ENGINE: [&str; 3] = ["level", "memory", "seed"];
/// Names of the options of a search.
const SEARCH: [&str; 2] = ["timeMs", "playouts"];
/// Names of the further options of an analysis.
const ANALYSIS: [&str; 3] = ["moves", "ownership", "intervalMs"];

/// The limits of a search, and the contents of its analysis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SearchOptions {
    /// The time limit, if there is one.
    pub(super) time: Option<Seconds>,
    /// The limit of iterations, if there is one.
    pub(super) playouts: Option<u64>,
    /// The most moves that an analysis names.
    pub(super) max_moves: usize,
    /// The contents of an analysis.
    pub(super) request: AnalysisRequest,
}

/// Why options are refused, and what would be right.
#[derive(Debug, Error)]
pub(super) enum OptionsError {
    #[error("{}", data_error(.0))]
    NotJson(#[from] serde_json::Error),
    #[error("the options are {0}, not an object of {1}")]
    NotAnObject(Value, String),
    #[error("there is no option {0}, only {1}")]
    Unknown(String, String),
    #[error("{name} is {value}, not {expected}")]
    Value { name: String, value: Value, expected: String },
}

/// The options of a call, whose names have been checked.
struct CheckedOptions<'a>(&'a Map<String, Value>);

impl CheckedOptions<'_> {
    /// The option `name` if `parse` accepts it; `None` if it is not set.
    fn get<T>(
        &self,
        name: &str,
        expected: impl Into<String>,
        parse: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, OptionsError> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let error = || {
            let (name, value) = (name.to_owned(), value.clone());
            OptionsError::Value { name, value, expected: expected.into() }
        };
        parse(value).ok_or_else(error).map(Some)
    }

    fn integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, OptionsError> {
        let expected = format!("an integer from {} to {}", range.start(), range.end());
        self.get(name, expected, |value| value.as_u64().filter(|number| range.contains(number)))
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, OptionsError> {
        self.get(name, "true or false", Value::as_bool)
    }

    /// A time in milliseconds.
    fn seconds(&self, name: &str) -> Result<Option<Seconds>, OptionsError> {
        let expected = format!("a number of milliseconds above 0, at most {MAX_TIME_MS}");
        let is_time = |time: &f64| *time > 0.0 && *time <= MAX_TIME_MS;
        let time = self.get(name, expected, |value| value.as_f64().filter(is_time))?;
        Ok(time.map(|time| Seconds::saturating(time / 1000.0)))
    }
}

/// Reads an object and refuses options not in `names`.
fn object(text: &str, names: &[&[&str]]) -> Result<Map<String, Value>, OptionsError> {
    let names = names.concat();
    match serde_json::from_str(text)? {
        Value::Object(given) => match given.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(OptionsError::Unknown(name.clone(), names.join(", "))),
            None => Ok(given),
        },
        value => Err(OptionsError::NotAnObject(value, names.join(", "))),
    }
}

/// The options of a new engine. If they give no seed, a level gets `seed`; full strength has that
/// of the program and finds the same moves.
pub(super) fn engine(text: &str, seed: u64) -> Result<Options, OptionsError> {
    let given = object(text, &[&GAME, &ENGINE])?;
    let given = CheckedOptions(&given);
    let level = given.get("level", "\"max\" or an integer from 1 to 10", |value| {
        if value == "max" {
            return Some(None);
        }
        let number = value.as_u64().and_then(|number| u8::try_from(number).ok())?;
        Level::new(number).map(Some)
    })?;
    let mut options = Options {
        rules: rules(&given, Rules::default())?,
        level: level.flatten(),
        // The call returns the move itself; no time is lost on the way.
        move_overhead: 0,
        ..Options::default()
    };
    options.search.threads = 1;
    let memory = given.integer("memory", 1..=MAX_MEMORY_MIB)?;
    options.search.memory = memory.map_or(DEFAULT_MEMORY_MIB, |memory| memory as usize);
    let default_seed = if options.level.is_some() { seed } else { options.search.seed };
    options.search.seed = given.integer("seed", 0..=MAX_SAFE_INTEGER)?.unwrap_or(default_seed);
    Ok(options)
}

/// The rules of a new game; those not named stay as they are.
pub(super) fn game(text: &str, before: Rules) -> Result<Rules, OptionsError> {
    rules(&CheckedOptions(&object(text, &[&GAME])?), before)
}

fn rules(given: &CheckedOptions<'_>, before: Rules) -> Result<Rules, OptionsError> {
    let size = given.get("board", "an integer from 4 to 12", |value| {
        value.as_u64().and_then(|edge| Size::new(edge).ok())
    })?;
    let expected = "\"standard\", \"unlimited\" or \"TILES,BRIDGES\", as in \"40,15\"";
    let supply = given.get("supply", expected, |value| value.as_str()?.parse::<Supply>().ok())?;
    Ok(Rules {
        size: size.unwrap_or(before.size),
        supply: supply.unwrap_or(before.supply),
        pie: given.flag("pie")?.unwrap_or(before.pie),
    })
}

pub(super) fn best_move(text: &str) -> Result<SearchOptions, OptionsError> {
    search(&object(text, &[&SEARCH])?)
}

pub(super) fn analysis(text: &str) -> Result<SearchOptions, OptionsError> {
    search(&object(text, &[&SEARCH, &ANALYSIS])?)
}

fn search(given: &Map<String, Value>) -> Result<SearchOptions, OptionsError> {
    let given = CheckedOptions(given);
    let interval = given.seconds("intervalMs")?.map_or(Duration::from_millis(100), |seconds| {
        seconds.duration().max(Duration::from_millis(1))
    });
    let request = AnalysisRequest {
        ownership: given.flag("ownership")?.unwrap_or(false),
        interval: Some(interval),
        ..AnalysisRequest::default()
    };
    Ok(SearchOptions {
        time: given.seconds("timeMs")?,
        playouts: given.integer("playouts", 1..=MAX_SAFE_INTEGER)?,
        max_moves: given.integer("moves", 1..=10_000)?.unwrap_or(10) as usize,
        request,
    })
}
