//! The engine's options, the search limits that follow from them, and the registry of parameters:
//! one table for the command line, the configuration file and the protocol.
//!
//! # The registry
//! [`PARAMS`] has one line for each option: its name, the field, its range, its uses, and a help
//! text. From it come `--threads` and its help, `ponte-get_param` in GTP, `param.threads=2` in a
//! match, the keys of the configuration file, and the header of a file of self-play games. A new
//! option is a field of [`Options`], its default, and a line in the table.
//!
//! Values are text on the way in and out. A value passes two checks: [`ParamKind`] compares it with
//! the range, and the type of the field parses it (`Setting`). The first gives uniform errors
//! ("must be a whole number from 1 to 1024"); the second may add what only it can know, such as why
//! a file of weights cannot be read.
//!
//! # The limits
//! `Options::limits` turns a clock and the options into the limits of one search. The clock says
//! how much time a turn may take. `time` is an upper bound of that, or the limit without a clock.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use strum::VariantNames;
use thiserror::Error;

use ParamKind::{Choice, Float, FloatOrAuto, Int, Switch, Tuning, Weights};
use ParamUse::{Analysis, Board, Findings, Rule, SelfPlay};

use super::Level;
use crate::board::Size;
use crate::clock::{Allotment, Clock, Seconds};
use crate::eval::{EvaluatorKind, WeightsSource};
use crate::game::{Position, Rules, Supply};
use crate::messages::one_of;
use crate::search::{Config, Early, Limits, Params as SearchParams, ParseParamsError};

/// The engine's options. [`PARAMS`](super::PARAMS) sets each of them by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Board size, supply and pie rule of the next game.
    pub rules: Rules,
    /// Configuration of the search.
    pub search: Config,
    /// The maximum time per move, with and without a clock. With a clock, `None` means no upper
    /// bound. Without one, it means [`Options::DEFAULT_TIME`], or no time limit if `playouts` sets
    /// a limit.
    pub time: Option<Seconds>,
    /// Search iterations per turn; 0 means no limit.
    pub playouts: u64,
    /// Milliseconds of a move's time reserved for transmitting the answer; at most a quarter of the
    /// time is.
    pub move_overhead: u64,
    /// The win rate below which the engine resigns; 0 means never.
    pub resign: f64,
    /// Whether to search in the opponent's time. Levels never do.
    pub ponder: bool,
    /// The opponent that [`Engine::genmove`](super::Engine::genmove) plays; `None` is full
    /// strength. Analyses ignore it.
    pub level: Option<Level>,
    /// How long a single-threaded search runs in one [advance](crate::search::Search::advance);
    /// `None` means to its end. Results do not depend on it.
    pub slice: Option<Duration>,
}

impl Options {
    /// Time per move if no limit is set. Set by judgement: a doubling brings 93 to 194 Elo
    /// (docs/strength.md, "Time"), but people wait for each move.
    pub const DEFAULT_TIME: Seconds = Seconds::whole(2);

    /// The limits of the next search.
    pub(super) fn limits(&self, clock: &Clock, position: &Position) -> Limits {
        let move_overhead = Duration::from_millis(self.move_overhead);
        let time_without_clock = match (self.time, self.playouts) {
            (Some(time), _) => Some(time),
            (None, 0) => Some(Self::DEFAULT_TIME),
            (None, _) => None,
        };
        let bounded = |allotment: Allotment| self.time.map_or(allotment, |t| allotment.at_most(t));
        let clock_allotment = clock.allot(position).map(bounded);
        let allotment = clock_allotment.or(time_without_clock.map(Allotment::fixed));
        // At most a quarter, or a large overhead would leave nothing of a short time.
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

/// A parameter: its name, its type and the field with its value.
pub struct Param {
    /// The name, the same on the command line (`--threads`) and in the protocol.
    pub name: &'static str,
    /// The values that the parameter takes.
    pub kind: ParamKind,
    /// What the parameter means, one line.
    pub help: &'static str,
    uses: &'static [ParamUse],
    get: fn(&Options) -> &dyn Setting,
    get_mut: fn(&mut Options) -> &mut dyn Setting,
}

/// What a parameter is for. All are options of the engine itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamUse {
    /// The parameter is a rule of the game.
    Rule,
    /// Analyses and reviews take the parameter.
    Analysis,
    /// Self-play takes the parameter.
    SelfPlay,
    /// The board in the browser takes the parameter.
    Board,
    /// The parameter changes what a search of a position finds.
    Findings,
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
    #[error("there is no parameter '{name}'; there are {}", known_names())]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The value is not one of the parameter's type and range.
    #[error("{name} must be {expected}, not '{value}'")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The text that was given.
        value: String,
        /// The allowed values, in words.
        expected: String,
    },
    /// The value has the right form, but cannot be used.
    #[error("{name} cannot be '{value}': {reason}")]
    Unusable {
        /// The parameter.
        name: &'static str,
        /// The text that was given.
        value: String,
        /// The reason, such as a file that cannot be read or a constant that does not exist.
        reason: String,
    },
}

