//! Reads the moves, cells and records of requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use pontifex::board::{Cell, ParseCellError};
use pontifex::game::Move;
use pontifex::notation::{Assumed, ParseMoveError, Record, Text, Warning};

pub(super) fn read_move(text: &str) -> Result<Move, Refusal> {
    text.parse().map_err(|error: ParseMoveError| error.to_string().into())
}

pub(super) fn read_cell(text: &str) -> Result<Cell, Refusal> {
    text.parse().map_err(|error: ParseCellError| error.to_string().into())
}

/// A record or position as a page sends it: as text, or as the bytes of a file in
/// whatever encoding.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged, expecting = "text is a string, or {\"base64\": the bytes of a file}")]
pub enum Sent {
    Text(String),
    File { base64: String },
}

impl Sent {
    /// Reads the first game in any format, and what was mended for it. Its moves
    /// are not checked.
    ///
    /// # Errors
    /// The error in one line.
    pub(super) fn record(&self) -> Result<(Record, Vec<Warning>), String> {
        let bytes;
        let text = match self {
            Sent::Text(text) => Text::from(text.as_str()),
            Sent::File { base64 } => {
                bytes = STANDARD.decode(base64).map_err(|error| format!("base64: {error}"))?;
                Text::decode(&bytes)
            }
        };
        Record::read(text, &Assumed::default()).map_err(|error| error.to_string())
    }
}

/// Adds to a message what was mended, if anything was.
pub fn add_mended(message: &mut Value, warnings: &[Warning]) {
    if !warnings.is_empty() {
        message["mended"] = warnings.iter().map(mended).collect();
    }
}

/// What was mended, as pages get it.
pub fn mended(warning: &Warning) -> Value {
    json!({"code": warning.code(), "text": warning.to_string()})
}
