//! Which steps are legal, and which rule forbids the others.
//!
//! Legality depends only on what all players see. A refusal therefore never
//! tells what a hidden card is.

use thiserror::Error;

use super::cells::{Cell, Cells};
use super::rules::Step;
use super::table::{Decision, Table};

/// Why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// It is no command or action, for this reason.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// It breaks this rule.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// There is no such command.
    #[error("unknown command")]
    Unknown,
    /// Nothing has been played.
    #[error("cannot undo: nothing has been played")]
    CannotUndo,
}

impl Decision {
    /// The word for it in the status, and what the chooser does.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Decision::Place => ("place", "places the sledge"),
            Decision::Act => ("act", "moves, swaps, scatters or passes"),
            Decision::Turn => ("turn", "has left and turns up cards"),
            Decision::GoOn => ("go_on", "moves on or passes"),
            Decision::Tower(true, true) => ("tower", "looks, exorcises or passes"),
            Decision::Tower(_, true) => ("tower", "exorcises or passes"),
            Decision::Tower(..) => ("tower", "looks or passes"),
            Decision::From => ("from", "names from whom the devil peg is taken"),
            Decision::Drop => ("drop", "names the two letters to drop"),
            Decision::Over => ("over", "has nothing to decide"),
        }
    }
}

impl Table {
    /// All legal steps except for [`Step::Scatter`]: see [`Table::can_scatter`].
    pub fn steps(&self) -> Vec<Step> {
        match self.decision {
            Decision::Place => self.starts().iter().map(Step::Place).collect(),
            Decision::Act => {
                let swaps = self.movable().pairs().map(Step::Swap);
                let mut steps: Vec<Step> = self.moves().chain(swaps).collect();
                if steps.is_empty() && self.can_scatter().is_none() {
                    steps.push(Step::Pass);
                }
                steps
            }
            Decision::Turn if self.hidden().len() == 1 => vec![Step::Turn(self.hidden())],
            Decision::Turn => self.hidden().pairs().map(Step::Turn).collect(),
            Decision::GoOn => self.moves().chain([Step::Pass]).collect(),
            Decision::Tower(look, exorcise) => {
                let looks = self.hidden().iter().filter(|_| look).map(Step::Look);
                looks.chain(exorcise.then_some(Step::Exorcise)).chain([Step::Pass]).collect()
            }
            Decision::From => {
                self.others().filter(|&owner| self.has_devil(owner)).map(Step::From).collect()
            }
            Decision::Drop => self.letters(self.chooser).pairs().map(Step::Drop).collect(),
            Decision::Over => Vec::new(),
        }
    }

    /// The moves of the chooser's sledge. Only a devil peg leaves a choice whether
    /// to turn up a card.
    pub(super) fn moves(&self) -> impl Iterator<Item = Step> {
        let turned = if self.has_devil(self.chooser) { self.hidden() } else { Cells::NONE };
        self.goals().iter().flat_map(move |cell| {
            let turn = turned.contains(cell).then_some(Step::Go(cell, true));
            [Step::Go(cell, false)].into_iter().chain(turn)
        })
    }

    /// The cards that may be scattered now, and the cells that are free for them
    /// besides their own; `None` if scattering is not possible. Any two to four
    /// of the cards go to as many cells.
    pub fn can_scatter(&self) -> Option<(Cells, Cells)> {
        let cards = self.laid - self.occupied();
        let free = Cells::ALL - self.laid - self.occupied() - Cells::one(Cell::HEAD);
        let may = self.decision == Decision::Act && self.has_devil(self.chooser);
        (may && cards.len() >= 2).then_some((cards, free))
    }

    /// Whether the step is legal.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, step: Step) -> Result<(), Refusal> {
        let is_legal = match (step, self.can_scatter()) {
            (Step::Scatter(from, to), Some((cards, free))) => {
                let fits = (2..=4).contains(&from.len()) && from.len() == to.len();
                fits && (from - cards).is_empty() && (to - free - from).is_empty()
            }
            _ => self.steps().contains(&step),
        };
        if is_legal { Ok(()) } else { Err(Refusal::Illegal(self.why_not(step))) }
    }

    /// The rule that forbids an illegal step.
    fn why_not(&self, step: Step) -> String {
        let rule = match (self.decision, step) {
            (Decision::Place, Step::Place(_)) => {
                "a sledge starts at distance 4 from others, or the greatest left, not on the head"
            }
            (Decision::Act | Decision::GoOn, Step::Go(cell, _)) => {
                return format!("{cell} {}", self.why_no_goal(cell));
            }
            (Decision::Act, Step::Swap(_)) => {
                "swaps take two cards, hidden or of the own colour, without a sledge"
            }
            (Decision::Act, Step::Scatter(..)) if self.has_devil(self.chooser) => {
                "two to four cards without a sledge go to as many cells, free or their own"
            }
            (Decision::Act, Step::Scatter(..)) => "only a player with a devil peg scatters cards",
            (Decision::Act, Step::Pass) => "nobody passes who can do something",
            (Decision::Turn, Step::Turn(_)) => {
                "who has left turns up two hidden cards, or the last one"
            }
            (Decision::Tower(true, _), Step::Look(_)) => "only hidden cards are looked at",
            (Decision::From, Step::From(_)) => "the owner of a devil peg is to be named",
            (Decision::Drop, Step::Drop(_)) => "two letters of the sledge go back",
            (decision, _) => return format!("{} {} now", self.chooser, decision.words().1),
        };
        format!("{}: {rule}", self.line(step))
    }

    /// Why the chooser's sledge does not come to a cell, or does not turn up its
    /// card.
    fn why_no_goal(&self, cell: Cell) -> &'static str {
        let (one, two) = self.guests();
        let devil = self.has_devil(self.chooser);
        match () {
            () if self.goals().contains(cell) && devil => "holds no card that lies face down",
            () if self.goals().contains(cell) => "shows its card anyway: no devil peg, no choice",
            () if cell == Cell::HEAD => "is the devil's head, where nobody stops",
            () if two.contains(cell) => "holds two sledges: nobody else stops there",
            () if one.contains(cell) && !devil => "holds a sledge, which only a devil peg enters",
            () if self.sledge(self.chooser) == Some(cell) => "is where the sledge stands",
            () => "is out of reach",
        }
    }
}
