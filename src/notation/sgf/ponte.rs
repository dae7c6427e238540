//! Reading one game in this program's own SGF.
//!
//! The main line is read first, then the variations, since moves are numbered in this order. The
//! side to move is settled last: a record need not state it for a position that was set up, and
//! then the first move shows it. Only then can the sides of all moves be checked.

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

/// Reads a game: its main line and its variations. If its moves are points, they are rewritten as
/// whole moves first.
pub(super) fn read(
    text: &str,
    game: &mut SgfTree,
    assumed: &DefaultRules,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let mut reader = GameReader::new(text, assumed);
    if points::has_points(game) {
        // Points are meaningless without the size of the board. So the size and the name of the
        // game are read before the moves.
        for property in game.main_line().iter().flatten() {
            match property.name.as_str() {
                "GM" => check_game(text, &property.values[0])?,
                "SZ" => reader.read_property(property)?,
                _ => {}
            }
        }
        let size = reader.record.start.rules.size;
        reader.record.start.rules.pie = points::to_moves(text, game, size)?;
    }
    for node in game.main_line() {
        reader.read_node(node)?;
    }
    reader.read_variations(game)?;
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

    fn error(&self, offset: usize, problem: Problem) -> RecordError {
        RecordError::at(self.text, offset, problem)
    }

    fn wrong_value(
        &self,
        property: &Property,
        value: &PropertyValue,
        wanted: &'static str,
    ) -> RecordError {
        let found = format!("{}[{}]", property.name, excerpt(&value.text));
        self.error(value.offset, Problem::Value { found, wanted })
    }

    /// The first value of a property, parsed by `read`.
    fn first_value<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, RecordError> {
        let value = &property.values[0];
        read(value.text.trim()).ok_or_else(|| self.wrong_value(property, value, wanted))
    }

    /// All values of a property, parsed by `read`.
    fn all_values<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, RecordError> {
        let parse = |value: &PropertyValue| {
            read(&compact(&value.text)).ok_or_else(|| self.wrong_value(property, value, wanted))
        };
        property.values.iter().map(parse).collect()
    }

    fn read_node(&mut self, node: &SgfNode) -> Result<(), RecordError> {
        // The name of the game comes first: in another game the other properties mean something
        // else, and an error about them would mislead.
        for property in node.iter().filter(|property| property.name == "GM") {
            check_game(self.text, &property.values[0])?;
        }
        for property in node.iter().filter(|property| !is_move(property)) {
            self.read_property(property)?;
        }
        if let Some(recorded) = self.read_move(node)? {
            self.record.moves.push(recorded);
        }
        self.counts.push(self.record.moves.len());
        let comment = match self.record.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.record.comment,
        };
        append_comments(comment, node);
        Ok(())
    }

    /// Reads the variations, after the main line.
    fn read_variations(&mut self, game: &SgfTree) -> Result<(), RecordError> {
        let main_moves = self.record.moves.len();
        // The number of the last move at or before each node.
        let mut numbers = std::mem::take(&mut self.counts);
        // By node, the comments before the first move of a variation. If several variations begin
        // there, the first gets them.
        let mut prefaces: HashMap<usize, String> = HashMap::new();
        for (parent, node) in game.variation_nodes() {
            let after = numbers[parent];
            let is_setup = |property: &&Property| START.contains(&property.name.as_str());
            if let Some(Property { name, offset, .. }) = node.iter().find(is_setup) {
                return Err(self.error(*offset, Problem::LateSetup(name.clone())));
            }
            let mut preface = prefaces.remove(&parent).unwrap_or_default();
            let number = match self.read_move(node)? {
                Some(turn) => {
                    let turn = RecordedMove { comment: std::mem::take(&mut preface), ..turn };
                    self.record.variations.push(VariationMove { parent: after, recorded: turn });
                    main_moves + self.record.variations.len()
                }
                None => after,
            };
            if let Some(index) = number.checked_sub(main_moves + 1) {
                append_comments(&mut self.record.variations[index].recorded.comment, node);
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
    fn read_move(&mut self, node: &SgfNode) -> Result<Option<RecordedMove>, RecordError> {
        let mut moves = node.iter().filter(|property| is_move(property));
        let Some(property) = moves.next() else { return Ok(None) };
        let mv = self.first_value(property, MOVE, |text| compact(text).parse::<Move>().ok())?;
        if let Some(second) = moves.next() {
            return Err(self.error(second.offset, Problem::TwoMoves(second.name.clone())));
        }
        let color = if property.name == "W" { Color::White } else { Color::Red };
        self.movers.push((color, property.offset));
        Ok(Some(RecordedMove::from(mv)))
    }

    /// Reads a property other than a move or a comment.
    fn read_property(&mut self, property: &Property) -> Result<(), RecordError> {
        let name = property.name.as_str();
        if START.contains(&name) && !self.movers.is_empty() {
            return Err(self.error(property.offset, Problem::LateSetup(property.name.clone())));
        }
        if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.property() == name) {
            self.record.set_tag(tag, &property.values[0].text);
            return Ok(());
        }
        match name {
            "RE" => {
                self.record.result =
                    value::parse_result(&property.values[0].text, &mut self.warnings);
            }
            "SZ" => self.record.start.rules.size = self.first_value(property, SIZE, parse_size)?,
            "SUPPLY" => {
                let supply =
                    self.first_value(property, SUPPLY, |text| text.parse::<Supply>().ok())?;
                self.record.start.rules.supply = supply;
            }
            "PIE" => {
                self.record.start.rules.pie =
                    self.first_value(property, SWITCH, value::parse_switch)?;
            }
            "AW" | "AB" => {
                let cells = self.all_values(property, CELL, |text| text.parse::<Cell>().ok())?;
                let color = if name == "AW" { Color::White } else { Color::Red };
                self.record.start.tiles[color.index()] |= cells.into_iter().collect();
            }
            "BRIDGE" => {
                let bridges = self.all_values(property, BRIDGE, parse_bridge)?;
                self.record.start.bridges.extend(bridges);
            }
            "PL" => self.side = Some(self.first_value(property, SIDE, parse_side)?),
            "STATE" => {
                self.record.start.stage =
                    self.first_value(property, STATE, SetupStage::from_word)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Determines the side to move at the start and checks the side of each move.
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
        // The side to move after each move, by number. A parent comes before its children, so its
        // entry already exists.
        let mut sides = vec![self.record.start.side];
        for (&(color, offset), (before, recorded)) in self.movers.iter().zip(self.record.tree()) {
            let to_move = sides[before];
            if color != to_move {
                return Err(self.error(offset, Problem::WrongTurn { to_move }));
            }
            sides.push(recorded.side_after(to_move));
        }
        Ok(self.record)
    }
}

fn is_move(property: &Property) -> bool {
    matches!(property.name.as_str(), "W" | "B")
}

fn append_comments(target: &mut String, node: &SgfNode) {
    let comments = node.iter().filter(|property| property.name == "C");
    for PropertyValue { text, .. } in comments.flat_map(|comment| &comment.values) {
        if !target.is_empty() {
            target.push('\n');
        }
        target.push_str(text);
    }
}

/// Parses a board size, also in the form `10:10`.
fn parse_size(text: &str) -> Option<Size> {
    match text.split_once(':') {
        Some((columns, rows)) if columns.trim() == rows.trim() => value::parse_size(rows.trim()),
        Some(_) => None,
        None => value::parse_size(text),
    }
}

fn parse_bridge(text: &str) -> Option<(Cell, Cell)> {
    match text.parse() {
        Ok(Move::Bridge(a, b)) => Some((a, b)),
        _ => None,
    }
}

fn parse_side(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Color::White),
        "b" | "black" | "r" | "red" => Some(Color::Red),
        _ => None,
    }
}

/// Removes white space: programs wrap lines within a value.
fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
