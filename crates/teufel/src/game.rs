//! The dealer's game: what is so, and beside it what each player knows. It is
//! played by actions as text: `move a2 a3 look c5`, `swap a1,b2`,
//! `scatter a1,b2 to c1,c2`.
//!
//! Knowledge is more than the cards that one has seen. Who has looked at a card still knows it
//! after a swap; who has seen two cards before they were scattered knows that they lie among
//! a few cells. So [`Knowledge`] has, for each of the 42 cards, the cells on which it can lie, and
//! every step that all see changes these sets. A deal for the search is a random way to put
//! each card on one of its cells.
//!
//! **Invariant.** The real cards always agree with the knowledge of every player. So a deal
//! always exists, and the loop that looks for one ends.

use std::mem::replace;

use super::board::{
    CARDS, CELLS, Card, Cell, Cells, Colour, MAX_PLAYERS, ParseError, Problem, unknown,
};
use super::rules::{Refusal, Step, illegal, syntax};
use super::table::{Decision, Sledge, Table};
use pontifex::eval::Random;

/// A game with all its cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Game {
    /// The table as it is.
    pub(super) table: Table,
    /// What each player knows of the cards.
    knowledge: Vec<Knowledge>,
    random: Random,
}

/// The game as one colour sees it. Players get this and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// The table, with the cards that the colour knows.
    pub(super) table: Table,
    knowledge: Knowledge,
}

impl View {
    /// A table as it may be, for all that the colour knows. Every call deals anew.
    pub(super) fn deal(&self, random: &mut Random) -> Table {
        Table { cards: self.knowledge.deal(random), ..self.table }
    }
}

impl Game {
    /// Shuffles and deals for two to six players, with no card on the six bordered
    /// cells. The seed fixes the cards and every scattering.
    pub(super) fn new(players: usize, bordered: Cells, seed: u64) -> Game {
        let mut random = Random::new(seed);
        let laid = Cells::ALL - bordered - Cells::of(Cell::HEAD);
        let knowledge = Knowledge::new(laid);
        let table = Table {
            players,
            cards: knowledge.deal(&mut random),
            laid,
            open: Cells::NONE,
            sledges: [Sledge::default(); MAX_PLAYERS],
            mover: Colour::BLUE,
            chooser: Colour::BLUE,
            decision: Decision::Place,
            turn: 0,
        };
        Game { table, knowledge: vec![knowledge; players], random }
    }

    /// The table with the cards that `who` knows, or that all see.
    pub(super) fn seen(&self, who: Option<Colour>) -> Table {
        let knowledge = who.and_then(|who| self.knowledge.get(who.index()));
        let mut table = self.table;
        for cell in self.table.hidden().iter() {
            table.cards[cell.index()] = knowledge.and_then(|knowledge| knowledge.known(cell));
        }
        table
    }

    /// The game as the side to decide sees it.
    pub(super) fn view(&self) -> View {
        let who = self.table.chooser;
        let mut table = self.seen(Some(who));
        let known = table.hidden().iter().filter(|&cell| table.card(cell).is_some());
        table[who].known = known.collect();
        View { table, knowledge: self.knowledge[who.index()].clone() }
    }

    pub(super) fn take(&mut self, step: Step) -> Result<(), Refusal> {
        self.table.check(step)?;
        let (who, hidden) = (self.table.chooser, self.table.hidden());
        self.table.apply(step, &mut self.random);
        let turned = match step {
            Step::Swap(_) | Step::Scatter(..) => Cells::NONE,
            _ => hidden & self.table.open,
        };
        for (index, knowledge) in self.knowledge.iter_mut().enumerate() {
            knowledge.follow(step);
            let seen = match step {
                Step::Look(cell) if index == who.index() => Cells::of(cell),
                _ => turned,
            };
            for cell in seen.iter() {
                self.table.card(cell).into_iter().for_each(|card| knowledge.see(cell, card));
            }
        }
        Ok(())
    }

    /// Plays a line for a colour: a turn, or a part of one. What follows the
    /// turning of a card holds if the card allows it, and lapses otherwise.
    /// A refusal changes nothing, and does not depend on hidden cards.
    pub(super) fn play(&mut self, who: Colour, line: &str) -> Result<(), Refusal> {
        // On a copy, as a later step may be refused.
        let mut game = self.clone();
        // Where the sledge is on its way through cells that it passes.
        let mut at = None;
        for (step, goes_on) in parse(line).map_err(syntax)? {
            let from = at.take().or(game.table[who].cell);
            let result = game.table.check_chooser(who).and_then(|()| match step {
                Step::Go(cell, _) if from.is_some_and(|from| from.distance(cell) != 1) => {
                    Err(illegal(format!("{cell} is not beside the sledge")))
                }
                Step::Go(cell, _) if goes_on && game.table.pass().contains(cell) => {
                    at = Some(cell);
                    Ok(())
                }
                Step::Go(cell, _) if goes_on && !game.table.hidden().contains(cell) => {
                    Err(illegal(format!("{cell} cannot be passed")))
                }
                step => game.take(step),
            });
            match result {
                // A card has been turned up, which cannot be taken back: what follows lapses.
                Err(_) if game.table.hidden().len() < self.table.hidden().len() => break,
                result => result?,
            }
        }
        *self = game;
        Ok(())
    }
}

/// The cells on which each card can lie, from all that a player has seen.
///
/// A swap moves the cards of two cells, whatever they are. After a scattering,
/// every card that could be among the scattered ones can lie on all their cells. The sets treat
/// each card by itself, so a little is forgotten: that of two cards exactly one was scattered.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Knowledge([(Card, Cells); CARDS]);

