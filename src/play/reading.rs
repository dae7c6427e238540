//! Reads the moves and cells of requests.

use super::refusal::Refusal;
use crate::board::{Cell, ParseCellError};
use crate::game::Move;
use crate::notation::ParseMoveError;

pub(super) fn read_move(text: &str) -> Result<Move, Refusal> {
    text.parse().map_err(|error: ParseMoveError| error.to_string().into())
}

pub(super) fn read_cell(text: &str) -> Result<Cell, Refusal> {
    text.parse().map_err(|error: ParseCellError| error.to_string().into())
}
