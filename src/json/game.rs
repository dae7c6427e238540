//! The game of a query: its rules, its start and its moves.

use serde_json::Value;

use super::fields::{Fields, Refusal, Warnings, cut, player, shown};
use super::settings::{RULES, set};
use crate::board::{Cell, Size};
use crate::engine::{Game, Options};
use crate::game::{Color, Move, Position, Rules, Setup};
use crate::gtp::{cell, check_first, turn_of};
use crate::notation::ParseMoveError;

/// A position of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The position before the turn.
    pub(super) position: Position,
    /// The first point of the turn, if it is played by points and half done.
    pub(super) first: Option<Cell>,
}

/// The positions before and after each entry of `moves`.
pub(super) struct Record {
    pub(super) turns: Vec<Turn>,
    /// Whether an entry is a single point.
    pub(super) has_points: bool,
}

/// Rules by name: those of the options.
const STANDARD: &str = "standard";

impl Record {
    /// Reads the fields about the game; `options` are the defaults.
    pub(super) fn read(
        fields: Fields<'_>,
        options: &Options,
        warnings: &mut Warnings,
    ) -> Result<Record, Refusal> {
        let moves = entries(fields, "moves")?;
        if moves.is_none() && fields.get("initialPosition").is_none() {
            let reason = "moves is missing: the moves so far, [] for none; or initialPosition";
            return Err(Refusal::field("moves", reason));
        }
        let moves = moves.unwrap_or_default();
        let mut of_game = options.clone();
        let sized_by = rules(fields, &mut of_game, warnings)?;
        let first_player = moves.first().and_then(|entry| entry.0);
        let position = start(fields, of_game.rules, sized_by, first_player)?;
        let turns = vec![Turn { position, first: None }];
        let mut record = Record { turns, has_points: false };
        let mut game = Game::new(position);
        for (number, (player, word)) in moves.into_iter().enumerate() {
            let refuse = |reason| Refusal::field("moves", format!("moves[{number}]: {reason}"));
            record.play(&mut game, player, word).map_err(refuse)?;
        }
        Ok(record)
    }

    /// Plays an entry of `moves`. With a player it may be a single point, and
    /// `pass` also means `swap`.
    fn play(&mut self, game: &mut Game, player: Option<Color>, word: &str) -> Result<(), String> {
        let position = *game.position();
        if let Some(player) = player {
            let refuse = |reason| format!("{player} cannot play {}: {reason}", cut(word));
            position.check_turn(player).map_err(refuse)?;
        }
        let illegal = |reason: String| format!("{word} is illegal: {reason}");
        let first = self.turns.last().and_then(|turn| turn.first);
        let point = point(word).filter(|_| player.is_some());
        let mv = match (first, point) {
            (None, Some(point)) => {
                check_first(&position, point).map_err(|error| {
                    let text = error.to_string();
                    illegal(text.strip_prefix("illegal move: ").unwrap_or(&text).to_owned())
                })?;
                self.turns.push(Turn { position, first: Some(point) });
                self.has_points = true;
                return Ok(());
            }
            (Some(first), Some(point)) => turn_of(&position, first, point),
            (Some(first), None) => {
                return Err(format!("{} follows {first}: the second point is due", cut(word)));
            }
            (None, None) => word.parse().map_err(|error: ParseMoveError| error.to_string())?,
        };
        let is_swap = mv == Move::Pass && position.may_swap() && player.is_some();
        let mv = if is_swap { Move::Swap } else { mv };
        game.play(mv).map_err(|reason| illegal(reason.to_string()))?;
        self.turns.push(Turn { position: *game.position(), first: None });
        Ok(())
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
fn entries<'a>(
    fields: Fields<'a>,
    name: &str,
) -> Result<Option<Vec<(Option<Color>, &'a str)>>, Refusal> {
    let Some(list) = fields.list(name)? else { return Ok(None) };
    let entry = |(number, value): (usize, &'a Value)| {
        let read = || match value {
            Value::String(word) => Some((None, word.as_str())),
            Value::Array(pair) => match pair.as_slice() {
                [color, word] => Some((Some(player(color.as_str()?)?), word.as_str()?)),
                _ => None,
            },
            _ => None,
        };
        let form = "a move, or a pair of a player (W or B) and a move or point";
        let refuse = || format!("{name}[{number}] must be {form}, not {}", shown(value));
        read().ok_or_else(|| Refusal::field(name, refuse()))
    };
    list.iter().enumerate().map(entry).collect::<Result<_, _>>().map(Some)
}

/// Sets the rules of the query in `options`. Returns the field that sets the
/// size of the board.
fn rules(
    fields: Fields<'_>,
    options: &mut Options,
    warnings: &mut Warnings,
) -> Result<Option<&'static str>, Refusal> {
    let refuse = |reason: String| Refusal::field("rules", reason);
    let mut sized_by = None;
    match fields.get("rules") {
        None => {}
        Some(Value::String(name)) if name.eq_ignore_ascii_case(STANDARD) => {}
        Some(Value::String(name)) => {
            let name = cut(name);
            warnings
                .add("rules", format!("no rules are named '{name}': those of the options apply"));
        }
        Some(Value::Object(map)) => {
            for (name, value) in map.iter().filter(|(name, _)| RULES.contains(&name.as_str())) {
                set(options, name, value).map_err(refuse)?;
            }
            sized_by = map.contains_key("board").then_some("board in rules");
            let unknown = map.keys().filter(|name| !RULES.contains(&name.as_str()));
            warnings.add_names("rules", "rules has only board supply pie, not", unknown);
        }
        Some(other) => {
            let reason = format!("rules must be an object or a string, not {}", shown(other));
            return Err(refuse(reason));
        }
    }
    let (x, y) = (fields.size("boardXSize")?, fields.size("boardYSize")?);
    if let (Some(x), Some(y)) = (x, y)
        && x != y
    {
        let reason = format!("boards are square, but boardXSize is {x} and boardYSize {y}");
        return Err(Refusal::field("boardYSize", reason));
    }
    let Some(size) = x.or(y) else { return Ok(sized_by) };
    let board = options.rules.size;
    if sized_by.is_some() && size != board {
        let reason = format!("boardXSize is {size}, but board is {board} in rules");
        return Err(Refusal::field("boardXSize", reason));
    }
    options.rules.size = size;
    Ok(Some("boardXSize"))
}

