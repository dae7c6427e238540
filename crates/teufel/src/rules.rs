//! The rules: what a step does, which steps are legal, why the others are refused, and how steps
//! are written.
//!
//! A turn is one decision or several. [`Decision`] says which is due, and `chooser` whose it is.
//! Most of the time that is the player whose turn it is, but a devil peg may come into the sledge
//! of another, who then drops letters.
//!
//! ```text
//! Place ──(all sledges stand)──> Act
//!
//! Act ── swap, scatter ───────────────────────────> next player
//!  └─ move ─┬─ empty cell, other letter ──────────> next player
//!           ├─ letter that is in the sledge ─> Continue ── move, pass
//!           ├─ tower ─> Tower ── look, exorcise ──> next player
//!           └─ devil ─┬─ (a peg is on the head) ──> gain a peg
//!                     └─> From ── whose peg ──────> gain a peg
//!
//! gain a peg ── the second one ─> Drop ── two letters ─> next player
//! ```
//!
//! A player who has left only turns up cards ([`Decision::Reveal`]). The game is over when all but
//! one have left, or when no card lies face down.
//!
//! **Legality depends on what all players see and on nothing else.** Otherwise a refusal would
//! reveal a hidden card, and the search could choose a step that is only legal in its own deal.

use std::fmt::Display;

use thiserror::Error;

use super::board::{Card, Cell, Cells, Colour, Letters};
use super::table::{Decision, Sledge, Table};
use pontifex::eval::Random;

/// A decision: a turn, or a part of one. The order decides ties in the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Step {
    Place(Cell),
    /// Move the sledge to `cell`; cards passed on the way stay face down. Only with a devil peg is
    /// `reveals` a choice; without one it is false here, and a hidden card is always turned up.
    Move {
        cell: Cell,
        reveals: bool,
    },
    Swap(Cells),
    /// Scatter the cards of the first cells over the second.
    Scatter(Cells, Cells),
    /// Turn up cards, after leaving.
    Reveal(Cells),
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
        let player = self.chooser;
        match step {
            Step::Move { cell, reveals } => return self.enter(cell, reveals),
            Step::Look(cell) => {
                self[player].known.insert(cell);
                return self.use_tower(false);
            }
            Step::From(owner) => {
                self[owner].devil = false;
                self.leave_if_done(owner);
                return self.gain_devil(player);
            }
            Step::Exorcise => {
                self[player].devil = false;
                self.leave_if_done(player);
                if let Decision::Tower { can_look, .. } = self.decision
                    && self[player].exit_rank == 0
                {
                    return self.use_tower(can_look);
                }
            }
            Step::Place(cell) => self[player].cell = Some(cell),
            Step::Swap(pair) => {
                if let [a, b] = pair.iter().map(Cell::index).collect::<Vec<_>>()[..] {
                    self.cards.swap(a, b);
                }
                self.open = self.open.swapped(pair);
                let swap = |sledge: &mut Sledge| sledge.known = sledge.known.swapped(pair);
                self.sledges.iter_mut().for_each(swap);
            }
            Step::Scatter(from, to) => self.scatter(from, to, random),
            Step::Reveal(cells) => self.open = self.open | cells,
            Step::Drop(letters) => self[player].letters = self[player].letters.without(letters),
            Step::Pass => {}
        }
        self.end_turn();
    }

    /// Moves the cards on `from` to `to`, as many cells, in random order and face down. Nobody
    /// knows them any more.
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

    /// Moves the chooser's sledge to a cell. With a devil peg, `reveals` says whether it turns up a
    /// hidden card there; without one it always does.
    fn enter(&mut self, cell: Cell, reveals: bool) {
        let player = self.chooser;
        let devil = self[player].devil;
        // The owner of the sledge that takes over a devil peg brought to its cell.
        let receiver = self.others().find(|&other| devil && self[other].cell == Some(cell));
        self[player].cell = Some(cell);
        let is_revealed = self.hidden().contains(cell) && (reveals || !devil);
        if is_revealed {
            self.open.insert(cell);
        }
        match self.card(cell).filter(|_| self.open.contains(cell)) {
            Some(Card::Devil) if self.head_is_closed() => return self.gain_devil(player),
            Some(Card::Devil) => {
                self.decision = Decision::From;
                return;
            }
            Some(Card::Tower) => return self.use_tower(!self.hidden().is_empty()),
            Some(Card::Letter(colour, letter)) => {
                let is_own = self[player].letters.contains(letter);
                if is_own && is_revealed && !devil && !self.goals().is_empty() {
                    self.decision = Decision::Continue;
                    return;
                } else if colour == player {
                    self[player].letters.insert(letter);
                }
            }
            None => {}
        }
        // The peg is handed over first, because six letters without a peg let the sledge leave.
        self[player].devil &= receiver.is_none();
        self.leave_if_done(player);
        match receiver {
            Some(receiver) => self.gain_devil(receiver),
            None => self.end_turn(),
        }
    }

    /// Puts a devil peg into a sledge. A second one costs both pegs and two letters.
    fn gain_devil(&mut self, player: Colour) {
        let second = self[player].devil;
        self[player].devil = !second;
        if second && self[player].letters.len() > 2 && self.decision != Decision::Over {
            (self.chooser, self.decision) = (player, Decision::Drop);
            return;
        } else if second {
            self[player].letters = Letters::default();
        }
        self.end_turn();
    }

    /// Lets the chooser use the tower, and look at a card if `can_look`.
    fn use_tower(&mut self, can_look: bool) {
        let can_exorcise = self[self.chooser].devil;
        self.decision = Decision::Tower { can_look, can_exorcise };
        if !can_look && !can_exorcise {
            self.end_turn();
        }
    }

    /// Lets a sledge with six letters and no devil peg leave.
    fn leave_if_done(&mut self, player: Colour) {
        if self[player].letters == Letters::ALL && !self[player].devil {
            let rank = 1 + self.colours().filter(|&colour| self[colour].exit_rank > 0).count();
            (self[player].exit_rank, self[player].cell) = (rank, None);
            if rank + 1 >= self.players {
                self.decision = Decision::Over;
            }
        }
    }

    /// Passes the turn to the next player. After the last sledge is placed, that is the first
    /// player, and turns begin to count.
    fn end_turn(&mut self) {
        if self.decision == Decision::Over {
            return;
        }
        let next = self.colours().nth(self.mover.index() + 1);
        self.mover = next.unwrap_or(Colour::BLUE);
        self.chooser = self.mover;
        self.turn += u32::from(self.turn > 0 || next.is_none());
        self.decision = match self[self.mover].exit_rank {
            _ if self.turn == 0 => Decision::Place,
            _ if self.hidden().is_empty() => Decision::Over,
            0 => Decision::Act,
            _ => Decision::Reveal,
        };
    }
}

