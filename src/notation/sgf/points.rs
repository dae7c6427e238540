//! SGF whose moves are single points, as GoGui saves it.
//!
//! | property | meaning |
//! |---|---|
//! | `W[cc]` `W[de]` | two tiles, or the two ends of a bridge if both are White's tiles |
//! | `B[]` | Red passes, or swaps if it answers White's first turn |
//!
//! A point is a column and a row from the top, both as letters from `a`, as in SGF of Go. The moves
//! are rewritten in this program's own notation first, so that the rest of the reader does not
//! handle points. An unfinished last turn is dropped. The pie rule was on if there is a swap:
//! `gtp --points` plays without it.
//!
//! The meaning of a point depends on the board: the same two points are a pair of tiles or a
//! bridge, depending on the tiles that are already there. So every node needs the state of the game
//! before it, in variations too.

use super::tree::{Property, SgfTree};
use crate::board::{Cell, Cells, Size};
use crate::game::{Color, Move};
use crate::messages::excerpt;
use crate::notation::error::{Problem, RecordError};

const POINT: &str = "a point of the board: two letters, column and row from the top";

/// The part of the state after a node that decides what the next point means.
#[derive(Clone, Copy, Default)]
struct PointState {
    tiles: [Cells; 2],
    /// The number of whole moves.
    moves: usize,
    /// The first point of an unfinished turn, with its colour.
    first_point: Option<(Color, Cell)>,
}

/// Whether the moves of a game are points: whether its first move is one.
pub(super) fn has_points(game: &SgfTree) -> bool {
    let mut moves = game.main_line().iter().flatten().filter_map(move_text);
    moves.next().is_some_and(|(_, text)| text.len() == 2 && text.bytes().all(is_letter))
}

/// Rewrites the points as whole moves: the node of a second point gets the move. Returns whether
/// one of them is the swap.
pub(super) fn to_moves(text: &str, game: &mut SgfTree, size: Size) -> Result<bool, RecordError> {
    let mut states = vec![PointState::default()];
    // The index in `states` of the state after each node. Nodes without a point share their
    // parent's, so comments cost no copy.
    let mut state_after: Vec<usize> = Vec::with_capacity(game.len());
    let mut has_swap = false;
    for index in 0..game.len() {
        let (parent, node) = game.node_mut(index);
        let before = state_after.get(parent).copied().unwrap_or(0);
        let mut state = states[before];
        for property in &mut *node {
            if let Some(mv) = state.play_point(text, property, size)? {
                has_swap |= mv == Move::Swap;
                property.values[0].text = mv.to_string();
            }
        }
        // The side to move follows from the moves; each node repeats it as PL, which elsewhere is
        // allowed only before the first move.
        let is_unfinished = state.first_point.is_some();
        let has_point = node.iter().any(|property| move_text(property).is_some());
        node.retain(|property| {
            property.name != "PL" && !(is_unfinished && move_text(property).is_some())
        });
        if has_point {
            states.push(state);
        }
        state_after.push(if has_point { states.len() - 1 } else { before });
    }
    Ok(has_swap)
}

impl PointState {
    /// Plays the point of a property. Returns the move that it completes, if any.
    fn play_point(
        &mut self,
        text: &str,
        property: &Property,
        size: Size,
    ) -> Result<Option<Move>, RecordError> {
        let Some((color, value)) = move_text(property) else { return Ok(None) };
        let error = |problem| RecordError::at(text, property.offset, problem);
        if let Some((to_move, _)) = self.first_point.filter(|&(side, _)| side != color) {
            return Err(error(Problem::WrongTurn { to_move }));
        }
        let mv = match (parse_point(value, size), self.first_point.take()) {
            (None, None) if value.is_empty() => {
                let is_swap = color == Color::Red && self.moves == 1;
                if is_swap { Move::Swap } else { Move::Pass }
            }
            (None, _) => {
                let found = format!("{}[{}]", property.name, excerpt(value));
                return Err(error(Problem::Value { found, wanted: POINT }));
            }
            (Some(cell), None) => {
                self.first_point = Some((color, cell));
                return Ok(None);
            }
            (Some(cell), Some((_, first))) => {
                // A move that begins on one of the side's own tiles is a bridge.
                let tiles = &mut self.tiles[color.index()];
                if tiles.contains(first) {
                    Move::bridge(first, cell)
                } else {
                    *tiles = tiles.with(first).with(cell);
                    Move::tiles(first, cell)
                }
            }
        };
        self.moves += 1;
        Ok(Some(mv))
    }
}

/// The side and the text of a move's property.
fn move_text(property: &Property) -> Option<(Color, &str)> {
    let color = match property.name.as_str() {
        "W" => Color::White,
        "B" => Color::Red,
        _ => return None,
    };
    Some((color, property.values[0].text.trim()))
}

fn is_letter(byte: u8) -> bool {
    (b'a'..=b'l').contains(&byte)
}

/// Parses a point as a cell of a board of this size.
fn parse_point(text: &str, size: Size) -> Option<Cell> {
    let &[column, row] = text.as_bytes() else { return None };
    let [column, row] = [column, row].map(|letter| letter.wrapping_sub(b'a'));
    let last = size.get() - 1;
    (column <= last && row <= last).then(|| Cell::new(column, last - row))
}
