//! A puzzle as a line of text, the collection that comes with the program, and the themes: what a
//! move does, in the words of the designer's advice, found by comparing the position before the
//! move with the position after it.
//!
//! A puzzle stores the results of its proof: the value, the goal and the number of right moves, but
//! not the moves themselves. They are proved again with a `Judge` when the puzzle is shown. So a
//! file cannot contradict the rules, and a test proves the whole collection.
//!
//! A theme is one word for all right moves of a puzzle, for lists and statistics.
//! `analysis::purposes` describes in sentences exactly what a move does.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::Serialize;
use strum::{Display, EnumString, VariantArray};
use thiserror::Error;

use crate::board::{Cell, Cells, Site, Symmetry};
use crate::eval::{self, bridge_gains};
use crate::game::{Color, Move, Position, Setup, SetupError, Value};
use crate::messages::excerpt;
use crate::notation::ParsePositionError;

/// A position with a task and a provable answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// The name: six hex digits made from the position, the same for all symmetric ones.
    pub id: String,
    /// What the right moves do.
    pub theme: Theme,
    /// From 1 (easy) to 3.
    pub difficulty: u8,
    /// What a right move has to keep.
    pub goal: Goal,
    /// White's value with perfect play.
    pub value: Value,
    /// The number of right moves.
    pub right_count: usize,
    /// The number of legal moves.
    pub legal_count: usize,
    /// The number of turns in which the right move has to be found. The opponent answers each move
    /// but the last.
    pub turns: usize,
    /// The position. The side to move has to find the move.
    pub position: Position,
}

/// The goal of a puzzle for the person who solves it.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumString, Serialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Goal {
    /// Keep the win, by any margin.
    Win,
    /// Keep the draw.
    Draw,
    /// Keep the exact value: win by the most.
    Most,
}

impl Goal {
    /// White's value that a right move keeps, in a position with the value `value` and this side to
    /// move.
    pub fn value(self, value: Value, side: Color) -> Value {
        match self {
            Goal::Win => Value::new(1).seen_by(side),
            Goal::Draw => Value::DRAW,
            Goal::Most => value,
        }
    }
}

/// The error for a text that is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParsePuzzleError {
    /// Fields are missing.
    #[error("'{0}' is not a puzzle: {1} is needed")]
    Fields(String, &'static str),
    /// A field cannot be read.
    #[error("'{found}' is not the {field} of a puzzle")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The text of the field.
        found: String,
    },
    /// The last field is not a position text.
    #[error(transparent)]
    Text(#[from] ParsePositionError),
    /// The position breaks a rule.
    #[error(transparent)]
    Position(#[from] SetupError),
}

/// Parses a field of a puzzle.
pub(super) fn read_field<T: FromStr>(
    field: &'static str,
    text: &str,
) -> Result<T, ParsePuzzleError> {
    text.parse().map_err(|_| ParsePuzzleError::Field { field, found: excerpt(text) })
}

/// Parses the last two fields of a puzzle.
pub(super) fn read_position(supply: &str, position: &str) -> Result<Position, ParsePuzzleError> {
    Ok(Setup::parse(position, read_field("supply", supply)?, false)?.validate()?)
}

/// The fields of a line.
const FIELDS: &str = "ID THEME DIFFICULTY GOAL VALUE RIGHT/LEGAL SUPPLY POSITION";

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    /// Parses `ID THEME DIFFICULTY GOAL VALUE RIGHT/LEGAL SUPPLY POSITION`, with
    /// `RIGHT/LEGAL/TURNS` if the puzzle has more than one turn.
    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        let fields: Vec<&str> = line.splitn(8, ' ').collect();
        let &[id, theme, difficulty, goal, value, numbers, supply, position] = &fields[..] else {
            return Err(ParsePuzzleError::Fields(excerpt(line), FIELDS));
        };
        let (right, legal) = numbers.split_once('/').unwrap_or((numbers, ""));
        let (legal, turns) = legal.split_once('/').unwrap_or((legal, "1"));
        Ok(Puzzle {
            id: id.to_owned(),
            theme: read_field("theme", theme)?,
            difficulty: read_field("difficulty", difficulty)?,
            goal: read_field("goal", goal)?,
            value: read_field("value", value)?,
            right_count: read_field("number of right moves", right)?,
            legal_count: read_field("number of legal moves", legal)?,
            turns: read_field("number of turns", turns)?,
            position: read_position(supply, position)?,
        })
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Puzzle {
            ref id,
            theme,
            difficulty,
            goal,
            value,
            right_count,
            legal_count,
            turns,
            ref position,
        } = self;
        write!(f, "{id} {theme} {difficulty} {goal} {value} {right_count}/{legal_count}")?;
        if turns > 1 {
            write!(f, "/{turns}")?;
        }
        write!(f, " {} {position}", position.rules().supply)
    }
}

