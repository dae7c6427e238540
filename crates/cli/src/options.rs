//! Command-line options that are parameters of the registry, and the configuration
//! file: TOML with the names of the options as keys.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use pontifex::engine::{Options, PARAMS, Param, ParamKind};
use pontifex::files;
use toml::{Table, Value};

use super::exit::UsageError;

/// All parameters and `--config`.
pub(super) type EngineOptions = ParamOptions<Engine>;

/// The parameters that are rules of the game.
pub(super) type RuleOptions = ParamOptions<Rule>;

/// The parameters of self-play, and `--config`.
pub(super) type SelfplayOptions = ParamOptions<Selfplay>;

/// The parameters of the board in the browser, and `--config`.
pub(super) type ServeOptions = ParamOptions<Serve>;

/// The parameters of analyses of several positions in parallel, and `--config`.
pub(super) type AnalysesOptions = ParamOptions<Analyses>;

/// The parameters of reviews, and `--config`.
pub(super) type ReviewOptions = ParamOptions<Review>;

/// The parameters that a subcommand takes.
pub(super) trait Choice {
    /// Whether it takes the parameter `name`.
    fn has(name: &str) -> bool;
    /// Whether it takes `--config`.
    const CONFIG: bool;
    /// The defaults.
    fn defaults() -> Options {
        Options::default()
    }
    /// The help of a parameter, if it differs from that in the registry.
    fn help(_name: &str) -> Option<&'static str> {
        None
    }
}

#[derive(Clone, Debug)]
pub(super) enum Engine {}

#[derive(Clone, Debug)]
pub(super) enum Rule {}

#[derive(Clone, Debug)]
pub(super) enum Selfplay {}

#[derive(Clone, Debug)]
pub(super) enum Serve {}

#[derive(Clone, Debug)]
pub(super) enum Analyses {}

#[derive(Clone, Debug)]
pub(super) enum Review {}

impl Choice for Engine {
    fn has(_: &str) -> bool {
        true
    }
    const CONFIG: bool = true;
}

impl Choice for Rule {
    fn has(name: &str) -> bool {
        ["board", "supply", "pie"].contains(&name)
    }
    const CONFIG: bool = false;
}

impl Choice for Selfplay {
    fn has(name: &str) -> bool {
        ["board", "supply", "threads", "seed", "weights", "evaluator", "tune"].contains(&name)
    }
    const CONFIG: bool = true;
    fn help(name: &str) -> Option<&'static str> {
        (name == "threads").then_some("Games played in parallel")
    }
}

impl Choice for Serve {
    fn has(name: &str) -> bool {
        ["threads", "memory", "seed", "weights", "evaluator", "move-overhead", "resign", "tune"]
            .contains(&name)
    }
    const CONFIG: bool = true;
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "threads" => Some("Search threads, shared by all games"),
            "memory" => Some("Memory limit of the search trees of all games, in MiB"),
            _ => None,
        }
    }
}

impl Choice for Analyses {
    fn has(name: &str) -> bool {
        !["level", "resign", "ponder"].contains(&name)
    }
    const CONFIG: bool = true;
    fn defaults() -> Options {
        let mut options = Options::default();
        options.search.threads = 1;
        options
    }
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "threads" => Some("Search threads per position"),
            "memory" => Some("Memory limit of all search trees, in MiB"),
            "time" => Some("Seconds per position; auto is 2, or no limit if playouts sets one"),
            "playouts" => Some("Search iterations per position, 0 for no limit"),
            _ => None,
        }
    }
}

impl Choice for Review {
    fn has(name: &str) -> bool {
        !["level", "resign", "ponder"].contains(&name)
    }
    const CONFIG: bool = true;
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "board" => Some("Cells along each edge of the board, if a record does not specify it"),
            "supply" => {
                Some("Tiles per colour and bridges shared by both, if a record does not specify it")
            }
            "pie" => Some("Whether Red may swap, if a record does not specify it"),
            "threads" => Some("Positions searched in parallel, each on one thread"),
            "memory" => Some("Memory limit of each search tree, in MiB"),
            "time" => Some("Seconds per position; auto is 2, or no limit if playouts sets one"),
            "playouts" => Some("Search iterations per position, 0 for no limit"),
            _ => None,
        }
    }
}

/// The parameters of a subcommand as options.
#[derive(Clone, Debug)]
pub(super) struct ParamOptions<C> {
    given: Vec<(&'static Param, String)>,
    config: Option<PathBuf>,
    /// The contents of the configuration file, read only once: it may be a pipe.
    file_values: OnceLock<HashMap<&'static str, String>>,
    choice: PhantomData<C>,
}

impl<C: Choice> ParamOptions<C> {
    /// Whether the command line or the configuration file sets the option.
    pub(super) fn gives(&self, name: &str) -> Result<bool, UsageError> {
        let is_given = self.given.iter().any(|(param, _)| param.name == name);
        Ok(is_given || self.file_values()?.contains_key(name))
    }

