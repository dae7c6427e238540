use std::str::FromStr;

use thiserror::Error;

use crate::board::Cell;
use crate::game::Move;

/// The text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6")]
pub struct ParseMoveError(
    /// The text.
    pub String,
);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads the notation of RULES.md, case-insensitively and with the cells
    /// in either order. Whether the move is legal is not asked here.
    ///
    /// ```
    /// use pontifex::game::Move;
    ///
    /// let mv: Move = "E6,d4".parse()?;
    /// assert_eq!(mv.to_string(), "d4,e6");
    /// # Ok::<(), pontifex::notation::ParseMoveError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || ParseMoveError(text.to_owned());
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        let cells = |(a, b): (&str, &str)| -> Option<(Cell, Cell)> {
            Some((a.parse().ok()?, b.parse().ok()?))
        };
        let tiles = text.split_once(',').and_then(cells).map(|(a, b)| Move::tiles(a, b));
        let bridge = text.split_once('-').and_then(cells).map(|(a, b)| Move::bridge(a, b));
        tiles.or(bridge).ok_or_else(refuse)
    }
}
