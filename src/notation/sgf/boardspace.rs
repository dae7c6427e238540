//! Records of the site Boardspace: SGF whose nodes are the players' mouse actions.
//!
//! | property | meaning |
//! |---|---|
//! | `P0[id "Anna"]` `P1[id "Bert"]` | the player who began, the other player |
//! | `P0[3 Pick W]` `P0[4 Dropb D 5]` | pick up a tile (`W` or `R`) and place it on d5 |
//! | `P1[9 Pick X_30]` `P1[10 Dropb C 5]` | pick up a bridge and place one end on c5 |
//! | `P1[11 BridgeEnd A 4]` | set its other end to a4 |
//! | `P0[5 Pickb D 5]` `P0[6 Drop W]` | pick it up again and put it back |
//! | `P0[3 Tile White_Chip_Pool D 5]` | place a tile on d5 |
//! | `P1[9 Bridge Bridge_30 C 5]` | build a bridge from c5 |
//! | `P1[7 Swap]` `P0[8 Pass]` `P0[9 Resign]` | swap, pass, resign |
//! | `P1[9 GameOver]` | the game is over: read as a pass |
//! | `P1[9 WinOnTime]` | the winner by `RE`, or else this player, wins on time |
//! | `P0[9 OfferDraw]` `P1[10 DeclineDraw]` | no effect |
//! | `P1[10 AcceptDraw]` | the players agree on a draw |
//! | `P0[7 Done]` | end the turn; a turn without an action is a pass |
//!
//! The number in a bridge's name is its direction, towards an end that is lower or straight to the
//! left. A bridge placed with the mouse takes the last direction in [`DIRECTIONS`] that is legal
//! there, whichever was picked up.
//!
//! If Red has no legal move, the site ends the game without a pass; the reader adds it. The board
//! is 10×10 unless the caller says otherwise.
//!
//! A record of mouse actions is not a list of moves: pieces are picked up, dropped and taken back
//! before a turn is done. The reader therefore collects the actions of a turn and turns them into
//! one move at `Done`. It also plays the moves, since the other end of a bridge may depend on which
//! ends are legal.

use super::tree::{NODE, Property, PropertyValue, SgfNode, check_game};
use crate::board::{Cell, Site, Size};
use crate::game::{Color, Move, Outcome, Position, Setup};
use crate::messages::excerpt;
use crate::notation::error::{Problem, RecordError};
use crate::notation::record::{DefaultRules, Record, RecordedMove, Tag};
use crate::notation::value::{GameResult, WonBy};

// Phrases of error messages that say what an action must be.
const ACTION: &str = "what Boardspace calls a move: Pick, Drop, Pickb, Dropb, Tile, Bridge, \
                   BridgeEnd, Swap, Pass, Resign, GameOver, WinOnTime, OfferDraw, AcceptDraw, \
                   DeclineDraw, Done or Start";
const CELL: &str = "a move with a cell as in D 5";
const PIECE: &str = "a move with a piece: W, R or X_30, White_Chip_Pool, Red_Chip_Pool or \
                     Bridge_30 (or 45, 60, 90, 120, 135, 150, 180)";
const NOTHING_HELD: &str = "possible: nothing was picked up";

/// The directions of bridges: Boardspace's number, and the columns and rows to the other end.
const DIRECTIONS: [(&str, i8, i8); 8] = [
    ("30", -2, -1),
    ("45", -2, -2),
    ("60", -1, -2),
    ("90", 0, -2),
    ("120", 1, -2),
    ("135", 2, -2),
    ("150", 2, -1),
    ("180", -2, 0),
];

/// Whether a game is a record of Boardspace.
pub(super) fn is_boardspace(game: &[SgfNode]) -> bool {
    game.iter().flatten().any(|property| seat(property).is_some())
}

/// The player of a property, 0 for the player who began; `None` if it belongs to neither.
fn seat(property: &Property) -> Option<usize> {
    ["P0", "P1"].into_iter().position(|name| property.name == name)
}

