//! The engine's options, the search limits that follow from them, and the
//! registry of parameters: one table for the command line, the configuration
//! file and the protocol.

use std::ops::RangeInclusive;
use std::time::Duration;

use thiserror::Error;

use super::Level;
use crate::board::Size;
use crate::clock::{Allotment, Clock, Seconds};
use crate::eval::{EvaluatorKind, WeightsSource};
use crate::game::{Position, Rules, Supply};
use crate::search::{Config, Early, Limits, Params as SearchParams};

/// The engine's options. [`PARAMS`](super::PARAMS) sets each of them by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Board size, supply and pie rule of the next game.
    pub rules: Rules,
    /// Configuration of the search.
    pub search: Config,
    /// The most time a move, with and without a clock. `None` is no bound
    /// under a clock. Without a clock it is [`Options::DEFAULT_TIME`], or no
    /// time limit when `playouts` sets a limit.
    pub time: Option<Seconds>,
    /// Search iterations a turn; 0 is no limit.
    pub playouts: u64,
    /// Milliseconds of a move's time reserved for transmitting the answer; at
    /// most a quarter of the time is.
    pub move_overhead: u64,
    /// The win rate below which the engine resigns; 0 is never.
    pub resign: f64,
    /// Whether to search in the opponent's time. Levels do not.
    pub ponder: bool,
    /// The opponent that [`Engine::genmove`](super::Engine::genmove) plays;
    /// `None` is full strength. Analyses ignore it.
    pub level: Option<Level>,
    /// How long a search on one thread goes on in one
    /// [advance](crate::search::Search::advance); `None` is to its end. Results
    /// do not depend on it.
    pub slice: Option<Duration>,
}

impl Options {
    /// Time a move when no limit is set.
    pub const DEFAULT_TIME: Seconds = Seconds::whole(2);

    /// The limits of the next search.
    pub(super) fn limits(&self, clock: &Clock, position: &Position) -> Limits {
        let move_overhead = Duration::from_millis(self.move_overhead);
        let without_clock = match (self.time, self.playouts) {
            (Some(time), _) => Some(time),
            (None, 0) => Some(Self::DEFAULT_TIME),
            (None, _) => None,
        };
        let bounded = |allotment: Allotment| self.time.map_or(allotment, |t| allotment.at_most(t));
        let under_clock = clock.allot(position).map(bounded);
        let allotment = under_clock.or(without_clock.map(Allotment::fixed));
        let duration = |time: Seconds| {
            let time = time.duration();
            time.saturating_sub(move_overhead.min(time / 4))
        };
        Limits {
            time: allotment.map(|allotment| duration(allotment.most)),
            usual: allotment.filter(|a| a.usual < a.most).map(|a| duration(a.usual)),
            iterations: (self.playouts > 0).then_some(self.playouts),
            early: Early::Never,
            slice: self.slice,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rules: Rules::default(),
            search: Config {
                threads: std::thread::available_parallelism().map_or(1, usize::from),
                memory: 1024,
                seed: 1,
                evaluator: EvaluatorKind::Linear,
                weights: WeightsSource::built_in(),
                params: SearchParams::default(),
            },
            time: None,
            playouts: 0,
            move_overhead: 10,
            resign: 0.0,
            ponder: false,
            level: None,
            slice: None,
        }
    }
}

/// A parameter: its name, its type and how to read and write it.
#[derive(Debug)]
pub struct Param {
    /// The name, the same on the command line (`--threads`) and in the
    /// protocol.
    pub name: &'static str,
    /// What it means, one line.
    pub help: &'static str,
    /// Its type.
    pub kind: ParamKind,
    get: fn(&Options) -> String,
    set: fn(&mut Options, &str),
}

/// The type and range of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum ParamKind {
    /// A whole number in a range.
    Int(RangeInclusive<u64>),
    /// A number in a range.
    Float(RangeInclusive<f64>),
    /// A number in a range, or `auto`.
    FloatOrAuto(RangeInclusive<f64>),
    /// `on` or `off`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `standard`, `unlimited` or `TILES,BRIDGES`.
    Supply,
    /// Constants of the search: `NAME=VALUE,...`.
    Tuning,
    /// A file with weights, or `built-in`.
    Weights,
}

