//! `pontifex convert`: game records from one form into another.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::ArgAction;
use clap::builder::BoolishValueParser;
use thiserror::Error;

use crate::board::Size;
use crate::game::{Setup, Supply};
use crate::notation::{Assumed, Format, Record, RecordError, ReplayError};

/// Converts game records: SGF, Abstract Play's JSON, move lists, positions.
#[derive(clap::Args, Clone, Debug)]
pub struct Convert {
    /// Files to read, in any form; - or none is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// What to write: sgf, json, moves or position [default: by the ending of
    /// OUT, else sgf]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,
    /// File to write, or a directory: then every input becomes a file there;
    /// - or none is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Stop after move N (0 is the start)
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// Board of move lists that name none [default: 10, or 12 if the moves
    /// need it]
    #[arg(long, value_name = "N", value_parser = size)]
    pub board: Option<Size>,
    /// Supply where the input names none: standard, unlimited or TILES,BRIDGES
    #[arg(long, default_value = "standard")]
    pub supply: Supply,
    /// Pie rule where the input does not say
    #[arg(long, value_name = "on|off", default_value = "on", action = ArgAction::Set, value_parser = BoolishValueParser::new())]
    pub pie: bool,
}

fn size(text: &str) -> Result<Size, String> {
    let number: u64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Size::new(number).map_err(|error| error.to_string())
}

/// Why nothing, or not everything, was converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// A file cannot be read.
    #[error("cannot read {file}: {reason}")]
    Read {
        /// Which.
        file: String,
        /// Why.
        reason: io::Error,
    },
    /// A file is not text.
    #[error("{file} is not text in UTF-8: byte {at} is not of a character")]
    NotText {
        /// Which.
        file: String,
        /// The first bad byte, counted from 1.
        at: usize,
    },
    /// A file is no record.
    #[error("{file}: {reason}")]
    Record {
        /// Which.
        file: String,
        /// What is wrong, and where.
        reason: RecordError,
    },
    /// A game cannot be played through, or is too short for `--at`.
    #[error("{file}: game {game}: {reason}")]
    Replay {
        /// Which file.
        file: String,
        /// Which of its games, counted from 1.
        game: usize,
        /// What is wrong.
        reason: ReplayError,
    },
    /// Two inputs would become one file.
    #[error("two inputs would become {file}: convert them into different directories")]
    Clash {
        /// The file.
        file: String,
    },
    /// The result cannot be written.
    #[error("cannot write {file}: {reason}")]
    Write {
        /// Where to.
        file: String,
        /// Why not.
        reason: io::Error,
    },
}

impl ConvertError {
    /// The exit code that says so: 2 for input that cannot be used, else 1.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, ConvertError::Write { .. }) { 1 } else { 2 }
    }
}

/// One input and the games in it.
struct Input {
    /// What its file is called, without the ending.
    stem: OsString,
    records: Vec<Record>,
}

impl Convert {
    /// Converts. Everything is read and checked before anything is written;
    /// a reader of standard output that goes away is no error.
    pub fn run(&self) -> Result<(), ConvertError> {
        let stdin = [PathBuf::from("-")];
        let paths = if self.inputs.is_empty() { &stdin } else { self.inputs.as_slice() };
        let inputs: Vec<Input> =
            paths.iter().map(|path| self.read(path)).collect::<Result<_, _>>()?;
        match &self.output {
            Some(path) if is_directory(path) => self.write_files(&inputs, path),
            output => {
                let records: Vec<Record> =
                    inputs.into_iter().flat_map(|input| input.records).collect();
                let text = self.format().write(&records);
                match output {
                    Some(path) if path.as_os_str() != "-" => write_file(path, &text),
                    _ => write_stdout(&text),
                }
            }
        }
    }

    /// The format to write: asked for, or by the ending of the output.
    fn format(&self) -> Format {
        let by_ending = || {
            let ending = self.output.as_ref()?.extension()?.to_str()?;
            Format::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(ending))
        };
        self.to.or_else(by_ending).unwrap_or(Format::Sgf)
    }

    /// Reads a file, cuts its games short where asked and plays them through.
    fn read(&self, path: &Path) -> Result<Input, ConvertError> {
        let (file, stem, bytes) = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes);
            ("standard input".to_owned(), "stdin".into(), read.map(|_| bytes))
        } else {
            let stem = path.file_stem().unwrap_or_default().to_owned();
            (path.display().to_string(), stem, fs::read(path))
        };
        let bytes = bytes.map_err(|reason| ConvertError::Read { file: file.clone(), reason })?;
        let text = String::from_utf8(bytes).map_err(|error| ConvertError::NotText {
            file: file.clone(),
            at: error.utf8_error().valid_up_to() + 1,
        })?;
        let assumed = Assumed { size: self.board, supply: self.supply, pie: self.pie };
        let mut records = Record::parse_all(&text, &assumed)
            .map_err(|reason| ConvertError::Record { file: file.clone(), reason })?;
        for (n, record) in records.iter_mut().enumerate() {
            let replay = |reason| ConvertError::Replay { file: file.clone(), game: n + 1, reason };
            record.cut(self.at.unwrap_or(record.moves.len())).map_err(replay)?;
            let end = record.position_after(record.moves.len()).map_err(replay)?;
            if self.format() == Format::Position {
                *record = Record::new(Setup::from(&end));
            }
        }
        Ok(Input { stem, records })
    }

    /// Writes a file for every input into the directory.
    fn write_files(&self, inputs: &[Input], directory: &Path) -> Result<(), ConvertError> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for input in inputs {
            let mut name = input.stem.clone();
            name.push(".");
            name.push(self.format().extension());
            let file = directory.join(name);
            if files.iter().any(|(other, _)| *other == file) {
                return Err(ConvertError::Clash { file: file.display().to_string() });
            }
            files.push((file, self.format().write(&input.records)));
        }
        fs::create_dir_all(directory).map_err(|reason| unwritable(directory, reason))?;
        files.iter().try_for_each(|(file, text)| write_file(file, text))
    }
}

/// A path that is a directory, or says by its last slash that it shall be.
fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.to_str().is_some_and(|path| path.ends_with(std::path::is_separator))
}

fn write_file(path: &Path, text: &str) -> Result<(), ConvertError> {
    fs::write(path, text).map_err(|reason| unwritable(path, reason))
}

fn write_stdout(text: &str) -> Result<(), ConvertError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(reason) if reason.kind() != io::ErrorKind::BrokenPipe => {
            Err(unwritable(Path::new("standard output"), reason))
        }
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, reason: io::Error) -> ConvertError {
    ConvertError::Write { file: path.display().to_string(), reason }
}
