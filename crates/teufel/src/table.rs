//! The table: cards, sledges and pegs, whose decision it is, where a sledge can go, and how all
//! this is shown.
//!
//! One type serves three purposes. The dealer's table has every card. In the table of a `View`, the
//! cards that the viewer does not know are missing. In an iteration of the search they come from a
//! random deal. Nothing here distinguishes the three. Whatever depends on a hidden card is decided
//! where it is turned up, in `rules`.
//!
//! Movement has two sets: a sledge may `pass` some cells and continue, and `stop` on others. A goal
//! is a cell to stop on that is reached by way of cells to pass.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use super::board::{CELLS, Card, Cell, Cells, Colour, DEVILS, Letters, MAX_PLAYERS, SIDE};

/// The decision that is due; [`Decision::word`] is how `status` names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Decision {
    Place,
    Act,
    /// A player who has left turns up cards.
    Reveal,
    /// Whether to continue, after turning up a card that allows it.
    Continue,
    /// How to use a tower.
    Tower {
        can_look: bool,
        can_exorcise: bool,
    },
    /// From whom to take a devil peg.
    From,
    /// Which two letters to put back.
    Drop,
    Over,
}

impl Decision {
    /// The word of `status`.
    fn word(self) -> &'static str {
        match self {
            Decision::Place => "place",
            Decision::Act => "act",
            Decision::Reveal => "turn",
            Decision::Continue => "continue",
            Decision::Tower { .. } => "tower",
            Decision::From => "from",
            Decision::Drop => "drop",
            Decision::Over => "over",
        }
    }
}

/// A sledge and its pegs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Sledge {
    /// `None` before it is placed and after it has left.
    pub(super) cell: Option<Cell>,
    pub(super) letters: Letters,
    pub(super) devil: bool,
    /// The place in the order of leaving, from 1; 0 before.
    pub(super) exit_rank: usize,
    /// The hidden cards that the player has seen. Everybody knows which these are, but not what
    /// they show.
    pub(super) known: Cells,
}

/// Cards, sledges and the side to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) players: usize,
    /// The cards, as far as they are known.
    pub(super) cards: [Option<Card>; CELLS],
    /// Cells with a card, face up or face down.
    pub(super) laid: Cells,
    /// Cells whose card lies face up.
    pub(super) open: Cells,
    pub(super) sledges: [Sledge; MAX_PLAYERS],
    /// The colour whose turn it is.
    pub(super) mover: Colour,
    /// The colour that decides now.
    pub(super) chooser: Colour,
    pub(super) decision: Decision,
    /// The number of the turn, from 1; 0 while sledges are placed.
    pub(super) turn: u32,
}

impl Index<Colour> for Table {
    type Output = Sledge;
    fn index(&self, player: Colour) -> &Sledge {
        &self.sledges[player.index()]
    }
}

impl IndexMut<Colour> for Table {
    fn index_mut(&mut self, player: Colour) -> &mut Sledge {
        &mut self.sledges[player.index()]
    }
}

impl Table {
    /// The colours that play, in the order of play.
    pub(super) fn colours(&self) -> impl Iterator<Item = Colour> + Clone + use<> {
        Colour::first(self.players)
    }

    /// The players besides the chooser.
    pub(super) fn others(&self) -> impl Iterator<Item = Colour> + Clone + use<> {
        let chooser = self.chooser;
        self.colours().filter(move |&player| player != chooser)
    }

    /// The card on a cell, if it is known.
    pub(super) fn card(&self, cell: Cell) -> Option<Card> {
        self.cards[cell.index()]
    }

    /// Cells with a card that lies face down.
    pub(super) fn hidden(&self) -> Cells {
        self.laid - self.open
    }

    /// The rank: by the order of leaving, and the last for everyone else.
    pub(super) fn rank(&self, player: Colour) -> usize {
        if self[player].exit_rank > 0 { self[player].exit_rank } else { self.players }
    }

    /// Whether a devil peg stands on the head: then no sledge passes it.
    pub(super) fn head_is_closed(&self) -> bool {
        self.sledges.iter().filter(|sledge| sledge.devil).count() < DEVILS
    }

    /// Cells with a sledge.
    pub(super) fn occupied(&self) -> Cells {
        self.sledges.iter().filter_map(|sledge| sledge.cell).collect()
    }

    /// Cells with more than `number` sledges besides the chooser's.
    pub(super) fn crowded(&self, number: usize) -> Cells {
        let others = || self.others().filter_map(|player| self[player].cell);
        others().filter(|&cell| others().filter(|&other| other == cell).count() > number).collect()
    }

    /// Cells that the chooser's sledge may leave again after entering them, without turning up a
    /// card.
    pub(super) fn pass(&self) -> Cells {
        let Sledge { letters, devil, .. } = self[self.chooser];
        let occupied = self.crowded(0);
        let is_passed = |&cell: &Cell| match self.card(cell) {
            Some(Card::Letter(colour, letter)) => {
                letters.contains(letter)
                    || (devil && colour == self.chooser && occupied.contains(cell))
            }
            _ => false,
        };
        let open = (Cells::ALL - self.laid) | self.open.iter().filter(is_passed).collect();
        let pass = if devil { open | self.hidden() } else { open - occupied };
        if self.head_is_closed() { pass - Cells::of(Cell::HEAD) } else { pass }
    }

