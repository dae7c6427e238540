//! The dealer's game: the true state, and what each player knows of it. It is played by actions as
//! text: `move a2 a3 look c5`, `swap a1,b2`, `scatter a1,b2 to c1,c2`.
//!
//! Knowledge is more than the cards that a player has seen. A player who has looked at a card still
//! knows it after a swap. One who has seen two cards before they were scattered knows that they lie
//! among a few cells. So [`Knowledge`] has, for each of the 42 cards, the cells on which it can
//! lie, and every step that all players see changes these sets. A deal for the search puts each
//! card on one of its cells at random.
//!
//! **Invariant.** The real cards always agree with the knowledge of every player. So a deal always
//! exists, and the loop that looks for one ends.

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
    /// A table that agrees with all that the colour knows. Every call deals anew.
    pub(super) fn deal(&self, random: &mut Random) -> Table {
        Table { cards: self.knowledge.deal(random), ..self.table }
    }
}

impl Game {
    /// Shuffles and deals for two to six players, with no card on the six bordered cells. The seed
    /// fixes the cards and every scattering.
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

    /// The table with the cards that `player` knows, or for `None` those that all players see.
    pub(super) fn visible_to(&self, player: Option<Colour>) -> Table {
        let knowledge = player.and_then(|player| self.knowledge.get(player.index()));
        let mut table = self.table;
        for cell in self.table.hidden().iter() {
            table.cards[cell.index()] = knowledge.and_then(|knowledge| knowledge.known_card(cell));
        }
        table
    }

    /// The game as the side to decide sees it.
    pub(super) fn view(&self) -> View {
        let player = self.table.chooser;
        let mut table = self.visible_to(Some(player));
        let known_cells = table.hidden().iter().filter(|&cell| table.card(cell).is_some());
        table[player].known = known_cells.collect();
        View { table, knowledge: self.knowledge[player.index()].clone() }
    }

    pub(super) fn take(&mut self, step: Step) -> Result<(), Refusal> {
        self.table.check(step)?;
        let (player, hidden) = (self.table.chooser, self.table.hidden());
        self.table.apply(step, &mut self.random);
        let turned_cells = match step {
            Step::Swap(_) | Step::Scatter(..) => Cells::NONE,
            _ => hidden & self.table.open,
        };
        for (index, knowledge) in self.knowledge.iter_mut().enumerate() {
            knowledge.follow(step);
            let seen_cells = match step {
                Step::Look(cell) if index == player.index() => Cells::of(cell),
                _ => turned_cells,
            };
            for cell in seen_cells.iter() {
                self.table.card(cell).into_iter().for_each(|card| knowledge.see(cell, card));
            }
        }
        Ok(())
    }

