//! The parts of the table: the cells of the board, `a1` to `g7`, and sets of them; colours, cards
//! and letters.
//!
//! A set of cells is 49 bits, row by row from `a1`. So a step to the north is a shift by 7, and one
//! to the east a shift by 1. The cells of the last column must be masked out before a step to the
//! east, because they would wrap into the next row.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};
use std::str::FromStr;

use pontifex::eval::Random;
use thiserror::Error;

/// Cells on a side of the board.
pub(super) const SIDE: usize = 7;
/// Cells of the board.
pub(super) const CELLS: usize = SIDE * SIDE;

/// A word that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(transparent)]
pub struct ParseError(#[from] Problem);

/// Why a word cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum Problem {
    #[error("'{0}' is not {1}")]
    Unknown(String, &'static str),
    #[error("'{0}' names {1} twice")]
    Twice(String, Cell),
    #[error("{1} is not beside {0}")]
    Apart(Cell, Cell),
    /// The usage of an action that was given other arguments.
    #[error("{0}")]
    Usage(&'static str),
}

/// The error for a word that is not `wanted`, which is a phrase such as "a cell: a1 to g7".
pub(super) fn unknown(text: &str, wanted: &'static str) -> ParseError {
    ParseError(Problem::Unknown(text.to_owned(), wanted))
}

/// A cell of the board, numbered row by row from `a1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Cell(u8);

impl Cell {
    /// The devil's head, `d4`: the centre of the board.
    pub(super) const HEAD: Cell = Cell((CELLS / 2) as u8);

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
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cell, ParseError> {
        match text.to_ascii_lowercase().as_bytes() {
            &[column @ b'a'..=b'g', row @ b'1'..=b'7'] => {
                Ok(Cell::at((column - b'a') as usize, (row - b'1') as usize))
            }
            _ => Err(unknown(text, "a cell: a1 to g7")),
        }
    }
}

/// A set of cells; bit `i` is the cell with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct Cells(u64);

impl Cells {
    pub(super) const NONE: Cells = Cells(0);
    pub(super) const ALL: Cells = Cells((1 << CELLS) - 1);
    /// The cells without a card at first: b2, b6, d1, d7, f2 and f6.
    pub(super) const BORDERED: Cells = Cells(0x2110_0000_1108);
    /// Bits 0, 7, 14, ..., 42.
    const COLUMN_A: u64 = 0x0000_0408_1020_4081;

    pub(super) fn of(cell: Cell) -> Cells {
        Cells(1 << cell.0)
    }

    /// Whether the cell belongs to the set.
    pub(super) fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    pub(super) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.0;
    }

    /// The cells in ascending order: `a1`, `b1`, ..., `g7`.
    pub(super) fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let cell = (rest != 0).then(|| Cell(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(cell)
        })
    }

    /// A uniformly random cell; `None` if there is none. Takes a random number in either case.
    pub(super) fn random(self, random: &mut Random) -> Option<Cell> {
        self.iter().nth(random.below(self.len() as u32) as usize)
    }

    /// Up to `number` different random cells.
    pub(super) fn sample(self, number: usize, random: &mut Random) -> Cells {
        (0..number).fold(Cells::NONE, |set, _| {
            (self - set).random(random).map_or(set, |cell| set | Cells::of(cell))
        })
    }

    /// All sets of two of the cells.
    pub(super) fn pairs(self) -> impl Iterator<Item = Cells> {
        let above = move |a: Cell| self.iter().skip_while(move |&b| b <= a);
        self.iter().flat_map(move |a| above(a).map(move |b| Cells::of(a) | Cells::of(b)))
    }

    /// The cells one orthogonal step from a cell of the set.
    pub(super) fn neighbours(self) -> Cells {
        let column_g = Cells::COLUMN_A << (SIDE - 1);
        let sides = (self.0 & !column_g) << 1 | (self.0 & !Cells::COLUMN_A) >> 1;
        Cells((sides | self.0 << SIDE | self.0 >> SIDE) & Cells::ALL.0)
    }

    /// The cells that a sledge can reach from the set: its neighbours, and those of all cells of
    /// `pass` on the way. It works backwards, too: then these are the cells from which a sledge can
    /// reach the set.
    pub(super) fn reach(self, pass: Cells) -> Cells {
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
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cells, ParseError> {
        text.split(',').try_fold(Cells::NONE, |set, name| {
            let cell: Cell = name.parse()?;
            let error = || ParseError(Problem::Twice(text.to_owned(), cell));
            (!set.contains(cell)).then_some(set | Cells::of(cell)).ok_or_else(error)
        })
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Cells {
        cells.into_iter().fold(Cells::NONE, |set, cell| set | Cells::of(cell))
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

/// The largest number of players.
pub(super) const MAX_PLAYERS: usize = 6;
/// Cards in the game.
pub(super) const CARDS: usize = 42;
/// The number of devil pegs, which is also that of devil cards.
pub(super) const DEVILS: usize = 4;
const NAMES: [&str; MAX_PLAYERS] = ["blue", "green", "yellow", "orange", "white", "black"];

/// A colour: a player, or the colour of a letter. The order is that of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(u8);

impl Colour {
    /// The colour that begins.
    pub const BLUE: Colour = Colour(0);

    /// The colours of the first `players` players.
    pub(super) fn first(players: usize) -> impl Iterator<Item = Colour> + Clone {
        (0..players.min(MAX_PLAYERS) as u8).map(Colour)
    }

    /// The place in the order of play, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The letter for the colour on the board; black is `k`.
    pub(super) fn initial(self) -> char {
        ['b', 'g', 'y', 'o', 'w', 'k'][self.index()]
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(NAMES[self.index()])
    }
}

impl FromStr for Colour {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Colour, ParseError> {
        let index = NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
        let error = || unknown(text, "a colour: blue, green, yellow, orange, white, black");
        index.map(|index| Colour(index as u8)).ok_or_else(error)
    }
}

/// A card. Devils are all alike, and so are towers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Card {
    /// A letter of a colour, from 0 for A to 5 for F.
    Letter(Colour, u8),
    Devil,
    Tower,
}

impl Card {
    /// All cards: 36 letters, 4 devils and 2 towers.
    pub(super) fn deck() -> [Card; CARDS] {
        std::array::from_fn(|index| match index {
            0..36 => Card::Letter(Colour((index / 6) as u8), (index % 6) as u8),
            36..40 => Card::Devil,
            _ => Card::Tower,
        })
    }
}

/// Two characters for the board: `bA`, `!!` for a devil, `^^` for a tower.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Card::Letter(colour, letter) => {
                write!(f, "{}{}", colour.initial(), (b'A' + letter) as char)
            }
            Card::Devil => f.write_str("!!"),
            Card::Tower => f.write_str("^^"),
        }
    }
}

