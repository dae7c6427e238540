//! Reading one game in the form of this program.
//!
//! The main line is read first, then the variations, since moves are numbered in this
//! order. The side to move comes last: a record need not say who began a position
//! that was set up, and then the first move does. Only when that is settled can the
//! sides of all moves be checked.

use std::collections::HashMap;

use super::points;
use super::tree::{Property, PropertyValue, SgfNode, SgfTree, check_game};
use crate::board::{Cell, Size};
use crate::game::{Color, Move, Setup, SetupStage, Supply};
use crate::messages::excerpt;
use crate::notation::error::{Problem, RecordError};
use crate::notation::record::{DefaultRules, Record, RecordedMove, Tag, VariationMove};
use crate::notation::text::Warning;
use crate::notation::value::{self, MOVE, SIZE, SUPPLY, SWITCH};

const CELL: &str = "a cell: a column letter a..l and a row 1..12, as in d4";
const BRIDGE: &str = "a bridge: CELL-CELL, as in d4-f5";
const SIDE: &str = "a side to move: W or B";
const STATE: &str = "a state: pie, last or over";

/// Properties that are allowed only before the first move.
const START: [&str; 9] = ["SZ", "SUPPLY", "PIE", "AW", "AB", "AE", "BRIDGE", "PL", "STATE"];

/// Reads a game: its main line and its variations. If its moves are points, they
/// become whole turns first.
pub(super) fn read(
    text: &str,
    game: &mut SgfTree,
    assumed: &DefaultRules,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let mut reader = GameReader::new(text, assumed);
    if points::has_points(game) {
        // Points are meaningless without the size of the board. So the size, and that
        // it is this game at all, are read before the moves.
        for property in game.main_line().iter().flatten() {
            match property.name.as_str() {
                "GM" => check_game(text, &property.values[0])?,
                "SZ" => reader.property(property)?,
                _ => {}
            }
        }
        let size = reader.record.start.rules.size;
        reader.record.start.rules.pie = points::to_turns(text, game, size)?;
    }
    for node in game.main_line() {
        reader.node(node)?;
    }
    reader.variations(game)?;
    warnings.append(&mut reader.warnings);
    reader.finish()
}

/// Builds the record.
struct GameReader<'t> {
    text: &'t str,
    record: Record,
    warnings: Vec<Warning>,
    /// The side to move at the start, from PL; `None` if there is none.
    side: Option<Color>,
    /// The side and the byte offset of each move, in the order of [`Record::tree`].
    movers: Vec<(Color, usize)>,
    /// The number of moves after each node of the main line.
    counts: Vec<usize>,
}

