//! Actions as text: `move a2 a3 look c5`, `swap a1,b2`, `scatter a1,b2 to c1,c2`.

use super::card::Colour;
use super::cells::Cell;
use super::game::Game;
use super::legal::Refusal;
use super::rules::Step;
use super::table::{Decision, Table};

/// The actions, their arguments, and what they are.
pub(super) const ACTIONS: [&str; 11] = [
    "place CELL - put your sledge on the board",
    "move CELL CELL ... - move step by step; a card that stops you ends the path",
    "swap CELL,CELL - swap two cards: hidden, or face up and of your colour",
    "scatter CELL,CELL[,..] to CELL,CELL[,..] - with a devil peg: shuffle two to four cards",
    "turn CELL,CELL - after you have left: turn up two cards",
    "turn - after move, with a devil peg: turn up the card there",
    "look CELL - at a tower: look at a hidden card",
    "exorcise - at a tower: put your devil peg back",
    "from COLOUR - whose devil peg you take",
    "drop LETTERS - which two letters you put back",
    "pass - nothing more",
];

/// A part of an action.
enum Clause {
    /// A path, and whether the last card is turned up.
    Path(Vec<Cell>, bool),
    Step(Step),
}

/// The usage of a word: the line of a table that begins with it.
pub(super) fn usage<'a>(table: &[&'a str], word: &str) -> Option<&'a str> {
    table.iter().copied().find(|usage| usage.split(' ').next() == Some(word))
}

/// Reads an action: words that begin with the name of a clause, and its arguments.
fn parse(line: &str) -> Result<Vec<Clause>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut clauses = Vec::new();
    for clause in words.chunk_by(|_, next| usage(&ACTIONS, next).is_none()) {
        let step = match (clause, clauses.last_mut()) {
            (["turn"], Some(Clause::Path(_, turns @ false))) => {
                *turns = true;
                continue;
            }
            (["move", path @ ..], _) if !path.is_empty() => {
                let path: Result<_, String> = path.iter().map(|cell| cell.parse()).collect();
                clauses.push(Clause::Path(path?, false));
                continue;
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
            (words, _) => {
                let unknown = || format!("'{}' is not an action", words[0]);
                return Err(usage(&ACTIONS, words[0]).map_or_else(unknown, str::to_owned));
            }
        };
        clauses.push(Clause::Step(step));
    }
    Ok(clauses)
}

impl Game {
    /// Plays a line for a colour: a turn, or a part of one. What follows the
    /// turning of a card holds if the card allows it, and lapses otherwise.
    ///
    /// # Errors
    /// The line is no action, or a rule forbids it; nothing changes then. Neither
    /// depends on cards that the colour does not know.
    pub fn play(&mut self, who: Colour, line: &str) -> Result<(), Refusal> {
        let clauses = parse(line).map_err(Refusal::Syntax)?;
        let hidden = self.table().hidden().len();
        let mut game = self.clone();
        for clause in clauses {
            let result = game.table().check_chooser(who).and_then(|()| match clause {
                Clause::Path(path, turns) => game.follow_path(&path, turns),
                Clause::Step(step) => game.take(step),
            });
            match result {
                Err(_) if game.table().hidden().len() < hidden => break,
                result => result?,
            }
        }
        *self = game;
        Ok(())
    }

    /// Moves along a path, as far as the cards on it allow.
    fn follow_path(&mut self, path: &[Cell], turns: bool) -> Result<(), Refusal> {
        let illegal = |cell: Cell, rule: &str| Err(Refusal::Illegal(format!("{cell} {rule}")));
        let [way @ .., last] = path else { return Ok(()) };
        if let Some(start) = self.table().sledge(self.table().chooser) {
            let path = [&[start], path].concat();
            if let Some(pair) = path.windows(2).find(|pair| pair[0].distance(pair[1]) != 1) {
                return illegal(pair[1], "is not beside the cell before it");
            }
        }
        for &cell in way {
            let table = self.table();
            if table.hidden().contains(cell) && !table.has_devil(table.chooser) {
                self.take(Step::Go(cell, false))?;
                if self.table().decision != Decision::GoOn {
                    return Ok(());
                }
            } else if cell == Cell::HEAD && table.pegs_on_head() > 0 {
                return illegal(cell, "is the devil's head, closed while a devil peg stands on it");
            } else if !table.pass().contains(cell) {
                return illegal(cell, "cannot be passed: a card or a sledge is in the way");
            }
        }
        self.take(Step::Go(*last, turns))
    }
}

impl Table {
    /// Refuses a colour that does not decide now.
    pub(super) fn check_chooser(&self, who: Colour) -> Result<(), Refusal> {
        match self.decision {
            Decision::Over => Err(Refusal::Illegal("the game is over".to_owned())),
            _ if self.chooser == who => Ok(()),
            _ => Err(Refusal::Illegal(format!("{} decides now", self.chooser))),
        }
    }

    /// The line for a legal step of the side to decide.
    pub fn line(&self, step: Step) -> String {
        match step {
            Step::Place(cell) => format!("place {cell}"),
            Step::Go(cell, turns) => {
                let path = self.path_to(cell).into_iter().map(|cell| format!(" {cell}"));
                format!("move{}{}", path.collect::<String>(), if turns { " turn" } else { "" })
            }
            Step::Swap(pair) => format!("swap {pair}"),
            Step::Scatter(from, to) => format!("scatter {from} to {to}"),
            Step::Turn(cells) => format!("turn {cells}"),
            Step::Look(cell) => format!("look {cell}"),
            Step::Exorcise => "exorcise".to_owned(),
            Step::From(colour) => format!("from {colour}"),
            Step::Drop(letters) => format!("drop {letters}"),
            Step::Pass => "pass".to_owned(),
        }
    }

    /// Every legal action of the side to decide, with one of the shortest paths to
    /// each cell; of the many scatterings one.
    pub fn actions(&self) -> Vec<String> {
        let cards = self.can_scatter().and_then(|(cards, _)| cards.pairs().next());
        let scatter = cards.map(|pair| Step::Scatter(pair, pair));
        self.steps().into_iter().chain(scatter).map(|step| self.line(step)).collect()
    }
}
