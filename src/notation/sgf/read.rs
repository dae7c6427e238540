//! Reading SGF, in the form of this program, Boardspace's or `GoGui`'s.

use super::error::{SgfError, SgfProblem};
use super::tree::Games;
use super::{boardspace, ponte};
use crate::notation::record::{Assumed, Record};
use crate::notation::source::{Spot, normalize};

/// Reads the first game of a text.
pub fn read(text: &str, assumed: &Assumed) -> Result<Record, SgfError> {
    let text = &normalize(text);
    // The iterator yields at least one game or error.
    read_games(text, assumed)
        .next()
        .unwrap_or_else(|| Err(SgfError { at: Spot::of(text, 0), problem: SgfProblem::NoGame }))
}

/// Reads every game of a text; there is at least one.
pub fn read_all(text: &str, assumed: &Assumed) -> Result<Vec<Record>, SgfError> {
    read_games(&normalize(text), assumed).collect()
}

fn read_games<'t>(
    text: &'t str,
    assumed: &'t Assumed,
) -> impl Iterator<Item = Result<Record, SgfError>> + 't {
    Games::of(text).map(move |game| {
        let mut game = game?;
        let main_line = game.main_line();
        if boardspace::is_boardspace(main_line) {
            return boardspace::read(text, main_line, assumed);
        }
        ponte::read(text, &mut game, assumed)
    })
}
