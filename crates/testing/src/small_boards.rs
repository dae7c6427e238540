//! The data file of solved boards: White's first moves on a small board, with proved bounds of
//! their values. `docs/solved.md` has the results.

use std::fmt;

use pontifex::board::{Size, Symmetry};
use pontifex::game::{Move, Position, Rules, Supply, Value};
use pontifex::search::Bounds;

/// A first move and its value with perfect play.
#[derive(Debug)]
pub struct Opening {
    pub size: Size,
    /// The first move, which represents up to eight that are equal under symmetry.
    pub placement: Move,
    /// Proved bounds of the value for White. In the file, `?` is a bound that is not proved.
    pub bounds: Bounds,
    /// The number of positions that the proof took.
    pub nodes: u64,
}

/// The empty board, with the standard supply and without the pie rule.
pub fn empty(size: Size) -> Position {
    Position::new(Rules { size, supply: Supply::Standard, pie: false })
}

/// The first moves on a board of `size` up to symmetry, the closest to the middle first.
pub fn placements(size: Size) -> Vec<Move> {
    let is_least = |mv: &Move| {
        let &Move::Tiles(a, b) = mv else { return false };
        let image =
            |symmetry: Symmetry| Move::tiles(symmetry.apply(a, size), symmetry.apply(b, size));
        Symmetry::all().all(|symmetry| *mv <= image(symmetry))
    };
    let mut placements: Vec<Move> = empty(size).moves().into_iter().filter(is_least).collect();
    let last = i32::from(size.get()) - 1;
    // The squared distances of both cells from the middle, in units of half a cell, so that the
    // middle of an even board is an integer too.
    let distance = |mv: &Move| {
        let Move::Tiles(a, b) = *mv else { return 0 };
        let squared_distance = |x: u8| (2 * i32::from(x) - last).pow(2);
        squared_distance(a.column())
            + squared_distance(a.row())
            + squared_distance(b.column())
            + squared_distance(b.row())
    };
    placements.sort_by_key(distance);
    placements
}

impl Opening {
    /// Reads `SIZE PLACEMENT LOWER UPPER NODES`.
    pub fn parse(line: &str) -> Opening {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &[size, placement, lower, upper, nodes] = fields.as_slice() else {
            panic!("five fields: {line}");
        };
        let size = Size::new(size.parse().expect("a number")).expect("a board size");
        let bound = |text: &str, none| {
            if text == "?" { none } else { value(text) }
        };
        Opening {
            size,
            placement: placement.parse().expect("a move"),
            bounds: Bounds { lower: bound(lower, Value::MIN), upper: bound(upper, Value::MAX) },
            nodes: nodes.parse().expect("a number"),
        }
    }

    /// The position after the move.
    pub fn position(&self) -> Position {
        let mut position = empty(self.size);
        position.play(self.placement).expect("a legal turn");
        position
    }
}

/// The value with this text. There is no parser for values, so those from -200 to 200 are formatted
/// and compared.
fn value(text: &str) -> Value {
    let all = (-200..=200).map(Value::new);
    let mut matching = all.into_iter().filter(|value| value.to_string() == text);
    matching.next().expect("a value")
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |value: Value| {
            let is_known = value != Value::MIN && value != Value::MAX;
            if is_known { value.to_string() } else { "?".to_owned() }
        };
        let (lower, upper) = (bound(self.bounds.lower), bound(self.bounds.upper));
        write!(f, "{} {} {lower} {upper} {}", self.size.get(), self.placement, self.nodes)
    }
}