    /// Cells where the chooser's sledge may stop.
    pub(super) fn stop(&self) -> Cells {
        let closed = self.crowded(usize::from(self[self.chooser].devil));
        Cells::ALL - closed - Cells::of(Cell::HEAD)
    }

    /// The cells where the chooser's sledge can stop next.
    pub(super) fn goals(&self) -> Cells {
        let start = self[self.chooser].cell.map_or(Cells::NONE, Cells::of);
        (start.reach(self.pass()) & self.stop()) - start
    }

    /// The shortest path of the chooser's sledge to a goal, without the start. Of several, the
    /// first in the order of cells.
    pub(super) fn path_to(&self, goal: Cell) -> Vec<Cell> {
        // Breadth first, so the first path that arrives is a shortest one. On 49 cells copies of
        // paths cost nothing.
        let mut unvisited = self.pass();
        let mut paths = VecDeque::from([(self[self.chooser].cell, Vec::new())]);
        while let Some((Some(cell), path)) = paths.pop_front() {
            for next in Cells::of(cell).neighbours().iter() {
                let path = [&path[..], &[next]].concat();
                if next == goal {
                    return path;
                } else if unvisited.contains(next) {
                    unvisited = unvisited - Cells::of(next);
                    paths.push_back((Some(next), path));
                }
            }
        }
        vec![goal]
    }

    /// Cards that the chooser may swap.
    pub(super) fn movable(&self) -> Cells {
        let is_own =
            |&cell: &Cell| matches!(self.card(cell), Some(Card::Letter(c, _)) if c == self.chooser);
        (self.hidden() | self.open.iter().filter(is_own).collect()) - self.occupied()
    }

    /// The cells where the next sledge may start: at a distance of 4 from all others, or at the
    /// greatest that is left.
    pub(super) fn starts(&self) -> Cells {
        let free = Cells::ALL - Cells::of(Cell::HEAD);
        let room = |cell: Cell| {
            self.occupied().iter().map(|other| cell.distance(other)).min().unwrap_or(CELLS)
        };
        let most = free.iter().map(room).max().unwrap_or(0).min(4);
        free.iter().filter(|&cell| room(cell) >= most).collect()
    }
}

/// The table as text.
impl Table {
    /// The board with coordinates, then a line for each player, then who decides. A hidden card is
    /// `??`, a known one in brackets; `@@` is the devil's head.
    pub(super) fn picture(&self) -> String {
        let columns = "     a       b       c       d       e       f       g";
        let mut lines = vec![columns.to_owned()];
        for row in (0..SIDE).rev() {
            let cells: String = (0..SIDE).map(|column| self.field(Cell::at(column, row))).collect();
            lines.push(format!("{} {}{}", row + 1, cells, row + 1));
        }
        lines.push(columns.to_owned());
        for colour in self.colours() {
            let devil = if self[colour].devil { "devil peg" } else { "" };
            let place = match self[colour].cell {
                _ if self[colour].exit_rank > 0 => format!("left, rank {}", self.rank(colour)),
                Some(cell) => cell.to_string(),
                None => "not placed".to_owned(),
            };
            lines.push(format!("{colour:6} {:6} {devil:9} {place}", self[colour].letters));
        }
        lines.push(self.status());
        lines.join("\n")
    }

    /// Eight characters: the card, then the sledges on it.
    fn field(&self, cell: Cell) -> String {
        let is_hidden = self.hidden().contains(cell);
        let card = match self.card(cell) {
            _ if cell == Cell::HEAD => " @@ ".to_owned(),
            Some(card) if is_hidden => format!("({card})"),
            Some(card) => format!(" {card} "),
            None if is_hidden => " ?? ".to_owned(),
            None => "  . ".to_owned(),
        };
        let on_it = self.colours().filter(|&colour| self[colour].cell == Some(cell));
        let sledges: String = on_it.map(Colour::initial).collect();
        let mark = if sledges.is_empty() { sledges } else { format!("<{sledges}") };
        format!("{card}{mark:4}")
    }

    /// `to_move COLOUR turn N decision WORD hidden N left COLOUR ...`.
    pub(super) fn status(&self) -> String {
        let is_over = self.decision == Decision::Over;
        let to_move = if is_over { "none".to_owned() } else { self.chooser.to_string() };
        let mut left: Vec<_> =
            self.colours().filter(|&colour| self[colour].exit_rank > 0).collect();
        left.sort_by_key(|&colour| self.rank(colour));
        let left: Vec<String> = left.iter().map(Colour::to_string).collect();
        let left = if left.is_empty() { "none".to_owned() } else { left.join(" ") };
        let (turn, hidden) = (self.turn, self.hidden().len());
        let decision = self.decision.word();
        format!("to_move {to_move} turn {turn} decision {decision} hidden {hidden} left {left}")
    }
}
