//! Cells of the board, `a1` to `g7`, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};
use std::str::FromStr;

use crate::eval::Random;

/// Cells on a side of the board.
pub(super) const SIDE: usize = 7;
/// Cells of the board.
pub(super) const CELLS: usize = SIDE * SIDE;

/// A cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The devil's head, `d4`.
    pub const HEAD: Cell = Cell((CELLS / 2) as u8);

    /// The cell in this column and row, both counted from 0.
    pub(super) fn at(column: usize, row: usize) -> Cell {
        Cell((row * SIDE + column) as u8)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The orthogonal distance in steps.
    pub(super) fn distance(self, other: Cell) -> usize {
        let (a, b) = (self.index(), other.index());
        (a % SIDE).abs_diff(b % SIDE) + (a / SIDE).abs_diff(b / SIDE)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.0 % SIDE as u8);
        write!(f, "{column}{}", self.index() / SIDE + 1)
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Cell, String> {
        match text.to_ascii_lowercase().as_bytes() {
            &[column @ b'a'..=b'g', row @ b'1'..=b'7'] => {
                Ok(Cell::at((column - b'a') as usize, (row - b'1') as usize))
            }
            _ => Err(format!("'{text}' is not a cell: a1 to g7")),
        }
    }
}

/// A set of cells; bit `i` is the cell with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Cells(u64);

impl Cells {
    pub(super) const NONE: Cells = Cells(0);
    pub(super) const ALL: Cells = Cells((1 << CELLS) - 1);
    /// The usual cells that carry no card at first: b2 b6 d1 d7 f2 f6.
    pub const BORDERED: Cells = Cells(1 << 3 | 1 << 8 | 1 << 12 | 1 << 36 | 1 << 40 | 1 << 45);
    const COLUMN_A: u64 = 0x0000_0408_1020_4081;

    pub(super) fn one(cell: Cell) -> Cells {
        Cells(1 << cell.0)
    }

    /// Whether the cell belongs to the set.
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    /// The number of cells.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no cell.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.0;
    }

    /// The cells in ascending order: `a1`, `b1`, ..., `g7`.
    pub fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(cell)
        })
    }

    pub(super) fn first(self) -> Option<Cell> {
        self.iter().next()
    }

    /// A uniformly random cell; `None` if there is none.
    pub(super) fn random(self, random: &mut Random) -> Option<Cell> {
        self.iter().nth(random.below(self.len() as u32) as usize)
    }

    /// Up to `number` different random cells.
    pub(super) fn sample(self, number: usize, random: &mut Random) -> Cells {
        (0..number).fold(Cells::NONE, |set, _| {
            (self - set).random(random).map_or(set, |cell| set | Cells::one(cell))
        })
    }

    /// All sets of two of the cells.
    pub(super) fn pairs(self) -> impl Iterator<Item = Cells> {
        let above = move |a: Cell| self.iter().skip_while(move |&b| b <= a);
        self.iter().flat_map(move |a| above(a).map(move |b| Cells::one(a) | Cells::one(b)))
    }

    /// The cells one orthogonal step from a cell of the set, or from one of `pass`
    /// that can be reached through others of them. It works backwards, too: from
    /// which cells a sledge comes to a cell of the set.
    pub(super) fn beside(self, pass: Cells) -> Cells {
        let (mut crossed, mut near) = (self, self.neighbours());
        loop {
            let more = (near & pass) - crossed;
            if more.is_empty() {
                return near;
            }
            crossed = crossed | more;
            near = near | more.neighbours();
        }
    }

    /// The cells one orthogonal step from a cell of the set.
    pub(super) fn neighbours(self) -> Cells {
        let column_g = Cells::COLUMN_A << (SIDE - 1);
        let sides = (self.0 & !column_g) << 1 | (self.0 & !Cells::COLUMN_A) >> 1;
        Cells((sides | self.0 << SIDE | self.0 >> SIDE) & Cells::ALL.0)
    }

    /// The set after the cards on the two cells of `pair` have changed places.
    pub(super) fn swapped(self, pair: Cells) -> Cells {
        if (self & pair).len() == 1 { Cells(self.0 ^ pair.0) } else { self }
    }
}

/// The cells as the notation writes them: `a1,b2`.
impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|cell| cell.to_string()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for Cells {
    type Err = String;

    fn from_str(text: &str) -> Result<Cells, String> {
        let cells: Vec<Cell> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let set = cells.iter().copied().collect::<Cells>();
        let is_set = set.len() == cells.len();
        if is_set { Ok(set) } else { Err(format!("'{text}' names a cell twice")) }
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Cells {
        cells.into_iter().fold(Cells::NONE, |set, cell| set | Cells::one(cell))
    }
}

impl BitOr for Cells {
    type Output = Cells;
    fn bitor(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }
}

impl BitAnd for Cells {
    type Output = Cells;
    fn bitand(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }
}

impl Sub for Cells {
    type Output = Cells;
    fn sub(self, other: Cells) -> Cells {
        Cells(self.0 & !other.0)
    }
}
