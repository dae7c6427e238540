//! `pontifex convert`: records from one format into another, or a position as a picture.
//!
//! All inputs are read and replayed before anything is written, so every error of an input comes
//! before the first output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args};

use super::exit::UsageError;
use super::named_files;
use super::named_files::{Batch, batch_exit_code, print, refuse_overwrite, write_file};
use super::options::{RULES, whole};
use super::picture::Pictures;
use pontifex::notation::{DefaultRules, FORMATS, Format, Record, sgf};

/// Convert or draw game records: SGF, Abstract Play's JSON, move lists, positions
///
/// The input format is detected from the content; Boardspace's SGF is read too. If a record does
/// not specify the board, the supply or the pie rule, the options do. The default board of a move
/// list is 10x10, or 12x12 if its cells need it.
#[derive(Args, Debug)]
#[command(args = RULES.args())]
pub(super) struct Convert {
    /// Input files; - or none for standard input
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Output format [default: by the extension of OUT, else sgf]
    #[arg(long, value_name = "FORMAT", ignore_case = true, value_parser = format_parser(),
          conflicts_with = "picture")]
    to: Option<&'static Format>,
    /// Output file, or a folder for one file per input; - or none for standard output
    #[arg(short, long, value_name = "OUT", conflicts_with = "picture")]
    output: Option<PathBuf>,
    /// Use only game N of each file
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    game: Option<u64>,
    /// Stop after move N; 0 is the start position
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    #[command(flatten)]
    pictures: Pictures,
}

fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(FORMATS.map(|format| format.name))
        .try_map(|name| Format::named(&name))
}

/// One input and the games in it.
struct Input {
    /// The file name without the extension.
    stem: OsString,
    records: Vec<Record>,
}

impl Convert {
    /// Reads and checks all inputs before anything is written. Those that cannot be read are
    /// reported, and the others are converted.
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let stdin = [PathBuf::from("-")];
        let paths = if self.inputs.is_empty() { &stdin } else { self.inputs.as_slice() };
        let default_rules = RULES.resolve(matches)?.default_rules();
        self.check_outputs()?;
        let Batch { items: inputs, is_incomplete } =
            Batch::read(paths, |path| self.read(path, &default_rules))?;
        if self.pictures.are_requested() {
            let records: Vec<_> = inputs.iter().flat_map(|input| &input.records).collect();
            self.pictures.draw_last(&records)?;
            return Ok(batch_exit_code(is_incomplete));
        }
        match &self.output {
            Some(path) if is_directory(path) => self.write_files(&inputs, path),
            output => {
                let records: Vec<_> = inputs.into_iter().flat_map(|input| input.records).collect();
                let text = self.format().write(&records);
                match output {
                    Some(path) if path.as_os_str() != "-" => write_file(path, text),
                    _ => print(text.as_bytes()),
                }
            }
        }?;
        Ok(batch_exit_code(is_incomplete))
    }

    /// Checks that no output is an input, and that `--output` does not name a picture.
    fn check_outputs(&self) -> Result<(), UsageError> {
        self.pictures.check(&self.inputs)?;
        let output = self.output.as_deref();
        output.map_or(Ok(()), |path| refuse_overwrite(&self.inputs, "--output", path))?;
        let extension = output.and_then(|path| path.extension()?.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some(picture @ ("svg" | "png")) if self.to.is_none() => Err(UsageError(format!(
                "--output writes records: use --{picture} OUT to draw a picture, or --to to choose the format"
            ))),
            _ => Ok(()),
        }
    }

    /// The output format: as requested, or by the extension of the output.
    fn format(&self) -> &'static Format {
        let by_extension = || {
            let extension = self.output.as_ref()?.extension()?.to_str()?;
            FORMATS.into_iter().find(|format| format.extension.eq_ignore_ascii_case(extension))
        };
        self.to.or_else(by_extension).unwrap_or(&sgf::FORMAT)
    }

    /// Reads a file, applies `--game` and `--at`, and replays its games.
    fn read(&self, path: &Path, default_rules: &DefaultRules) -> Result<Input, UsageError> {
        let (file, mut records) = named_files::records(path, default_rules)?;
        let is_stdin = path.as_os_str() == "-";
        let stem =
            if is_stdin { "stdin".into() } else { path.file_stem().unwrap_or_default().to_owned() };
        if let Some(game) = self.game {
            records = vec![named_files::pick_game(&file, records, game)?];
        }
        // With `--game`, the only record left keeps its number.
        for (number, record) in (self.game.unwrap_or(1)..).zip(&mut records) {
            let refuse = |error| UsageError(format!("{file}: game {number}: {error}"));
            record.truncate(self.at.unwrap_or(record.moves.len())).map_err(refuse)?;
            record.position_after(record.moves.len()).map_err(refuse)?;
        }
        Ok(Input { stem, records })
    }

    /// Writes one file per input into a folder.
    fn write_files(&self, inputs: &[Input], folder: &Path) -> anyhow::Result<()> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for input in inputs {
            let mut name = input.stem.clone();
            name.push(".");
            name.push(self.format().extension);
            let file = folder.join(name);
            if files.iter().any(|(other, _)| *other == file) {
                let file = file.display();
                let advice = "convert them separately, into different directories";
                return Err(UsageError(format!("two inputs would become {file}: {advice}")).into());
            }
            refuse_overwrite(&self.inputs, "--output", &file)?;
            files.push((file, self.format().write(&input.records)));
        }
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        files.iter().try_for_each(|(file, text)| write_file(file, text))
    }
}

/// Whether a path is a folder or ends with a slash.
fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.to_str().is_some_and(|path| path.ends_with(std::path::is_separator))
}
