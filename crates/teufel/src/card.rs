//! Colours, cards and letters.

use std::fmt;
use std::str::FromStr;

/// The largest number of players.
pub(super) const MOST: usize = 6;
/// Cards in the game.
pub(super) const CARDS: usize = 42;
/// Devil pegs, and devil cards.
pub(super) const DEVILS: usize = 4;
const NAMES: [&str; MOST] = ["blue", "green", "yellow", "orange", "white", "black"];

/// A colour: a player, or the colour of a letter. They play in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(u8);

impl Colour {
    /// The colour that begins.
    pub const BLUE: Colour = Colour(0);

    /// The colours of the first `players` players.
    pub(super) fn first(players: usize) -> impl Iterator<Item = Colour> + Clone {
        (0..players.min(MOST) as u8).map(Colour)
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
    type Err = String;

    fn from_str(text: &str) -> Result<Colour, String> {
        let found = NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
        let error = || format!("'{text}' is not a colour: {}", NAMES.join(", "));
        found.map(|index| Colour(index as u8)).ok_or_else(error)
    }
}

/// A card. Devils are all alike, and so are towers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Card {
    /// A letter of a colour, counted from A.
    Letter(Colour, u8),
    /// A devil.
    Devil,
    /// A tower.
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
            Card::Letter(who, letter) => write!(f, "{}{}", who.initial(), (b'A' + letter) as char),
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
    type Err = String;

    fn from_str(text: &str) -> Result<Letters, String> {
        let bit = |name: char| Some(1 << "ABCDEF".find(name.to_ascii_uppercase())?);
        let bits = text.chars().try_fold(0, |bits, name| Some(bits | bit(name)?));
        bits.map(Letters).ok_or_else(|| format!("'{text}' is not a list of letters of A to F"))
    }
}