/// A name for a position, the same for all its mirror images and rotations: six hex digits.
pub fn identity(position: &Position) -> String {
    let image = |symmetry: Symmetry| {
        let index = |cell: Cell| symmetry.apply(cell, position.size()).index() as u8;
        let mut key = vec![position.size().get(), position.side().index() as u8];
        for color in Color::BOTH {
            let mut cells: Vec<u8> = position.tiles(color).into_iter().map(index).collect();
            cells.sort_unstable();
            // A separator before each list: no cell has this index.
            key.push(u8::MAX);
            key.extend(cells);
        }
        let ends = |site: Site| {
            let mut ends = site.ends().map(index);
            ends.sort_unstable();
            ends
        };
        let mut bridges: Vec<[u8; 2]> = position.bridges().iter().map(ends).collect();
        bridges.sort_unstable();
        key.push(u8::MAX);
        key.extend(bridges.into_iter().flatten());
        key
    };
    // The smallest of the eight images represents all of them.
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
        puzzles.sort_by_key(|puzzle| (puzzle.difficulty, puzzle.legal_count));
        puzzles
    })
}

/// What the right moves of a position do. A move that does several things has the first matching
/// theme in this order. The theme's name in the file, and in the key of its text on the page, is in
/// lower case.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Display,
    EnumString,
    VariantArray,
    Serialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Theme {
    /// A bridge when at most two are left in the supply.
    Supply,
    /// A bridge that gains no point and prevents something: an island the opponent could complete,
    /// a bridge between their networks, or that one of their sandbanks can still become an island.
    Block,
    /// A bridge that gains no point yet: one of its ends is a sandbank that can still become an
    /// island.
    Link,
    /// A pass, or any other bridge that gains no point and prevents nothing: the opponent must use
    /// up a pair of tiles.
    Tempo,
    /// A bridge that joins networks.
    Connect,
    /// Tiles after which at least two bridges could join networks, at least one of them new.
    Fork,
    /// Tiles that complete an island and prevent something as in `Block`.
    Both,
    /// A tile under a knight's-jump bridge that would join two of the opponent's networks.
    Cut,
    /// A tile where the opponent could have completed an island.
    Deny,
    /// Tiles after which one of the opponent's sandbanks can no longer become an island: burned
    /// land.
    Burn,
    /// Tiles that complete an island.
    Complete,
    /// Tiles after which one bridge could join networks, where none could before.
    Prepare,
    /// Tiles on two cells that the opponent could have used.
    Space,
    /// None of these.
    Quiet,
}

/// The effects of a move.
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
    /// The number of the player's joining bridges after the move.
    joining_bridges: usize,
    /// Whether one of them is new.
    prepares: bool,
    /// The number of the move's tiles on cells that the opponent could have used.
    taken_cells: u32,
}

impl Theme {
    /// The theme of a legal move.
    pub fn of(position: &Position, mv: Move) -> Theme {
        let effects = Effects::of(position, mv);
        let prevents = !effects.denied.is_empty() || effects.burned > 0 || !effects.cut.is_empty();
        if mv == Move::Pass {
            return Theme::Tempo;
        }
        if let Move::Bridge(from, to) = mv {
            let hopeful = eval::completable_groups(position, position.side());
            let links = hopeful.iter().any(|group| group.contains(from) || group.contains(to));
            return match effects.points {
                _ if position.bridges_left().is_some_and(|left| left <= 2) => Theme::Supply,
                0 if prevents => Theme::Block,
                0 if links => Theme::Link,
                0 => Theme::Tempo,
                _ => Theme::Connect,
            };
        }
        let is_knights_jump = |site: &Site| site.span().len() == 2;
        // In the order of the enum: the first true condition gives the theme.
        match () {
            () if effects.prepares && effects.joining_bridges >= 2 => Theme::Fork,
            () if effects.completes && prevents => Theme::Both,
            () if effects.cut.iter().any(is_knights_jump) => Theme::Cut,
            () if !effects.denied.is_empty() => Theme::Deny,
            () if effects.burned > 0 => Theme::Burn,
            () if effects.completes => Theme::Complete,
            () if effects.prepares => Theme::Prepare,
            () if effects.taken_cells == 2 => Theme::Space,
            () => Theme::Quiet,
        }
    }
}

impl Effects {
    /// The effects of a legal move.
    fn of(position: &Position, mv: Move) -> Effects {
        let (player, opponent) = (position.side(), !position.side());
        let after = position.after_move(mv).unwrap_or(*position);
        // The opponent's groups themselves do not change.
        let old_hopeful = completable_groups(position, opponent);
        let new_hopeful = completable_groups(&after, opponent);
        let (old_sites, new_sites) =
            (joining_sites(position, player), joining_sites(&after, player));
        let new_tiles = after.tiles(player) - position.tiles(player);
        let opponent_sites = joining_sites(position, opponent).into_iter();
        let buildable = after.buildable_sites(opponent);
        Effects {
            points: after.score(player).points - position.score(player).points,
            completes: after.score(player).islands > position.score(player).islands,
            denied: position.completing_cells(opponent) - after.open_cells(opponent),
            cut: opponent_sites.filter(|&site| !buildable.contains(site)).collect(),
            burned: old_hopeful.iter().filter(|group| !new_hopeful.contains(group)).count(),
            joining_bridges: new_sites.len(),
            prepares: new_sites.iter().any(|site| !old_sites.contains(site)),
            taken_cells: (new_tiles & position.open_cells(opponent)).len(),
        }
    }
}

/// The sites where `color` could build a bridge now that would gain points.
pub fn joining_sites(position: &Position, color: Color) -> Vec<Site> {
    bridge_gains(position, color).into_iter().map(|(site, _)| site).collect()
}

/// The sandbanks of two and three tiles of `color` that can still become islands.
fn completable_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut groups = eval::completable_groups(position, color);
    groups.retain(|group| group.len() > 1);
    groups
}
