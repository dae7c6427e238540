//! Even first placements for the pie rule, made in advance by longer searches
//! than there is time for in a game; `openings/README.md` says how.

use crate::board::Symmetry;
use crate::eval::Random;
use crate::game::{Move, Position, Stage};

/// The sets, by board size: one placement a line, up to symmetry, `#` and
/// what follows it is a comment.
const SETS: [(u8, &str); 2] = [
    (10, include_str!("../../openings/first-10x10.txt")),
    (12, include_str!("../../openings/first-12x12.txt")),
];

/// A placement from the set for the board of `position`, turned or mirrored
/// at random; `None` when there is no set or White's first turn, on the empty
/// board, is not what is due.
pub(super) fn even_placement(position: &Position, random: &mut Random) -> Option<Move> {
    if position.stage() != Stage::Opening || position.free() != position.geometry().board() {
        return None;
    }
    let size = position.size();
    let &(_, text) = SETS.iter().find(|&&(edge, _)| edge == size.get())?;
    let placements: Vec<Move> =
        text.lines().filter_map(|line| line.split('#').next()?.trim().parse().ok()).collect();
    let Move::Tiles(a, b) = *placements.get(random.below(placements.len() as u32) as usize)? else {
        return None;
    };
    position.check(Move::tiles(a, b)).ok()?;
    let symmetry = Symmetry::all().nth(random.below(8) as usize)?;
    Some(Move::tiles(symmetry.apply(a, size), symmetry.apply(b, size)))
}
