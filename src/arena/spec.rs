//! Engines as a match names them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::limit::{Limit, LimitError};
use super::shell_words::{self, WordsError};

/// An engine that takes part: how it is started and what it is told.
///
/// ```
/// use pontifex::arena::{EngineCommand, EngineSpec};
///
/// let spec: EngineSpec = r#"name=A cmd="./a gtp" param.threads=1 time=0.5"#.parse()?;
/// assert_eq!(spec.name, "A");
/// assert_eq!(spec.command, EngineCommand::Process { line: "./a gtp".to_owned(), dir: None });
/// assert_eq!(spec.params, [("threads".to_owned(), "1".to_owned())]);
/// # Ok::<(), pontifex::arena::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the match.
    pub name: String,
    /// What to start.
    pub command: EngineCommand,
    /// Parameters and their values, set before each game.
    pub params: Vec<(String, String)>,
    /// Its own limit, before that of the match.
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
        /// The program and its arguments, split as by a shell; none is run.
        line: String,
        /// Where it runs, and from where a path to it counts; `None` is here.
        dir: Option<PathBuf>,
    },
}

/// The text does not name an engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// A word without `=`.
    #[error("'{0}' is not KEY=VALUE; {KEYS}")]
    NotAPair(
        /// The word.
        String,
    ),
    /// Nothing has the name.
    #[error("no key is called '{0}'; {KEYS}")]
    Key(
        /// The name.
        String,
    ),
    /// A key that must be there is not, or is empty.
    #[error("an engine needs {0}; {KEYS}")]
    Missing(
        /// The key.
        &'static str,
    ),
    /// A key, or two of the limits, twice.
    #[error("{0} is given twice")]
    Twice(
        /// The key.
        String,
    ),
    /// Quotation marks that do not match.
    #[error("'{text}' cannot be read: {reason}")]
    Words {
        /// The text.
        text: String,
        /// Why not.
        reason: WordsError,
    },
    /// A value that the limit cannot have.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

const KEYS: &str = "the keys are name, cmd (a command line, or builtin), dir, param.NAME, and \
    time=SECONDS, tc=MAIN+INC, byoyomi=MAIN+PERIODxCOUNT or playouts=N";

/// The engine's program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PathError {
    /// There is no such file.
    #[error("engine {engine}: there is no file {path}")]
    NoFile {
        /// The engine.
        engine: String,
        /// Where it was looked for.
        path: String,
    },
    /// No folder of PATH holds the program.
    #[error(
        "engine {engine}: no program called '{program}' is in PATH; a path has a slash, as in ./{program}"
    )]
    NotInPath {
        /// The engine.
        engine: String,
        /// The program.
        program: String,
    },
    /// The file may not be run.
    #[error("engine {engine}: {path} is not an executable file")]
    NotExecutable {
        /// The engine.
        engine: String,
        /// The file.
        path: String,
    },
    /// The folder is not there.
    #[error("engine {engine}: there is no folder {path}")]
    NoFolder {
        /// The engine.
        engine: String,
        /// The folder.
        path: String,
    },
    /// The command line cannot be split.
    #[error("engine {engine}: '{line}' cannot be read: {reason}")]
    Words {
        /// The engine.
        engine: String,
        /// The command line.
        line: String,
        /// Why not.
        reason: WordsError,
    },
    /// The command line is empty.
    #[error("engine {engine}: the command line is empty")]
    Empty {
        /// The engine.
        engine: String,
    },
}

impl EngineSpec {
    /// The built-in engine under a name.
    pub fn builtin(name: &str) -> EngineSpec {
        EngineSpec {
            name: name.to_owned(),
            command: EngineCommand::Builtin,
            params: Vec::new(),
            limit: None,
        }
    }

    /// The program and arguments of a command line under a name.
    pub fn process(name: &str, line: &str) -> EngineSpec {
        let command = EngineCommand::Process { line: line.to_owned(), dir: None };
        EngineSpec { command, ..EngineSpec::builtin(name) }
    }

    /// An engine from keys and values: `name`, `cmd`, `dir`, `param.NAME` and
    /// one of [`Limit::KEYS`]. The command must be there; without a name it
    /// is that of the program.
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

    /// Whether the program is there and may be run.
    ///
    /// # Errors
    /// What is missing, in one line.
    pub fn check_path(&self) -> Result<(), PathError> {
        let EngineCommand::Process { line, dir } = &self.command else { return Ok(()) };
        let _ = (line, dir);
        Ok(())
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    /// Reads `name=A cmd="./a gtp" dir=. param.threads=1 time=0.5`, quoted as
    /// for a shell.
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
