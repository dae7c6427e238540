//! The game of a query: its rules, its start and its moves.

use serde_json::Value;

use super::fields::{Fields, Refusal, Warnings, player, set_param, shown};
use crate::analysis::points::{cell, check_first, turn_of};
use crate::board::Cell;
use crate::engine::Options;
use crate::game::{Color, Move, Position, Rules, Setup};
use crate::messages::excerpt;
use crate::notation::ParseMoveError;

/// A position of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The position before the turn.
    pub(super) position: Position,
    /// The first point of the turn, if it is played by points and half done.
    pub(super) first: Option<Cell>,
}

/// An entry of `moves` or `initialStones`: a word, perhaps with its player.
type Entry<'a> = (Option<Color>, &'a str);

/// Parameters that `rules` sets.
pub(super) const RULES: [&str; 3] = ["board", "supply", "pie"];

/// Rules by name: those of the options.
const STANDARD: &str = "standard";

/// The positions before and after each entry of `moves`; `options` are the
/// defaults of the rules.
pub(super) fn turns(
    fields: Fields<'_>,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<Turn>, Refusal> {
    let moves = entries(fields, "moves")?;
    if moves.is_none() && fields.get("initialPosition").is_none() {
        let reason = "moves is missing: the moves so far, [] for none; or initialPosition";
        return Err(Refusal::field("moves", reason));
    }
    let moves = moves.unwrap_or_default();
    let mut of_game = options.clone();
    let is_sized = rules(fields, &mut of_game, warnings)?;
    let first_player = moves.first().and_then(|entry| entry.0);
    let position = start(fields, of_game.rules, is_sized, first_player)?;
    let mut turns = vec![Turn { position, first: None }];
    for (number, entry) in moves.into_iter().enumerate() {
        let refuse = |reason| Refusal::field("moves", format!("moves[{number}]: {reason}"));
        turns.push(turns[number].after(entry).map_err(refuse)?);
    }
    Ok(turns)
}

impl Turn {
    /// The position after an entry of `moves`. With a player it may be a single
    /// point, and `pass` also means `swap`.
    fn after(self, (player, word): Entry<'_>) -> Result<Turn, String> {
        let Turn { mut position, first } = self;
        if let Some(player) = player {
            let refuse = |reason| format!("{player} cannot play {word}: {reason}");
            position.check_turn(player).map_err(refuse)?;
        }
        let illegal = |reason: &str| format!("{word} is illegal: {reason}");
        let mv = match (first, player.and_then(|_| point(word))) {
            (None, Some(point)) => {
                return check_first(&position, point)
                    .map(|()| Turn { position, first: Some(point) })
                    .map_err(|reason| illegal(&reason.to_string()));
            }
            (Some(first), Some(point)) => turn_of(&position, first, point),
            (Some(first), None) => {
                return Err(format!("{word} follows {first}: the second point is due"));
            }
            (None, None) => word.parse().map_err(|error: ParseMoveError| error.to_string())?,
        };
        let is_swap = mv == Move::Pass && position.may_swap() && player.is_some();
        let mv = if is_swap { Move::Swap } else { mv };
        position.play(mv).map_err(|reason| illegal(&reason.to_string()))?;
        Ok(Turn { position, first: None })
    }
}

/// A point: `d4`, or in capitals as in Go, without a column I: `J4` is `i4`.
pub(super) fn point(word: &str) -> Option<Cell> {
    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
        return word.parse().ok();
    }
    cell(word)
}

/// The entries of `moves` or `initialStones`: words, or pairs of a player and a
/// word.
fn entries<'a>(fields: Fields<'a>, name: &str) -> Result<Option<Vec<Entry<'a>>>, Refusal> {
    let Some(list) = fields.list(name)? else { return Ok(None) };
    let read = |value: &'a Value| match value {
        Value::Array(pair) => match pair.as_slice() {
            [color, word] => Some((Some(player(color.as_str()?)?), word.as_str()?)),
            _ => None,
        },
        word => Some((None, word.as_str()?)),
    };
    let entry = |(number, value): (usize, &'a Value)| {
        let form = "a move, or a pair of a player (W or B) and a move or point";
        let refuse = || format!("{name}[{number}] must be {form}, not {}", shown(value));
        read(value).ok_or_else(|| Refusal::field(name, refuse()))
    };
    list.iter().enumerate().map(entry).collect::<Result<_, _>>().map(Some)
}

