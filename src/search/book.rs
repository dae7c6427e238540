//! A book of balanced first placements for the pie rule, made by long
//! searches (`openings/README.md`).

use crate::board::Symmetry;
use crate::eval::Random;
use crate::game::{Move, Position, Stage};

/// The books by board size: one placement a line, up to symmetry; `#` starts
/// a comment.
const BOOKS: [(u8, &str); 2] = [
    (10, include_str!("../../openings/first-10x10.txt")),
    (12, include_str!("../../openings/first-12x12.txt")),
];

/// A random placement from the book under a random symmetry. `None` when the
/// board size has no book, or `position` is not the empty board at White's
/// first turn.
pub(super) fn even_placement(position: &Position, random: &mut Random) -> Option<Move> {
    if position.stage() != Stage::Opening || position.free() != position.geometry().board() {
        return None;
    }
    let size = position.size();
    let &(_, text) = BOOKS.iter().find(|&&(edge, _)| edge == size.get())?;
    let placements: Vec<Move> =
        text.lines().filter_map(|line| line.split('#').next()?.trim().parse().ok()).collect();
    let Move::Tiles(a, b) = *placements.get(random.below(placements.len() as u32) as usize)? else {
        return None;
    };
    position.check(Move::tiles(a, b)).ok()?;
    let symmetry = Symmetry::all().nth(random.below(8) as usize)?;
    Some(Move::tiles(symmetry.apply(a, size), symmetry.apply(b, size)))
}
