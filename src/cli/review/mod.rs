//! `pontifex review`: whole games, turn by turn.

mod output;
mod status;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde_json::{Map, Value};

use self::output::{Output, Printed, Reviewed};
use self::status::Status;
use super::exit::{INTERRUPTED, UsageError};
use super::options::ReviewOptions;
use super::output::{print, spare, write_file};
use super::{input, interrupt};
use crate::analysis::review::{
    Cache, Done, Look, Opened, ParseThresholdsError, Subject, Thresholds, look_through,
};
use crate::engine::{Options, find_param};
use crate::game::Position;
use crate::notation::Assumed;

/// Review whole games: every move's loss, the mistakes, the win-rate curve
///
/// Win rates and losses are of the player whose turn it is; White and Red are
/// the colours that move, whoever has them after a swap. With a cache a review
/// that was cut off goes on where it stopped.
#[derive(Args, Debug)]
pub(super) struct Review {
    /// Game records of any form that is read; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON for a machine, an object for each game on a line
    #[arg(long)]
    json: bool,
    /// Write the games as a page for a web browser; - is standard output, in
    /// place of the text
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Write the games as SGF with comments and better lines; - is standard
    /// output, in place of the text
    #[arg(long, value_name = "OUT")]
    sgf: Option<PathBuf>,
    /// Keep what was searched, and go on from it [default: the page's or the
    /// SGF file's name with .cache behind it, where one is written]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Losses of win rate from which on a move is an inaccuracy, a mistake, a
    /// blunder
    #[arg(long, value_name = "I,M,B", default_value_t, value_parser = thresholds)]
    thresholds: Thresholds,
    /// How many moves of each position to tell of
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    multi: u64,
    #[command(flatten)]
    engine: ReviewOptions,
}

fn thresholds(text: &str) -> Result<Thresholds, ParseThresholdsError> {
    text.parse()
}

/// What was found before, by game and position.
type Known = HashMap<(String, usize), Look>;

/// Parameters that decide what a search finds.
const DECISIVE: [&str; 7] =
    ["time", "playouts", "memory", "seed", "evaluator", "move-overhead", "tune"];

impl Review {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let options = self.engine.resolve()?;
        let games = self.games(&options)?;
        self.check_outputs()?;
        let (mut cache, known) = self.open_cache(&options)?;
        let mut looks: Vec<Vec<Option<Look>>> =
            games.iter().map(|game| known_looks(game, &known)).collect();
        let planned: usize = games.iter().map(Subject::searches).sum();
        let before = looks.iter().flatten().flatten().count();
        let mut status = Status::new(before, planned);
        let mut output = Output::new(&games, self.thresholds, self.printed());
        output.print(&looks)?;

