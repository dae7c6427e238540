//! Options of the command line that are parameters of the registry.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::config;
use super::exit::UsageError;
use crate::engine::{Options, PARAMS, Param, ParamKind};

/// Every parameter of the engine as an option, and `--config`.
#[derive(Clone, Debug)]
pub(super) struct EngineOptions {
    given: Given,
    config: Option<PathBuf>,
}

/// The parameters that are rules of the game, as options.
#[derive(Clone, Debug)]
pub(super) struct RuleOptions {
    given: Given,
}

/// Parameters and the values they were given.
type Given = Vec<(&'static Param, String)>;

impl EngineOptions {
    /// What they come to: the command line before the configuration file
    /// before the defaults.
    pub(super) fn resolve(&self) -> anyhow::Result<Options> {
        let mut options = Options::default();
        if let Some(path) = &self.config {
            config::apply(path, &mut options)?;
        }
        apply(&self.given, &mut options)?;
        Ok(options)
    }
}

impl RuleOptions {
    /// Whether the command line has the option.
    pub(super) fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(param, _)| param.name == name)
    }

    /// What they come to: the command line before the defaults.
    pub(super) fn resolve(&self) -> anyhow::Result<Options> {
        let mut options = Options::default();
        apply(&self.given, &mut options)?;
        Ok(options)
    }
}

fn apply(given: &Given, options: &mut Options) -> Result<(), UsageError> {
    given.iter().try_for_each(|(param, value)| {
        param.set(options, value).map_err(|error| UsageError(format!("--{error}")))
    })
}

/// The names of the parameters that are rules.
const RULES: [&str; 3] = ["board", "supply", "pie"];

fn rules() -> impl Iterator<Item = &'static Param> {
    PARAMS.iter().filter(|param| RULES.contains(&param.name))
}

fn argument(param: &'static Param) -> Arg {
    let help = format!("{} [default: {}]", param.help, param.default_value());
    let argument = Arg::new(param.name).long(param.name).help(help);
    match &param.kind {
        ParamKind::Switch => {
            argument.value_name("SWITCH").value_parser(PossibleValuesParser::new(["on", "off"]))
        }
        ParamKind::Choice(words) => {
            argument.value_name("CHOICE").value_parser(PossibleValuesParser::new(*words))
        }
        ParamKind::Supply => argument.value_name("standard|unlimited|TILES,BRIDGES"),
        ParamKind::Network => argument.value_name("FILE"),
        ParamKind::Tuning => argument.value_name("NAME=VALUE,...").hide(true),
        ParamKind::Int(_) | ParamKind::Float(_) | ParamKind::FloatOrAuto(_) => {
            argument.value_name("N").allow_negative_numbers(true)
        }
    }
    .ignore_case(true)
}

fn given(matches: &ArgMatches, params: impl Iterator<Item = &'static Param>) -> Given {
    params
        .filter_map(|param| Some((param, matches.get_one::<String>(param.name)?.clone())))
        .collect()
}

const CONFIG: &str = "config";

impl Args for EngineOptions {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Take options from a TOML file, by the same names; the command line wins");
        command.args(PARAMS.iter().map(argument)).arg(config)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let config = matches.get_one(CONFIG).cloned();
        Ok(EngineOptions { given: given(matches, PARAMS.iter()), config })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for RuleOptions {
    fn augment_args(command: Command) -> Command {
        command.args(rules().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(RuleOptions { given: given(matches, rules()) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
