//! Engines as a match names them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clock::{Limit, LimitError};
use crate::tournament::engines::shell_words::{self, WordsError};

/// An engine that takes part: how it is started and what it is told.
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
    /// A parameter that is the same for all engines of a match.
    #[error("param.{0} is set by the match, for all engines")]
    Reserved(
        /// The parameter.
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
        // An evaluator that is named decides, also where a network is.
        params.sort_by_key(|(name, _)| name == "evaluator");
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
        let engine = self.name.clone();
        if let Some(dir) = dir
            && !dir.is_dir()
        {
            return Err(PathError::NoFolder { engine, path: dir.display().to_string() });
        }
        let words = self.words().map_err(|reason| PathError::Words {
            engine: engine.clone(),
            line: line.clone(),
            reason,
        })?;
        let Some(program) = words.into_iter().next().filter(|program| !program.is_empty()) else {
            return Err(PathError::Empty { engine });
        };
        if !has_separator(&program) {
            return match find_in_path(&program) {
                Some(_) => Ok(()),
                None => Err(PathError::NotInPath { engine, program }),
            };
        }
        let path = self.program_path(&program);
        let shown = path.display().to_string();
        if !path.exists() {
            Err(PathError::NoFile { engine, path: shown })
        } else if !is_executable(&path) {
            Err(PathError::NotExecutable { engine, path: shown })
        } else {
            Ok(())
        }
    }

    /// The words of the command line, none for the built-in engine.
    pub(in crate::tournament) fn words(&self) -> Result<Vec<String>, WordsError> {
        match &self.command {
            EngineCommand::Builtin => Ok(Vec::new()),
            EngineCommand::Process { line, .. } => shell_words::split(line),
        }
    }

    /// Where the engine runs, if not here.
    pub(in crate::tournament) fn dir(&self) -> Option<&Path> {
        match &self.command {
            EngineCommand::Process { dir, .. } => dir.as_deref(),
            EngineCommand::Builtin => None,
        }
    }

    /// Where `program` is: a relative path counts from the folder the engine
    /// runs in, a name without a slash is looked for in PATH.
    pub(in crate::tournament) fn program_path(&self, program: &str) -> PathBuf {
        if !has_separator(program) {
            return PathBuf::from(program);
        }
        let path = self.dir().unwrap_or(Path::new("")).join(program);
        std::path::absolute(&path).unwrap_or(path)
    }

    /// CRC-32 (IEEE) of the file of the program, in hexadecimal: what tells
    /// builds of one version apart.
    pub(in crate::tournament) fn checksum(&self) -> Option<String> {
        let file = match self.words().ok()?.first() {
            None => std::env::current_exe().ok()?,
            Some(program) if has_separator(program) => self.program_path(program),
            Some(program) => find_in_path(program)?,
        };
        let bytes = std::fs::read(file).ok()?;
        Some(format!("{:08x}", crc32fast::hash(&bytes)))
    }

    /// Whether its author sets the parameter.
    pub(in crate::tournament) fn has_param(&self, name: &str) -> bool {
        self.params.iter().any(|(param, _)| param == name)
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

fn has_separator(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

fn find_in_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = [program.to_owned(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluator_that_is_named_decides() {
        for text in ["param.evaluator=linear param.net=x", "param.net=x param.evaluator=linear"] {
            let spec: EngineSpec = format!("cmd=a {text} param.seed=1").parse().unwrap();
            let last = spec.params.last().map(|(name, value)| (&name[..], &value[..]));
            assert_eq!(last, Some(("evaluator", "linear")), "{text}");
        }
    }

    #[test]
    fn all_keys_are_read() {
        let text =
            r#"cmd="./a 'b c' gtp" name='A 1' dir=/tmp param.threads=1 param.x="y z" tc=60+1"#;
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!(spec.name, "A 1");
        assert_eq!(spec.words().unwrap(), ["./a", "b c", "gtp"]);
        assert_eq!(spec.dir(), Some(Path::new("/tmp")));
        assert_eq!(spec.program_path("./a"), Path::new("/tmp/./a").components().as_path());
        assert!(spec.has_param("threads") && spec.has_param("x") && !spec.has_param("y"));
        assert_eq!(spec.limit.unwrap().to_string(), "tc=60+1");
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), spec);

        let builtin: EngineSpec = "cmd=builtin".parse().unwrap();
        assert_eq!((builtin.command, &*builtin.name), (EngineCommand::Builtin, "builtin"));
        assert_eq!("cmd='../x/engine.py -v'".parse::<EngineSpec>().unwrap().name, "engine");
    }

    #[test]
    fn refusals_name_the_key_and_what_is_right() {
        for (text, words) in [
            ("name=A", "an engine needs cmd; the keys are name, cmd"),
            ("cmd=", "an engine needs cmd"),
            ("cmd=a name=", "needs a name that is not empty"),
            ("cmd=a nonsense", "'nonsense' is not KEY=VALUE"),
            ("cmd=a thread=1", "no key is called 'thread'; the keys are"),
            ("cmd=a param.=1", "no key is called 'param.'"),
            ("cmd=a cmd=b", "cmd is given twice"),
            ("cmd=a param.x=1 param.x=2", "param.x is given twice"),
            ("cmd=a time=1 playouts=2", "the limit is given twice"),
            ("cmd=a time=fast", "time cannot be 'fast': seconds"),
            ("cmd=a param.board=9", "param.board is set by the match"),
            ("cmd='a", "a quotation mark (') is not closed"),
            (r#"cmd="'a""#, "a quotation mark (') is not closed"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_wrong_path_is_a_clear_error() {
        let dir = Some(PathBuf::from("/no/such/folder"));
        let in_dir = |line: &str, dir| {
            let command = EngineCommand::Process { line: line.to_owned(), dir };
            EngineSpec { command, ..EngineSpec::builtin("A") }
        };
        for (spec, words) in [
            (EngineSpec::process("A", "./no-engine gtp"), "there is no file"),
            (EngineSpec::process("A", "no-such-engine"), "'no-such-engine' is in PATH"),
            (EngineSpec::process("A", "/"), "/ is not an executable file"),
            (EngineSpec::process("A", "''"), "the command line is empty"),
            (EngineSpec::process("A", "'"), "is not closed"),
            (in_dir("./a", dir), "there is no folder /no/such/folder"),
        ] {
            let error = spec.check_path().unwrap_err().to_string();
            assert!(error.starts_with("engine A: ") && error.contains(words), "{error}");
        }
        assert_eq!(EngineSpec::builtin("A").check_path(), Ok(()));
    }
}
