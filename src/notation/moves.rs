//! Moves as text: `d4,e6`, `d4-f5`, `pass`, `swap`.

use std::str::FromStr;

use thiserror::Error;

use crate::board::Cell;
use crate::game::Move;
use crate::messages::excerpt;

/// The error for a text that is not a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6")]
pub struct ParseMoveError(
    /// The text, or its beginning.
    pub String,
);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Parses a move in either case and with the cells in either order, legal or not. See
    /// `docs/rules.md`, "Notation".
    ///
    /// ```
    /// use pontifex::game::Move;
    ///
    /// let mv: Move = "E6,d4".parse()?;
    /// assert_eq!(mv.to_string(), "d4,e6");
    /// # Ok::<(), pontifex::notation::ParseMoveError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseMoveError(excerpt(text));
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
        tiles.or(bridge).ok_or_else(error)
    }
}

text_in_json!(Move);

/// Parses moves separated by commas or white space. Two cells in a row are the tiles of one move.
///
/// ```
/// use pontifex::notation::parse_moves;
///
/// let moves = parse_moves("d4,e6,c3-e4,pass")?;
/// let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["d4,e6", "c3-e4", "pass"]);
/// assert_eq!(parse_moves("d4,e6,c3").unwrap_err().0, "c3");
/// # Ok::<(), pontifex::notation::ParseMoveError>(())
/// ```
///
/// # Errors
/// The first word that is neither a move nor a cell followed by another.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, ParseMoveError> {
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    let mut words = text.split(is_separator).filter(|word| !word.is_empty());
    let mut moves = Vec::new();
    // A comma separates moves, and also the cells of one move: two cells in a row belong together.
    // A single cell is not a move, and the error names it.
    while let Some(word) = words.next() {
        moves.push(match (word.parse::<Cell>(), words.clone().next().map(str::parse)) {
            (Ok(first), Some(Ok(second))) => {
                words.next();
                Move::tiles(first, second)
            }
            _ => word.parse()?,
        });
    }
    Ok(moves)
}
