//! The dealer's game: what is so, and beside it what each player knows.

use super::card::{Colour, MOST};
use super::cells::{Cell, Cells};
use super::knowledge::Knowledge;
use super::legal::Refusal;
use super::rules::Step;
use super::table::{Decision, Table};
use crate::eval::Random;

/// A game with all its cards.
#[derive(Clone, Debug)]
pub struct Game {
    table: Table,
    knowledge: Vec<Knowledge>,
    random: Random,
}

/// The game as one colour sees it. Players get this and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The table, with the cards that the colour knows.
    pub table: Table,
    knowledge: Knowledge,
}

impl View {
    /// A table as it may be, for all that the colour knows.
    pub fn deal(&self, random: &mut Random) -> Table {
        Table { cards: self.knowledge.deal(random), ..self.table }
    }
}

impl Game {
    /// Shuffles and deals to 2 to 6 players; `bordered` are the six cells that carry
    /// no card. The seed fixes the cards and every scattering.
    pub fn new(players: usize, bordered: Cells, seed: u64) -> Game {
        let mut random = Random::new(seed);
        let laid = Cells::ALL - bordered - Cells::one(Cell::HEAD);
        let knowledge = Knowledge::new(laid);
        let table = Table {
            players,
            cards: knowledge.deal(&mut random),
            laid,
            open: Cells::NONE,
            looked: [Cells::NONE; MOST],
            sledges: [None; MOST],
            letters: Default::default(),
            devils: [false; MOST],
            left: [0; MOST],
            mover: Colour::BLUE,
            chooser: Colour::BLUE,
            decision: Decision::Place,
            turn: 0,
        };
        Game { table, knowledge: vec![knowledge; players], random }
    }

    /// The table as it is, with all cards.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table with the cards that `who` knows, or that all see.
    pub fn seen(&self, who: Option<Colour>) -> Table {
        let visible = who.map_or(self.table.open, |who| self.table.visible(who));
        let mut table = self.table;
        for cell in (self.table.laid - visible).iter() {
            table.cards[cell.index()] = None;
        }
        table
    }

    /// The game as the side to decide sees it.
    pub fn view(&self) -> View {
        let who = self.table.chooser;
        View { table: self.seen(Some(who)), knowledge: self.knowledge[who.index()].clone() }
    }

    /// Takes a step.
    ///
    /// # Errors
    /// The rule that forbids it; nothing changes then.
    pub fn take(&mut self, step: Step) -> Result<(), Refusal> {
        self.table.check(step)?;
        self.table.apply(step, &mut self.random);
        for (who, knowledge) in self.table.colours().zip(&mut self.knowledge) {
            knowledge.follow(step);
            for cell in self.table.visible(who).iter() {
                if let Some(card) = self.table.card(cell) {
                    knowledge.see(cell, card);
                }
            }
        }
        Ok(())
    }

    /// Secretly exchanges the cards on two cells: for tests that a player's answers
    /// depend only on what the player has seen.
    pub fn exchange(&mut self, a: Cell, b: Cell) {
        self.table.cards.swap(a.index(), b.index());
    }
}