/// Reads the main line of a game.
pub(super) fn read(
    text: &str,
    game: &[SgfNode],
    assumed: &DefaultRules,
) -> Result<Record, RecordError> {
    let rules = assumed.rules();
    let mut reader = ActionReader {
        text,
        record: Record::new(Setup::empty(rules)),
        position: Some(Position::new(rules)),
        side: Color::White,
        white_player: 0,
        names: [const { String::new() }; 2],
        result: String::new(),
        ending: None,
        turn: TurnActions::default(),
    };
    for node in game {
        reader.read_node(node)?;
    }
    reader.finish()
}

/// A piece that has been picked up.
#[derive(Clone, Copy)]
enum Piece {
    Tile,
    /// The columns and the rows to the other end.
    Bridge(i8, i8),
}

/// How a game ended early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EarlyEnding {
    /// This player resigned.
    Resigned(usize),
    /// This player won on time.
    OnTime(usize),
    /// The players agreed on a draw.
    Agreed,
}

/// The actions so far in a turn.
#[derive(Default)]
struct TurnActions {
    /// The player and the byte offset of the last action; `None` before the first.
    last_action: Option<(usize, usize)>,
    /// The piece that is picked up and not yet dropped.
    held_piece: Option<Piece>,
    tiles: Vec<Cell>,
    /// The end where the bridge was placed, and the other end or `None` if off the board.
    bridge: Option<(Cell, Option<Cell>)>,
    has_swap: bool,
    has_pass: bool,
    comment: String,
}

impl TurnActions {
    /// Whether the actions make a move.
    fn is_whole(&self) -> bool {
        match (self.tiles.len(), self.bridge) {
            _ if self.has_swap => true,
            (2, None) | (0, Some((_, Some(_)))) => true,
            (0, None) => self.has_pass,
            _ => false,
        }
    }
}

/// Builds the record.
struct ActionReader<'t> {
    text: &'t str,
    record: Record,
    /// The position so far, `None` after an illegal move.
    position: Option<Position>,
    /// The side to move.
    side: Color,
    /// The player with White: 0 until a swap, then 1.
    white_player: usize,
    names: [String; 2],
    /// The value of RE, which may contain the winner's name.
    result: String,
    ending: Option<EarlyEnding>,
    turn: TurnActions,
}

