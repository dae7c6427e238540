//! Quick decisions: the greedy and the random player, and the rollouts and
//! candidates of the search.
//!
//! All look only at cards that the side to decide sees or has looked at. Nothing
//! but the choice among equal ways is random, so that the deals of a search share
//! their steps.

use super::card::{Card, Colour, Letters};
use super::cells::Cells;
use super::rules::Step;
use super::table::{Decision, Table};
use crate::eval::Random;

/// The table as the side to decide sees it.
struct Sight<'a> {
    table: &'a Table,
    /// Where the sledge can pass, where it can stop, and where it can stop next.
    pass: Cells,
    stops: Cells,
    goals: Cells,
    /// Visible missing letters, towers and devils, and the cards that are not visible.
    wanted: Cells,
    towers: Cells,
    devils: Cells,
    unknown: Cells,
}

impl<'a> Sight<'a> {
    fn new(table: &'a Table, visible: Cells) -> Sight<'a> {
        let (mut wanted, mut towers, mut devils) = (Cells::NONE, Cells::NONE, Cells::NONE);
        for cell in visible.iter() {
            match table.card(cell) {
                Some(Card::Tower) => towers.insert(cell),
                Some(Card::Devil) => devils.insert(cell),
                Some(card) if table.misses(table.chooser, card) => wanted.insert(cell),
                _ => {}
            }
        }
        let (pass, stops) = (table.pass(), table.stops());
        let start = table.sledge(table.chooser).map_or(Cells::NONE, Cells::one);
        let goals = (start.beside(pass) & stops) - start;
        let unknown = table.laid - visible;
        Sight { table, pass, stops, goals, wanted, towers, devils, unknown }
    }

    /// The goals of this turn that are on the shortest ways to one of `targets`,
    /// devils avoided, and how many turns it takes; none if no way leads there.
    fn toward(&self, targets: Cells) -> (Cells, usize) {
        let (mut ring, mut seen) = (targets & self.stops, Cells::NONE);
        let mut turns = 1;
        while !ring.is_empty() {
            if !(ring & self.goals).is_empty() {
                return (ring & self.goals, turns);
            }
            seen = seen | ring;
            ring = (ring.beside(self.pass) & self.stops) - self.devils - seen;
            turns += 1;
        }
        (Cells::NONE, usize::MAX)
    }

    /// A goal on the way to a missing letter, or with all six to a place for the
    /// devil peg; else to an unknown card. With a devil peg, the card there is
    /// turned up if it is wanted or not known.
    fn walk(&self, random: &mut Random) -> Option<Step> {
        let (one, two) = self.table.guests();
        let targets = match self.table.letters(self.table.chooser) {
            Letters::ALL => self.towers | (one - two - self.devils),
            _ => self.wanted,
        };
        let ways = [self.toward(targets).0, self.toward(self.unknown).0, self.goals - self.devils];
        let cell = ways.into_iter().find(|cells| !cells.is_empty())?.random(random)?;
        let useful = self.table.hidden() & (self.unknown | self.wanted | self.towers);
        Some(Step::Go(cell, self.table.has_devil(self.table.chooser) && useful.contains(cell)))
    }

    /// Gives the devil peg to another sledge with a devil peg and letters to lose.
    fn attack(&self, random: &mut Random) -> Option<Step> {
        let table = self.table;
        let is_victim = |&who: &Colour| table.has_devil(who) && table.letters(who).len() > 0;
        let victims = table.others().filter(is_victim).filter_map(|who| table.sledge(who));
        let cells = victims.collect::<Cells>() & self.goals;
        let cells = cells - table.guests().1 - self.towers - self.devils;
        let cell = cells.random(random).filter(|_| table.has_devil(table.chooser))?;
        Some(Step::Go(cell, false))
    }

    /// A card to look at from a tower: one that is soon in reach, if possible.
    fn look(&self) -> Option<Step> {
        let near = self.goals.beside(self.pass) & self.unknown;
        near.first().or(self.unknown.first()).map(Step::Look)
    }
}

/// How it looks for a player, of what all see: the missing letters that lie face
/// up, and the turns to the next of them, or to a hidden card if there is none; at
/// most 6.
pub(super) fn outlook(table: &Table, who: Colour) -> (usize, usize) {
    let table = Table { chooser: who, ..*table };
    let sight = Sight::new(&table, table.open);
    let targets = if sight.wanted.is_empty() { sight.unknown } else { sight.wanted };
    (sight.wanted.len(), sight.toward(targets).1.min(6))
}

/// The greedy player: to the nearest missing letter, devils avoided. In a rollout,
/// the devil peg serves to hurt others.
pub(super) fn greedy(table: &Table, attacks: bool, random: &mut Random) -> Step {
    let sight = || Sight::new(table, table.visible(table.chooser));
    let step = match table.decision {
        Decision::Act | Decision::GoOn => {
            let sight = sight();
            let attack = if attacks { sight.attack(random) } else { None };
            attack.or_else(|| sight.walk(random))
        }
        Decision::Tower(_, true) => Some(Step::Exorcise),
        Decision::Tower(..) => sight().look(),
        _ => None,
    };
    step.unwrap_or_else(|| any(table, random))
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
    let steps = kinds.get(random.below(kinds.len() as u32) as usize);
    let pick = |steps: &Vec<Step>| steps[random.below(steps.len() as u32) as usize];
    steps.map_or(Step::Pass, pick)
}

/// The steps that the search considers, besides those of the rollouts.
pub(super) fn candidates(table: &Table) -> Vec<Step> {
    match table.decision {
        Decision::Act => table.moves().collect(),
        Decision::Turn => table.steps().into_iter().take(1).collect(),
        Decision::Tower(look, exorcise) => {
            let sight = Sight::new(table, table.visible(table.chooser));
            let look = if look { sight.look() } else { None };
            let exorcise = exorcise.then_some(Step::Exorcise);
            look.into_iter().chain(exorcise).chain([Step::Pass]).collect()
        }
        _ => table.steps(),
    }
}
