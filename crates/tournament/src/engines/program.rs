//! The program behind a specification: where it is, whether it can run, and
//! its checksum.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use crate::engines::shell_words::{self, WordsError};
use crate::engines::spec::{EngineCommand, EngineSpec};
use pontifex::files;

/// The engine's program cannot be started.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PathError {
    /// The file does not exist.
    #[error("engine {engine}: there is no file {path}")]
    NoFile {
        /// The engine.
        engine: String,
        /// Its path.
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
    /// The file is not executable.
    #[error("engine {engine}: {path} is not an executable file")]
    NotExecutable {
        /// The engine.
        engine: String,
        /// The file.
        path: String,
    },
    /// The working directory does not exist.
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
        /// The cause.
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
    /// Checks that the program exists and is executable.
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

    /// The words of the command line; empty for the built-in engine.
    pub(super) fn words(&self) -> Result<Vec<String>, WordsError> {
        match &self.command {
            EngineCommand::Builtin => Ok(Vec::new()),
            EngineCommand::Process { line, .. } => shell_words::split(line),
        }
    }

    /// The working directory, if it is not the current one.
    pub(super) fn dir(&self) -> Option<&Path> {
        match &self.command {
            EngineCommand::Process { dir, .. } => dir.as_deref(),
            EngineCommand::Builtin => None,
        }
    }

    /// The path of `program`. A path with a slash is relative to the engine's
    /// working directory; a name without one is left to PATH.
    pub(super) fn program_path(&self, program: &str) -> PathBuf {
        if !has_separator(program) {
            return PathBuf::from(program);
        }
        let path = self.dir().unwrap_or(Path::new("")).join(program);
        std::path::absolute(&path).unwrap_or(path)
    }

    /// CRC-32 (IEEE) of the program's file in hexadecimal, which tells builds
    /// of one version apart.
    pub(super) fn checksum(&self) -> Option<String> {
        // This program is read once, as it cannot change while it runs.
        static OWN: OnceLock<Option<String>> = OnceLock::new();
        let file = match self.words().ok()?.first() {
            None => return OWN.get_or_init(|| checksum(&std::env::current_exe().ok()?)).clone(),
            Some(program) if has_separator(program) => self.program_path(program),
            Some(program) => find_in_path(program)?,
        };
        checksum(&file)
    }
}

fn checksum(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    files::open_regular(file).ok()?.read_to_end(&mut bytes).ok()?;
    Some(format!("{:08x}", crc32fast::hash(&bytes)))
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