/// Which steps are legal, and which rule forbids the others.
impl Table {
    /// All legal steps except for [`Step::Scatter`]: see [`Table::can_scatter`].
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        match self.decision {
            Decision::Place => steps.extend(self.starts().iter().map(Step::Place)),
            Decision::Act => {
                steps.extend(self.moves());
                steps.extend(self.movable().pairs().map(Step::Swap));
                if steps.is_empty() && self.can_scatter().is_none() {
                    steps.push(Step::Pass);
                }
            }
            Decision::Reveal if self.hidden().len() == 1 => steps.push(Step::Reveal(self.hidden())),
            Decision::Reveal => steps.extend(self.hidden().pairs().map(Step::Reveal)),
            Decision::Continue => steps.extend(self.moves().chain([Step::Pass])),
            Decision::Tower { can_look, can_exorcise } => {
                steps.extend(self.hidden().iter().filter(|_| can_look).map(Step::Look));
                steps.extend(can_exorcise.then_some(Step::Exorcise));
                steps.push(Step::Pass);
            }
            Decision::From => {
                steps.extend(self.others().filter(|&player| self[player].devil).map(Step::From));
            }
            Decision::Drop => steps.extend(self[self.chooser].letters.pairs().map(Step::Drop)),
            Decision::Over => {}
        }
        steps
    }

    /// The moves of the chooser's sledge. Only a devil peg leaves a choice whether to turn up a
    /// card.
    pub(super) fn moves(&self) -> impl Iterator<Item = Step> {
        let choices = if self[self.chooser].devil { self.hidden() } else { Cells::NONE };
        let to = |reveals| move |cell| Step::Move { cell, reveals };
        self.goals().iter().map(to(false)).chain((self.goals() & choices).iter().map(to(true)))
    }

    /// The cards that may be scattered now, and the cells that are free for them besides their own;
    /// `None` if scattering is not possible. Any two to four of the cards go to as many cells.
    pub(super) fn can_scatter(&self) -> Option<(Cells, Cells)> {
        let cards = self.laid - self.occupied();
        let free = Cells::ALL - self.laid - self.occupied() - Cells::of(Cell::HEAD);
        let may = self.decision == Decision::Act && self[self.chooser].devil;
        (may && cards.len() >= 2).then_some((cards, free))
    }

    /// Refuses a player who does not decide now.
    pub(super) fn check_chooser(&self, player: Colour) -> Result<(), Refusal> {
        match self.decision {
            Decision::Over => Err(illegal("the game is over")),
            _ if self.chooser == player => Ok(()),
            _ => Err(illegal(format!("{} decides now", self.chooser))),
        }
    }

    /// Refuses a step with the rule that forbids it.
    pub(super) fn check(&self, step: Step) -> Result<(), Refusal> {
        let is_legal = match (step, self.can_scatter()) {
            (Step::Scatter(from, to), Some((cards, free))) => {
                let fits = (2..=4).contains(&from.len()) && from.len() == to.len();
                fits && (from - cards).is_empty() && (to - free - from).is_empty()
            }
            _ => self.steps().contains(&step),
        };
        let error = || illegal(format!("{}: {}", self.line(step), self.rule(step)));
        is_legal.then_some(()).ok_or_else(error)
    }

    /// The rule that forbids an illegal step.
    fn rule(&self, step: Step) -> &'static str {
        match (self.decision, step) {
            (Decision::Place, Step::Place(_)) => {
                "a sledge starts at distance 4 from all others, or at the greatest that is left"
            }
            (Decision::Act | Decision::Continue, Step::Move { cell, reveals }) => {
                self.move_rule(cell, reveals)
            }
            (Decision::Act, Step::Swap(_)) => {
                "only cards that are face down, or letters of the player's own colour, can be \
                 swapped, and none under a sledge"
            }
            (Decision::Act, Step::Scatter(..)) => {
                "with a devil peg, two to four cards that are not under a sledge are scattered \
                 onto as many free cells"
            }
            (Decision::Reveal, Step::Reveal(_)) => {
                "exactly two face-down cards are turned up, or the last one"
            }
            (Decision::Tower { can_look: true, .. }, Step::Look(_)) => {
                "the card does not lie face down"
            }
            (Decision::From, Step::From(_)) => "there is no devil peg to take",
            (Decision::Drop, Step::Drop(_)) => {
                "exactly two of the sledge's letters must be put back"
            }
            (Decision::Act, Step::Pass) => {
                "a player may pass only if no move, swap or scattering is possible"
            }
            (Decision::Place, _) => "a sledge must be placed now",
            (Decision::Act, _) => "the player must move, swap, scatter or pass now",
            (Decision::Reveal, _) => "a player who has left can only turn up cards",
            (Decision::Continue, _) => "the player must move on or pass now",
            (Decision::Tower { .. }, _) => {
                "the player is at a tower and must look, exorcise or pass"
            }
            (Decision::From, _) => "the player must now say whose devil peg to take",
            (Decision::Drop, _) => "the player must now put back two letters",
            (Decision::Over, _) => "the game is over",
        }
    }

    /// The rule that forbids an illegal move.
    fn move_rule(&self, cell: Cell, reveals: bool) -> &'static str {
        if cell == Cell::HEAD {
            "nobody stops on the devil's head"
        } else if self.crowded(1).contains(cell) {
            "at most two sledges stand on a cell"
        } else if self.crowded(0).contains(cell) && !self[self.chooser].devil {
            "only a devil peg lets a sledge enter a cell where another stands"
        } else if reveals {
            "only a card that a devil peg leaves face down can be turned up"
        } else {
            "the cell is out of reach"
        }
    }
}

