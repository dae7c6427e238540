//! Options of the command line that are parameters of the registry.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::config;
use super::exit::UsageError;
use crate::engine::{Options, PARAMS, Param, ParamKind};

/// Every parameter of the engine as an option, and `--config`.
pub(super) type EngineOptions = ParamOptions<Engine>;

/// The parameters that are rules of the game, as options.
pub(super) type RuleOptions = ParamOptions<Rule>;

/// The parameters that games of the engine against itself have, as options,
/// and `--config`.
pub(super) type SelfplayOptions = ParamOptions<Selfplay>;

/// The parameters that the engine has behind pages, as options, and
/// `--config`.
#[cfg(feature = "web")]
pub(super) type ServeOptions = ParamOptions<Serve>;

/// The parameters of analyses of many positions side by side, as options, and
/// `--config`.
pub(super) type AnalysesOptions = ParamOptions<Analyses>;

/// The parameters that reviews have, as options, and `--config`.
pub(super) type ReviewOptions = ParamOptions<Review>;

/// Which parameters a subcommand has.
pub(super) trait Choice {
    /// Whether it has the parameter of this name.
    fn has(name: &str) -> bool;
    /// Whether it has `--config`.
    const CONFIG: bool;
    /// What is meant where nothing is given.
    fn defaults() -> Options {
        Options::default()
    }
    /// What a parameter means to it, if not what it means elsewhere.
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

#[cfg(feature = "web")]
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
        (name == "threads").then_some("Games played side by side")
    }
}

#[cfg(feature = "web")]
impl Choice for Serve {
    fn has(name: &str) -> bool {
        ["threads", "memory", "seed", "weights", "evaluator", "move-overhead", "resign", "tune"]
            .contains(&name)
    }
    const CONFIG: bool = true;
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "threads" => Some("Threads for the searches of all games together"),
            "memory" => Some("Bound on the search trees of all games together, in MiB"),
            _ => None,
        }
    }
}

impl Choice for Analyses {
    fn has(name: &str) -> bool {
        !["resign", "ponder"].contains(&name)
    }
    const CONFIG: bool = true;
    fn defaults() -> Options {
        let mut options = Options::default();
        options.search.threads = 1;
        options
    }
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "threads" => Some("Threads that search one position"),
            "memory" => Some("Bound on all search trees together, in MiB"),
            "time" => Some("Seconds a position; auto is 2, or no limit when playouts sets one"),
            "playouts" => Some("Search iterations a position, 0 for no limit"),
            _ => None,
        }
    }
}

impl Choice for Review {
    fn has(name: &str) -> bool {
        !["resign", "ponder"].contains(&name)
    }
    const CONFIG: bool = true;
    fn help(name: &str) -> Option<&'static str> {
        match name {
            "board" => Some("Cells to an edge of the board, where a record does not say"),
            "supply" => Some("Tiles of each colour and bridges for both, where it does not say"),
            "pie" => Some("Whether Red may swap, where it does not say"),
            "threads" => Some("Positions searched side by side, each on one thread"),
            "memory" => Some("Bound on the tree of each search, in MiB"),
            "time" => Some("Seconds a position; auto is 2, or no limit when playouts sets one"),
            "playouts" => Some("Search iterations a position, 0 for no limit"),
            _ => None,
        }
    }
}

/// Parameters as options.
#[derive(Clone, Debug)]
pub(super) struct ParamOptions<C> {
    given: Vec<(&'static Param, String)>,
    config: Option<PathBuf>,
    /// What the configuration file says, read once: it may be a pipe.
    said: OnceLock<HashMap<&'static str, String>>,
    choice: PhantomData<C>,
}

impl<C: Choice> ParamOptions<C> {
    /// Whether the command line or the configuration file has the option.
    pub(super) fn gives(&self, name: &str) -> Result<bool, UsageError> {
        let is_given = self.given.iter().any(|(param, _)| param.name == name);
        Ok(is_given || self.said()?.contains_key(name))
    }

    /// What the configuration file says.
    fn said(&self) -> Result<HashMap<&'static str, String>, UsageError> {
        let params: Vec<_> = params::<C>().collect();
        let read = |path| config::read(path, &params);
        if self.said.get().is_none() {
            let _ = self.said.set(self.config.as_deref().map_or(Ok(HashMap::new()), read)?);
        }
        Ok(self.said.get().cloned().unwrap_or_default())
    }

    /// What they come to: the command line before the configuration file
    /// before the defaults.
    pub(super) fn resolve(&self) -> anyhow::Result<Options> {
        let mut options = C::defaults();
        let (file, said) = (self.config.as_deref(), self.said()?);
        // In the order of the registry, wherever a value comes from.
        for param in params::<C>() {
            let given = self.given.iter().find(|(given, _)| given.name == param.name);
            if let Some((_, value)) = given {
                let set = param.set(&mut options, value);
                set.map_err(|error| UsageError(format!("--{error}")))?;
            } else if let (Some(path), Some(value)) = (file, said.get(param.name)) {
                let set = param.set(&mut options, value);
                set.map_err(|error| config::refusal(path, &error))?;
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
                .help("Take options from a TOML file, by the same names; the command line wins"),
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
        Ok(ParamOptions { given, config, said: OnceLock::new(), choice: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
