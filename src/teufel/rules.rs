//! What a step does. Whether it is legal is asked in `legal`.

use super::card::{Card, Colour, Letters};
use super::cells::{Cell, Cells};
use super::table::{Decision, Table};
use crate::eval::Random;

/// What can be decided: a turn, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Put the sledge on a cell.
    Place(Cell),
    /// Move to a cell, without turning up a card on the way. With a devil peg, the
    /// flag says whether to turn up the card there; without one it is false.
    Go(Cell, bool),
    /// Swap two cards.
    Swap(Cells),
    /// Scatter the cards of the first cells over the second.
    Scatter(Cells, Cells),
    /// Turn up cards, after leaving.
    Turn(Cells),
    /// Look at a card from a tower.
    Look(Cell),
    /// Put the devil peg back on the head at a tower.
    Exorcise,
    /// Take the devil peg of this colour.
    From(Colour),
    /// Put back these letters.
    Drop(Letters),
    /// Leave it at that.
    Pass,
}

impl Table {
    /// Takes a legal step. Scattered cards are shuffled by `random`.
    pub(super) fn apply(&mut self, step: Step, random: &mut Random) {
        let who = self.chooser;
        match step {
            Step::Go(cell, turns) => return self.enter(cell, turns),
            Step::Look(cell) => {
                self.looked[who.index()].insert(cell);
                return self.use_tower(false);
            }
            Step::From(owner) => {
                self.devils[owner.index()] = false;
                self.leave_if_done(owner);
                return self.gain_devil(who);
            }
            Step::Exorcise => {
                self.devils[who.index()] = false;
                self.leave_if_done(who);
                if let Decision::Tower(look, _) = self.decision
                    && !self.has_left(who)
                {
                    return self.use_tower(look);
                }
            }
            Step::Place(cell) => self.sledges[who.index()] = Some(cell),
            Step::Swap(pair) => {
                if let (Some(a), Some(b)) = (pair.iter().next(), pair.iter().nth(1)) {
                    self.cards.swap(a.index(), b.index());
                }
                self.open = self.open.swapped(pair);
                self.looked = self.looked.map(|cells| cells.swapped(pair));
            }
            Step::Scatter(from, to) => {
                let mut cards: Vec<_> = from.iter().map(|cell| self.card(cell)).collect();
                from.iter().for_each(|cell| self.cards[cell.index()] = None);
                for cell in to.iter() {
                    let index = random.below(cards.len() as u32) as usize;
                    self.cards[cell.index()] = cards.swap_remove(index);
                }
                self.laid = (self.laid - from) | to;
                self.open = self.open - from;
                self.looked = self.looked.map(|cells| cells - from);
            }
            Step::Turn(cells) => self.open = self.open | cells,
            Step::Drop(letters) => self.letters[who.index()] = self.letters(who).without(letters),
            Step::Pass => {}
        }
        self.end_turn();
    }

    /// The chooser's sledge comes to a cell, and `turns` a hidden card there.
    /// Without a devil peg it always does.
    fn enter(&mut self, cell: Cell, turns: bool) {
        let who = self.chooser;
        let devil = self.has_devil(who);
        let is_new = self.hidden().contains(cell) && (turns || !devil);
        self.sledges[who.index()] = Some(cell);
        if is_new {
            self.open.insert(cell);
        }
        match self.card(cell).filter(|_| self.open.contains(cell)) {
            Some(Card::Devil) if self.pegs_on_head() > 0 => return self.gain_devil(who),
            Some(Card::Devil) => {
                self.decision = Decision::From;
                return;
            }
            Some(Card::Tower) => return self.use_tower(!self.hidden().is_empty()),
            Some(Card::Letter(colour, letter)) => {
                let is_own = self.letters(who).contains(letter);
                if is_own && is_new && !devil && !self.goals().is_empty() {
                    self.decision = Decision::GoOn;
                    return;
                } else if colour == who {
                    self.letters[who.index()].insert(letter);
                }
            }
            None => {}
        }
        let host = self.others().find(|&other| devil && self.sledge(other) == Some(cell));
        self.devils[who.index()] &= host.is_none();
        self.leave_if_done(who);
        match host {
            Some(host) => self.gain_devil(host),
            None => self.end_turn(),
        }
    }

    /// A devil peg comes into a sledge. A second one costs both and two letters.
    fn gain_devil(&mut self, who: Colour) {
        let second = self.has_devil(who);
        self.devils[who.index()] = !second;
        if second && self.letters(who).len() > 2 && self.decision != Decision::Over {
            (self.chooser, self.decision) = (who, Decision::Drop);
            return;
        } else if second {
            self.letters[who.index()] = Letters::default();
        }
        self.end_turn();
    }

    /// The chooser may use the tower, and look at a card if `look`.
    fn use_tower(&mut self, look: bool) {
        self.decision = Decision::Tower(look, self.has_devil(self.chooser));
        if self.decision == Decision::Tower(false, false) {
            self.end_turn();
        }
    }

    /// Six letters and no devil peg: the sledge leaves.
    fn leave_if_done(&mut self, who: Colour) {
        if self.letters(who) != Letters::ALL || self.has_devil(who) {
            return;
        }
        let gone = self.colours().filter(|&colour| self.has_left(colour)).count();
        self.left[who.index()] = gone as u8 + 1;
        self.sledges[who.index()] = None;
        if gone + 2 >= self.players {
            self.decision = Decision::Over;
        }
    }

    fn end_turn(&mut self) {
        if self.decision == Decision::Over {
            return;
        }
        let next = self.colours().nth(self.mover.index() + 1);
        self.mover = next.unwrap_or(Colour::BLUE);
        self.chooser = self.mover;
        // Turns count as soon as all sledges stand on the board.
        self.turn += u32::from(self.turn > 0 || next.is_none());
        self.decision = match self.has_left(self.mover) {
            _ if self.turn == 0 => Decision::Place,
            _ if self.hidden().is_empty() => Decision::Over,
            true => Decision::Turn,
            false => Decision::Act,
        };
    }
}
