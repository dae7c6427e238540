//! Reading Abstract Play records.

use serde_json::Value;

use super::error::AbstractPlayError;
use super::schema::{Ending, GAME, NO_NAMES};
use crate::board::Size;
use crate::game::{Color, Move, Outcome, Rules, Setup, SetupStage, Supply};
use crate::messages::excerpt;
use crate::notation::record::{Record, RecordedMove, Tag};
use crate::notation::result::{GameResult, WonBy};
use crate::notation::value::{self, RESULT, SUPPLY};

const MOVE: &str = "a move, as in \"d4,e6\", or null";

/// Reads a record, or the first of an array of records.
pub(in crate::notation) fn read(text: &str) -> Result<Record, AbstractPlayError> {
    let value = json(text)?;
    record(records(&value)?.first().ok_or(AbstractPlayError::NoRecord)?)
}

/// Reads a record or an array of records; there is at least one.
pub(in crate::notation) fn read_all(text: &str) -> Result<Vec<Record>, AbstractPlayError> {
    let value = json(text)?;
    records(&value)?.iter().map(record).collect()
}

fn json(text: &str) -> Result<Value, AbstractPlayError> {
    serde_json::from_str(text).map_err(|e| AbstractPlayError::Json(e.to_string()))
}

fn records(value: &Value) -> Result<&[Value], AbstractPlayError> {
    match value {
        Value::Array(records) if records.is_empty() => Err(AbstractPlayError::NoRecord),
        Value::Array(records) => Ok(records),
        record => Ok(std::slice::from_ref(record)),
    }
}

/// A value and the path to it.
#[derive(Clone)]
struct At<'v> {
    path: String,
    /// `None` when it is missing or `null`.
    value: Option<&'v Value>,
}

impl<'v> At<'v> {
    fn get(&self, key: &str) -> At<'v> {
        let dot = if self.path.is_empty() { "" } else { "." };
        At { path: format!("{}{dot}{key}", self.path), value: self.child(key) }
    }

    fn child(&self, key: &str) -> Option<&'v Value> {
        self.value.and_then(|value| value.get(key)).filter(|value| !value.is_null())
    }

    fn wrong(&self, wanted: &'static str) -> AbstractPlayError {
        let found = match self.value {
            Some(Value::Object(_)) => "an object".to_owned(),
            Some(Value::Array(_)) => "an array".to_owned(),
            Some(value) => excerpt(&value.to_string()),
            None => "missing".to_owned(),
        };
        AbstractPlayError::Value { path: self.path.clone(), found, wanted }
    }

    fn text(&self, wanted: &'static str) -> Result<&'v str, AbstractPlayError> {
        self.value.and_then(Value::as_str).ok_or_else(|| self.wrong(wanted))
    }

    /// The text parsed by `read`, or `None` if missing.
    fn optional<T>(
        &self,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, AbstractPlayError> {
        if self.value.is_none() {
            return Ok(None);
        }
        read(self.text(wanted)?).map(Some).ok_or_else(|| self.wrong(wanted))
    }

    fn flag(&self) -> Result<bool, AbstractPlayError> {
        match self.value {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong("true or false")),
        }
    }

    fn items(
        &self,
        wanted: &'static str,
    ) -> Result<impl Iterator<Item = At<'v>> + use<'v>, AbstractPlayError> {
        let items = self.value.and_then(Value::as_array).ok_or_else(|| self.wrong(wanted))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(n, value)| {
            let value = Some(value).filter(|value| !value.is_null());
            At { path: format!("{path}[{n}]"), value }
        }))
    }
}

fn record(value: &Value) -> Result<Record, AbstractPlayError> {
    let root = At { path: String::new(), value: Some(value) };
    let header = root.get("header");
    check_game(&header)?;
    let ours = header.get("pontifex");
    if ours.value.is_some_and(|value| !value.is_object()) {
        return Err(ours.wrong("an object"));
    }
    let mut record = Record::new(start(&header, &ours)?);
    for (tag, value) in [
        (Tag::Event, header.get("event")),
        (Tag::Round, header.get("round")),
        (Tag::Place, header.get("site").get("name")),
        (Tag::Date, header.get("date-start")),
    ] {
        if let Some(text) = value.optional("a text", |text| Some(text.to_owned()))? {
            record.set_tag(tag, text.strip_suffix("T00:00:00.000Z").unwrap_or(&text));
        }
    }
    if record.tag(Tag::Place) == Some("pontifex") {
        record.set_tag(Tag::Place, "");
    }
    let winner = players(&header, &mut record)?;
    if let Some(text) = ours.get("comment").optional("a text", |text| Some(text.to_owned()))? {
        record.comment = text;
    }
    let swaps = header.get("pie-invoked").flag()? || header.get("pied").flag()?;
    let ending = moves(&root.get("moves"), swaps, &mut record)?;
    record.result = if ours.value.is_some() {
        ours.get("result").optional(RESULT, |text| text.parse().ok())?
    } else {
        result(&record, ending, winner)
    };
    Ok(record)
}

fn check_game(header: &At<'_>) -> Result<(), AbstractPlayError> {
    let name = header.get("game").get("name");
    let letters: String = name
        .text("the game's name")?
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if ["pontedeldiavolo", "pontedd"].contains(&letters.as_str()) {
        Ok(())
    } else {
        Err(name.wrong(GAME))
    }
}

