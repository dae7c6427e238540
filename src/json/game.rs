//! The game of a query: its rules, its start and its moves.
//!
//! A query states a whole game, not a position, so the engine keeps no state between queries. The
//! rules are read first, because the start must fit them: `rules`, then `boardXSize`, then
//! `initialPosition` or `initialStones`. It is an error if two of these fields contradict each
//! other.
//!
//! A move is whole, `"d4,e6"`, or two pairs of a player and a point, `["W","D4"],["W","E6"]`, as
//! clients for Go send it. A game may end in the middle of a move; [`QueryTurn::first_point`] is
//! then the first point of that move.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::fields::{Edge, Player, QueryRefusal, Warnings, set_param};
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
    /// The first point of the turn's move, if only that point has been played.
    pub(super) first_point: Option<Cell>,
}

/// An entry of `moves` or `initialStones`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "must be a move, or a pair of a player (W or B) and a move or point")]
pub(super) enum MoveEntry {
    Move(String),
    WithPlayer(Player, String),
}

impl MoveEntry {
    fn parts(&self) -> (Option<Color>, &str) {
        match self {
            MoveEntry::Move(word) => (None, word),
            MoveEntry::WithPlayer(Player(player), word) => (Some(*player), word),
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

/// The parameters that `rules` may set.
pub(super) const RULE_NAMES: [&str; 3] = ["board", "supply", "pie"];

/// The only name of rules, which stands for those of the options.
const STANDARD: &str = "standard";

/// Returns the turns before and after each entry of `moves`. `options` has the default rules.
pub(super) fn read_turns(
    form: &QueryForm,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<QueryTurn>, QueryRefusal> {
    if form.moves.is_none() && form.initial_position.is_none() {
        let reason = "moves is missing: the moves so far, [] for none; or initialPosition";
        return Err(QueryRefusal::for_field("moves", reason));
    }
    let moves = form.moves.as_deref().unwrap_or_default();
    let mut game_options = options.clone();
    let has_size = set_rules(form, &mut game_options, warnings)?;
    let first_player = moves.first().and_then(|entry| entry.parts().0);
    let position = start_position(form, game_options.rules, has_size, first_player)?;
    let mut turns = vec![QueryTurn { position, first_point: None }];
    for (number, entry) in moves.iter().enumerate() {
        turns.push(turns[number].after(number, entry)?);
    }
    Ok(turns)
}

impl QueryTurn {
    /// Returns the turn after `entry`, which has the index `number` in `moves`. An entry with a
    /// player may be a single point, and its `pass` also means `swap`.
    fn after(self, number: usize, entry: &MoveEntry) -> Result<QueryTurn, QueryRefusal> {
        let refuse =
            |reason: String| QueryRefusal::for_field("moves", format!("moves[{number}]: {reason}"));
        let (player, word) = entry.parts();
        let QueryTurn { mut position, first_point } = self;
        if let Some(player) = player {
            let cannot = |reason| refuse(format!("{player} cannot play {word}: {reason}"));
            position.check_turn(player).map_err(cannot)?;
        }
        let illegal = |reason: String| refuse(format!("{word} is illegal: {reason}"));
        let mv = match (first_point, player.and_then(|_| parse_point(word))) {
            (None, Some(point)) => {
                return check_first(&position, point)
                    .map(|()| QueryTurn { position, first_point: Some(point) })
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
        Ok(QueryTurn { position, first_point: None })
    }
}

/// Parses a point: a cell such as `d4`, or in capitals a point of a Go board, which has no column
/// I, so that `J4` is `i4`. The case of the letter decides: `j4` and `J4` are different cells.
pub(super) fn parse_point(word: &str) -> Option<Cell> {
    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
        return word.parse().ok();
    }
    parse_go_name(word)
}

/// Sets the rules of the query in `options`. Returns whether they include the size of the board.
fn set_rules(
    form: &QueryForm,
    options: &mut Options,
    warnings: &mut Warnings,
) -> Result<bool, QueryRefusal> {
    let mut has_size = false;
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
                map.iter().partition(|(name, _)| RULE_NAMES.contains(&name.as_str()));
            for (name, value) in known {
                set_param(options, "rules", name, value)?;
            }
            has_size = map.contains_key("board");
            let unknown = unknown.into_iter().map(|(name, _)| name);
            warnings.add_names("rules", "rules has only board, supply and pie, no field", unknown);
        }
    }
    let (x, y) = (form.board_x_size, form.board_y_size);
    let (x, y) = (x.map(|Edge(size)| size), y.map(|Edge(size)| size));
    let Some(size) = x.or(y) else { return Ok(has_size) };
    if y.is_some_and(|y| y != size) {
        let reason = format!("boards are square, but boardXSize is {size}");
        return Err(QueryRefusal::for_field("boardYSize", reason));
    }
    let board = options.rules.size;
    if has_size && size != board {
        let reason = format!("boardXSize is {size}, but board is {board} in rules");
        return Err(QueryRefusal::for_field("boardXSize", reason));
    }
    options.rules.size = size;
    Ok(true)
}

/// The start position: `initialPosition`, or `initialStones` on an empty board. `first_player`
/// moves first unless a field says otherwise. `has_size` says whether the query names the size of
/// the board; if not, the number of rows of `initialPosition` decides.
fn start_position(
    form: &QueryForm,
    rules: Rules,
    has_size: bool,
    first_player: Option<Color>,
) -> Result<Position, QueryRefusal> {
    let stones = form.initial_stones.as_deref().unwrap_or_default();
    let player = form.initial_player.map(|Player(player)| player);
    let Some(text) = &form.initial_position else {
        return stones_on_board(stones, rules, player.or(first_player));
    };
    if !stones.is_empty() {
        let reason = "initialStones and initialPosition exclude each other";
        return Err(QueryRefusal::for_field("initialStones", reason));
    }
    let refuse = |reason: String| QueryRefusal::for_field("initialPosition", reason);
    let setup = Setup::parse(text, rules.supply, rules.pie);
    let setup = setup.map_err(|error| refuse(error.to_string()))?;
    let (size, board) = (setup.rules.size, rules.size);
    if has_size && size != board {
        return Err(refuse(format!("initialPosition has {size} rows, but rules.board is {board}")));
    }
    if let Some(player) = player.filter(|&player| player != setup.side) {
        let reason = format!("{player} moves first, but initialPosition says {}", setup.side);
        return Err(QueryRefusal::for_field("initialPlayer", reason));
    }
    setup.validate().map_err(|error| refuse(error.to_string()))
}

/// The position with `stones` on an empty board. `side` moves first, White if `None`.
fn stones_on_board(
    stones: &[MoveEntry],
    rules: Rules,
    side: Option<Color>,
) -> Result<Position, QueryRefusal> {
    let side = side.unwrap_or(Color::White);
    let mut setup = Setup { side, ..Setup::empty(rules) };
    for (number, entry) in stones.iter().enumerate() {
        let refuse = |reason: String| {
            QueryRefusal::for_field("initialStones", format!("initialStones[{number}]: {reason}"))
        };
        let (player, word) = entry.parts();
        let player = player.ok_or_else(|| refuse("the player is missing".to_owned()))?;
        let cell = parse_point(word).ok_or_else(|| refuse(format!("'{word}' is not a point")))?;
        if setup.tiles.iter().any(|tiles| tiles.contains(cell)) {
            return Err(refuse(format!("{cell} has a tile already")));
        }
        let tiles = &mut setup.tiles[player.index()];
        *tiles = tiles.with(cell);
    }
    setup.validate().map_err(|error| QueryRefusal::for_field("initialStones", error))
}
