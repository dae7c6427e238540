//! The specification of an engine: `name=A cmd="./a gtp" param.threads=1`.
//!
//! The specification also determines where the program's file is, whether it can be started, and
//! the checksum that journals keep:
//!
//! ```text
//! cmd=./bot.py dir=bots      bots/bot.py, whatever the current directory is
//! cmd="python3 bot.py"       python3 from PATH; the checksum covers bot.py too
//! cmd=builtin                pontifex itself; the checksum is this program's
//! ```

use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;

use pontifex::clock::{Limit, LimitError};
use pontifex::files;
use pontifex::messages::printable;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An engine of a tournament: how it is started and configured. Two engines may be the same program
/// with different parameters.
///
/// ```
/// use pontifex_tournament::{EngineCommand, EngineSpec};
///
/// let spec: EngineSpec = r#"name=A cmd="./a gtp" param.threads=1 time=0.5"#.parse()?;
/// assert_eq!(spec.name, "A");
/// assert_eq!(spec.command, EngineCommand::Process { line: "./a gtp".to_owned(), dir: None });
/// assert_eq!(spec.params, [("threads".to_owned(), "1".to_owned())]);
/// # Ok::<(), pontifex_tournament::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The engine's name in reports and journals, unique in a tournament.
    pub name: String,
    /// The program, or the built-in engine.
    pub command: EngineCommand,
    /// Names and values of parameters, set in this order when the engine starts. An engine that
    /// refuses one has failed to start.
    pub params: Vec<(String, String)>,
    /// A limit for this engine alone, for a handicap; `None` for the tournament's limit.
    pub limit: Option<Limit>,
}

/// The program of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineCommand {
    /// The engine of pontifex, searching in this process.
    Builtin,
    /// A program that speaks GTP.
    Process {
        /// The program and its arguments, with a shell's quoting. No shell is run, so variables and
        /// wildcards are not expanded.
        line: String,
        /// The working directory; a path to the program is relative to it. `None` for the current
        /// directory.
        dir: Option<PathBuf>,
    },
}

/// Why a text is not a specification of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// This word has no `=`.
    #[error("'{0}' is not KEY=VALUE; {KEYS}")]
    NotAPair(String),
    /// No key has this name.
    #[error("no key is called '{0}'; {KEYS}")]
    Key(String),
    /// This required key is missing or empty.
    #[error("an engine needs {0}; {KEYS}")]
    Missing(&'static str),
    /// This key is repeated, or there are two limits.
    #[error("{0} is given twice")]
    Twice(String),
    /// Only the match sets this parameter, because engines must agree on the rules.
    #[error("param.{0} is set by the match, for all engines")]
    Reserved(String),
    /// This text has an unclosed quotation mark or ends in a backslash.
    #[error("'{0}' cannot be read: {UNSPLIT}")]
    Words(String),
    /// The value of a limit cannot be read or is out of range.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// The end of error messages: the keys that exist.
const KEYS: &str = "the keys are name, cmd (a command line, or builtin), dir, param.NAME, and \
    time=SECONDS, tc=MAIN+INC, byoyomi=MAIN+PERIODxCOUNT or playouts=N";

/// The end of error messages: why [`shlex`] cannot split a text.
const UNSPLIT: &str = "a quotation mark is not closed, or the last backslash escapes nothing";

impl EngineSpec {
    /// The built-in engine with its default parameters.
    pub fn builtin(name: &str) -> EngineSpec {
        EngineSpec {
            name: name.to_owned(),
            command: EngineCommand::Builtin,
            params: Vec::new(),
            limit: None,
        }
    }

    /// A program that speaks GTP, started by the command line `line` in the current directory.
    pub fn process(name: &str, line: &str) -> EngineSpec {
        let command = EngineCommand::Process { line: line.to_owned(), dir: None };
        EngineSpec { command, ..EngineSpec::builtin(name) }
    }

    /// An engine from keys and values: `name`, `cmd`, `dir`, `param.NAME` and one of
    /// [`Limit::KEYS`]. Only `cmd` is required. The default name is that of the program's file,
    /// without its extension.
    ///
    /// # Errors
    /// The key or value that cannot be used. Whether the program exists is checked only by
    /// [`check_path`](EngineSpec::check_path).
    pub fn from_pairs<K: AsRef<str>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<EngineSpec, SpecError> {
        let (mut name, mut line, mut dir, mut limit) = (None, None, None, None);
        let mut params: Vec<(String, String)> = Vec::new();
        for (key, value) in pairs {
            let (key, value) = (key.as_ref(), value.into());
            let is_repeated = match key {
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
                        let is_repeated = params.iter().any(|(name, _)| name == param);
                        params.push((param.to_owned(), value));
                        is_repeated
                    }
                    None => return Err(SpecError::Key(key.to_owned())),
                },
            };
            if is_repeated {
                return Err(SpecError::Twice(key.to_owned()));
            }
        }
        let line = line.filter(|line| !line.trim().is_empty()).ok_or(SpecError::Missing("cmd"))?;
        if name.as_ref().is_some_and(|name: &String| name.trim().is_empty()) {
            return Err(SpecError::Missing("a name that is not empty"));
        }
        let words = shlex::split(&line).ok_or_else(|| SpecError::Words(line.clone()))?;
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

    /// Reads `name=A cmd="./a gtp" dir=. param.threads=1 time=0.5`, with a shell's quoting.
    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let words = shlex::split(text).ok_or_else(|| SpecError::Words(text.to_owned()))?;
        let pair = |word: &String| -> Result<(String, String), SpecError> {
            let refuse = || SpecError::NotAPair(word.clone());
            let (key, value) = word.split_once('=').ok_or_else(refuse)?;
            Ok((key.to_owned(), value.to_owned()))
        };
        EngineSpec::from_pairs(words.iter().map(pair).collect::<Result<Vec<_>, SpecError>>()?)
    }
}

