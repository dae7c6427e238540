use super::tree::{MainLines, Node, Property, Value};
use super::{SgfError, SgfProblem, boardspace};
use crate::board::{Cell, Size};
use crate::game::{Color, Move, Setup, SetupStage, Supply};
use crate::notation::source::{Spot, excerpt, normalize};
use crate::notation::value::{self, RESULT, SIZE, SUPPLY, SWITCH};
use crate::notation::{Assumed, GameResult, Record, RecordedMove, Tag};

const MOVE: &str = "a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6";
const CELL: &str = "a cell: a column letter a..l and a row 1..12, as in d4";
const BRIDGE: &str = "a bridge: CELL-CELL, as in d4-f5";
const SIDE: &str = "a side to move: W or B";
const STATE: &str = "a state: pie, last or over";

/// What must be said before the first move.
const START: [&str; 9] = ["SZ", "SUPPLY", "PIE", "AW", "AB", "AE", "BRIDGE", "PL", "STATE"];

/// Reads the first game of a text.
pub fn read(text: &str, assumed: &Assumed) -> Result<Record, SgfError> {
    let text = &normalize(text);
    // There is always a game or an error.
    read_games(text, assumed)
        .next()
        .unwrap_or_else(|| Err(SgfError { at: Spot::of(text, 0), problem: SgfProblem::NoGame }))
}

/// Reads every game of a text; there is at least one.
pub fn read_all(text: &str, assumed: &Assumed) -> Result<Vec<Record>, SgfError> {
    read_games(&normalize(text), assumed).collect()
}

fn read_games<'t>(
    text: &'t str,
    assumed: &'t Assumed,
) -> impl Iterator<Item = Result<Record, SgfError>> + 't {
    MainLines::of(text).map(move |game| {
        let game = game?;
        if boardspace::is_one(&game) {
            return boardspace::read(text, &game, assumed);
        }
        let mut reader = Reader::new(text, assumed);
        for node in &game {
            reader.node(node)?;
        }
        reader.finish()
    })
}

/// A record in the making.
struct Reader<'t> {
    text: &'t str,
    record: Record,
    /// Whose turn PL says it is at the start.
    side: Option<Color>,
    /// Whose each move is, and where it stands.
    movers: Vec<(Color, usize)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, assumed: &Assumed) -> Reader<'t> {
        let record = Record::new(Setup::empty(assumed.rules()));
        Reader { text, record, side: None, movers: Vec::new() }
    }

    fn error(&self, at: usize, problem: SgfProblem) -> SgfError {
        SgfError { at: Spot::of(self.text, at), problem }
    }

    fn wrong(&self, property: &Property, value: &Value, wanted: &'static str) -> SgfError {
        let (property, found) = (property.name.clone(), excerpt(&value.text));
        self.error(value.at, SgfProblem::Value { property, found, wanted })
    }

    /// The property's first value read by `read`.
    fn first<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SgfError> {
        let value = &property.values[0];
        read(value.text.trim()).ok_or_else(|| self.wrong(property, value, wanted))
    }

    /// All the property's values, read by `read`.
    fn all<T>(
        &self,
        property: &Property,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, SgfError> {
        let value = |value: &Value| {
            read(&compact(&value.text)).ok_or_else(|| self.wrong(property, value, wanted))
        };
        property.values.iter().map(value).collect()
    }

    fn node(&mut self, node: &Node) -> Result<(), SgfError> {
        for property in node.iter().filter(|property| property.name == "GM") {
            check_game(self.text, &property.values[0])?;
        }
        let is_move = |property: &&Property| matches!(property.name.as_str(), "W" | "B");
        for property in node.iter().filter(|property| !is_move(property)) {
            self.property(property)?;
        }
        let mut moves = node.iter().filter(is_move);
        if let Some(property) = moves.next() {
            let mv = self.first(property, MOVE, |text| compact(text).parse::<Move>().ok())?;
            let color = if property.name == "W" { Color::White } else { Color::Red };
            self.movers.push((color, property.at));
            self.record.moves.push(RecordedMove::from(mv));
        }
        if let Some(second) = moves.next() {
            let property = second.name.clone();
            return Err(self.error(second.at, SgfProblem::TwoMoves { property }));
        }
        let comments = node.iter().filter(|property| property.name == "C");
        for Value { text, .. } in comments.flat_map(|comment| &comment.values) {
            let place = match self.record.moves.last_mut() {
                Some(turn) => &mut turn.comment,
                None => &mut self.record.comment,
            };
            if !place.is_empty() {
                place.push('\n');
            }
            place.push_str(text);
        }
        Ok(())
    }

    /// Any property but moves and comments.
    fn property(&mut self, property: &Property) -> Result<(), SgfError> {
        let name = property.name.as_str();
        if START.contains(&name) && !self.movers.is_empty() {
            let problem = SgfProblem::LateSetup { property: property.name.clone() };
            return Err(self.error(property.at, problem));
        }
        if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.property() == name) {
            self.record.set_tag(tag, &property.values[0].text);
            return Ok(());
        }
        match name {
            "RE" if value::is_open_result(&property.values[0].text) => {}
            "RE" => {
                let result =
                    self.first(property, RESULT, |text| text.parse::<GameResult>().ok())?;
                self.record.result = Some(result);
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

    /// The record, once it is clear whose turn it was at the start.
    fn finish(mut self) -> Result<Record, SgfError> {
        let start = &self.record.start;
        let first_mover = self.movers.first().map(|&(color, _)| color);
        let implied = match start.stage {
            SetupStage::Pie | SetupStage::Last => Some(Color::Red),
            _ if start.tiles.iter().all(|tiles| tiles.is_empty()) => None,
            _ => first_mover,
        };
        self.record.start.side = self.side.or(implied).unwrap_or(Color::White);
        for (&(color, at), to_move) in self.movers.iter().zip(self.record.sides()) {
            if color != to_move {
                return Err(self.error(at, SgfProblem::WrongTurn { to_move }));
            }
        }
        Ok(self.record)
    }
}

/// Whether the value of GM names this game.
pub(super) fn check_game(text: &str, value: &Value) -> Result<(), SgfError> {
    let letters: String = value.text.chars().filter(char::is_ascii_alphabetic).collect();
    if letters.eq_ignore_ascii_case("PonteDelDiavolo") {
        return Ok(());
    }
    let problem = SgfProblem::OtherGame { game: excerpt(&value.text) };
    Err(SgfError { at: Spot::of(text, value.at), problem })
}

/// The size, also as columns and rows.
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

/// The text without white space.
fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
