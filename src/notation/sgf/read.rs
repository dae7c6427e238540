//! Reading SGF, in the form of this program, Boardspace's or `GoGui`'s.

use super::error::{SgfError, SgfProblem};
use super::tree::{Games, Tree};
use super::{boardspace, ponte};
use crate::notation::record::{Assumed, Record};
use crate::notation::source::Spot;
use crate::notation::text::Warning;

/// Reads the first game of a normalized text. Adds what was mended to `warnings`.
pub(in crate::notation) fn read(
    text: &str,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Record, SgfError> {
    let mut games = Games::of(text, warnings);
    // The iterator yields at least one game or error.
    let game = games
        .next()
        .unwrap_or_else(|| Err(SgfError { at: Spot::of(text, 0), problem: SgfProblem::NoGame }));
    to_record(text, game?, assumed)
}

/// Reads every game of a normalized text; there is at least one. Adds what was
/// mended to `warnings`.
pub(in crate::notation) fn read_all(
    text: &str,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, SgfError> {
    Games::of(text, warnings).map(|game| to_record(text, game?, assumed)).collect()
}

fn to_record(text: &str, mut game: Tree, assumed: &Assumed) -> Result<Record, SgfError> {
    let main_line = game.main_line();
    if boardspace::is_boardspace(main_line) {
        return boardspace::read(text, main_line, assumed);
    }
    ponte::read(text, &mut game, assumed)
}
