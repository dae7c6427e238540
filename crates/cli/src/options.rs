//! Command-line options that are parameters of the registry, and the configuration file: TOML with
//! the names of the options as keys.
//!
//! The engine's parameters have one definition, [`PARAMS`]: name, kind, range and help. GTP sets
//! them by name, and so do the command line and the file. A subcommand only says which of them it
//! takes, with a [`ParamSet`]. Where a parameter means something else for it (`threads` of a review
//! are positions in parallel), the set overrides the help.
//!
//! A value is handled in the same way wherever it comes from: it becomes text as on the command
//! line, and the registry checks and sets it. Values are set in the order of the registry, so that
//! the result does not depend on where each was given.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches};
use pontifex::engine::{Options, PARAMS, Param, ParamKind, ParamUse};
use pontifex::files;
use pontifex::game::Supply;
use pontifex::messages::data_error;
use pontifex::notation::DefaultRules;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::{Table, Value};

use super::exit::UsageError;

/// The parameters that a subcommand takes.
///
/// The registry defines them, so they are not fields of the subcommand's struct: its attribute
/// `command(args = ...)` adds [`ParamSet::args`], and [`ParamSet::resolve`] reads them from the
/// matches.
pub(super) struct ParamSet {
    /// The use by which parameters are selected. `None` selects all of them.
    selected_use: Option<ParamUse>,
    /// Whether the subcommand takes `--config`.
    config: bool,
    /// The default of `threads`, if it differs from the registry's.
    threads: Option<usize>,
    /// The help of a parameter, where it differs from the registry's.
    help: &'static [(&'static str, &'static str)],
}

/// All parameters, and `--config`.
pub(super) const ENGINE: ParamSet =
    ParamSet { selected_use: None, config: true, threads: None, help: &[] };

/// The rules of the game.
pub(super) const RULES: ParamSet =
    ParamSet { selected_use: Some(ParamUse::Rule), config: false, ..ENGINE };

/// Self-play.
pub(super) const SELFPLAY: ParamSet = ParamSet {
    selected_use: Some(ParamUse::SelfPlay),
    help: &[("threads", "Games played in parallel")],
    ..ENGINE
};

/// The board in the browser.
pub(super) const SERVE: ParamSet = ParamSet {
    selected_use: Some(ParamUse::Board),
    help: &[
        ("threads", "Search threads, shared by all games"),
        ("memory", "Memory limit of the search trees of all games, in MiB"),
    ],
    ..ENGINE
};

/// Analyses of several positions in parallel.
pub(super) const ANALYSES: ParamSet = ParamSet {
    threads: Some(1),
    help: &[
        ("threads", "Search threads per position"),
        ("memory", "Memory limit of all search trees, in MiB"),
        TIME,
        PLAYOUTS,
    ],
    ..REVIEW
};

/// Reviews of games.
pub(super) const REVIEW: ParamSet = ParamSet {
    selected_use: Some(ParamUse::Analysis),
    help: &[
        ("board", "Cells along each edge of the board, if a record does not specify it"),
        ("supply", "Tiles per colour and bridges shared by both, if a record does not specify it"),
        ("pie", "Whether Red may swap, if a record does not specify it"),
        ("threads", "Positions searched in parallel, each on one thread"),
        ("memory", "Memory limit of each search tree, in MiB"),
        TIME,
        PLAYOUTS,
    ],
    ..ENGINE
};

const TIME: (&str, &str) =
    ("time", "Seconds per position; auto is 2, or no limit if playouts sets one");
const PLAYOUTS: (&str, &str) = ("playouts", "Search iterations per position, 0 for no limit");

const CONFIG: &str = "config";

impl ParamSet {
    /// The arguments of the command line.
    pub(super) fn args(&self) -> impl Iterator<Item = Arg> {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Read options from a TOML file with the same names; the command line takes precedence");
        let params = self.params().map(|param| self.arg(param));
        params.chain(self.config.then_some(config))
    }

