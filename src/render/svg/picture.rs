//! What a picture shows.

use crate::board::Cell;
use crate::game::{Move, Position};

/// A picture of a board: the position and what to show about it.
///
/// ```
/// use pontifex::game::{Position, Rules};
/// use pontifex::render::Picture;
///
/// let mut position = Position::new(Rules::default());
/// position.play("d4,e6".parse()?)?;
/// let last = Some("d4,e6".parse()?);
/// let svg = Picture { last, ..Picture::of(&position) }.to_svg();
/// // Two on the board, and one beside White's score.
/// assert_eq!(svg.matches("class=\"tile white\"").count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The position.
    pub position: &'a Position,
    /// The title above the board, empty for none.
    pub title: &'a str,
    /// The last move, whose tiles or bridge are marked.
    pub last: Option<Move>,
    /// Candidate moves, best first. The first twelve are numbered on the board and
    /// listed beside it.
    pub candidates: &'a [Candidate],
    /// The predicted owner of each cell, by [`Cell::index`]: 1 is White, -1 is Red.
    /// Shown on free cells.
    pub ownership: Option<&'a [f32; Cell::TABLE]>,
    /// Whether to mark free cells where only one colour or neither may place a
    /// tile.
    pub closed: bool,
}

/// A candidate move with its evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The win rate for the side to move, from 0 to 1.
    pub winrate: f64,
    /// The expected lead of the side to move, in points.
    pub lead: f64,
    /// The number of visits.
    pub visits: u64,
    /// The depth of its colour, from 0 to 1, for example its share of the visits.
    pub weight: f32,
}

impl<'a> Picture<'a> {
    /// A picture of the position alone.
    pub fn of(position: &'a Position) -> Picture<'a> {
        Picture { position, title: "", last: None, candidates: &[], ownership: None, closed: false }
    }
}
