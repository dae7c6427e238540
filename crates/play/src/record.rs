//! Writes a table's game as a record or in another format, and makes a table's game from a record.

use std::collections::BTreeMap;

use super::message::RecordText;
use super::table::{Table, TableError};
use super::terms::{ClockKind, Seat};
use super::tree::{MAX_NODES, TreeError};
use pontifex::game::{Color, Position, Setup};
use pontifex::notation::{Format, Record, ReplayError, Tag, UnknownFormat, VariationMove, Warning};
use pontifex::render::{self, Picture};
use thiserror::Error;

/// A game written in a format, as a file or an answer over HTTP needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    pub bytes: Vec<u8>,
    /// The file name extension, without the dot.
    pub extension: &'static str,
    /// The media type.
    pub kind: &'static str,
}

/// Why a game cannot be exported.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExportError {
    /// No format of records or pictures has this name.
    #[error("{0}, svg, png")]
    Format(#[from] UnknownFormat),
    /// A move of the game is illegal.
    #[error(transparent)]
    Move(#[from] ReplayError),
    /// There is no such node, or the picture cannot be drawn.
    #[error("{0}")]
    Failed(String),
}

/// Writes a game in one of the [formats of records](pontifex::notation::FORMATS), or as the picture
/// `svg` or `png`. Positions and pictures are those after `count` moves.
pub fn export(record: &Record, count: usize, format: &str) -> Result<Converted, ExportError> {
    let position = record.position_after(count)?;
    let picture = || {
        let last = count.checked_sub(1).and_then(|last| Some(record.moves.get(last)?.mv));
        Picture { last, ..Picture::of(&position) }.to_svg()
    };
    let (bytes, extension, kind) = match format {
        "svg" => (picture().into_bytes(), "svg", "image/svg+xml"),
        "png" => {
            let png = render::png(&picture(), None);
            (png.map_err(|error| ExportError::Failed(error.to_string()))?, "png", "image/png")
        }
        name => {
            let format = Format::named(name)?;
            let setup = format.is_position.then(|| Record::new(Setup::from(&position)));
            let text = format.write(std::slice::from_ref(setup.as_ref().unwrap_or(record)));
            (text.into_bytes(), format.extension, format.media_type)
        }
    };
    Ok(Converted { bytes, extension, kind })
}

/// Reads a game in any format and checks its moves. Also returns the faults that were mended.
///
/// # Errors
/// The error in one line.
pub fn read_record(text: &RecordText) -> Result<(Record, Vec<Warning>), String> {
    let (record, warnings) = text.record().map_err(|error| error.to_string())?;
    record.position_after(record.moves.len()).map_err(|error| error.to_string())?;
    Ok((record, warnings))
}

impl Table {
    /// The game through `node`, the current one by default. Positions and pictures are those at the
    /// node.
    ///
    /// # Errors
    /// When there is no such node or format, or the picture cannot be drawn.
    pub fn export(&self, format: &str, node: Option<u32>) -> Result<Converted, ExportError> {
        let node = self.node(node).map_err(|error| ExportError::Failed(error.to_string()))?;
        export(&self.record(node), self.tree.moves(node).len(), format)
    }

    /// The recorded game at its end, with the players and strength of this table. It is paused, or
    /// continues if `play` is set. Variations are included as far as the rules allow.
    ///
    /// # Errors
    /// When the record has too many moves.
    pub(super) fn load(
        &self,
        start: &Position,
        record: &Record,
        play: bool,
    ) -> Result<Table, TableError> {
        let mut table = Table::new(
            start,
            self.seats.clone().map(Seat::without_links),
            self.strength,
            ClockKind::None,
        )?;
        if record.moves.len() + record.variations.len() >= MAX_NODES {
            return Err(TreeError::Full.into());
        }
        table.tree.set_comment(0, &record.comment);
        let mut nodes = vec![Some(0)];
        for (parent, recorded) in record.tree() {
            let parent = nodes.get(parent).copied().flatten();
            let node = parent.and_then(|parent| table.tree.play(parent, recorded.mv).ok());
            let is_aside = nodes.len() > record.moves.len();
            if let Some(node) = node {
                table.tree.set_comment(node, &recorded.comment);
                if is_aside || !play {
                    table.tree.keep(node);
                }
            }
            nodes.push(node);
        }
        table.current = nodes[record.moves.len()].unwrap_or(0);
        table.tree.follow(table.current)?;
        table.set_players(self.players(self.current).map(Seat::without_links));
        table.tip = play.then_some(table.current);
        Ok(table)
    }

    /// The game through `node` as a record: the main line to its end, and the variations.
    pub(super) fn record(&self, node: u32) -> Record {
        let line = self.tree.main_line(node);
        let end = line.last().copied().unwrap_or(0);
        let mut record = Record::new(self.tree.start().into());
        record.comment.clone_from(&self.tree.node_or_start(0).comment);
        record.moves = line.iter().filter_map(|&node| self.tree.recorded_move(node)).collect();
        record.variations = self.variations(&line);
        record.result = self.result(end);
        for (color, tag) in Color::BOTH.into_iter().zip([Tag::White, Tag::Red]) {
            if let Seat::Engine(name) = &self.seats[self.seat_of(color, end)] {
                record.set_tag(tag, name);
            }
        }
        record
    }

    /// The moves outside a line of nodes, parents before children. [`VariationMove`] names a move
    /// by its number: first come those of the line, from 0 for the start, then those outside it.
    fn variations(&self, line: &[u32]) -> Vec<VariationMove> {
        let mut numbers: BTreeMap<u32, usize> = line.iter().copied().zip(0..).collect();
        let mut variations = Vec::new();
        for (number, node) in self.tree.nodes() {
            let (Some((parent, _)), Some(turn)) = (node.from, self.tree.recorded_move(number))
            else {
                continue;
            };
            if numbers.contains_key(&number) {
                continue;
            }
            let parent = numbers.get(&parent).copied().unwrap_or(0);
            variations.push(VariationMove { parent, recorded: turn });
            numbers.insert(number, line.len() - 1 + variations.len());
        }
        variations
    }
}
