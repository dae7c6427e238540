//! A table's game as a record and in the formats that pages ask for, and a
//! record as a table's game.

use std::collections::BTreeMap;

use super::request::Sent;
use super::table::{Table, TableError};
use super::terms::{ClockKind, Seat};
use super::tree::{MAX_NODES, TreeError};
use pontifex::game::{Color, Position, Setup};
use pontifex::notation::{Aside, Format, Record, RecordedMove, Tag, Warning};
use pontifex::render::{self, Picture};

/// A format that pages can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A game record, or a position as text.
    Text(Format),
    /// A position as SVG.
    Svg,
    /// A position as PNG.
    Png,
}

/// A game in a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    pub bytes: Vec<u8>,
    /// The file name extension, without the dot.
    pub extension: &'static str,
    /// The media type.
    pub kind: &'static str,
}

impl Form {
    /// The format with this name.
    ///
    /// # Errors
    /// One line with all names.
    pub fn find(name: &str) -> Result<Form, String> {
        match name {
            "record" | "moves" => Ok(Form::Text(Format::Moves)),
            "sgf" => Ok(Form::Text(Format::Sgf)),
            "position" => Ok(Form::Text(Format::Position)),
            "abstractplay" | "json" => Ok(Form::Text(Format::Json)),
            "svg" => Ok(Form::Svg),
            "png" => Ok(Form::Png),
            _ => Err(
                "format is record (or moves), sgf, position, abstractplay (or json), svg or png"
                    .to_owned(),
            ),
        }
    }

    /// Writes a game. Positions and pictures are those after `at` moves.
    ///
    /// # Errors
    /// The illegal move of the game, in one line.
    pub fn write(self, record: &Record, at: usize) -> Result<Converted, String> {
        let position = record.position_after(at).map_err(|error| error.to_string())?;
        let picture = || {
            let last = at.checked_sub(1).and_then(|last| Some(record.moves.get(last)?.mv));
            Picture { last, ..Picture::of(&position) }.to_svg()
        };
        let (bytes, extension, kind) = match self {
            Form::Text(format @ Format::Position) => {
                let text = format.write(&[Record::new(Setup::from(&position))]);
                (text.into_bytes(), format.extension(), TEXT)
            }
            Form::Text(format) => {
                let text = format.write(std::slice::from_ref(record));
                let kind = if format == Format::Json { "application/json" } else { TEXT };
                (text.into_bytes(), format.extension(), kind)
            }
            Form::Svg => (picture().into_bytes(), "svg", "image/svg+xml"),
            Form::Png => {
                let png = render::png(&picture(), None).map_err(|error| error.to_string())?;
                (png, "png", "image/png")
            }
        };
        Ok(Converted { bytes, extension, kind })
    }
}

const TEXT: &str = "text/plain; charset=utf-8";

/// Reads a game in any format and checks its moves. Also returns what was mended.
///
/// # Errors
/// The error in one line.
pub fn read_record(text: &Sent) -> Result<(Record, Vec<Warning>), String> {
    let (record, mended) = text.record()?;
    record.position_after(record.moves.len()).map_err(|error| error.to_string())?;
    Ok((record, mended))
}

impl Table {
    /// The game through `node`, the current one by default. Positions and
    /// pictures are those at the node.
    ///
    /// # Errors
    /// One line: no such node, or the picture cannot be drawn.
    pub fn export(&self, form: Form, node: Option<u32>) -> Result<Converted, String> {
        let node = self.node(node).map_err(|error| error.to_string())?;
        form.write(&self.record(node), self.tree.moves(node).len())
    }

    /// The recorded game with the players and level of this table, paused at
    /// its end. Variations are taken as far as the rules allow.
    ///
    /// # Errors
    /// When the record has too many moves.
    pub(super) fn load(&self, start: &Position, record: &Record) -> Result<Table, TableError> {
        let mut table = Table::new(start, self.seats.clone(), self.level, ClockKind::None)?;
        if record.moves.len() + record.asides.len() >= MAX_NODES {
            return Err(TreeError::Full.into());
        }
        let mut nodes = vec![Some(0)];
        for (before, turn) in record.tree() {
            let parent = nodes.get(before).copied().flatten();
            nodes.push(parent.and_then(|parent| table.tree.play(parent, turn.mv).ok()));
        }
        table.current = nodes[record.moves.len()].unwrap_or(0);
        table.tree.follow(table.current)?;
        table.seat(self.players(self.current));
        table.tip = None;
        Ok(table)
    }

    /// The game through `node` as a record: the main line to its end, and the
    /// variations.
    pub(super) fn record(&self, node: u32) -> Record {
        let line = self.tree.main_line(node);
        let end = line.last().copied().unwrap_or(0);
        let mut record = Record::new(self.tree.start().into());
        record.moves = self.tree.moves(end).into_iter().map(RecordedMove::from).collect();
        record.asides = self.asides(&line);
        record.result = self.result(end);
        for (color, tag) in Color::BOTH.into_iter().zip([Tag::White, Tag::Red]) {
            if let Seat::Engine(name) = &self.seats[self.seat_of(color, end)] {
                record.set_tag(tag, name);
            }
        }
        record
    }

    /// The moves outside a line of nodes.
    fn asides(&self, line: &[u32]) -> Vec<Aside> {
        let mut numbers: BTreeMap<u32, usize> = line.iter().copied().zip(0..).collect();
        let mut asides = Vec::new();
        for (number, node) in self.tree.nodes() {
            let Some((parent, mv)) = node.from.filter(|_| !numbers.contains_key(&number)) else {
                continue;
            };
            let after = numbers.get(&parent).copied().unwrap_or(0);
            asides.push(Aside { after, turn: mv.into() });
            numbers.insert(number, line.len() - 1 + asides.len());
        }
        asides
    }
}
