//! Quick decisions: the greedy and the random player, and the rollouts and
//! candidates of the search.
//!
//! All look only at cards that the side to decide has seen.

use super::board::{Card, Cell, Cells, Colour, Letters};
use super::rules::Step;
use super::table::{Decision, Table};
use pontifex::eval::Random;

/// The table as the side to decide sees it.
struct Sight<'a> {
    table: &'a Table,
    /// Where the sledge can pass, where it can stop, and where it can stop next.
    pass: Cells,
    stop: Cells,
    goals: Cells,
    /// Missing letters, or with all six and a devil peg, places to leave it.
    targets: Cells,
    devils: Cells,
    /// Hidden cards that are not known.
    unknown: Cells,
}

impl<'a> Sight<'a> {
    fn new(table: &'a Table) -> Sight<'a> {
        let (who, own) = (table.chooser, table[table.chooser]);
        let visible = table.open | own.known;
        let (mut targets, mut towers, mut devils) = (Cells::NONE, Cells::NONE, Cells::NONE);
        for cell in visible.iter() {
            match table.card(cell) {
                Some(Card::Tower) => towers.insert(cell),
                Some(Card::Devil) => devils.insert(cell),
                Some(card) if is_missing(table, who, card) => targets.insert(cell),
                _ => {}
            }
        }
        if own.letters == Letters::ALL {
            targets = towers | (table.crowded(0) - table.crowded(1) - devils);
        }
        let (pass, stop) = (table.pass(), table.stop());
        let start = own.cell.map_or(Cells::NONE, Cells::one);
        let goals = (start.reach(pass) & stop) - start;
        Sight { table, pass, stop, goals, targets, devils, unknown: table.hidden() - visible }
    }

    /// The goals of this turn that are on the shortest ways to one of `targets`,
    /// devils avoided, and how many turns it takes; none if no way leads there.
    fn toward(&self, targets: Cells) -> (Cells, usize) {
        let (mut ring, mut seen) = (targets & self.stop, Cells::NONE);
        let mut turns = 1;
        while !ring.is_empty() {
            if !(ring & self.goals).is_empty() {
                return (ring & self.goals, turns);
            }
            seen = seen | ring;
            ring = (ring.reach(self.pass) & self.stop) - self.devils - seen;
            turns += 1;
        }
        (Cells::NONE, usize::MAX)
    }

    /// A goal on the way to a target, else to an unknown card. With a devil peg, the
    /// card there is turned up if it is a target or not known.
    fn walk(&self, random: &mut Random) -> Option<Step> {
        let toward = |cells| self.toward(cells).0;
        let ways = [toward(self.targets), toward(self.unknown), self.goals - self.devils];
        let cell = ways.into_iter().find(|cells| !cells.is_empty())?.random(random)?;
        let useful = self.table.hidden() & (self.unknown | self.targets);
        Some(Step::Go(cell, self.table[self.table.chooser].devil && useful.contains(cell)))
    }

    /// Scatters open letters that others miss.
    fn hide_letters(&self) -> Option<Step> {
        let (cards, free) = self.table.can_scatter()?;
        let is_missed = |card| self.table.others().any(|who| is_missing(self.table, who, card));
        let is_target = |&cell: &Cell| self.table.card(cell).is_some_and(is_missed);
        let from: Cells = (self.table.open & cards).iter().filter(is_target).take(4).collect();
        let to = (free | from).iter().take(from.len()).collect();
        (from.len() >= 2).then_some(Step::Scatter(from, to))
    }

    /// Swaps a missing letter that is far away for a card in reach.
    fn fetch(&self, random: &mut Random) -> Option<Step> {
        let is_far = self.toward(self.targets).1 > 2;
        let movable = if is_far { self.table.movable() } else { Cells::NONE };
        let letter = (self.targets & movable).random(random)?;
        let near = ((self.goals & movable) - self.targets).random(random)?;
        Some(Step::Swap(Cells::one(letter) | Cells::one(near)))
    }
}

fn is_missing(table: &Table, who: Colour, card: Card) -> bool {
    matches!(card, Card::Letter(c, letter) if c == who && !table[who].letters.contains(letter))
}

/// How it looks for a player: the visible targets, and the turns to the
/// next of them, or to an unknown card if there is none; at most 6.
pub(super) fn outlook(table: &Table, who: Colour) -> (usize, usize) {
    let table = Table { chooser: who, ..*table };
    let sight = Sight::new(&table);
    let targets = if sight.targets.is_empty() { sight.unknown } else { sight.targets };
    (sight.targets.len(), sight.toward(targets).1.min(6))
}

/// The greedy player: to the nearest missing letter, devils avoided.
pub(super) fn greedy(table: &Table, random: &mut Random) -> Step {
    let sight = Sight::new(table);
    let step = match table.decision {
        Decision::Act | Decision::Continue => sight.walk(random),
        Decision::Tower(_, true) => Some(Step::Exorcise),
        Decision::Tower(..) => sight.unknown.random(random).map(Step::Look),
        Decision::Turn => Some(Step::Turn(table.hidden().sample(2, random))),
        _ => None,
    };
    step.unwrap_or_else(|| any(table, random))
}

/// The step of a rollout: like the greedy player, but a devil peg hides the
/// letters of others, and swaps bring missing letters close.
pub(super) fn rollout(table: &Table, random: &mut Random) -> Step {
    if table.decision != Decision::Act {
        return greedy(table, random);
    }
    let sight = Sight::new(table);
    let step = sight.hide_letters().or_else(|| sight.fetch(random));
    step.or_else(|| sight.walk(random)).unwrap_or_else(|| any(table, random))
}

/// A legal decision: first its kind at random, then one of that kind.
pub(super) fn any(table: &Table, random: &mut Random) -> Step {
    let is_swap = |step: &Step| matches!(step, Step::Swap(_));
    let (swaps, others): (Vec<_>, Vec<_>) = table.steps().into_iter().partition(is_swap);
    let scatter = table.can_scatter().map(|(cards, free)| {
        let from = cards.sample(2 + random.below(3) as usize, random);
        Step::Scatter(from, (free | from).sample(from.len(), random))
    });
    let mut kinds = vec![swaps, others, scatter.into_iter().collect()];
    kinds.retain(|steps| !steps.is_empty());
    let steps = kinds.swap_remove(random.below(kinds.len() as u32) as usize);
    steps[random.below(steps.len() as u32) as usize]
}

/// The steps that the search considers besides those of the rollouts.
pub(super) fn candidates(table: &Table) -> Vec<Step> {
    let is_look = |step: &Step| matches!(step, Step::Look(_));
    match table.decision {
        Decision::Act => table.moves().collect(),
        Decision::Turn => Vec::new(),
        _ => table.steps().into_iter().filter(|step| !is_look(step)).collect(),
    }
}