/// The error for an engine whose program cannot be started.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("engine {engine}: {problem}")]
pub struct ProgramError {
    /// The engine's name in the match.
    pub engine: String,
    /// Why the program cannot be started.
    pub problem: ProgramProblem,
}

/// Why a program cannot be started.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProgramProblem {
    /// The program's file does not exist.
    #[error("there is no file {0}")]
    NoFile(String),
    /// No folder of PATH holds the program.
    #[error("no program called '{0}' is in PATH; a path has a slash, as in ./{0}")]
    NotInPath(String),
    /// The file is not executable.
    #[error("{0} is not an executable file")]
    NotExecutable(String),
    /// The working directory does not exist.
    #[error("there is no folder {0}")]
    NoFolder(String),
    /// The command line cannot be split into words.
    #[error("'{0}' cannot be read: {UNSPLIT}")]
    Words(String),
    /// The command line is empty, or the engine is the built-in one.
    #[error("the command line is empty")]
    Empty,
    /// The system refuses to start the program.
    #[error("'{program}' cannot be started: {reason}")]
    Start {
        /// The program as the command line names it.
        program: String,
        /// The system's error.
        reason: String,
    },
}

impl EngineSpec {
    /// Checks that the program exists and is executable. A match with a misspelt path then fails
    /// before its first game, and with a better error than the system's.
    ///
    /// # Errors
    /// The problem with the folder, the command line or the file. The built-in engine has no
    /// program, so its check never fails.
    pub fn check_path(&self) -> Result<(), ProgramError> {
        let error = |problem| ProgramError { engine: self.name.clone(), problem };
        self.check_program().map_err(error)
    }

    fn check_program(&self) -> Result<(), ProgramProblem> {
        let EngineCommand::Process { dir, .. } = &self.command else { return Ok(()) };
        if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(ProgramProblem::NoFolder(dir.display().to_string()));
        }
        let (program, _) = self.words()?;
        if !has_separator(&program) {
            let is_in_path = find_in_path(&program).is_some();
            return if is_in_path { Ok(()) } else { Err(ProgramProblem::NotInPath(program)) };
        }
        let path = self.program_path(&program);
        let name = path.display().to_string();
        if !path.exists() {
            Err(ProgramProblem::NoFile(name))
        } else if !is_executable(&path) {
            Err(ProgramProblem::NotExecutable(name))
        } else {
            Ok(())
        }
    }

    /// The program and its arguments; the built-in engine has none.
    pub(super) fn words(&self) -> Result<(String, Vec<String>), ProgramProblem> {
        let EngineCommand::Process { line, .. } = &self.command else {
            return Err(ProgramProblem::Empty);
        };
        let mut words = shlex::split(line).ok_or_else(|| ProgramProblem::Words(line.clone()))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(ProgramProblem::Empty);
        }
        let arguments = words.split_off(1);
        Ok((words.swap_remove(0), arguments))
    }

    /// The working directory, if it is not the current one.
    pub(super) fn dir(&self) -> Option<&Path> {
        match &self.command {
            EngineCommand::Process { dir, .. } => dir.as_deref(),
            EngineCommand::Builtin => None,
        }
    }

    /// The path of `program`. A path with a slash is relative to the engine's working directory; a
    /// name without one is left to PATH.
    pub(super) fn program_path(&self, program: &str) -> PathBuf {
        if !has_separator(program) {
            return PathBuf::from(program);
        }
        let path = self.dir().unwrap_or(Path::new("")).join(program);
        // Systems differ in whether a relative path to a program starts from the child's working
        // directory or from this program's.
        std::path::absolute(&path).unwrap_or(path)
    }

    /// CRC-32 (IEEE) of the program's file in hexadecimal, to tell builds of one version apart. It
    /// is followed by the names and checksums of files among the arguments, because with
    /// `python3 bot.py` the script is the engine. `None` if the program's file cannot be read.
    pub(super) fn checksum(&self) -> Option<String> {
        // Read once: the running program stays the same even if its file is replaced.
        static OWN_CHECKSUM: OnceLock<Option<String>> = OnceLock::new();
        if self.command == EngineCommand::Builtin {
            return OWN_CHECKSUM.get_or_init(|| checksum(&std::env::current_exe().ok()?)).clone();
        }
        let (program, arguments) = self.words().ok()?;
        let program = if has_separator(&program) {
            self.program_path(&program)
        } else {
            find_in_path(&program)?
        };
        let files = arguments.iter().filter_map(|argument| self.named_file(argument));
        let suffixes = files.map(|(name, checksum)| format!(", {name} {checksum}"));
        Some(checksum(&program)? + &suffixes.collect::<String>())
    }

    /// The name and the checksum of the file that an argument names, as in `bot.py` or
    /// `--weights=new.bin`; `None` if it names no readable file.
    fn named_file(&self, argument: &str) -> Option<(String, String)> {
        let value = argument.split_once('=').filter(|(key, _)| key.starts_with('-'));
        let path = self.dir().unwrap_or(Path::new("")).join(value.map_or(argument, |pair| pair.1));
        let name = path.file_name()?.to_string_lossy();
        Some((printable(&name), checksum(&path)?))
    }
}

/// The checksum of one file; `None` if it is not a regular file that can be read.
fn checksum(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    files::open_regular(file).ok()?.read_to_end(&mut bytes).ok()?;
    Some(format!("{:08x}", crc32fast::hash(&bytes)))
}

fn has_separator(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

/// The first executable file in PATH that is called `program`, on Windows also with `.exe`.
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