/// Sets the rules of the query in `options`. Returns whether they include the
/// size of the board.
fn rules(
    fields: Fields<'_>,
    options: &mut Options,
    warnings: &mut Warnings,
) -> Result<bool, Refusal> {
    let mut is_sized = false;
    match fields.get("rules") {
        None => {}
        Some(Value::String(name)) if name.eq_ignore_ascii_case(STANDARD) => {}
        Some(Value::String(name)) => {
            let reason =
                format!("no rules are named '{}': those of the options apply", excerpt(name));
            warnings.add("rules", reason);
        }
        Some(Value::Object(map)) => {
            let (known, unknown): (Vec<_>, Vec<_>) =
                map.iter().partition(|(name, _)| RULES.contains(&name.as_str()));
            for (name, value) in known {
                set_param(options, name, value)
                    .map_err(|reason| Refusal::field("rules", reason))?;
            }
            is_sized = map.contains_key("board");
            let unknown = unknown.into_iter().map(|(name, _)| name);
            warnings.add_names("rules", "rules has only board supply pie, not", unknown);
        }
        Some(other) => {
            let reason = format!("rules must be an object or a string, not {}", shown(other));
            return Err(Refusal::field("rules", reason));
        }
    }
    let (x, y) = (fields.size("boardXSize")?, fields.size("boardYSize")?);
    let Some(size) = x.or(y) else { return Ok(is_sized) };
    if y.is_some_and(|y| y != size) {
        let reason = format!("boards are square, but boardXSize is {size}");
        return Err(Refusal::field("boardYSize", reason));
    }
    let board = options.rules.size;
    if is_sized && size != board {
        let reason = format!("boardXSize is {size}, but board is {board} in rules");
        return Err(Refusal::field("boardXSize", reason));
    }
    options.rules.size = size;
    Ok(true)
}

/// The start position: `initialPosition`, or `initialStones` on an empty board.
/// `first_player` moves first if nothing says otherwise. `is_sized`: the size of
/// the board in `rules` is not a mere default.
fn start(
    fields: Fields<'_>,
    rules: Rules,
    is_sized: bool,
    first_player: Option<Color>,
) -> Result<Position, Refusal> {
    let stones = entries(fields, "initialStones")?.unwrap_or_default();
    let player = fields.color("initialPlayer")?;
    let Some(text) = fields.text("initialPosition")? else {
        return stones_on_board(&stones, rules, player.or(first_player))
            .map_err(|reason| Refusal::field("initialStones", reason));
    };
    if !stones.is_empty() {
        let reason = "initialStones and initialPosition exclude each other";
        return Err(Refusal::field("initialStones", reason));
    }
    let refuse = |reason: String| Refusal::field("initialPosition", reason);
    let setup = Setup::parse(text, rules.supply, rules.pie);
    let setup = setup.map_err(|error| refuse(error.to_string()))?;
    let (size, board) = (setup.rules.size, rules.size);
    if is_sized && size != board {
        return Err(refuse(format!("it has {size} rows, but the board has {board}")));
    }
    if let Some(player) = player.filter(|&player| player != setup.side) {
        let reason = format!("{player} moves first, but initialPosition says {}", setup.side);
        return Err(Refusal::field("initialPlayer", reason));
    }
    setup.validate().map_err(|error| refuse(error.to_string()))
}

/// The position with `stones`; `player`, or else White, moves first.
fn stones_on_board(
    stones: &[Entry<'_>],
    rules: Rules,
    player: Option<Color>,
) -> Result<Position, String> {
    let side = player.unwrap_or(Color::White);
    let mut setup = Setup { side, ..Setup::empty(rules) };
    for (number, &(player, word)) in stones.iter().enumerate() {
        let refuse = |reason: String| format!("initialStones[{number}]: {reason}");
        let player = player.ok_or_else(|| refuse("the player is missing".to_owned()))?;
        let cell = point(word).ok_or_else(|| refuse(format!("'{word}' is not a point")))?;
        if setup.tiles.iter().any(|tiles| tiles.contains(cell)) {
            return Err(refuse(format!("{cell} has a tile already")));
        }
        let tiles = &mut setup.tiles[player.index()];
        *tiles = tiles.with(cell);
    }
    setup.validate().map_err(|error| error.to_string())
}