/// The start position: `initialPosition`, or `initialStones` on an empty board.
/// `first_player` moves first if nothing says otherwise.
fn start(
    fields: Fields<'_>,
    rules: Rules,
    sized_by: Option<&str>,
    first_player: Option<Color>,
) -> Result<Position, Refusal> {
    let stones = entries(fields, "initialStones")?.unwrap_or_default();
    let player = fields.color("initialPlayer")?;
    let Some(text) = fields.text("initialPosition")? else {
        let refuse = |reason: String| Refusal::field("initialStones", reason);
        let mut setup = Setup::empty(rules);
        setup.side = player.or(first_player).unwrap_or(Color::White);
        for (number, (player, word)) in stones.into_iter().enumerate() {
            let missing = || refuse(format!("initialStones[{number}]: the player is missing"));
            let unknown =
                || refuse(format!("initialStones[{number}]: '{}' is not a point", cut(word)));
            let (player, cell) = (player.ok_or_else(missing)?, point(word).ok_or_else(unknown)?);
            if setup.tiles.iter().any(|tiles| tiles.contains(cell)) {
                return Err(refuse(format!("initialStones[{number}]: {cell} has a tile already")));
            }
            let tiles = &mut setup.tiles[player.index()];
            *tiles = tiles.with(cell);
        }
        return setup.validate().map_err(|error| refuse(error.to_string()));
    };
    let refuse = |reason: String| Refusal::field("initialPosition", reason);
    if !stones.is_empty() {
        let reason = "initialStones and initialPosition exclude each other";
        return Err(Refusal::field("initialStones", reason));
    }
    let setup = Setup::parse(text, rules.supply, rules.pie);
    let setup = setup.map_err(|error| refuse(error.to_string()))?;
    let size: Size = setup.rules.size;
    if let Some(name) = sized_by.filter(|_| size != rules.size) {
        return Err(refuse(format!("it has {size} rows, but {name} is {}", rules.size)));
    }
    if let Some(player) = player.filter(|&player| player != setup.side) {
        let reason = format!("{player} moves first, but initialPosition says {}", setup.side);
        return Err(Refusal::field("initialPlayer", reason));
    }
    setup.validate().map_err(|error| refuse(error.to_string()))
}