/// A set of the letters A to F: the pegs in a sledge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct Letters(u8);

impl Letters {
    pub(super) const ALL: Letters = Letters(0b11_1111);

    /// Whether the letter, counted from A, belongs to the set.
    pub(super) fn contains(self, letter: u8) -> bool {
        self.0 >> letter & 1 == 1
    }

    pub(super) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) fn insert(&mut self, letter: u8) {
        self.0 |= 1 << letter;
    }

    pub(super) fn without(self, other: Letters) -> Letters {
        Letters(self.0 & !other.0)
    }

    /// All sets of two of the letters.
    pub(super) fn pairs(self) -> impl Iterator<Item = Letters> {
        // As a number, a subset is at most the whole, and there are at most 63.
        (0..=self.0).map(Letters).filter(move |p| p.len() == 2 && p.without(self).len() == 0)
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = (b'A'..=b'F').filter(|&name| self.contains(name - b'A')).map(char::from);
        f.pad(&names.collect::<String>())
    }
}

impl FromStr for Letters {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Letters, ParseError> {
        let bit = |name: char| Some(1 << "ABCDEF".find(name.to_ascii_uppercase())?);
        let bits = text.chars().try_fold(0, |bits, name| Some(bits | bit(name)?));
        bits.map(Letters).ok_or_else(|| unknown(text, "a list of letters of A to F"))
    }
}
