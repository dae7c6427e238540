//! A puzzle as a line of text, the collection that comes with the program, and
//! the themes: what a turn does, in the words of the designer's advice, found by
//! comparing the position before the turn with the position after it.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

use crate::board::{Cell, Cells, Site, Symmetry};
use crate::eval::{self, bridge_gains};
use crate::game::{Color, Move, Position, Setup, Supply, Value};

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
        let ends = |site: Site| {
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

/// What the right turns of a position do. A turn that does several things
/// belongs to the first of them in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
    /// A bridge when at most two are left in the supply.
    Supply,
    /// A bridge that gains no point and prevents something: an island the
    /// opponent could complete, a bridge between their networks, or that one of
    /// their sandbanks can still become an island.
    Block,
    /// A pass, or a bridge that gains no point and prevents nothing: the
    /// opponent must use up a pair of tiles.
    Tempo,
    /// A bridge that joins networks.
    Connect,
    /// Tiles after which at least two bridges would join networks, at least one
    /// of them new.
    Fork,
    /// Tiles that complete an island and prevent something as in `Block`.
    Both,
    /// A tile under a knight's-jump bridge that would join two of the opponent's
    /// networks.
    Cut,
    /// A tile where the opponent could have completed an island.
    Deny,
    /// Tiles after which one of the opponent's sandbanks can no longer become an
    /// island: burned land.
    Burn,
    /// Tiles that complete an island.
    Complete,
    /// Tiles after which one bridge would join networks, where none could before.
    Prepare,
    /// Tiles on two cells that the opponent could have used.
    Space,
    /// None of these.
    Quiet,
}

const WORDS: [(Theme, &str); 13] = [
    (Theme::Supply, "supply"),
    (Theme::Block, "block"),
    (Theme::Tempo, "tempo"),
    (Theme::Connect, "connect"),
    (Theme::Fork, "fork"),
    (Theme::Both, "both"),
    (Theme::Cut, "cut"),
    (Theme::Deny, "deny"),
    (Theme::Burn, "burn"),
    (Theme::Complete, "complete"),
    (Theme::Prepare, "prepare"),
    (Theme::Space, "space"),
    (Theme::Quiet, "quiet"),
];

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(theme, _)| theme == self).map_or("", |(_, word)| word);
        f.pad(word)
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Theme, String> {
        let found = WORDS.iter().find(|(_, word)| *word == text);
        found.map(|(theme, _)| *theme).ok_or_else(|| text.to_owned())
    }
}

/// The effects of a turn.
#[derive(Debug)]
struct Effects {
    /// The points gained.
    points: u16,
    completes: bool,
    /// The cells where the opponent can no longer complete an island.
    denied: Cells,
    /// The opponent's joining bridges that are no longer possible.
    cut: Vec<Site>,
    /// The number of the opponent's sandbanks that can no longer become islands.
    burned: usize,
    /// The number of joining bridges after the turn.
    joins: usize,
    /// Whether one of them is new.
    prepares: bool,
    /// How many of its tiles lie on cells that the opponent could have used.
    taken: u32,
}

impl Theme {
    /// The theme of a legal turn.
    pub fn of(position: &Position, mv: Move) -> Theme {
        let effects = Effects::of(position, mv);
        let stops = !effects.denied.is_empty() || effects.burned > 0 || !effects.cut.is_empty();
        if mv == Move::Pass {
            return Theme::Tempo;
        }
        if matches!(mv, Move::Bridge(..)) {
            return match effects.points {
                _ if position.bridges_left().is_some_and(|left| left <= 2) => Theme::Supply,
                0 if stops => Theme::Block,
                0 => Theme::Tempo,
                _ => Theme::Connect,
            };
        }
        let is_knights_jump = |site: &Site| site.span().len() == 2;
        match () {
            () if effects.prepares && effects.joins >= 2 => Theme::Fork,
            () if effects.completes && stops => Theme::Both,
            () if effects.cut.iter().any(is_knights_jump) => Theme::Cut,
            () if !effects.denied.is_empty() => Theme::Deny,
            () if effects.burned > 0 => Theme::Burn,
            () if effects.completes => Theme::Complete,
            () if effects.prepares => Theme::Prepare,
            () if effects.taken == 2 => Theme::Space,
            () => Theme::Quiet,
        }
    }
}

impl Effects {
    fn of(position: &Position, mv: Move) -> Effects {
        let (me, other) = (position.side(), !position.side());
        let mut after = *position;
        let _ = after.play(mv);
        // The opponent's groups themselves do not change.
        let hopeful = hopeful_groups(position, other);
        let still = hopeful_groups(&after, other);
        let (before, now) = (joining_sites(position, me), joining_sites(&after, me));
        let new = after.tiles(me) - position.tiles(me);
        let theirs = joining_sites(position, other).into_iter();
        let buildable = after.buildable(other);
        Effects {
            points: after.score(me).points - position.score(me).points,
            completes: after.score(me).islands > position.score(me).islands,
            denied: position.completing(other) - after.candidates(other),
            cut: theirs.filter(|&site| !buildable.contains(site)).collect(),
            burned: hopeful.iter().filter(|group| !still.contains(group)).count(),
            joins: now.len(),
            prepares: now.iter().any(|site| !before.contains(site)),
            taken: (new & position.candidates(other)).len(),
        }
    }
}

/// The bridges that `color` could build now and that would gain points.
pub fn joining_sites(position: &Position, color: Color) -> Vec<Site> {
    bridge_gains(position, color).into_iter().map(|(site, _)| site).collect()
}

/// The sandbanks of two and three tiles of `color` that can still become
/// islands.
fn hopeful_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut groups = eval::hopeful_groups(position, color);
    groups.retain(|group| group.len() > 1);
    groups
}
