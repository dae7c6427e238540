//! Conversion of games to the formats that pages ask for.

use super::reading::Sent;
use super::table::Table;
use pontifex::game::Setup;
use pontifex::notation::{Format, Record, Warning};
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
}

/// Reads a game in any format and checks its moves. Also returns what was mended.
///
/// # Errors
/// The error in one line.
pub fn read_record(text: &Sent) -> Result<(Record, Vec<Warning>), String> {
    let (record, mended) = text.record()?;
    record.position_after(record.moves.len()).map_err(|error| error.to_string())?;
    Ok((record, mended))
}