    /// The contents of the configuration file.
    fn file_values(&self) -> Result<HashMap<&'static str, String>, UsageError> {
        let params: Vec<_> = params::<C>().collect();
        let from_file = |path| read(path, &params);
        if self.file_values.get().is_none() {
            let _ =
                self.file_values.set(self.config.as_deref().map_or(Ok(HashMap::new()), from_file)?);
        }
        Ok(self.file_values.get().cloned().unwrap_or_default())
    }

    /// Resolves the options. The command line takes precedence over the
    /// configuration file, and the file over the defaults.
    pub(super) fn resolve(&self) -> anyhow::Result<Options> {
        let mut options = C::defaults();
        let (file, values) = (self.config.as_deref(), self.file_values()?);
        // In the order of the registry, wherever each value comes from.
        for param in params::<C>() {
            let given = self.given.iter().find(|(given, _)| given.name == param.name);
            if let Some((_, value)) = given {
                let set = param.set(&mut options, value);
                set.map_err(|error| UsageError(format!("--{error}")))?;
            } else if let (Some(path), Some(value)) = (file, values.get(param.name)) {
                let set = param.set(&mut options, value);
                set.map_err(|error| refusal(path, &error))?;
            }
        }
        Ok(options)
    }
}

fn params<C: Choice>() -> impl Iterator<Item = &'static Param> {
    PARAMS.iter().filter(|param| C::has(param.name))
}

fn argument<C: Choice>(param: &'static Param) -> Arg {
    let help = C::help(param.name).unwrap_or(param.help);
    let help = format!("{help} [default: {}]", param.get(&C::defaults()));
    let argument = Arg::new(param.name).long(param.name).help(help);
    match &param.kind {
        ParamKind::Switch => {
            argument.value_name("SWITCH").value_parser(PossibleValuesParser::new(["on", "off"]))
        }
        ParamKind::Choice(words) => {
            argument.value_name("CHOICE").value_parser(PossibleValuesParser::new(*words))
        }
        ParamKind::Supply => argument.value_name("standard|unlimited|TILES,BRIDGES"),
        ParamKind::Weights => argument.value_name("FILE"),
        ParamKind::Tuning => argument.value_name("NAME=VALUE,...").hide(true),
        ParamKind::Int(_) | ParamKind::Float(_) | ParamKind::FloatOrAuto(_) => {
            argument.value_name("N").allow_negative_numbers(true)
        }
    }
    .ignore_case(true)
}

const CONFIG: &str = "config";

impl<C: Choice> Args for ParamOptions<C> {
    fn augment_args(command: Command) -> Command {
        let command = command.args(params::<C>().map(argument::<C>));
        if !C::CONFIG {
            return command;
        }
        command.arg(
            Arg::new(CONFIG)
                .long(CONFIG)
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Read options from a TOML file with the same names; the command line takes precedence"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Choice> FromArgMatches for ParamOptions<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let config = if C::CONFIG { matches.get_one(CONFIG).cloned() } else { None };
        let given = params::<C>()
            .filter_map(|param| Some((param, matches.get_one::<String>(param.name)?.clone())))
            .collect();
        Ok(ParamOptions { given, config, file_values: OnceLock::new(), choice: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads the values of `params` from the file, unchecked.
///
/// # Errors
/// The file cannot be read or parsed, or has keys other than `params`.
pub(super) fn read(
    path: &Path,
    params: &[&'static Param],
) -> Result<HashMap<&'static str, String>, UsageError> {
    let refuse = |reason: String| refusal(path, &reason);
    let table = table(path)?;
    let find = |key: &str| params.iter().find(|param| param.name == key);
    let unknown: Vec<&str> =
        table.keys().map(String::as_str).filter(|key| find(key).is_none()).collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        let (unknown, known) = (unknown.join(", "), known.join(" "));
        return Err(refuse(format!("no option is called {unknown}; there are {known}")));
    }
    let value =
        |param: &&'static Param| Some((param.name, word(table.get(param.name)?, &param.kind)));
    Ok(params.iter().filter_map(value).collect())
}

/// The contents of a file.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn table(path: &Path) -> Result<Table, UsageError> {
    let text = files::read_text(path).map_err(|error| refusal(path, &error))?;
    text.parse().map_err(|error| refusal(path, &describe(&error, &text)))
}

/// An error in the file.
pub(super) fn refusal(path: &Path, reason: &dyn fmt::Display) -> UsageError {
    UsageError(format!("{}: {reason}", path.display()))
}

/// A value as it would be written on the command line.
fn word(value: &Value, kind: &ParamKind) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(on) if *kind == ParamKind::Switch => {
            if *on { "on" } else { "off" }.to_owned()
        }
        other => other.to_string(),
    }
}

/// A parse error with its line number.
fn describe(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {}", before.matches('\n').count() + 1, error.message())
}
