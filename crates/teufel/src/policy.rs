//! Quick decisions: the greedy and the random player, and the rollouts and candidates of the
//! search.
//!
//! All look only at cards that the side to decide has seen, though a table in a rollout has every
//! card: it is one deal of the search. A policy that looked further would make the search believe
//! that everyone knows the cards.
//!
//! The plan is that of a person: go to the nearest missing letter that is known, else to the
//! nearest unknown card, and avoid devils. With all six letters and a devil peg the targets are the
//! places where the peg can be left: towers, and cells with another sledge.
//!
//! The nearest target is found by going backwards, ring by ring: each ring has the cells from which
//! a sledge reaches the ring before in one turn. The first ring that meets the sledge's own goals
//! says where to go and how many turns it takes:
//!
//! ```text
//! goals of this turn  <─ ring 2 <─ ring 1 <─ targets
//! ```

use super::board::{Card, Cell, Cells, Colour, Letters};
use super::rules::Step;
use super::table::{Decision, Table};
use pontifex::eval::Random;

/// The table as the side to decide sees it.
struct Sight<'a> {
    table: &'a Table,
    /// The cells that the sledge can pass.
    pass: Cells,
    /// The cells where it can stop if it gets there.
    stop: Cells,
    /// The cells where it can stop in this turn.
    goals: Cells,
    /// Missing letters, or with all six and a devil peg, places to leave it.
    targets: Cells,
    /// Cards known to be devils.
    devils: Cells,
    /// Hidden cards that the player has not seen.
    unknown: Cells,
}

impl<'a> Sight<'a> {
    fn new(table: &'a Table) -> Sight<'a> {
        let (player, own) = (table.chooser, table[table.chooser]);
        let visible = table.open | own.known;
        let (mut targets, mut towers, mut devils) = (Cells::NONE, Cells::NONE, Cells::NONE);
        for cell in visible.iter() {
            match table.card(cell) {
                Some(Card::Tower) => towers.insert(cell),
                Some(Card::Devil) => devils.insert(cell),
                Some(card) if is_missing(table, player, card) => targets.insert(cell),
                _ => {}
            }
        }
        if own.letters == Letters::ALL {
            // A cell with one other sledge; a third sledge cannot stop there.
            targets = towers | (table.crowded(0) - table.crowded(1) - devils);
        }
        let (pass, stop) = (table.pass(), table.stop());
        let start = own.cell.map_or(Cells::NONE, Cells::of);
        let goals = (start.reach(pass) & stop) - start;
        Sight { table, pass, stop, goals, targets, devils, unknown: table.hidden() - visible }
    }

    /// The goals of this turn on the shortest ways to one of `targets` that avoid devils, and the
    /// number of turns. No goals if no way leads there.
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

    /// A goal on the way to a target, else to an unknown card. With a devil peg, the card there is
    /// turned up if it is a target or not known.
    fn walk(&self, random: &mut Random) -> Option<Step> {
        let toward = |cells| self.toward(cells).0;
        let ways = [toward(self.targets), toward(self.unknown), self.goals - self.devils];
        let cell = ways.into_iter().find(|cells| !cells.is_empty())?.random(random)?;
        let useful = self.table.hidden() & (self.unknown | self.targets);
        let reveals = self.table[self.table.chooser].devil && useful.contains(cell);
        Some(Step::Move { cell, reveals })
    }

    /// Scatters open letters that others miss.
    fn hide_letters(&self) -> Option<Step> {
        let (cards, free) = self.table.can_scatter()?;
        let is_missed =
            |card| self.table.others().any(|player| is_missing(self.table, player, card));
        let is_target = |&cell: &Cell| self.table.card(cell).is_some_and(is_missed);
        // Two to four cards can be scattered.
        let from: Cells = (self.table.open & cards).iter().filter(is_target).take(4).collect();
        let to = (free | from).iter().take(from.len()).collect();
        (from.len() >= 2).then_some(Step::Scatter(from, to))
    }

    /// Swaps a missing letter that is far away for a card in reach.
    fn swap_closer(&self, random: &mut Random) -> Option<Step> {
        // A swap takes a turn, and the walk to the card another: more than two turns are far.
        let is_far = self.toward(self.targets).1 > 2;
        let movable = if is_far { self.table.movable() } else { Cells::NONE };
        let letter = (self.targets & movable).random(random)?;
        let near = ((self.goals & movable) - self.targets).random(random)?;
        Some(Step::Swap(Cells::of(letter) | Cells::of(near)))
    }
}

/// Whether `card` is a letter that `player` still needs.
fn is_missing(table: &Table, player: Colour, card: Card) -> bool {
    matches!(
        card,
        Card::Letter(c, letter) if c == player && !table[player].letters.contains(letter)
    )
}

/// The prospects of a player: the number of visible targets, and the turns to the nearest of them,
/// or to an unknown card if there is none, at most 6: the board is small, and without a way there
/// is no number.
pub(super) fn outlook(table: &Table, player: Colour) -> (usize, usize) {
    let table = Table { chooser: player, ..*table };
    let sight = Sight::new(&table);
    let targets = if sight.targets.is_empty() { sight.unknown } else { sight.targets };
    (sight.targets.len(), sight.toward(targets).1.min(6))
}

/// The greedy player: goes to the nearest missing letter and avoids devils. Never swaps or
/// scatters.
pub(super) fn greedy(table: &Table, random: &mut Random) -> Step {
    let sight = Sight::new(table);
    let step = match table.decision {
        Decision::Act | Decision::Continue => sight.walk(random),
        Decision::Tower { can_exorcise: true, .. } => Some(Step::Exorcise),
        Decision::Tower { .. } => sight.unknown.random(random).map(Step::Look),
        Decision::Reveal => Some(Step::Reveal(table.hidden().sample(2, random))),
        _ => None,
    };
    step.unwrap_or_else(|| random_step(table, random))
}

/// The step of a rollout: like the greedy player, but a devil peg hides the letters of others, and
/// swaps bring missing letters close.
pub(super) fn rollout(table: &Table, random: &mut Random) -> Step {
    if table.decision != Decision::Act {
        return greedy(table, random);
    }
    let sight = Sight::new(table);
    let step = sight.hide_letters().or_else(|| sight.swap_closer(random));
    step.or_else(|| sight.walk(random)).unwrap_or_else(|| random_step(table, random))
}

/// A random legal step: first its kind, then one of that kind. Otherwise the many swaps would crowd
/// out the moves.
pub(super) fn random_step(table: &Table, random: &mut Random) -> Step {
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

/// The steps that the search considers besides those that [`rollout`] proposes: moves, and all
/// other decisions but looks, which it leaves to the policy.
pub(super) fn candidates(table: &Table) -> Vec<Step> {
    let is_look = |step: &Step| matches!(step, Step::Look(_));
    match table.decision {
        Decision::Act => table.moves().collect(),
        Decision::Reveal => Vec::new(),
        _ => table.steps().into_iter().filter(|step| !is_look(step)).collect(),
    }
}