impl<'t> GameReader<'t> {
    fn new(text: &'t str, assumed: &DefaultRules) -> GameReader<'t> {
        let record = Record::new(Setup::empty(assumed.rules()));
        let (warnings, movers, counts) = (Vec::new(), Vec::new(), Vec::new());
        GameReader { text, record, warnings, side: None, movers, counts }
    }

    fn error(&self, at: usize, problem: Problem) -> RecordError {
        RecordError::at(self.text, at, problem)
    }

    fn wrong_value(
        &self,
        property: &Property,
        value: &PropertyValue,
        wanted: &'static str,
    ) -> RecordError {
        let found = format!("{}[{}]", property.name, excerpt(&value.text));
        self.error(value.at, Problem::Value { found, wanted })
    }

    /// The first value of a property, parsed by `read`.
    fn first<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, RecordError> {
        let value = &property.values[0];
        read(value.text.trim()).ok_or_else(|| self.wrong_value(property, value, wanted))
    }

    /// All values of a property, parsed by `read`.
    fn all<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, RecordError> {
        let value = |value: &PropertyValue| {
            read(&compact(&value.text)).ok_or_else(|| self.wrong_value(property, value, wanted))
        };
        property.values.iter().map(value).collect()
    }

    fn node(&mut self, node: &SgfNode) -> Result<(), RecordError> {
        // First of all: in another game the other properties mean something else, and
        // an error about them would be about the wrong thing.
        for property in node.iter().filter(|property| property.name == "GM") {
            check_game(self.text, &property.values[0])?;
        }
        for property in node.iter().filter(|property| !is_move(property)) {
            self.property(property)?;
        }
        if let Some(turn) = self.turn(node)? {
            self.record.moves.push(turn);
        }
        self.counts.push(self.record.moves.len());
        let place = match self.record.moves.last_mut() {
            Some(turn) => &mut turn.comment,
            None => &mut self.record.comment,
        };
        append_comments(place, node);
        Ok(())
    }

    /// Reads the variations, after the main line.
    fn variations(&mut self, game: &SgfTree) -> Result<(), RecordError> {
        let main = self.record.moves.len();
        // The number of the last move at or before each node.
        let mut numbers = std::mem::take(&mut self.counts);
        // By node, the comments before the first move of a variation. If
        // several variations begin there, the first gets them.
        let mut prefaces: HashMap<usize, String> = HashMap::new();
        for (parent, node) in game.variation_nodes() {
            let after = numbers[parent];
            let setup = |property: &&Property| START.contains(&property.name.as_str());
            if let Some(Property { name, at, .. }) = node.iter().find(setup) {
                return Err(self.error(*at, Problem::LateSetup(name.clone())));
            }
            let mut preface = prefaces.remove(&parent).unwrap_or_default();
            let number = match self.turn(node)? {
                Some(turn) => {
                    let turn = RecordedMove { comment: std::mem::take(&mut preface), ..turn };
                    self.record.variations.push(VariationMove { after, turn });
                    main + self.record.variations.len()
                }
                None => after,
            };
            if let Some(aside) = number.checked_sub(main + 1) {
                append_comments(&mut self.record.variations[aside].turn.comment, node);
            } else {
                append_comments(&mut preface, node);
                if !preface.is_empty() {
                    prefaces.insert(numbers.len(), preface);
                }
            }
            numbers.push(number);
        }
        Ok(())
    }

    /// Reads the move of a node, if it has one.
    fn turn(&mut self, node: &SgfNode) -> Result<Option<RecordedMove>, RecordError> {
        let mut moves = node.iter().filter(|property| is_move(property));
        let Some(property) = moves.next() else { return Ok(None) };
        let mv = self.first(property, MOVE, |text| compact(text).parse::<Move>().ok())?;
        if let Some(second) = moves.next() {
            return Err(self.error(second.at, Problem::TwoMoves(second.name.clone())));
        }
        let color = if property.name == "W" { Color::White } else { Color::Red };
        self.movers.push((color, property.at));
        Ok(Some(RecordedMove::from(mv)))
    }

    /// Reads a property other than a move or a comment.
    fn property(&mut self, property: &Property) -> Result<(), RecordError> {
        let name = property.name.as_str();
        if START.contains(&name) && !self.movers.is_empty() {
            return Err(self.error(property.at, Problem::LateSetup(property.name.clone())));
        }
        if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.property() == name) {
            self.record.set_tag(tag, &property.values[0].text);
            return Ok(());
        }
        match name {
            "RE" => {
                self.record.result = value::result(&property.values[0].text, &mut self.warnings);
            }
            "SZ" => self.record.start.rules.size = self.first(property, SIZE, size)?,
            "SUPPLY" => {
                let supply = self.first(property, SUPPLY, |text| text.parse::<Supply>().ok())?;
                self.record.start.rules.supply = supply;
            }
            "PIE" => self.record.start.rules.pie = self.first(property, SWITCH, value::switch)?,
            "AW" | "AB" => {
                let cells = self.all(property, CELL, |text| text.parse::<Cell>().ok())?;
                let color = if name == "AW" { Color::White } else { Color::Red };
                self.record.start.tiles[color.index()] |= cells.into_iter().collect();
            }
            "BRIDGE" => {
                let bridges = self.all(property, BRIDGE, bridge)?;
                self.record.start.bridges.extend(bridges);
            }
            "PL" => self.side = Some(self.first(property, SIDE, side)?),
            "STATE" => {
                self.record.start.stage = self.first(property, STATE, SetupStage::from_word)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Determines the side to move at the start and checks the side of each
    /// move.
    fn finish(mut self) -> Result<Record, RecordError> {
        let start = &self.record.start;
        let first_mover = self.movers.first().map(|&(color, _)| color);
        let implied = match start.stage {
            SetupStage::Pie | SetupStage::Last => Some(Color::Red),
            // On the empty board White begins, and a first move by Red is an error.
            _ if start.tiles.iter().all(|tiles| tiles.is_empty()) => None,
            _ => first_mover,
        };
        self.record.start.side = self.side.or(implied).unwrap_or(Color::White);
        // The side to move after each move, by number. A parent comes before its
        // children, so its entry is there.
        let mut sides = vec![self.record.start.side];
        for (&(color, at), (before, turn)) in self.movers.iter().zip(self.record.tree()) {
            let to_move = sides[before];
            if color != to_move {
                return Err(self.error(at, Problem::WrongTurn { to_move }));
            }
            sides.push(turn.side_after(to_move));
        }
        Ok(self.record)
    }
}

fn is_move(property: &Property) -> bool {
    matches!(property.name.as_str(), "W" | "B")
}

fn append_comments(place: &mut String, node: &SgfNode) {
    let comments = node.iter().filter(|property| property.name == "C");
    for PropertyValue { text, .. } in comments.flat_map(|comment| &comment.values) {
        if !place.is_empty() {
            place.push('\n');
        }
        place.push_str(text);
    }
}

/// A board size, also in the form `10:10`.
fn size(text: &str) -> Option<Size> {
    match text.split_once(':') {
        Some((columns, rows)) if columns.trim() == rows.trim() => value::size(rows.trim()),
        Some(_) => None,
        None => value::size(text),
    }
}

fn bridge(text: &str) -> Option<(Cell, Cell)> {
    match text.parse() {
        Ok(Move::Bridge(a, b)) => Some((a, b)),
        _ => None,
    }
}

fn side(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Color::White),
        "b" | "black" | "r" | "red" => Some(Color::Red),
        _ => None,
    }
}

/// Removes white space, with which programs wrap lines within a value.
fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