impl Knowledge {
    /// Every card can lie on every one of the cells.
    fn new(laid: Cells) -> Knowledge {
        Knowledge(Card::deck().map(|card| (card, laid)))
    }

    /// Follows a step that all players see.
    fn follow(&mut self, step: Step) {
        for (_, cells) in &mut self.0 {
            match step {
                Step::Swap(pair) => *cells = cells.swapped(pair),
                Step::Scatter(from, to) if (*cells & from) != Cells::NONE => {
                    *cells = (*cells - from) | to;
                }
                _ => {}
            }
        }
    }

    /// The player sees a card. Which of several devils or towers it is remains
    /// open: each of those left can lie wherever one of them could.
    fn see(&mut self, cell: Cell, seen: Card) {
        let is_alike = |entry: &(Card, Cells)| entry.0 == seen && entry.1.contains(cell);
        let alike = self.0.iter().filter(|entry| is_alike(entry));
        let union = alike.fold(Cells::NONE, |union, entry| union | entry.1);
        // The first of the alike gets the cell; the others get what is left of the union.
        let mut place = Cells::of(cell);
        for entry in &mut self.0 {
            let is_alike = is_alike(entry);
            let others = if is_alike { union } else { entry.1 } - Cells::of(cell);
            entry.1 = if is_alike { replace(&mut place, others) } else { others };
        }
    }

    /// The card on a cell, if only one kind of card can lie there.
    fn known(&self, cell: Cell) -> Option<Card> {
        let mut cards = self.0.iter().filter(|entry| entry.1.contains(cell)).map(|entry| entry.0);
        let card = cards.next()?;
        cards.all(|other| other == card).then_some(card)
    }

    /// A random deal that agrees with the knowledge. Cards with few cells choose
    /// first, which leaves few dead ends; where a card finds none, all begin anew. The deals are
    /// not exactly uniform, which a search does not notice.
    fn deal(&self, random: &mut Random) -> [Option<Card>; CELLS] {
        let mut order = self.0;
        order.sort_unstable_by_key(|entry| entry.1.len());
        loop {
            let (mut cards, mut free) = ([None; CELLS], Cells::ALL);
            let is_dealt = order.iter().all(|&(card, possible)| {
                let cell = (possible & free).random(random);
                free = cell.map_or(free, |cell| free - Cells::of(cell));
                cell.map(|cell| cards[cell.index()] = Some(card)).is_some()
            });
            if is_dealt {
                return cards;
            }
        }
    }
}

/// The actions, their arguments and their meaning.
pub(super) const ACTIONS: [&str; 10] = [
    "place CELL: put the sledge on the board",
    "move CELL CELL ...: step by step; a card that stops the sledge ends the path",
    "swap CELL,CELL: two cards, face down, or face up and of the own colour",
    "scatter CELL,CELL[,..] to CELL,CELL[,..]: with a devil peg, turn down and shuffle cards",
    "turn [CELL,CELL]: after leaving, two cards; after a move with a devil peg, the card there",
    "look CELL: at a tower, see a card that lies face down",
    "exorcise: at a tower, put the devil peg back",
    "from COLOUR: take the devil peg of that colour",
    "drop LETTERS: put back two letters, as in drop AB",
    "pass: no more, or nothing else is possible",
];

/// What an action is called, for errors.
const NAMES: &str = "an action: place, move, swap, scatter, turn, look, exorcise, from, drop, pass";

/// The name at the beginning of a usage.
pub(super) fn name(usage: &str) -> &str {
    usage.split([' ', ':']).next().unwrap_or(usage)
}

/// Reads an action: steps that begin with their names. Each cell of a path is a
/// step; the flag says whether the path goes on from there.
fn parse(line: &str) -> Result<Vec<(Step, bool)>, ParseError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut steps = Vec::new();
    for clause in words.chunk_by(|_, next| !ACTIONS.iter().any(|usage| name(usage) == *next)) {
        let step = match (clause, steps.last_mut()) {
            (["turn"], Some((Step::Go(_, turns @ false), _))) => {
                *turns = true;
                continue;
            }
            (["move", first, rest @ ..], _) => {
                let mut at: Cell = first.parse()?;
                for cell in rest {
                    steps.push((Step::Go(at, false), true));
                    let from = replace(&mut at, cell.parse()?);
                    if from.distance(at) != 1 {
                        return Err(Problem::Apart(from, at).into());
                    }
                }
                Step::Go(at, false)
            }
            (["place", cell], _) => Step::Place(cell.parse()?),
            (["swap", pair], _) => Step::Swap(pair.parse()?),
            (["scatter", from, "to", to], _) => Step::Scatter(from.parse()?, to.parse()?),
            (["turn", cells], _) => Step::Turn(cells.parse()?),
            (["look", cell], _) => Step::Look(cell.parse()?),
            (["exorcise"], _) => Step::Exorcise,
            (["from", colour], _) => Step::From(colour.parse()?),
            (["drop", letters], _) => Step::Drop(letters.parse()?),
            (["pass"], _) => Step::Pass,
            _ => {
                let usage = ACTIONS.into_iter().find(|usage| name(usage) == clause[0]);
                return Err(usage.map_or_else(
                    || unknown(clause[0], NAMES),
                    |usage| Problem::Usage(usage).into(),
                ));
            }
        };
        steps.push((step, false));
    }
    Ok(steps)
}
