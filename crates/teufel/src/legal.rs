//! Which steps are legal, and which rule forbids the others.
//!
//! Legality depends only on what all players see. A refusal therefore never
//! tells what a hidden card is.

use std::fmt::Display;

use thiserror::Error;

use super::cells::{Cell, Cells};
use super::rules::Step;
use super::table::{Decision, Table};

/// Why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub(super) struct Refusal(pub(super) String);

pub(super) fn syntax(error: impl Display) -> Refusal {
    Refusal(format!("syntax error: {error}"))
}

pub(super) fn illegal(rule: impl Display) -> Refusal {
    Refusal(format!("illegal move: {rule}"))
}

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
            Decision::Turn if self.hidden().len() == 1 => steps.push(Step::Turn(self.hidden())),
            Decision::Turn => steps.extend(self.hidden().pairs().map(Step::Turn)),
            Decision::Continue => steps.extend(self.moves().chain([Step::Pass])),
            Decision::Tower(look, exorcise) => {
                steps.extend(self.hidden().iter().filter(|_| look).map(Step::Look));
                steps.extend(exorcise.then_some(Step::Exorcise));
                steps.push(Step::Pass);
            }
            Decision::From => {
                steps.extend(self.others().filter(|&who| self[who].devil).map(Step::From));
            }
            Decision::Drop => steps.extend(self[self.chooser].letters.pairs().map(Step::Drop)),
            Decision::Over => {}
        }
        steps
    }

    /// The moves of the chooser's sledge. Only a devil peg leaves a choice whether
    /// to turn up a card.
    pub(super) fn moves(&self) -> impl Iterator<Item = Step> {
        let turned = if self[self.chooser].devil { self.hidden() } else { Cells::NONE };
        let turns = (self.goals() & turned).iter().map(|cell| Step::Go(cell, true));
        self.goals().iter().map(|cell| Step::Go(cell, false)).chain(turns)
    }

    /// The cards that may be scattered now, and the cells that are free for them
    /// besides their own; `None` if scattering is not possible. Any two to four
    /// of the cards go to as many cells.
    pub(super) fn can_scatter(&self) -> Option<(Cells, Cells)> {
        let cards = self.laid - self.occupied();
        let free = Cells::ALL - self.laid - self.occupied() - Cells::one(Cell::HEAD);
        let may = self.decision == Decision::Act && self[self.chooser].devil;
        (may && cards.len() >= 2).then_some((cards, free))
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
            (Decision::Act | Decision::Continue, Step::Go(cell, turns)) => match () {
                () if cell == Cell::HEAD => "nobody stops on the devil's head",
                () if self.crowded(1).contains(cell) => "at most two sledges stand on a cell",
                () if self.crowded(0).contains(cell) && !self[self.chooser].devil => {
                    "only a devil peg lets a sledge enter a cell where another stands"
                }
                () if turns => "only a card that a devil peg leaves face down can be turned up",
                () => "the cell is out of reach",
            },
            (Decision::Act, Step::Swap(_)) => {
                "two cards change places that lie face down or are letters of the own colour, \
                 without a sledge on them"
            }
            (Decision::Act, Step::Scatter(..)) => {
                "with a devil peg, two to four cards without a sledge go to as many free cells"
            }
            (Decision::Turn, Step::Turn(_)) => "two cards that lie face down are turned up, or one",
            (Decision::Tower(true, _), Step::Look(_)) => "the card does not lie face down",
            (Decision::From, Step::From(_)) => "there is no devil peg to take",
            (Decision::Drop, Step::Drop(_)) => "two letters of the sledge go back",
            (Decision::Act, Step::Pass) => "something else is possible",
            (Decision::Place, _) => "a sledge is placed now",
            (Decision::Act, _) => "a move, a swap, a scattering or pass is due now",
            (Decision::Turn, _) => "who has left turns up cards",
            (Decision::Continue, _) => "a further move or pass is due now",
            (Decision::Tower(..), _) => "the tower is used now: look, exorcise or pass",
            (Decision::From, _) => "now it is named from whom the devil peg is taken",
            (Decision::Drop, _) => "now the two letters to drop are named",
            (Decision::Over, _) => "the game is over",
        }
    }
}