/// Why a parameter cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParamError {
    /// There is no such parameter.
    #[error("no parameter is called '{name}'; there are {}", known_names())]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The value is outside the parameter's range.
    #[error("{name} cannot be '{value}': {range}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The text that was given.
        value: String,
        /// The allowed values.
        range: String,
    },
}

/// Every parameter, in the order they are listed.
pub static PARAMS: &[Param] = &[
    Param {
        name: "board",
        help: "Cells along each edge of the board",
        kind: ParamKind::Int(Size::MIN.get() as u64..=Size::MAX.get() as u64),
        get: |options| options.rules.size.to_string(),
        set: |options, value| {
            if let Ok(size) = Size::new(number(value)) {
                options.rules.size = size;
            }
        },
    },
    Param {
        name: "supply",
        help: "Tiles per colour and bridges shared by both",
        kind: ParamKind::Supply,
        get: |options| options.rules.supply.to_string(),
        set: |options, value| options.rules.supply = value.parse().unwrap_or_default(),
    },
    Param {
        name: "pie",
        help: "Whether Red may swap after White's first turn",
        kind: ParamKind::Switch,
        get: |options| if options.rules.pie { "on" } else { "off" }.to_owned(),
        set: |options, value| options.rules.pie = value == "on",
    },
    Param {
        name: "threads",
        help: "Search threads",
        kind: ParamKind::Int(1..=Config::MAX_THREADS as u64),
        get: |options| options.search.threads.to_string(),
        set: |options, value| options.search.threads = number(value) as usize,
    },
    Param {
        name: "memory",
        help: "Memory limit of the search tree and the solver, in MiB",
        kind: ParamKind::Int(1..=Config::MAX_MEMORY as u64),
        get: |options| options.search.memory.to_string(),
        set: |options, value| options.search.memory = number(value) as usize,
    },
    Param {
        name: "seed",
        help: "Random seed",
        kind: ParamKind::Int(0..=u64::MAX),
        get: |options| options.search.seed.to_string(),
        set: |options, value| options.search.seed = number(value),
    },
    Param {
        name: "level",
        help: "Opponent to play games as, 1 is the weakest; analyses ignore it",
        kind: ParamKind::Choice(&["max", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]),
        get: |options| options.level.map_or("max".to_owned(), |level| level.to_string()),
        set: |options, value| options.level = value.parse().ok().and_then(Level::new),
    },
    Param {
        name: "time",
        help: "Most seconds per move; auto is no bound with a clock and 2 without, or no limit if playouts sets one",
        kind: ParamKind::FloatOrAuto(0.001..=1e6),
        get: |options| options.time.map_or("auto".to_owned(), |time| time.to_string()),
        set: |options, value| options.time = value.parse().ok(),
    },
    Param {
        name: "playouts",
        help: "Search iterations per turn, 0 for no limit",
        kind: ParamKind::Int(0..=u64::MAX),
        get: |options| options.playouts.to_string(),
        set: |options, value| options.playouts = number(value),
    },
    Param {
        name: "weights",
        help: "Weights of the evaluation and the prior: a file written by fit, or the built-in ones",
        kind: ParamKind::Weights,
        get: |options| options.search.weights.name().to_owned(),
        // See `load`.
        set: |_, _| (),
    },
    Param {
        name: "evaluator",
        help: "How the search evaluates leaves",
        kind: ParamKind::Choice(&["linear", "rollout"]),
        get: |options| match options.search.evaluator {
            EvaluatorKind::Linear => "linear".to_owned(),
            EvaluatorKind::Rollout => "rollout".to_owned(),
        },
        set: |options, value| {
            options.search.evaluator = match value {
                "rollout" => EvaluatorKind::Rollout,
                _ => EvaluatorKind::Linear,
            };
        },
    },
    Param {
        name: "move-overhead",
        help: "Milliseconds reserved per move for delays in transmission, at most a quarter of the move's time",
        kind: ParamKind::Int(0..=60_000),
        get: |options| options.move_overhead.to_string(),
        set: |options, value| options.move_overhead = number(value),
    },
    Param {
        name: "resign",
        help: "Win rate below which the engine resigns, 0 for never",
        kind: ParamKind::Float(0.0..=1.0),
        get: |options| options.resign.to_string(),
        set: |options, value| options.resign = value.parse().unwrap_or_default(),
    },
    Param {
        name: "ponder",
        help: "Whether to search during the opponent's turn",
        kind: ParamKind::Switch,
        get: |options| if options.ponder { "on" } else { "off" }.to_owned(),
        set: |options, value| options.ponder = value == "on",
    },
    Param {
        name: "tune",
        help: "Constants of the search, for tuning; those not named have their defaults",
        kind: ParamKind::Tuning,
        get: |options| options.search.params.to_string(),
        set: |options, value| options.search.params = value.parse().unwrap_or_default(),
    },
];

