//! Pictures of a game's last position, for `pontifex convert`.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::exit::UsageError;
use super::named_files::{print, write_file};
use pontifex::notation::{Record, Tag};
use pontifex::render::{self, Picture};

/// Options for pictures of a game's last position instead of the game.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
pub(super) struct Pictures {
    /// Draw the last position as SVG; - is standard output
    #[arg(long, value_name = "OUT", conflicts_with_all = ["to", "output"])]
    svg: Option<PathBuf>,
    /// Draw the last position as PNG; - is standard output
    #[arg(long, value_name = "OUT", conflicts_with_all = ["to", "output"])]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels [default: 96 per cell, plus the margins]
    #[arg(long, value_name = "N", requires = "png", value_parser = clap::value_parser!(u32).range(64..=8192))]
    width: Option<u32>,
    /// Mark free cells where only one colour (shown by its tile) or no colour
    /// (a cross) can still place a tile
    #[arg(long, requires = "picture")]
    closed: bool,
}

impl Pictures {
    /// Whether a picture is requested.
    pub(super) fn are_asked_for(&self) -> bool {
        self.files().next().is_some()
    }

    /// Each option and its file.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--svg", &self.svg), ("--png", &self.png)];
        files.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    /// Draws the last position of the only record.
    pub(super) fn draw(&self, records: &[&Record]) -> anyhow::Result<()> {
        let &[record] = records else {
            let games = records.len();
            let advice = "--game N takes one of them";
            let error = format!("a picture is of one game, the input has {games}: {advice}");
            return Err(UsageError(error).into());
        };
        if self.files().filter(|(_, path)| path.as_os_str() == "-").count() > 1 {
            let error = "--svg and --png cannot both be written to standard output";
            return Err(UsageError(error.to_owned()).into());
        }
        let position = record.position_after(record.moves.len())?;
        let last = record.moves.last().map(|turn| turn.mv);
        let title = title(record);
        let closed = self.closed;
        let picture = Picture { title: &title, last, closed, ..Picture::of(&position) };
        let svg = picture.to_svg();
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
}

/// The players and the number of moves.
fn title(record: &Record) -> String {
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