/// Makes a parameter whose value is a field of the options.
macro_rules! param {
    ($name:literal, $($field:ident).+, $kind:expr, $uses:expr, $help:literal) => {
        Param {
            name: $name,
            kind: $kind,
            help: $help,
            uses: &$uses,
            get: |options| &options.$($field).+,
            get_mut: |options| &mut options.$($field).+,
        }
    };
}

/// All parameters, in the order in which they are listed.
#[rustfmt::skip]
pub static PARAMS: &[Param] = &[
    param!("board", rules.size, Int(Size::MIN.get() as u64..=Size::MAX.get() as u64), [Rule, Analysis, SelfPlay],
        "Cells along each edge of the board"),
    param!("supply", rules.supply, ParamKind::Supply, [Rule, Analysis, SelfPlay],
        "Tiles per colour and bridges shared by both"),
    param!("pie", rules.pie, Switch, [Rule, Analysis],
        "Whether Red may swap after White's first turn"),
    param!("threads", search.threads, Int(1..=Config::MAX_THREADS as u64), [Analysis, SelfPlay, Board],
        "Search threads"),
    param!("memory", search.memory, Int(1..=Config::MAX_MEMORY as u64), [Analysis, Board, Findings],
        "Memory limit of the search tree and the solver, in MiB"),
    param!("seed", search.seed, Int(0..=u64::MAX), [Analysis, SelfPlay, Board, Findings],
        "Random seed"),
    param!("level", level, Choice(&["max", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]), [],
        "Opponent to play games as, 1 is the weakest; analyses ignore it"),
    param!("time", time, FloatOrAuto(0.001..=1e6), [Analysis, Findings],
        "Most seconds per move; auto is no bound with a clock and 2 without, or no limit if playouts sets one"),
    param!("playouts", playouts, Int(0..=u64::MAX), [Analysis, Findings],
        "Search iterations per turn, 0 for no limit"),
    param!("weights", search.weights, Weights, [Analysis, SelfPlay, Board, Findings],
        "Weights of the evaluation and the prior: a file written by fit, or the built-in ones"),
    param!("evaluator", search.evaluator, Choice(EvaluatorKind::VARIANTS), [Analysis, SelfPlay, Board, Findings],
        "How the search evaluates leaves"),
    param!("move-overhead", move_overhead, Int(0..=60_000), [Analysis, Board, Findings],
        "Milliseconds reserved per move for delays in transmission, at most a quarter of the move's time"),
    param!("resign", resign, Float(0.0..=1.0), [Board],
        "Win rate below which the engine resigns, 0 for never"),
    param!("ponder", ponder, Switch, [],
        "Whether to search during the opponent's turn"),
    param!("tune", search.params, Tuning, [Analysis, SelfPlay, Board, Findings],
        "Constants of the search, for tuning; those not named have their defaults"),
];

/// A type of options that is read from text and written as text.
trait Setting {
    fn text(&self) -> String;
    /// Reads a text in lower case, or the name of a file.
    ///
    /// # Errors
    /// What is wrong, or `None` if naming the allowed values says enough.
    fn read(&mut self, text: &str) -> Result<(), Option<String>>;
}

/// Implements [`Setting`] by two functions, or for several types by `Display` and `FromStr`.
macro_rules! setting {
    ($type:ty, $text:expr, $read:expr) => {
        impl Setting for $type {
            fn text(&self) -> String {
                $text(self)
            }

            fn read(&mut self, text: &str) -> Result<(), Option<String>> {
                *self = $read(text).ok_or(None)?;
                Ok(())
            }
        }
    };
    ($($type:ty)+) => {
        $(setting!($type, ToString::to_string, |text: &str| text.parse().ok());)+
    };
}

