//! The table: cards, sledges and pegs, whose decision it is, and where a sledge
//! can go.
//!
//! The dealer's table knows every card. In that of a [`View`](super::View), cards
//! that the viewer does not know are missing.

use super::card::{Card, Colour, DEVILS, Letters, MOST};
use super::cells::{CELLS, Cell, Cells};

/// What has to be decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Where the sledge starts.
    Place,
    /// Move, swap or scatter.
    Act,
    /// A player who has left turns up cards.
    Turn,
    /// Whether to go on, after a card was turned up that allows it.
    GoOn,
    /// The use of a tower: whether looking and exorcising are still possible.
    Tower(bool, bool),
    /// From whom to take a devil peg.
    From,
    /// Which two letters to put back.
    Drop,
    /// Nothing: the game is over.
    Over,
}

/// Cards, sledges, pegs and the side to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    pub(super) players: usize,
    /// The cards, as far as they are known.
    pub(super) cards: [Option<Card>; CELLS],
    /// Cells with a card.
    pub(super) laid: Cells,
    /// Cells with a card that lies face up.
    pub open: Cells,
    /// Cells of face-down cards that each player has looked at.
    pub(super) looked: [Cells; MOST],
    pub(super) sledges: [Option<Cell>; MOST],
    pub(super) letters: [Letters; MOST],
    pub(super) devils: [bool; MOST],
    /// The order of leaving, from 1; 0 on the board.
    pub(super) left: [u8; MOST],
    /// The colour whose turn it is.
    pub mover: Colour,
    /// The colour that decides now.
    pub chooser: Colour,
    /// What has to be decided.
    pub decision: Decision,
    /// The number of the turn, from 1; 0 while sledges are placed.
    pub turn: u32,
}

impl Table {
    /// The players.
    pub fn colours(&self) -> impl Iterator<Item = Colour> + Clone + use<> {
        Colour::first(self.players)
    }

    /// The players but the chooser.
    pub(super) fn others(&self) -> impl Iterator<Item = Colour> + use<> {
        let chooser = self.chooser;
        self.colours().filter(move |&colour| colour != chooser)
    }

    /// The card on a cell, if it is known.
    pub fn card(&self, cell: Cell) -> Option<Card> {
        self.cards[cell.index()]
    }

    /// Cells with a card that lies face down.
    pub fn hidden(&self) -> Cells {
        self.laid - self.open
    }

    /// Cells with a card that the player sees or has looked at.
    pub(super) fn visible(&self, who: Colour) -> Cells {
        self.open | self.looked[who.index()]
    }

    /// The letters in a sledge.
    pub fn letters(&self, who: Colour) -> Letters {
        self.letters[who.index()]
    }

    /// Whether there is a devil peg in the sledge.
    pub fn has_devil(&self, who: Colour) -> bool {
        self.devils[who.index()]
    }

    /// Where the sledge stands, if it is on the board.
    pub fn sledge(&self, who: Colour) -> Option<Cell> {
        self.sledges[who.index()]
    }

    /// Whether the sledge has left.
    pub fn has_left(&self, who: Colour) -> bool {
        self.left[who.index()] > 0
    }

    /// The rank: by the order of leaving, and the last for everyone else.
    pub fn rank(&self, who: Colour) -> usize {
        if self.has_left(who) { self.left[who.index()] as usize } else { self.players }
    }

    pub(super) fn pegs_on_head(&self) -> usize {
        DEVILS - self.devils.iter().filter(|&&held| held).count()
    }

    /// Whether a card is a letter of a player's colour that the player misses.
    pub(super) fn misses(&self, who: Colour, card: Card) -> bool {
        matches!(card, Card::Letter(c, letter) if c == who && !self.letters(who).contains(letter))
    }

    /// Cells with a sledge.
    pub(super) fn occupied(&self) -> Cells {
        self.sledges.iter().flatten().copied().collect()
    }

    /// Cells with a sledge of another player than the chooser, and those with two.
    pub(super) fn guests(&self) -> (Cells, Cells) {
        let cells = self.others().filter_map(|colour| self.sledge(colour)).map(Cells::one);
        cells.fold((Cells::NONE, Cells::NONE), |(one, two), cell| (one | cell, two | (one & cell)))
    }

    /// Cells that the chooser's sledge may leave again after entering them, without
    /// turning up a card.
    pub(super) fn pass(&self) -> Cells {
        let (who, (one, _)) = (self.chooser, self.guests());
        let devil = self.has_devil(who);
        let is_passed = |&cell: &Cell| match self.card(cell) {
            Some(card @ Card::Letter(_, letter)) => {
                let is_covered = devil && one.contains(cell);
                self.letters(who).contains(letter) || (is_covered && self.misses(who, card))
            }
            _ => false,
        };
        let cells = (Cells::ALL - self.laid) | self.open.iter().filter(is_passed).collect();
        let cells = if devil { cells | self.hidden() } else { cells - one };
        if self.pegs_on_head() > 0 { cells - Cells::one(Cell::HEAD) } else { cells }
    }

    /// Cells where the chooser's sledge may stop, from wherever it comes.
    pub(super) fn stops(&self) -> Cells {
        let (one, two) = self.guests();
        let closed = if self.has_devil(self.chooser) { two } else { one };
        Cells::ALL - closed - Cells::one(Cell::HEAD)
    }

    /// Where the chooser's sledge can stop next.
    pub(super) fn goals(&self) -> Cells {
        let start = self.sledge(self.chooser).map_or(Cells::NONE, Cells::one);
        (start.beside(self.pass()) & self.stops()) - start
    }

    /// A shortest path on which the chooser's sledge comes to a goal, without the
    /// start; of equal ones the first in the order of cells.
    pub(super) fn path_to(&self, goal: Cell) -> Vec<Cell> {
        let mut at = self.sledge(self.chooser).map_or(Cells::NONE, Cells::one);
        // Cells from which the goal is 0, 1, 2, ... steps away.
        let mut rings = vec![Cells::one(goal)];
        while let Some(&last) = rings.last()
            && (last.neighbours() & at).is_empty()
            && rings.len() < CELLS
        {
            rings.push(last.neighbours() & self.pass());
        }
        let path = rings.iter().rev().map_while(|&ring| {
            let next = (at.neighbours() & ring).first();
            at = next.map_or(Cells::NONE, Cells::one);
            next
        });
        path.collect()
    }

    /// Cards that the chooser may swap.
    pub(super) fn movable(&self) -> Cells {
        let is_own = |&cell: &Cell| match self.card(cell) {
            Some(Card::Letter(colour, _)) => colour == self.chooser,
            _ => false,
        };
        (self.hidden() | self.open.iter().filter(is_own).collect()) - self.occupied()
    }

    /// Where the next sledge may start.
    pub(super) fn starts(&self) -> Cells {
        let free = Cells::ALL - Cells::one(Cell::HEAD);
        let room = |cell: Cell| {
            let others = self.sledges.iter().flatten();
            others.map(|&other| cell.distance(other)).min().unwrap_or(CELLS)
        };
        let most = free.iter().map(room).max().unwrap_or(0).min(4);
        free.iter().filter(|&cell| room(cell) >= most).collect()
    }
}
