//! The game of a query: its rules, its start and its moves.
//!
//! A query states a whole game, not a position, so the engine keeps nothing from query to
//! query. The rules come first, as the start must fit them: `rules`, then `boardXSize`, then
//! `initialPosition` or `initialStones`. What two of these fields say must agree.
//!
//! Moves are whole, `"d4,e6"`, or in pairs of a player and a point, `["W","D4"],["W","E6"]`,
//! as clients for Go send them. A game may be given up to the middle of a move; then
//! [`QueryTurn::first`] is its first point.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::fields::{Edge, Player, Refusal, Warnings, set_param};
use super::query::QueryForm;
use crate::analysis::points::{check_first, move_of, parse_go_name};
use crate::board::Cell;
use crate::engine::Options;
use crate::game::{Color, Move, Position, Rules, Setup};
use crate::messages::excerpt;

/// A place in the game that can be analysed: before a move, or between its two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryTurn {
    /// The position before the turn.
    pub(super) position: Position,
    /// The first point of the turn, if it is played by points and half done.
    pub(super) first: Option<Cell>,
}

/// An entry of `moves` or `initialStones`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be a move, or a pair of a player (W or B) and a move or point")]
pub(super) enum MoveEntry {
    Move(String),
    Of(Player, String),
}

impl MoveEntry {
    fn parts(&self) -> (Option<Color>, &str) {
        match self {
            MoveEntry::Move(word) => (None, word),
            MoveEntry::Of(Player(player), word) => (Some(*player), word),
        }
    }
}

/// The field `rules`: a name, or an object with parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be an object or a string")]
pub(super) enum RulesField {
    Name(String),
    Params(Map<String, Value>),
}

/// Parameters that `rules` sets.
pub(super) const RULES: [&str; 3] = ["board", "supply", "pie"];

/// Rules by name: those of the options.
const STANDARD: &str = "standard";

/// The positions before and after each entry of `moves`; `options` are the
/// defaults of the rules.
pub(super) fn turns(
    form: &QueryForm,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<QueryTurn>, Refusal> {
    if form.moves.is_none() && form.initial_position.is_none() {
        let reason = "moves is missing: the moves so far, [] for none; or initialPosition";
        return Err(Refusal::for_field("moves", reason));
    }
    let moves = form.moves.as_deref().unwrap_or_default();
    let mut game_options = options.clone();
    let is_sized = set_rules(form, &mut game_options, warnings)?;
    let first_player = moves.first().and_then(|entry| entry.parts().0);
    let position = start_position(form, game_options.rules, is_sized, first_player)?;
    let mut turns = vec![QueryTurn { position, first: None }];
    for (number, entry) in moves.iter().enumerate() {
        turns.push(turns[number].after(number, entry)?);
    }
    Ok(turns)
}

impl QueryTurn {
    /// The position after entry `number` of `moves`. With a player it may be a
    /// single point, and `pass` also means `swap`.
    fn after(self, number: usize, entry: &MoveEntry) -> Result<QueryTurn, Refusal> {
        let refuse =
            |reason: String| Refusal::for_field("moves", format!("moves[{number}]: {reason}"));
        let (player, word) = entry.parts();
        let QueryTurn { mut position, first } = self;
        if let Some(player) = player {
            let cannot = |reason| refuse(format!("{player} cannot play {word}: {reason}"));
            position.check_turn(player).map_err(cannot)?;
        }
        let illegal = |reason: String| refuse(format!("{word} is illegal: {reason}"));
        let mv = match (first, player.and_then(|_| point(word))) {
            (None, Some(point)) => {
                return check_first(&position, point)
                    .map(|()| QueryTurn { position, first: Some(point) })
                    .map_err(|reason| illegal(reason.to_string()));
            }
            (Some(first), Some(point)) => move_of(&position, first, point),
            (Some(first), None) => {
                return Err(refuse(format!(
                    "'{word}' is not a point, and after {first} the second point must follow"
                )));
            }
            (None, None) => Move::from_str(word).map_err(|error| refuse(error.to_string()))?,
        };
        // Clients for Go have no word for a swap.
        let is_swap = mv == Move::Pass && position.may_swap() && player.is_some();
        let mv = if is_swap { Move::Swap } else { mv };
        position.play(mv).map_err(|reason| illegal(reason.to_string()))?;
        Ok(QueryTurn { position, first: None })
    }
}

/// A point: `d4`, or in capitals as in Go, without a column I: `J4` is `i4`. The case of the
/// letter decides, since `j4` and `J4` are different cells.
pub(super) fn point(word: &str) -> Option<Cell> {
    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
        return word.parse().ok();
    }
    parse_go_name(word)
}

