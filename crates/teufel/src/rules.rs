//! What a step does. Whether it is legal is asked in `legal`.

use super::card::{Card, Colour, Letters};
use super::cells::{Cell, Cells};
use super::table::{Decision, Sledge, Table};
use pontifex::eval::Random;

/// What can be decided: a turn, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Step {
    Place(Cell),
    /// Move to a cell, without turning up a card on the way. With a devil peg, the
    /// flag says whether to turn up the card there; without one it is false.
    Go(Cell, bool),
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
    Pass,
}

impl Table {
    /// Takes a legal step. Scattered cards are shuffled by `random`.
    pub(super) fn apply(&mut self, step: Step, random: &mut Random) {
        let who = self.chooser;
        match step {
            Step::Go(cell, turns) => return self.enter(cell, turns),
            Step::Look(cell) => {
                self[who].known.insert(cell);
                return self.use_tower(false);
            }
            Step::From(owner) => {
                self[owner].devil = false;
                self.leave_if_done(owner);
                return self.gain_devil(who);
            }
            Step::Exorcise => {
                self[who].devil = false;
                self.leave_if_done(who);
                if let Decision::Tower(look, _) = self.decision
                    && self[who].left == 0
                {
                    return self.use_tower(look);
                }
            }
            Step::Place(cell) => self[who].cell = Some(cell),
            Step::Swap(pair) => {
                if let [a, b] = pair.iter().map(Cell::index).collect::<Vec<_>>()[..] {
                    self.cards.swap(a, b);
                }
                self.open = self.open.swapped(pair);
                let swap = |sledge: &mut Sledge| sledge.known = sledge.known.swapped(pair);
                self.sledges.iter_mut().for_each(swap);
            }
            Step::Scatter(from, to) => self.scatter(from, to, random),
            Step::Turn(cells) => self.open = self.open | cells,
            Step::Drop(letters) => self[who].letters = self[who].letters.without(letters),
            Step::Pass => {}
        }
        self.end_turn();
    }

    fn scatter(&mut self, from: Cells, to: Cells, random: &mut Random) {
        let mut cards: Vec<_> = from.iter().map(|cell| self.cards[cell.index()].take()).collect();
        for cell in to.iter() {
            let index = random.below(cards.len() as u32) as usize;
            self.cards[cell.index()] = cards.swap_remove(index);
        }
        self.laid = (self.laid - from) | to;
        self.open = self.open - from - to;
        self.sledges.iter_mut().for_each(|sledge| sledge.known = sledge.known - from - to);
    }

    /// The chooser's sledge comes to a cell, and `turns` a hidden card there.
    /// Without a devil peg it always does.
    fn enter(&mut self, cell: Cell, turns: bool) {
        let who = self.chooser;
        let devil = self[who].devil;
        let host = self.others().find(|&other| devil && self[other].cell == Some(cell));
        self[who].cell = Some(cell);
        let is_new = self.hidden().contains(cell) && (turns || !devil);
        if is_new {
            self.open.insert(cell);
        }
        match self.card(cell).filter(|_| self.open.contains(cell)) {
            Some(Card::Devil) if self.head_is_closed() => return self.gain_devil(who),
            Some(Card::Devil) => {
                self.decision = Decision::From;
                return;
            }
            Some(Card::Tower) => return self.use_tower(!self.hidden().is_empty()),
            Some(Card::Letter(colour, letter)) => {
                let is_own = self[who].letters.contains(letter);
                if is_own && is_new && !devil && !self.goals().is_empty() {
                    self.decision = Decision::Continue;
                    return;
                } else if colour == who {
                    self[who].letters.insert(letter);
                }
            }
            None => {}
        }
        self[who].devil &= host.is_none();
        self.leave_if_done(who);
        match host {
            Some(host) => self.gain_devil(host),
            None => self.end_turn(),
        }
    }

    /// A devil peg comes into a sledge. A second one costs both and two letters.
    fn gain_devil(&mut self, who: Colour) {
        let second = self[who].devil;
        self[who].devil = !second;
        if second && self[who].letters.len() > 2 && self.decision != Decision::Over {
            (self.chooser, self.decision) = (who, Decision::Drop);
            return;
        } else if second {
            self[who].letters = Letters::default();
        }
        self.end_turn();
    }

    /// The chooser may use the tower, and look at a card if `look`.
    fn use_tower(&mut self, look: bool) {
        self.decision = Decision::Tower(look, self[self.chooser].devil);
        if self.decision == Decision::Tower(false, false) {
            self.end_turn();
        }
    }

    /// Six letters and no devil peg: the sledge leaves.
    fn leave_if_done(&mut self, who: Colour) {
        if self[who].letters == Letters::ALL && !self[who].devil {
            let left = 1 + self.colours().filter(|&colour| self[colour].left > 0).count();
            (self[who].left, self[who].cell) = (left, None);
            if left + 1 >= self.players {
                self.decision = Decision::Over;
            }
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
        self.decision = match self[self.mover].left {
            _ if self.turn == 0 => Decision::Place,
            _ if self.hidden().is_empty() => Decision::Over,
            0 => Decision::Act,
            _ => Decision::Turn,
        };
    }
}