    /// Plays a line for a player: a turn, or a part of one. Steps after the turning of a card are
    /// dropped if the card does not allow them. A refusal changes nothing, and does not depend on
    /// hidden cards.
    pub(super) fn play(&mut self, player: Colour, line: &str) -> Result<(), Refusal> {
        // On a copy, because a later step may be refused.
        let mut game = self.clone();
        // The cell of the sledge while it passes through cells.
        let mut passing = None;
        for (step, continues) in parse(line).map_err(syntax)? {
            let from = passing.take().or(game.table[player].cell);
            let result = game.table.check_chooser(player).and_then(|()| match step {
                Step::Move { cell, .. } if from.is_some_and(|from| from.distance(cell) != 1) => {
                    Err(illegal(format!("{cell} is not beside the sledge")))
                }
                Step::Move { cell, .. } if continues && game.table.pass().contains(cell) => {
                    passing = Some(cell);
                    Ok(())
                }
                Step::Move { cell, .. } if continues && !game.table.hidden().contains(cell) => {
                    Err(illegal(format!("{cell} cannot be passed")))
                }
                step => game.take(step),
            });
            match result {
                // A turned card cannot be taken back, so the rest of the line is dropped.
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
/// A swap moves the cards of two cells, whatever they are. After a scattering, every card that
/// could be among the scattered ones can lie on all their cells. The sets treat each card by
/// itself, so a little is lost: that exactly one of two cards was scattered.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Knowledge([(Card, Cells); CARDS]);

impl Knowledge {
    /// Every card can lie on every one of the cells.
    fn new(laid: Cells) -> Knowledge {
        Knowledge(Card::deck().map(|card| (card, laid)))
    }

    /// Updates the sets after a step that all players see.
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

    /// Updates the sets after the player has seen a card. Devils are indistinguishable, and so are
    /// towers: each of the others can lie wherever one of them could.
    fn see(&mut self, cell: Cell, card: Card) {
        let is_alike = |entry: &(Card, Cells)| entry.0 == card && entry.1.contains(cell);
        let alike = self.0.iter().filter(|entry| is_alike(entry));
        let union = alike.fold(Cells::NONE, |union, entry| union | entry.1);
        // The first of the alike gets the cell; the others get what is left of the union.
        let mut place = Cells::of(cell);
        for entry in &mut self.0 {
            let is_one = is_alike(entry);
            let others = if is_one { union } else { entry.1 } - Cells::of(cell);
            entry.1 = if is_one { replace(&mut place, others) } else { others };
        }
    }

    /// The card on a cell, if only one kind of card can lie there.
    fn known_card(&self, cell: Cell) -> Option<Card> {
        let mut cards = self.0.iter().filter(|entry| entry.1.contains(cell)).map(|entry| entry.0);
        let card = cards.next()?;
        cards.all(|other| other == card).then_some(card)
    }

    /// A random deal that agrees with the knowledge. Cards with few cells choose first, which
    /// leaves few dead ends. If a card finds no cell, the deal starts over. The deals are not
    /// exactly uniform, but a search does not notice.
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
    "swap CELL,CELL: two cards, face down, or face up and of the player's own colour",
    "scatter CELL,CELL[,..] to CELL,CELL[,..]: with a devil peg, turn down and shuffle cards",
    "turn [CELL,CELL]: after leaving, two cards; after a move with a devil peg, the card there",
    "look CELL: at a tower, see a card that lies face down",
    "exorcise: at a tower, put the devil peg back",
    "from COLOUR: take the devil peg of that colour",
    "drop LETTERS: put back two letters, as in drop AB",
    "pass: no more, or nothing else is possible",
];

/// The names of the actions, for errors.
const NAMES: &str = "an action: place, move, swap, scatter, turn, look, exorcise, from, drop, pass";

/// The name at the beginning of a usage.
pub(super) fn name(usage: &str) -> &str {
    usage.split([' ', ':']).next().unwrap_or(usage)
}

/// Reads an action: steps that begin with their names. Each cell of a path is a step; the flag says
/// whether the path continues from there.
fn parse(line: &str) -> Result<Vec<(Step, bool)>, ParseError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut steps = Vec::new();
    for clause in words.chunk_by(|_, next| !ACTIONS.iter().any(|usage| name(usage) == *next)) {
        let step = match (clause, steps.last_mut()) {
            (["turn"], Some((Step::Move { reveals: reveals @ false, .. }, _))) => {
                *reveals = true;
                continue;
            }
            (["move", first, rest @ ..], _) => {
                let mut current: Cell = first.parse()?;
                for cell in rest {
                    steps.push((Step::Move { cell: current, reveals: false }, true));
                    let from = replace(&mut current, cell.parse()?);
                    if from.distance(current) != 1 {
                        return Err(Problem::Apart(from, current).into());
                    }
                }
                Step::Move { cell: current, reveals: false }
            }
            (["place", cell], _) => Step::Place(cell.parse()?),
            (["swap", pair], _) => Step::Swap(pair.parse()?),
            (["scatter", from, "to", to], _) => Step::Scatter(from.parse()?, to.parse()?),
            (["turn", cells], _) => Step::Reveal(cells.parse()?),
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
