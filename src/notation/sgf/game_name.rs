//! The property GM, which names the game.

use super::error::{SgfError, SgfProblem};
use super::tree::Value;
use crate::messages::excerpt;
use crate::notation::source::Spot;

/// Checks that a value of GM names this game.
pub(super) fn check_game(text: &str, value: &Value) -> Result<(), SgfError> {
    let letters: String = value.text.chars().filter(char::is_ascii_alphabetic).collect();
    if letters.eq_ignore_ascii_case("PonteDelDiavolo") {
        return Ok(());
    }
    let problem = SgfProblem::OtherGame { game: excerpt(&value.text) };
    Err(SgfError { at: Spot::of(text, value.at), problem })
}
