//! A puzzle as a line of text, and the collection that comes with the program.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

use super::theme::Theme;
use crate::board::{Cell, Symmetry};
use crate::game::{Color, Position, Setup, Supply, Value};

/// What the solver of a puzzle has to reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// Keep the win, by any margin.
    Win,
    /// Keep the draw.
    Draw,
    /// Keep the exact value: win by the most.
    Most,
}

impl Goal {
    /// The value for White that a right turn keeps, in a position with the
    /// value `value` and this side to move.
    pub fn value(self, value: Value, side: Color) -> Value {
        match self {
            Goal::Win => Value::new(1).seen_by(side),
            Goal::Draw => Value::DRAW,
            Goal::Most => value,
        }
    }

    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Draw => "draw",
            Goal::Most => "most",
        }
    }
}

/// A position with a task and a provable answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// The name: six hex digits made from the position, the same for all
    /// symmetric ones.
    pub id: String,
    /// What the right turns do.
    pub theme: Theme,
    /// From 1 (easy) to 3.
    pub difficulty: u8,
    /// The task.
    pub goal: Goal,
    /// White's value with perfect play.
    pub value: Value,
    /// The number of right turns.
    pub right: usize,
    /// The number of legal turns.
    pub legal: usize,
    /// The position.
    pub position: Position,
}

/// The text is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("not a puzzle: {0}")]
pub struct ParsePuzzleError(
    /// What is wrong.
    pub String,
);

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    /// Reads `ID THEME DIFFICULTY GOAL VALUE RIGHT/LEGAL SUPPLY POSITION`.
    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        let fail = |what: &str| ParsePuzzleError(format!("{what} in '{line}'"));
        let fields: Vec<&str> = line.splitn(8, ' ').collect();
        let &[id, theme, difficulty, goal, value, turns, supply, position] = &fields[..] else {
            return Err(fail("fewer than eight fields"));
        };
        let goals = [Goal::Win, Goal::Draw, Goal::Most];
        let goal = goals.into_iter().find(|each| each.word() == goal);
        let (right, legal) = turns.split_once('/').ok_or_else(|| fail("no RIGHT/LEGAL"))?;
        let supply: Supply = supply.parse().map_err(|_| fail("no supply"))?;
        let setup = Setup::parse(position, supply, false);
        let setup = setup.map_err(|error| ParsePuzzleError(error.to_string()))?;
        let position = setup.validate().map_err(|error| ParsePuzzleError(error.to_string()))?;
        Ok(Puzzle {
            id: id.to_owned(),
            theme: theme.parse().map_err(|_| fail("an unknown theme"))?,
            difficulty: difficulty.parse().map_err(|_| fail("no difficulty"))?,
            goal: goal.ok_or_else(|| fail("an unknown goal"))?,
            value: value.parse().map_err(|_| fail("no value"))?,
            right: right.parse().map_err(|_| fail("no number of turns"))?,
            legal: legal.parse().map_err(|_| fail("no number of turns"))?,
            position,
        })
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Puzzle { id, theme, difficulty, goal, value, right, legal, position } = self;
        let (goal, supply) = (goal.word(), position.rules().supply);
        write!(f, "{id} {theme} {difficulty} {goal} {value} {right}/{legal} {supply} {position}")
    }
}

/// A name for a position, the same for all its mirror images and rotations: six
/// hex digits.
pub fn identity(position: &Position) -> String {
    let image = |symmetry: Symmetry| {
        let place = |cell: Cell| symmetry.apply(cell, position.size()).index() as u8;
        let mut key = vec![position.size().get(), position.side().index() as u8];
        for color in Color::BOTH {
            let mut cells: Vec<u8> = position.tiles(color).into_iter().map(place).collect();
            cells.sort_unstable();
            key.push(u8::MAX);
            key.extend(cells);
        }
        let ends = |site: crate::board::Site| {
            let mut ends = site.ends().map(place);
            ends.sort_unstable();
            ends
        };
        let mut bridges: Vec<[u8; 2]> = position.bridges().iter().map(ends).collect();
        bridges.sort_unstable();
        key.push(u8::MAX);
        key.extend(bridges.into_iter().flatten());
        key
    };
    let key = Symmetry::all().map(image).min().unwrap_or_default();
    let rules = position.rules().supply.to_string();
    format!("{:06x}", crc32fast::hash(&[&key, rules.as_bytes()].concat()) & 0x00ff_ffff)
}

/// The puzzles that come with the program, easy ones first.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub fn collection() -> &'static [Puzzle] {
    static COLLECTION: OnceLock<Vec<Puzzle>> = OnceLock::new();
    COLLECTION.get_or_init(|| {
        let lines = include_str!("collection.txt").lines().filter(|line| !line.starts_with('#'));
        let mut puzzles: Vec<Puzzle> =
            lines.map(|line| line.parse().unwrap_or_else(|error| panic!("{error}"))).collect();
        puzzles.sort_by_key(|puzzle| (puzzle.difficulty, puzzle.legal));
        puzzles
    })
}