    fn arg(&self, param: &'static Param) -> Arg {
        let own = self.help.iter().find(|(name, _)| *name == param.name);
        let help = own.map_or(param.help, |(_, help)| help);
        let help = format!("{help} [default: {}]", param.get(&self.defaults()));
        let arg = Arg::new(param.name).long(param.name).help(help).ignore_case(true);
        match &param.kind {
            ParamKind::Switch => {
                arg.value_name("SWITCH").value_parser(PossibleValuesParser::new(["on", "off"]))
            }
            ParamKind::Choice(words) => {
                arg.value_name("CHOICE").value_parser(PossibleValuesParser::new(*words))
            }
            // "-1,2" is not a number, but not an option either.
            ParamKind::Supply => {
                arg.value_name("standard|unlimited|TILES,BRIDGES").allow_hyphen_values(true)
            }
            ParamKind::Weights => arg.value_name("FILE"),
            ParamKind::Tuning => arg.value_name("NAME=VALUE,...").hide(true),
            ParamKind::Int(_) | ParamKind::Float(_) | ParamKind::FloatOrAuto(_) => {
                arg.value_name("N")
            }
        }
    }

    fn params(&self) -> impl Iterator<Item = &'static Param> {
        let selected_use = self.selected_use;
        PARAMS.iter().filter(move |param| selected_use.is_none_or(|usage| param.is_for(usage)))
    }

    fn defaults(&self) -> Options {
        let mut options = Options::default();
        options.search.threads = self.threads.unwrap_or(options.search.threads);
        options
    }

    /// Resolves the options. The command line takes precedence over the configuration file, and the
    /// file over the defaults.
    pub(super) fn resolve(&self, matches: &ArgMatches) -> Result<Resolved, UsageError> {
        let config: Option<&PathBuf> = if self.config { matches.get_one(CONFIG) } else { None };
        let values = config.map_or(Ok(HashMap::new()), |path| self.read(path))?;
        let mut resolved = Resolved { options: self.defaults(), given: Vec::new() };
        // In the order of the registry, wherever each value comes from.
        for param in self.params() {
            let (given, in_file) = (matches.get_one::<String>(param.name), values.get(param.name));
            let Some(value) = given.or(in_file) else { continue };
            param.set(&mut resolved.options, value).map_err(|error| match config {
                Some(path) if given.is_none() => file_error(path, error),
                _ => UsageError(format!("--{error}")),
            })?;
            resolved.given.push(param.name);
        }
        Ok(resolved)
    }

    /// Reads the values of the parameters from the file, unchecked.
    fn read(&self, path: &Path) -> Result<HashMap<&'static str, String>, UsageError> {
        let table: Table = read_toml(path)?;
        let names: Vec<&str> = self.params().map(|param| param.name).collect();
        let keys = table.keys().map(String::as_str);
        let unknown: Vec<&str> = keys.filter(|key| !names.contains(key)).collect();
        if !unknown.is_empty() {
            let (unknown, known) = (unknown.join("', '"), names.join(" "));
            let error = format!("there is no option '{unknown}'; there are {known}");
            return Err(file_error(path, error));
        }
        let value = |param: &'static Param| Some((param.name, option_text(table.get(param.name)?)));
        Ok(self.params().filter_map(value).collect())
    }
}

/// The options, and the names of those that were given.
pub(super) struct Resolved {
    pub(super) options: Options,
    given: Vec<&'static str>,
}

impl Resolved {
    /// Whether the command line or the configuration file sets the option.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// The rules assumed for records that do not state them.
    pub(super) fn default_rules(&self) -> DefaultRules {
        let rules = self.options.rules;
        let size = self.is_given("board").then_some(rules.size);
        DefaultRules { size, supply: rules.supply, pie: rules.pie }
    }
}

/// A value parser for numbers in a range.
pub(super) fn within<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    number("a number", range)
}

/// A value parser for whole numbers in a range. The error names no upper bound if that is
/// `u64::MAX`.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    number("a whole number", range)
}

fn number<T>(kind: &'static str, range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let [least, most] = [range.start(), range.end()].map(T::to_string);
        number.ok_or_else(|| {
            let end = if most == u64::MAX.to_string() { "" } else { &format!(" to {most}") };
            MustBe(format!("must be {kind} from {least}{end}"))
        })
    }
}

/// Reads a supply, and refuses a text as the registry does.
pub(super) fn supply(text: &str) -> Result<Supply, MustBe> {
    let refuse = |_| MustBe(format!("must be {}", ParamKind::Supply.expected()));
    text.parse().map_err(refuse)
}

/// The error for a value out of its range.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct MustBe(String);

/// Reads a TOML file.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, UsageError> {
    let text = files::read_text(path).map_err(|error| file_error(path, error))?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        file_error(path, format_args!("line {line}: {}", data_error(&error.message())))
    })
}

/// The error for a fault in a file.
pub(super) fn file_error(path: &Path, reason: impl Display) -> UsageError {
    UsageError(format!("{}: {reason}", path.display()))
}

/// A value as it would be written on the command line.
pub(super) fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}
