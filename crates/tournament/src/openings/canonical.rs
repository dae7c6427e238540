//! Positions up to symmetry.

use pontifex::board::{Cell, Symmetry};
use pontifex::game::{Color, Move, Position};

/// The board and the side to move, up to the 8 symmetries of the square: equal
/// for positions that are rotations or reflections of each other.
///
/// ```
/// use pontifex::tournament::openings::Canonical;
/// use pontifex::game::{Position, Rules};
///
/// let after = |moves: [&str; 3]| {
///     let mut position = Position::new(Rules { pie: false, ..Rules::default() });
///     moves.into_iter().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
///     Canonical::of(&position)
/// };
/// // Rotated by 180°, with White's turns in the other order.
/// assert_eq!(after(["a1,c2", "d4,d5", "e3,h8"]), after(["c3,f8", "g7,g6", "j10,h9"]));
/// assert_ne!(after(["a1,c2", "d4,d5", "e3,h8"]), after(["a1,c2", "d4,d6", "e3,h8"]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    side: Color,
    /// White's and Red's, each in notation order.
    tiles: [Vec<Cell>; 2],
    bridges: Vec<Move>,
}

impl Canonical {
    /// The canonical form of `position`, which must be between turns.
    pub fn of(position: &Position) -> Canonical {
        let forms = Symmetry::all().map(|symmetry| Canonical::under(position, symmetry));
        forms.min().unwrap_or_else(|| unreachable!("there are 8 symmetries"))
    }

    fn under(position: &Position, symmetry: Symmetry) -> Canonical {
        let image = |cell: Cell| symmetry.apply(cell, position.size());
        let tiles = Color::BOTH.map(|color| {
            let mut cells: Vec<Cell> = position.tiles(color).into_iter().map(image).collect();
            cells.sort_unstable();
            cells
        });
        let ends = position.bridges().iter().map(pontifex::board::Site::ends);
        let mut bridges: Vec<Move> = ends.map(|[a, b]| Move::bridge(image(a), image(b))).collect();
        bridges.sort_unstable();
        Canonical { side: position.side(), tiles, bridges }
    }
}
