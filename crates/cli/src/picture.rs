//! Pictures as SVG and PNG, for `pontifex convert` and `pontifex analyze`.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::exit::UsageError;
use super::named_files::{print, refuse_overwrite, write_file};
use super::options::whole;
use pontifex::notation::{Record, Tag};
use pontifex::render::{self, Picture};

/// Options for pictures of a position.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
pub(super) struct Pictures {
    /// Draw the position as SVG; - is standard output
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Draw the position as PNG; - is standard output
    #[arg(long, value_name = "OUT")]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels [default: 96 per cell, plus the margins]
    #[arg(long, value_name = "N", requires = "png", value_parser = whole::<u32>(64..=8192))]
    width: Option<u32>,
    /// Mark free cells where only one colour (shown by its tile) or no colour (a cross) can still
    /// place a tile
    #[arg(long, requires = "picture")]
    closed: bool,
}

impl Pictures {
    /// Whether a picture is requested.
    pub(super) fn are_requested(&self) -> bool {
        self.files().next().is_some()
    }

    /// Whether a picture is written to standard output.
    pub(super) fn use_stdout(&self) -> bool {
        self.files().any(|(_, path)| path.as_os_str() == "-")
    }

    /// Checks that no picture overwrites an input, and that at most one is written to standard
    /// output.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> Result<(), UsageError> {
        for (option, path) in self.files() {
            refuse_overwrite(inputs, option, path)?;
        }
        if self.files().filter(|(_, path)| path.as_os_str() == "-").count() > 1 {
            let error = "--svg and --png cannot both be written to standard output";
            return Err(UsageError(error.to_owned()));
        }
        Ok(())
    }

    /// Each option and its file.
    fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--svg", &self.svg), ("--png", &self.png)];
        files.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    pub(super) fn draw(&self, picture: &Picture<'_>) -> anyhow::Result<()> {
        let svg = Picture { closed: self.closed, ..*picture }.to_svg();
        if let Some(path) = &self.svg {
            write(path, svg.as_bytes())?;
        }
        if let Some(path) = &self.png {
            let png =
                render::png(&svg, self.width).map_err(|error| UsageError(error.to_string()))?;
            write(path, &png)?;
        }
        Ok(())
    }

    /// Draws the last position of the only record.
    pub(super) fn draw_last(&self, records: &[&Record]) -> anyhow::Result<()> {
        let &[record] = records else {
            let games = records.len();
            let advice = "--game N takes one of them";
            let error = format!("a picture is of one game, the input has {games}: {advice}");
            return Err(UsageError(error).into());
        };
        let position = record.position_after(record.moves.len())?;
        let last = record.moves.last().map(|recorded| recorded.mv);
        let title = title_of(record);
        self.draw(&Picture { title: &title, last, ..Picture::of(&position) })
    }
}

/// The players and the number of moves.
fn title_of(record: &Record) -> String {
    let names = [Tag::White, Tag::Red].map(|tag| record.tag(tag));
    let players = match names {
        [None, None] => None,
        [white, red] => {
            Some(format!("{} \u{2013} {}", white.unwrap_or("White"), red.unwrap_or("Red")))
        }
    };
    let moves = match record.moves.len() {
        0 => None,
        n => Some(format!("after move {n}")),
    };
    [players, moves].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if path.as_os_str() == "-" { print(bytes) } else { write_file(path, bytes) }
}