/// The rules and the board before the first move.
fn start(header: &At<'_>, ours: &At<'_>) -> Result<Setup, AbstractPlayError> {
    let mut size = Size::STANDARD;
    let variants = header.get("game").get("variants");
    if variants.value.is_some() {
        for variant in variants.items("an array of variants")? {
            let Some((columns, rows)) = board(variant.text("a variant, as in \"12x12 board\"")?)
            else {
                continue;
            };
            let board = Some(columns).filter(|&columns| columns == rows).and_then(value::size);
            size = board.ok_or_else(|| variant.wrong("a board from 4x4 to 12x12"))?;
        }
    }
    let supply = ours.get("supply").optional(SUPPLY, |text| text.parse().ok())?;
    let supply = supply.unwrap_or(Supply::Unlimited);
    let pie = ours.get("pie");
    let pie = pie.value.is_none() || pie.flag()?;
    let text = ours.get("start");
    if text.value.is_none() {
        return Ok(Setup::empty(Rules { size, supply, pie }));
    }
    let start = Setup::parse(text.text("a position text")?, supply, pie)?;
    if start.rules.size == size {
        Ok(start)
    } else {
        Err(text.wrong("a position on the board of header.game.variants"))
    }
}

/// The columns and rows in the name of a variant, if it has any. Names are translated:
/// `8x8 board`, `8x8-Brett`, `Plateau 8x8`. Where a translation is missing, the site
/// writes its key instead: `size-8` or `variants.pontedd.size-8.name`.
fn board(variant: &str) -> Option<(&str, &str)> {
    let is_other = |c: char| !c.is_ascii_digit();
    let pair = variant.match_indices(['x', 'X', '×', 'х']).find_map(|(at, times)| {
        let columns = variant[..at].rsplit(is_other).next()?;
        let rows = variant[at + times.len()..].split(is_other).next()?;
        (!columns.is_empty() && !rows.is_empty()).then_some((columns, rows))
    });
    pair.or_else(|| {
        let edge = variant.split_once("size-")?.1.split(is_other).next()?;
        Some((edge, edge))
    })
}

/// Reads the players' names. Returns the player with the better result.
fn players(header: &At<'_>, record: &mut Record) -> Result<Option<Color>, AbstractPlayError> {
    let players: Vec<At> = header.get("players").items("an array of two players")?.collect();
    let [white, red] = players.as_slice() else {
        return Err(header.get("players").wrong("an array of two players"));
    };
    for (player, tag, no_name) in [(white, Tag::White, NO_NAMES[0]), (red, Tag::Red, NO_NAMES[1])] {
        let name = player.get("name").text("a name")?;
        record.set_tag(tag, if name == no_name { "" } else { name });
    }
    let result = |player: &At<'_>| player.get("result").value.and_then(Value::as_f64);
    Ok(match (result(white), result(red)) {
        (Some(white), Some(red)) if white > red => Some(Color::White),
        (Some(white), Some(red)) if white < red => Some(Color::Red),
        _ => None,
    })
}

/// Reads the moves. Returns how the game ended early, if it did.
fn moves(
    rounds: &At<'_>,
    swaps: bool,
    record: &mut Record,
) -> Result<Option<Ending>, AbstractPlayError> {
    let before_swap = usize::from(record.start.stage != SetupStage::Pie);
    let mut to_move = record.start.side;
    let mut ending: Option<Ending> = None;
    for round in rounds.items("an array of rounds")? {
        let entries = round.items("a round: an array of White's move and Red's")?;
        for (seat, entry) in entries.enumerate().filter(|(_, entry)| entry.value.is_some()) {
            let path = entry.path.clone();
            if let Some(ending) = ending {
                return Err(AbstractPlayError::AfterEnd { path, ending: ending.word() });
            }
            if record.moves.len() >= Record::MAX_NODES {
                return Err(AbstractPlayError::TooManyMoves { path });
            }
            if swaps && record.moves.len() == before_swap {
                record.moves.push(Move::Swap.into());
            }
            let (text, comment) = words(&entry)?;
            ending = Ending::ALL.into_iter().find(|ending| ending.word() == text);
            if ending.is_some() {
                continue;
            }
            let mv: Move = text.parse().map_err(|_| entry.wrong(MOVE))?;
            match Color::BOTH.get(seat) {
                Some(&color) if color == to_move => {}
                Some(_) => return Err(AbstractPlayError::WrongTurn { path, to_move }),
                None => return Err(AbstractPlayError::NoPlayer { path }),
            }
            to_move = if mv == Move::Swap { to_move } else { !to_move };
            record.moves.push(RecordedMove { mv, comment: comment.to_owned() });
        }
    }
    if swaps && record.moves.len() == before_swap {
        record.moves.push(Move::Swap.into());
    }
    if swaps && record.moves.len() < before_swap {
        return Err(AbstractPlayError::NothingToSwap);
    }
    Ok(ending)
}

/// The text of a move without white space, and the comment on it.
fn words<'v>(entry: &At<'v>) -> Result<(String, &'v str), AbstractPlayError> {
    let mv =
        if entry.value.is_some_and(Value::is_object) { entry.get("move") } else { entry.clone() };
    let text = mv.text(MOVE)?;
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    let comment = entry.child("result").and_then(Value::as_str).unwrap_or_default();
    Ok((text, comment))
}

/// The result according to the site's own part of a record.
fn result(record: &Record, ending: Option<Ending>, winner: Option<Color>) -> Option<GameResult> {
    let won = |by| winner.map(|winner| GameResult::Won { winner, by });
    match ending {
        Some(Ending::Resign) => won(WonBy::Resignation),
        Some(Ending::Timeout) => won(WonBy::Time),
        Some(Ending::Draw) => Some(GameResult::Played(Outcome::Draw)),
        Some(Ending::Abandoned) => Some(GameResult::Void),
        None => match record.position_after(record.moves.len()) {
            Ok(end) if end.is_over() => Some(GameResult::Played(end.outcome())),
            _ => won(WonBy::Unstated),
        },
    }
}