        let stop = interrupt::ask_searches("ending the review");
        let is_known: Vec<Vec<bool>> =
            looks.iter().map(|looks| looks.iter().map(Option::is_some).collect()).collect();
        let keys: Vec<String> = games.iter().map(Subject::key).collect();
        look_through(
            &games,
            |game, index| is_known[game][index],
            &options,
            options.search.threads,
            self.multi as usize,
            stop,
            |Done { game, index, look }| -> anyhow::Result<()> {
                if let Some(cache) = &mut cache {
                    cache.add(&keys[game], index, &look).context("the cache cannot be written")?;
                }
                looks[game][index] = Some(look);
                status.advance();
                let is_whole = games[game].searches() == looks[game].iter().flatten().count();
                if is_whole {
                    status.hide();
                    output.print(&looks)?;
                }
                Ok(())
            },
        )?;
        drop(status);
        if output.is_complete() {
            self.write(&output.reviewed)?;
            return Ok(ExitCode::SUCCESS);
        }
        let done = looks.iter().flatten().flatten().count();
        let kept = match self.cache_path() {
            Some(path) if cache.is_some() => format!("they are kept in {}", path.display()),
            _ => "with --cache FILE they would have been kept".to_owned(),
        };
        let _ = writeln!(io::stderr(), "pontifex: {done} of {planned} positions are done, {kept}");
        Ok(ExitCode::from(INTERRUPTED as u8))
    }

    /// The games of all files, played through.
    fn games(&self, options: &Options) -> anyhow::Result<Vec<Subject>> {
        let rules = options.rules;
        let size = self.engine.gives("board")?.then_some(rules.size);
        let assumed = Assumed { size, supply: rules.supply, pie: rules.pie };
        let mut games = Vec::new();
        for path in &self.files {
            let (file, records) = input::records(path, &assumed)?;
            for (n, record) in records.into_iter().enumerate() {
                let number = n + 1;
                let refuse =
                    |reason: String| UsageError(format!("{file}: game {number}: {reason}"));
                if record.moves.is_empty() {
                    return Err(refuse("it has no moves to review".to_owned()).into());
                }
                let game = Subject::new(file.clone(), number, record);
                games.push(game.map_err(|error| refuse(error.to_string()))?);
            }
        }
        Ok(games)
    }

    /// Where what was searched is kept, if anywhere.
    fn cache_path(&self) -> Option<PathBuf> {
        let beside = |path: &PathBuf| {
            let mut name = path.clone().into_os_string();
            name.push(".cache");
            PathBuf::from(name)
        };
        let written = || self.files_written().map(|(_, path)| path).next();
        self.cache.clone().or_else(|| written().map(beside))
    }

    /// The page and the SGF as far as they are asked for, standard output
    /// among them.
    fn outputs(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let outputs = [("--html", self.html.as_ref()), ("--sgf", self.sgf.as_ref())];
        outputs.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// Those of them that are files.
    fn files_written(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        self.outputs().filter(|(_, path)| path.as_os_str() != "-")
    }

    /// What goes to standard output turn by turn.
    fn printed(&self) -> Printed {
        if self.outputs().any(|(_, path)| path.as_os_str() == "-") {
            Printed::Nothing
        } else if self.json {
            Printed::Json
        } else {
            Printed::Text
        }
    }

    /// No file is written that is read, none twice, and none where it cannot
    /// be.
    fn check_outputs(&self) -> Result<(), UsageError> {
        if self.outputs().count() - self.files_written().count() + usize::from(self.json) > 1 {
            let text = "standard output takes one of --json, --html - and --sgf -";
            return Err(UsageError(text.to_owned()));
        }
        for (name, path) in self.files_written() {
            let reason = if path.is_dir() {
                "it is a folder"
            } else if !folder_of(path).is_dir() {
                "there is no such folder"
            } else {
                continue;
            };
            return Err(UsageError(format!("{name}: cannot write {}: {reason}", path.display())));
        }
        let cache = self.cache_path();
        let outputs = self.files_written().chain(cache.as_ref().map(|path| ("the cache", path)));
        let outputs: Vec<_> = outputs.collect();
        for (n, &(name, path)) in outputs.iter().enumerate() {
            let others = outputs[..n].iter().map(|&(_, other)| other);
            spare(self.files.iter().chain(others), name, path)?;
        }
        Ok(())
    }

    fn open_cache(&self, options: &Options) -> anyhow::Result<(Option<Cache>, Known)> {
        let Some(path) = self.cache_path() else { return Ok((None, Known::new())) };
        let opened = Cache::open(&path, &self.settings(options)?);
        let Opened { cache, known, note } =
            opened.map_err(|error| UsageError(error.to_string()))?;
        if let Some(note) = note {
            let _ = writeln!(io::stderr(), "pontifex: {note}");
        }
        Ok((Some(cache), known))
    }

    /// All that decides what is found of a position.
    fn settings(&self, options: &Options) -> anyhow::Result<Map<String, Value>> {
        let mut settings = Map::new();
        settings.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
        settings.insert("multi".to_owned(), self.multi.into());
        for name in DECISIVE {
            settings.insert(name.to_owned(), find_param(name)?.get(options).into());
        }
        // The same name may be another file the next time.
        settings.insert("weights".to_owned(), options.search.weights.stamp().into());
        Ok(settings)
    }

    /// Writes the files that are asked for.
    fn write(&self, reviewed: &[Reviewed<'_>]) -> anyhow::Result<()> {
        let files = [
            self.html.as_ref().map(|path| (path, output::html(reviewed))),
            self.sgf.as_ref().map(|path| (path, Ok(output::sgf(reviewed)))),
        ];
        for (path, text) in files.into_iter().flatten() {
            if path.as_os_str() == "-" {
                print(text?.as_bytes())?;
            } else {
                write_file(path, text?)?;
            }
        }
        Ok(())
    }
}

/// The folder a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a cache knows of a game's positions.
fn known_looks(game: &Subject, known: &Known) -> Vec<Option<Look>> {
    let key = game.key();
    let look = |(index, position): (usize, &Position)| {
        let look = known.get(&(key.clone(), index));
        look.filter(|look| look.position == position.to_string()).cloned()
    };
    game.positions().iter().enumerate().map(look).collect()
}