setting!(u64 usize f64 Supply EvaluatorKind);
setting!(Size, ToString::to_string, |text: &str| Size::new(text.parse().ok()?).ok());
setting!(bool, |on: &bool| if *on { "on" } else { "off" }.to_owned(), parse_switch);
setting!(
    Option<Level>,
    |level: &Option<Level>| level.map_or("max".to_owned(), |level| level.to_string()),
    |text: &str| Some(text.parse().ok().and_then(Level::new))
);
setting!(
    Option<Seconds>,
    |time: &Option<Seconds>| time.map_or("auto".to_owned(), |time| time.to_string()),
    |text: &str| Some(text.parse().ok())
);

fn parse_switch(text: &str) -> Option<bool> {
    matches!(text, "on" | "off").then_some(text == "on")
}

impl Setting for SearchParams {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(&mut self, text: &str) -> Result<(), Option<String>> {
        *self = text.parse().map_err(|error: ParseParamsError| Some(error.to_string()))?;
        Ok(())
    }
}

impl Setting for WeightsSource {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn read(&mut self, file: &str) -> Result<(), Option<String>> {
        *self = WeightsSource::load(file).map_err(|error| Some(error.reason()))?;
        Ok(())
    }
}

fn known_names() -> String {
    PARAMS.iter().map(|param| param.name).collect::<Vec<_>>().join(" ")
}

/// The parameter called `name`.
///
/// # Errors
/// [`ParamError::Unknown`], which lists all names.
pub fn find_param(name: &str) -> Result<&'static Param, ParamError> {
    let param = PARAMS.iter().find(|param| param.name == name);
    param.ok_or_else(|| ParamError::Unknown { name: name.to_owned() })
}

impl Param {
    /// The value in `options`, as text that [`Param::set`] reads.
    pub fn get(&self, options: &Options) -> String {
        (self.get)(options).text()
    }

    /// The default value.
    pub fn default_value(&self) -> String {
        self.get(&Options::default())
    }

    /// Whether `wanted` is among its uses.
    pub fn is_for(&self, wanted: ParamUse) -> bool {
        self.uses.contains(&wanted)
    }

    /// Sets the value.
    ///
    /// # Errors
    /// [`ParamError::Value`]; `options` is then unchanged.
    pub fn set(&self, options: &mut Options, value: &str) -> Result<(), ParamError> {
        // Words may be written in any case, but names of files differ by case.
        let lower = value.to_ascii_lowercase();
        let text = if self.kind.is_file() { value } else { &lower };
        let is_in_range = self.kind.allows(text);
        let result = if is_in_range { (self.get_mut)(options).read(text) } else { Err(None) };
        let (name, value) = (self.name, value.to_owned());
        result.map_err(|reason| match reason {
            Some(reason) => ParamError::Unusable { name, value, reason },
            None => ParamError::Value { name, value, expected: self.kind.expected() },
        })
    }
}

impl fmt::Debug for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
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

    /// The allowed values in words, after "must be": `a whole number from 1 to 1024`.
    pub fn expected(&self) -> String {
        match self {
            ParamKind::Int(range) if *range.end() == u64::MAX => {
                format!("a whole number from {}", range.start())
            }
            ParamKind::Int(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            ParamKind::Float(range) => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            ParamKind::FloatOrAuto(range) => {
                format!("auto or a number from {} to {}", range.start(), range.end())
            }
            ParamKind::Switch => "on or off".to_owned(),
            ParamKind::Choice(words) => one_of(words),
            ParamKind::Supply => "standard, unlimited or TILES,BRIDGES, as in 40,15".to_owned(),
            ParamKind::Tuning => "NAME=VALUE,...".to_owned(),
            ParamKind::Weights => "a file or built-in".to_owned(),
        }
    }

    /// Whether a value is in the range.
    fn allows(&self, value: &str) -> bool {
        let in_floats =
            |range: &RangeInclusive<f64>| value.parse().is_ok_and(|x: f64| range.contains(&x));
        match self {
            ParamKind::Int(range) => value.parse().is_ok_and(|x: u64| range.contains(&x)),
            ParamKind::Float(range) => in_floats(range),
            ParamKind::FloatOrAuto(range) => value == "auto" || in_floats(range),
            ParamKind::Choice(words) => words.contains(&value),
            // These have no range, or a grammar of their own: `Setting::read` checks them.
            ParamKind::Switch | ParamKind::Supply | ParamKind::Tuning | ParamKind::Weights => true,
        }
    }
}