impl ActionReader<'_> {
    fn error(&self, offset: usize, problem: Problem) -> RecordError {
        RecordError::at(self.text, offset, problem)
    }

    fn read_node(&mut self, node: &SgfNode) -> Result<(), RecordError> {
        for property in node {
            let value = &property.values[0];
            if let Some(seat) = seat(property) {
                for value in &property.values {
                    self.read_player_value(seat, property, value)?;
                }
                continue;
            }
            match property.name.as_str() {
                "GM" => check_game(self.text, value)?,
                "RE" => value.text.trim().clone_into(&mut self.result),
                "C" => self.add_comment(&value.text),
                name => {
                    if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.property() == name) {
                        self.record.set_tag(tag, &value.text);
                    }
                }
            }
        }
        Ok(())
    }

    fn add_comment(&mut self, text: &str) {
        let comment = match self.record.moves.last_mut() {
            _ if self.turn.last_action.is_some() => &mut self.turn.comment,
            Some(last) => &mut last.comment,
            None => &mut self.record.comment,
        };
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Reads a player's name or an action, which begins with a number.
    fn read_player_value(
        &mut self,
        seat: usize,
        property: &Property,
        value: &PropertyValue,
    ) -> Result<(), RecordError> {
        let text = value.text.trim();
        if let Some(name) = text.strip_prefix("id ") {
            name.trim().trim_matches('"').clone_into(&mut self.names[seat]);
            return Ok(());
        }
        let mut words = text.split_whitespace();
        // A value that does not begin with a number is not an action, and is ignored.
        if words.next().is_none_or(|number| number.bytes().any(|b| !b.is_ascii_digit())) {
            return Ok(());
        }
        let words: Vec<&str> = words.collect();
        self.perform(seat, value.offset, &words).map_err(|wanted| {
            let found = format!("{}[{}]", property.name, excerpt(text));
            self.error(value.offset, Problem::Value { found, wanted })
        })?;
        if words[0].eq_ignore_ascii_case("Done") { self.end_turn() } else { Ok(()) }
    }

    /// Performs an action of a player.
    ///
    /// # Errors
    /// The phrase that says what the action must be.
    fn perform(&mut self, seat: usize, offset: usize, words: &[&str]) -> Result<(), &'static str> {
        let (&name, arguments) = words.split_first().ok_or(ACTION)?;
        let name = name.to_ascii_lowercase();
        if ["start", "edit", "offerdraw", "declinedraw"].contains(&name.as_str()) {
            return Ok(());
        }
        let cell_at = |index: usize| -> Result<Cell, &'static str> {
            arguments.get(index..).unwrap_or_default().concat().parse().map_err(|_| CELL)
        };
        let piece = || arguments.first().copied().and_then(parse_piece).ok_or(PIECE);
        self.turn.last_action = Some((seat, offset));
        match name.as_str() {
            "pick" => self.turn.held_piece = Some(piece()?),
            "drop" => self.turn.held_piece = None,
            "dropb" => {
                let cell = cell_at(0)?;
                match self.turn.held_piece.take().ok_or(NOTHING_HELD)? {
                    Piece::Tile => self.turn.tiles.push(cell),
                    Piece::Bridge(columns, rows) => {
                        let end = self.legal_end(cell);
                        let end = end.or_else(|| other_end(cell, columns, rows));
                        self.turn.bridge = Some((cell, end));
                    }
                }
            }
            "pickb" => {
                let cell = cell_at(0)?;
                let tiles = self.turn.tiles.len();
                self.turn.tiles.retain(|&tile| tile != cell);
                if self.turn.tiles.len() < tiles {
                    self.turn.held_piece = Some(Piece::Tile);
                } else if self.turn.bridge.take_if(|(start, _)| *start == cell).is_some() {
                    // The direction is arbitrary: `legal_end` decides when the bridge is dropped
                    // again.
                    self.turn.held_piece = Some(Piece::Bridge(0, -2));
                } else {
                    return Err("possible: nothing was dropped there in this turn");
                }
            }
            "tile" => {
                piece()?;
                self.turn.tiles.push(cell_at(1)?);
            }
            "bridge" => {
                let Piece::Bridge(columns, rows) = piece()? else { return Err(PIECE) };
                let cell = cell_at(1)?;
                self.turn.bridge = Some((cell, other_end(cell, columns, rows)));
            }
            "bridgeend" => {
                let (_, end) =
                    self.turn.bridge.as_mut().ok_or("possible: no bridge was dropped")?;
                *end = Some(cell_at(0)?);
            }
            "swap" => self.turn.has_swap = !self.turn.has_swap,
            "pass" | "gameover" => self.turn.has_pass = true,
            "resign" | "winontime" | "acceptdraw" => self.ending = self.ending_after(&name, seat),
            "done" => {}
            _ => return Err(ACTION),
        }
        Ok(())
    }

    /// Returns the ending after one of the actions that end the game.
    fn ending_after(&self, action: &str, seat: usize) -> Option<EarlyEnding> {
        match (action, self.ending) {
            ("winontime", _) => Some(EarlyEnding::OnTime(seat)),
            ("acceptdraw", _) => Some(EarlyEnding::Agreed),
            (_, None) => Some(EarlyEnding::Resigned(seat)),
            // A second click takes a resignation back.
            (_, Some(EarlyEnding::Resigned(_))) => None,
            (_, ending) => ending,
        }
    }

    /// Returns the other end of a bridge that is placed on `cell` with the mouse; `None` if no
    /// bridge is legal there.
    fn legal_end(&self, cell: Cell) -> Option<Cell> {
        let position = self.position.as_ref()?;
        let buildable = position.buildable_sites(position.side());
        let ends = DIRECTIONS
            .iter()
            .rev()
            .filter_map(|&(_, columns, rows)| other_end(cell, columns, rows));
        ends.into_iter()
            .find(|&end| Site::between(cell, end).is_some_and(|site| buildable.contains(site)))
    }

    /// Ends the turn: its actions become a move.
    fn end_turn(&mut self) -> Result<(), RecordError> {
        let turn = std::mem::take(&mut self.turn);
        let Some((seat, offset)) = turn.last_action else { return Ok(()) };
        if self.ending.is_some() {
            return Ok(());
        }
        let white = self.white_player;
        let to_move = if self.side == Color::White { white } else { 1 - white };
        if seat != to_move {
            return Err(self.error(offset, Problem::WrongPlayer { to_move }));
        }
        let mv = match (turn.tiles.as_slice(), turn.bridge) {
            _ if turn.has_swap => Move::Swap,
            (&[a, b], None) => Move::tiles(a, b),
            (&[], Some((start, Some(end)))) => Move::bridge(start, end),
            (&[], None) => Move::Pass,
            _ => return Err(self.error(offset, Problem::NoTurn)),
        };
        // One node may have any number of turns.
        if self.record.moves.len() == Record::MAX_NODES {
            return Err(self.error(offset, Problem::TooMany(NODE)));
        }
        self.play(mv);
        if let Some(last) = self.record.moves.last_mut() {
            last.comment = turn.comment;
        }
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        if mv == Move::Swap {
            self.white_player = 1 - self.white_player;
        }
        self.position = self.position.and_then(|position| position.after_move(mv).ok());
        let recorded = RecordedMove::from(mv);
        self.side = recorded.side_after(self.side);
        self.record.moves.push(recorded);
    }

    /// Completes the record with what the site omits.
    fn finish(mut self) -> Result<Record, RecordError> {
        // An incomplete turn is dropped.
        if self.turn.is_whole() {
            self.end_turn()?;
        }
        let is_stuck = |position: &Position| {
            let counts = position.counts();
            let moves = counts.pairs + counts.bridges;
            position.side() == Color::Red && !position.is_over() && moves == 0
        };
        if self.ending.is_none() && self.position.as_ref().is_some_and(is_stuck) {
            self.play(Move::Pass);
        }
        let color = |seat: usize| if seat == self.white_player { Color::White } else { Color::Red };
        let won = |seat, by| Some(GameResult::Won { winner: color(seat), by });
        self.record.result = match (self.ending, self.position) {
            (Some(EarlyEnding::Resigned(seat)), _) => won(1 - seat, WonBy::Resignation),
            (Some(EarlyEnding::OnTime(seat)), _) => {
                won(self.named_winner().unwrap_or(seat), WonBy::Time)
            }
            (Some(EarlyEnding::Agreed), _) => Some(GameResult::Played(Outcome::Draw)),
            (None, Some(position)) if position.is_over() => {
                Some(GameResult::Played(position.outcome()))
            }
            _ => self.named_winner().and_then(|seat| won(seat, WonBy::Unstated)),
        };
        for (seat, name) in self.names.iter().enumerate() {
            let tag = if seat == self.white_player { Tag::White } else { Tag::Red };
            self.record.set_tag(tag, name);
        }
        Ok(self.record)
    }

    /// The player whose name occurs in RE; `None` if both names do, or neither.
    fn named_winner(&self) -> Option<usize> {
        let is_named = |name: &String| !name.is_empty() && self.result.contains(name.as_str());
        match self.names.each_ref().map(is_named) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }
}

/// Parses the name of a piece: `W`, `X_30`, `White_Chip_Pool`, `Bridge_30`.
fn parse_piece(name: &str) -> Option<Piece> {
    let name = name.to_ascii_lowercase();
    if ["w", "r", "white_chip_pool", "red_chip_pool"].contains(&name.as_str()) {
        return Some(Piece::Tile);
    }
    let number = name.strip_prefix("x_").or_else(|| name.strip_prefix("bridge_"))?;
    let (_, columns, rows) = DIRECTIONS.into_iter().find(|(direction, ..)| *direction == number)?;
    Some(Piece::Bridge(columns, rows))
}

/// The other end of a bridge from `cell`; `None` if it is off the largest board.
fn other_end(cell: Cell, columns: i8, rows: i8) -> Option<Cell> {
    cell.offset(columns, rows, Size::MAX)
}