fn number(checked: &str) -> u64 {
    checked.parse().unwrap_or_default()
}

fn known_names() -> String {
    PARAMS.iter().map(|param| param.name).collect::<Vec<_>>().join(" ")
}

/// The parameter called `name`.
///
/// # Errors
/// [`ParamError::Unknown`], which lists the names there are.
pub fn find_param(name: &str) -> Result<&'static Param, ParamError> {
    let found = PARAMS.iter().find(|param| param.name == name);
    found.ok_or_else(|| ParamError::Unknown { name: name.to_owned() })
}

impl Param {
    /// The value in `options`.
    pub fn get(&self, options: &Options) -> String {
        (self.get)(options)
    }

    /// The value when nothing is set.
    pub fn default_value(&self) -> String {
        self.get(&Options::default())
    }

    /// Sets the value.
    ///
    /// # Errors
    /// [`ParamError::Value`]; `options` is then unchanged.
    pub fn set(&self, options: &mut Options, value: &str) -> Result<(), ParamError> {
        if self.kind.is_file() {
            return WeightsSource::load(value)
                .map(|weights| options.search.weights = weights)
                .map_err(|error| {
                    let (value, range) = (value.to_owned(), error.reason());
                    ParamError::Value { name: self.name, value, range }
                });
        }
        let lower = value.to_ascii_lowercase();
        if !self.kind.allows(&lower) {
            let (value, range) = (value.to_owned(), self.kind.range());
            return Err(ParamError::Value { name: self.name, value, range });
        }
        (self.set)(options, &lower);
        Ok(())
    }
}

impl ParamKind {
    /// Whether a value can be a file name, which keeps its case and its spaces.
    pub fn is_file(&self) -> bool {
        matches!(self, ParamKind::Weights)
    }

    /// The type in one word.
    pub fn name(&self) -> &'static str {
        match self {
            ParamKind::Int(_) => "int",
            ParamKind::Float(_) | ParamKind::FloatOrAuto(_) => "float",
            ParamKind::Switch => "bool",
            ParamKind::Choice(_) | ParamKind::Supply | ParamKind::Tuning | ParamKind::Weights => {
                "string"
            }
        }
    }

    /// The allowed values in one word: `1..1024`, `on|off`.
    pub fn range(&self) -> String {
        match self {
            ParamKind::Int(range) => format!("{}..{}", range.start(), range.end()),
            ParamKind::Float(range) => format!("{}..{}", range.start(), range.end()),
            ParamKind::FloatOrAuto(range) => format!("{}..{}|auto", range.start(), range.end()),
            ParamKind::Switch => "on|off".to_owned(),
            ParamKind::Choice(words) => words.join("|"),
            ParamKind::Supply => "standard|unlimited|TILES,BRIDGES".to_owned(),
            ParamKind::Tuning => "NAME=VALUE,...".to_owned(),
            ParamKind::Weights => "FILE|built-in".to_owned(),
        }
    }

    fn allows(&self, value: &str) -> bool {
        let in_floats =
            |range: &RangeInclusive<f64>| value.parse().is_ok_and(|x: f64| range.contains(&x));
        match self {
            ParamKind::Int(range) => value.parse().is_ok_and(|x: u64| range.contains(&x)),
            ParamKind::Float(range) => in_floats(range),
            ParamKind::FloatOrAuto(range) => value == "auto" || in_floats(range),
            ParamKind::Switch => matches!(value, "on" | "off"),
            ParamKind::Choice(words) => words.contains(&value),
            ParamKind::Supply => value.parse::<Supply>().is_ok(),
            ParamKind::Tuning => value.parse::<SearchParams>().is_ok(),
            // Checked when the file is read.
            ParamKind::Weights => true,
        }
    }
}
