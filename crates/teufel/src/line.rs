//! Actions as text: `move a2 a3 look c5`, `swap a1,b2`, `scatter a1,b2 to c1,c2`.

use std::mem::replace;

use super::card::Colour;
use super::cells::Cell;
use super::game::Game;
use super::legal::{Refusal, illegal, syntax};
use super::rules::Step;
use super::table::{Decision, Table};

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

/// The name at the beginning of a usage.
pub(super) fn name(usage: &str) -> &str {
    usage.split([' ', ':']).next().unwrap_or(usage)
}

/// Reads an action: steps that begin with their names. Each cell of a path is a
/// step; the flag says whether the path goes on from there.
fn parse(line: &str) -> Result<Vec<(Step, bool)>, String> {
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
                        return Err(format!("{at} is not beside {from}"));
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
                let names = || ACTIONS.map(name).join(", ");
                let unknown = || format!("'{}' is not an action: {}", clause[0], names());
                return Err(usage.map_or_else(unknown, str::to_owned));
            }
        };
        steps.push((step, false));
    }
    Ok(steps)
}

impl Game {
    /// Plays a line for a colour: a turn, or a part of one. What follows the
    /// turning of a card holds if the card allows it, and lapses otherwise.
    /// A refusal changes nothing, and does not depend on hidden cards.
    pub(super) fn play(&mut self, who: Colour, line: &str) -> Result<(), Refusal> {
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
                Err(_) if game.table.hidden().len() < self.table.hidden().len() => break,
                result => result?,
            }
        }
        *self = game;
        Ok(())
    }
}

impl Table {
    /// Refuses whoever does not decide now.
    pub(super) fn check_chooser(&self, who: Colour) -> Result<(), Refusal> {
        match self.decision {
            Decision::Over => Err(illegal("the game is over")),
            _ if self.chooser == who => Ok(()),
            _ => Err(illegal(format!("{} decides now", self.chooser))),
        }
    }

    /// The line for a step.
    pub(super) fn line(&self, step: Step) -> String {
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
    /// each cell, and at last the scatterings in one line.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.steps().into_iter().map(|s| self.line(s)).collect();
        if let Some((cards, free)) = self.can_scatter() {
            lines.push(format!("scatter two to four of {cards} to their own cells or {free}"));
        }
        lines
    }
}