/// Sets the rules of the query in `options`. Returns whether they include the
/// size of the board.
fn set_rules(
    form: &QueryForm,
    options: &mut Options,
    warnings: &mut Warnings,
) -> Result<bool, Refusal> {
    let mut is_sized = false;
    match &form.rules {
        None => {}
        Some(RulesField::Name(name)) if name.eq_ignore_ascii_case(STANDARD) => {}
        Some(RulesField::Name(name)) => {
            let reason =
                format!("no rules are named '{}': those of the options apply", excerpt(name));
            warnings.add("rules", reason);
        }
        Some(RulesField::Params(map)) => {
            let (known, unknown): (Vec<_>, Vec<_>) =
                map.iter().partition(|(name, _)| RULES.contains(&name.as_str()));
            for (name, value) in known {
                set_param(options, "rules", name, value)?;
            }
            is_sized = map.contains_key("board");
            let unknown = unknown.into_iter().map(|(name, _)| name);
            warnings.add_names("rules", "rules has only board, supply and pie, no field", unknown);
        }
    }
    let (x, y) = (form.board_x_size, form.board_y_size);
    let (x, y) = (x.map(|Edge(size)| size), y.map(|Edge(size)| size));
    let Some(size) = x.or(y) else { return Ok(is_sized) };
    if y.is_some_and(|y| y != size) {
        let reason = format!("boards are square, but boardXSize is {size}");
        return Err(Refusal::for_field("boardYSize", reason));
    }
    let board = options.rules.size;
    if is_sized && size != board {
        let reason = format!("boardXSize is {size}, but board is {board} in rules");
        return Err(Refusal::for_field("boardXSize", reason));
    }
    options.rules.size = size;
    Ok(true)
}

/// The start position: `initialPosition`, or `initialStones` on an empty board.
/// `first_player` moves first if nothing says otherwise. `is_sized` says whether the query
/// names the size of the board; otherwise the rows of `initialPosition` decide it.
fn start_position(
    form: &QueryForm,
    rules: Rules,
    is_sized: bool,
    first_player: Option<Color>,
) -> Result<Position, Refusal> {
    let stones = form.initial_stones.as_deref().unwrap_or_default();
    let player = form.initial_player.map(|Player(player)| player);
    let Some(text) = &form.initial_position else {
        return stones_on_board(stones, rules, player.or(first_player));
    };
    if !stones.is_empty() {
        let reason = "initialStones and initialPosition exclude each other";
        return Err(Refusal::for_field("initialStones", reason));
    }
    let refuse = |reason: String| Refusal::for_field("initialPosition", reason);
    let setup = Setup::parse(text, rules.supply, rules.pie);
    let setup = setup.map_err(|error| refuse(error.to_string()))?;
    let (size, board) = (setup.rules.size, rules.size);
    if is_sized && size != board {
        return Err(refuse(format!("initialPosition has {size} rows, but rules.board is {board}")));
    }
    if let Some(player) = player.filter(|&player| player != setup.side) {
        let reason = format!("{player} moves first, but initialPosition says {}", setup.side);
        return Err(Refusal::for_field("initialPlayer", reason));
    }
    setup.validate().map_err(|error| refuse(error.to_string()))
}

/// The position with `stones`; `player`, or else White, moves first.
fn stones_on_board(
    stones: &[MoveEntry],
    rules: Rules,
    player: Option<Color>,
) -> Result<Position, Refusal> {
    let side = player.unwrap_or(Color::White);
    let mut setup = Setup { side, ..Setup::empty(rules) };
    for (number, entry) in stones.iter().enumerate() {
        let refuse = |reason: String| {
            Refusal::for_field("initialStones", format!("initialStones[{number}]: {reason}"))
        };
        let (player, word) = entry.parts();
        let player = player.ok_or_else(|| refuse("the player is missing".to_owned()))?;
        let cell = point(word).ok_or_else(|| refuse(format!("'{word}' is not a point")))?;
        if setup.tiles.iter().any(|tiles| tiles.contains(cell)) {
            return Err(refuse(format!("{cell} has a tile already")));
        }
        let tiles = &mut setup.tiles[player.index()];
        *tiles = tiles.with(cell);
    }
    setup.validate().map_err(|error| Refusal::for_field("initialStones", error))
}