/// Steps as lines.
impl Table {
    pub(super) fn line(&self, step: Step) -> String {
        match step {
            Step::Place(cell) => format!("place {cell}"),
            Step::Move { cell, reveals } => {
                let path = self.path_to(cell).into_iter().map(|cell| format!(" {cell}"));
                format!("move{}{}", path.collect::<String>(), if reveals { " turn" } else { "" })
            }
            Step::Swap(pair) => format!("swap {pair}"),
            Step::Scatter(from, to) => format!("scatter {from} to {to}"),
            Step::Reveal(cells) => format!("turn {cells}"),
            Step::Look(cell) => format!("look {cell}"),
            Step::Exorcise => "exorcise".to_owned(),
            Step::From(colour) => format!("from {colour}"),
            Step::Drop(letters) => format!("drop {letters}"),
            Step::Pass => "pass".to_owned(),
        }
    }

    /// Every legal action of the side to decide, with one of the shortest paths to each cell, and
    /// finally the scatterings in one line.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.steps().into_iter().map(|s| self.line(s)).collect();
        if let Some((cards, free)) = self.can_scatter() {
            lines.push(format!("scatter two to four of {cards} to their own cells or {free}"));
        }
        lines
    }
}

/// Why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub(super) struct Refusal(pub(super) String);

/// The refusal of a line that cannot be read.
pub(super) fn syntax(error: impl Display) -> Refusal {
    Refusal(format!("syntax error: {error}"))
}

/// The refusal of a step that a rule forbids.
pub(super) fn illegal(rule: impl Display) -> Refusal {
    Refusal(format!("illegal move: {rule}"))
}
