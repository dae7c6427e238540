//! What a player knows of the cards, and deals that agree with it.

use super::card::{CARDS, Card};
use super::cells::{CELLS, Cell, Cells};
use super::rules::Step;
use crate::eval::Random;

/// The cells on which each card can lie, from all that a player has seen.
///
/// A swap moves the cards of two cells, whatever they are. After a scattering,
/// every card that could be among the scattered ones can lie on all their cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Knowledge([(Card, Cells); CARDS]);

impl Knowledge {
    /// Every card can lie on every one of the cells.
    pub(super) fn new(laid: Cells) -> Knowledge {
        Knowledge(Card::deck().map(|card| (card, laid)))
    }

    /// Follows a step that all players see.
    pub(super) fn follow(&mut self, step: Step) {
        for (_, cells) in &mut self.0 {
            match step {
                Step::Swap(pair) => *cells = cells.swapped(pair),
                Step::Scatter(from, to) if !(*cells & from).is_empty() => {
                    *cells = (*cells - from) | to;
                }
                _ => {}
            }
        }
    }

    /// The player sees a card. Which of several devils or towers it is remains
    /// open: each of those left can lie wherever one of them could.
    pub(super) fn see(&mut self, cell: Cell, seen: Card) {
        let place = Cells::one(cell);
        let is_alike = |entry: &(Card, Cells)| entry.0 == seen && entry.1.contains(cell);
        let alike = self.0.iter().filter(|entry| is_alike(entry));
        let union = alike.fold(Cells::NONE, |union, entry| union | entry.1);
        let mut kept = Some(place);
        for entry in &mut self.0 {
            let others = if is_alike(entry) {
                kept.take().unwrap_or(union - place)
            } else {
                entry.1 - place
            };
            entry.1 = others;
        }
    }

    /// A random deal that agrees with the knowledge.
    pub(super) fn deal(&self, random: &mut Random) -> [Option<Card>; CELLS] {
        let mut owners = [None; CELLS];
        // Cards with few cells first, so that few have to move again.
        let mut order: [usize; CARDS] = std::array::from_fn(|index| index);
        order.sort_unstable_by_key(|&index| self.0[index].1.len());
        for index in order {
            let is_laid = self.lay(index, &mut owners, &mut Cells::default(), random);
            debug_assert!(is_laid, "the true deal agrees, so there is a place for every card");
        }
        owners.map(|owner| owner.map(|index| self.0[index].0))
    }

    /// Lays a card on a random cell, moving others away where it has to (Kuhn's
    /// algorithm). Returns whether there is a place. Cells in `tried` are left alone.
    fn lay(
        &self,
        index: usize,
        owners: &mut [Option<usize>; CELLS],
        tried: &mut Cells,
        random: &mut Random,
    ) -> bool {
        let possible = self.0[index].1;
        let free = possible.iter().filter(|cell| owners[cell.index()].is_none()).collect::<Cells>();
        let free = free.random(random);
        while let Some(cell) = free.or_else(|| (possible - *tried).random(random)) {
            tried.insert(cell);
            if owners[cell.index()].is_none_or(|other| self.lay(other, owners, tried, random)) {
                owners[cell.index()] = Some(index);
                return true;
            }
        }
        false
    }
}
