//! The specification of an engine: `name=A cmd="./a gtp" param.threads=1`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engines::shell_words::{self, WordsError};
use pontifex::clock::{Limit, LimitError};

/// An engine of a tournament: how it is started and configured.
///
/// ```
/// use pontifex::tournament::{EngineCommand, EngineSpec};
///
/// let spec: EngineSpec = r#"name=A cmd="./a gtp" param.threads=1 time=0.5"#.parse()?;
/// assert_eq!(spec.name, "A");
/// assert_eq!(spec.command, EngineCommand::Process { line: "./a gtp".to_owned(), dir: None });
/// assert_eq!(spec.params, [("threads".to_owned(), "1".to_owned())]);
/// # Ok::<(), pontifex::tournament::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the match.
    pub name: String,
    /// What to start.
    pub command: EngineCommand,
    /// Parameters and their values.
    pub params: Vec<(String, String)>,
    /// Its own limit, which overrides the tournament's.
    pub limit: Option<Limit>,
}

/// What to start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineCommand {
    /// This engine, in this process.
    Builtin,
    /// A program that speaks GTP.
    Process {
        /// The program and its arguments, split as a shell would. No shell
        /// is run.
        line: String,
        /// The working directory, to which a path to the program is
        /// relative; `None` for the current one.
        dir: Option<PathBuf>,
    },
}

/// The text is not a specification of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// A word without `=`.
    #[error("'{0}' is not KEY=VALUE; {KEYS}")]
    NotAPair(
        /// The word.
        String,
    ),
    /// An unknown key.
    #[error("no key is called '{0}'; {KEYS}")]
    Key(
        /// The key.
        String,
    ),
    /// A required key is missing or empty.
    #[error("an engine needs {0}; {KEYS}")]
    Missing(
        /// The key.
        &'static str,
    ),
    /// A key is repeated, or there are two limits.
    #[error("{0} is given twice")]
    Twice(
        /// The key.
        String,
    ),
    /// A parameter that must be the same for all engines.
    #[error("param.{0} is set by the match, for all engines")]
    Reserved(
        /// The parameter.
        String,
    ),
    /// An unclosed quotation mark.
    #[error("'{text}' cannot be read: {reason}")]
    Words {
        /// The text.
        text: String,
        /// The cause.
        reason: WordsError,
    },
    /// An invalid limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

const KEYS: &str = "the keys are name, cmd (a command line, or builtin), dir, param.NAME, and \
    time=SECONDS, tc=MAIN+INC, byoyomi=MAIN+PERIODxCOUNT or playouts=N";

impl EngineSpec {
    /// The built-in engine.
    pub fn builtin(name: &str) -> EngineSpec {
        EngineSpec {
            name: name.to_owned(),
            command: EngineCommand::Builtin,
            params: Vec::new(),
            limit: None,
        }
    }

    /// The program and arguments of a command line.
    pub fn process(name: &str, line: &str) -> EngineSpec {
        let command = EngineCommand::Process { line: line.to_owned(), dir: None };
        EngineSpec { command, ..EngineSpec::builtin(name) }
    }

    /// An engine from keys and values: `name`, `cmd`, `dir`, `param.NAME` and
    /// one of [`Limit::KEYS`]. `cmd` is required; the default name is that of
    /// the program.
    pub fn from_pairs<K: AsRef<str>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<EngineSpec, SpecError> {
        let (mut name, mut line, mut dir, mut limit) = (None, None, None, None);
        let mut params: Vec<(String, String)> = Vec::new();
        for (key, value) in pairs {
            let (key, value) = (key.as_ref(), value.into());
            let is_twice = match key {
                "name" => name.replace(value).is_some(),
                "cmd" => line.replace(value).is_some(),
                "dir" => dir.replace(PathBuf::from(value)).is_some(),
                key if Limit::KEYS.contains(&key) => {
                    if limit.replace(Limit::from_key(key, &value)?).is_some() {
                        return Err(SpecError::Twice("the limit".to_owned()));
                    }
                    false
                }
                _ => match key.strip_prefix("param.").filter(|name| !name.is_empty()) {
                    Some(param @ ("board" | "supply" | "pie")) => {
                        return Err(SpecError::Reserved(param.to_owned()));
                    }
                    Some(param) => {
                        let is_twice = params.iter().any(|(name, _)| name == param);
                        params.push((param.to_owned(), value));
                        is_twice
                    }
                    None => return Err(SpecError::Key(key.to_owned())),
                },
            };
            if is_twice {
                return Err(SpecError::Twice(key.to_owned()));
            }
        }
        let line = line.filter(|line| !line.trim().is_empty()).ok_or(SpecError::Missing("cmd"))?;
        if name.as_ref().is_some_and(|name: &String| name.trim().is_empty()) {
            return Err(SpecError::Missing("a name that is not empty"));
        }
        let words = shell_words::split(&line)
            .map_err(|reason| SpecError::Words { text: line.clone(), reason })?;
        let program = words.into_iter().next().unwrap_or_default();
        let file_name = Path::new(&program).file_stem().map(|stem| stem.to_string_lossy().into());
        let name = name.unwrap_or_else(|| file_name.unwrap_or(program));
        let command = if line.trim() == "builtin" {
            EngineCommand::Builtin
        } else {
            EngineCommand::Process { line, dir }
        };
        Ok(EngineSpec { name, command, params, limit })
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    /// Reads `name=A cmd="./a gtp" dir=. param.threads=1 time=0.5`, with a
    /// shell's quoting.
    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let words = shell_words::split(text)
            .map_err(|reason| SpecError::Words { text: text.to_owned(), reason })?;
        let pair = |word: &String| -> Result<(String, String), SpecError> {
            let refuse = || SpecError::NotAPair(word.clone());
            let (key, value) = word.split_once('=').ok_or_else(refuse)?;
            Ok((key.to_owned(), value.to_owned()))
        };
        EngineSpec::from_pairs(words.iter().map(pair).collect::<Result<Vec<_>, SpecError>>()?)
    }
}
