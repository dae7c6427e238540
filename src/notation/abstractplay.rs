//! The JSON game record of the site Abstract Play (schema `gamerecord`).
//!
//! `moves` is an array of rounds, and a round is an array of White's move and Red's. An entry is a
//! text, an object with `move` and perhaps `result` (a comment, if it is a text), or `null` if the
//! player has no move in the round. A last entry of `resign`, `timeout`, `draw` or `abandoned` ends
//! a game early.
//!
//! A swap is not among the moves. The site exchanges the players instead, as if the second player
//! had made the first move, and sets `pie-invoked` (elsewhere `pied`) in the header. Reading
//! therefore inserts `swap` after the first move, and writing removes it. The first of `players`
//! has White at the end.
//!
//! The site plays with unlimited supply and the pie rule. A variant that contains `8x8`, `12x12` or
//! the like names the board. Without one it is 10×10, whatever `Default board` is called in the
//! site's language. Results are 1 for a win and 0 for a loss. An additional object `pontifex` in
//! the header holds what the format cannot express: `supply`, `pie`, `start` (position text),
//! `result`, `comment`.

use serde_json::{Map, Value, json};
use strum::{EnumString, IntoStaticStr};

use super::error::{Problem, RecordError};
use super::format::{Beginning, Format, Likeness};
use super::record::{Record, RecordedMove, Tag, day_of};
use super::text::Warning;
use super::value::{self, GameResult, SUPPLY, WonBy};
use crate::board::Size;
use crate::game::{Color, Move, Outcome, Rules, Setup, SetupStage, Supply};
use crate::messages::{data_error, excerpt};

/// The name of the game.
const GAME: &str = "Ponte del Diavolo";

/// Placeholders for unknown players: the schema requires names. Reading drops them again.
const PLACEHOLDER_NAMES: [&str; 2] = ["White", "Red"];

/// The last entry of the moves if the game ended early, under the site's names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, EnumString)]
#[strum(serialize_all = "lowercase")]
enum SiteEnding {
    Resign,
    Timeout,
    Draw,
    Abandoned,
}

const MOVE: &str = "a move, as in \"d4,e6\", or null";

/// The format of Abstract Play, and of the JSON that `convert` writes.
pub static FORMAT: Format = Format {
    name: "json",
    aliases: &["abstractplay"],
    extension: "json",
    media_type: "application/json",
    titles: ["Abstract Play record", "Abstract-Play-Datei", "Fichier Abstract Play"],
    is_position: false,
    likeness: |Beginning { text, .. }| match text.split_at_checked(1) {
        Some(("{", rest)) if rest.trim_start().starts_with(['"', '}']) => Likeness::Sure,
        Some(("[", rest)) if rest.trim_start().starts_with(['{', '[', ']']) => Likeness::Sure,
        Some(("{" | "[", _)) => Likeness::Fair,
        _ => Likeness::No,
    },
    read: |text, _, max_games, warnings| {
        let value = serde_json::from_str(text).map_err(|e| RecordError::Json(data_error(&e)))?;
        let records = match &value {
            Value::Array(records) if records.is_empty() => return Err(RecordError::NoRecord),
            Value::Array(records) => records,
            record => std::slice::from_ref(record),
        };
        records.iter().take(max_games).map(|value| read_record(value, warnings)).collect()
    },
    write: |records| match records {
        [record] => write(record),
        _ => format!("{:#}\n", Value::Array(records.iter().map(record_json).collect())),
    },
};

/// A value and the path to it, for errors. Values are read one by one and not by a derived
/// `Deserialize`: the site leaves out fields and adds others, and an error must name the wrong one.
#[derive(Clone)]
struct PathValue<'v> {
    path: String,
    /// `None` if it is missing or `null`.
    value: Option<&'v Value>,
}

impl<'v> PathValue<'v> {
    fn get(&self, key: &str) -> PathValue<'v> {
        let dot = if self.path.is_empty() { "" } else { "." };
        PathValue { path: format!("{}{dot}{key}", self.path), value: self.child(key) }
    }

    fn child(&self, key: &str) -> Option<&'v Value> {
        self.value.and_then(|value| value.get(key)).filter(|value| !value.is_null())
    }

    fn error(&self, problem: Problem) -> RecordError {
        RecordError::In { path: self.path.clone(), problem }
    }

    fn wrong_value(&self, wanted: &'static str) -> RecordError {
        let found = match self.value {
            Some(Value::Object(_)) => "an object".to_owned(),
            Some(Value::Array(_)) => "an array".to_owned(),
            Some(value) => excerpt(&value.to_string()),
            None => "missing".to_owned(),
        };
        self.error(Problem::Is { found, wanted })
    }

    fn text(&self, wanted: &'static str) -> Result<&'v str, RecordError> {
        self.value.and_then(Value::as_str).ok_or_else(|| self.wrong_value(wanted))
    }

    /// The text parsed by `read`, or `None` if missing.
    fn optional<T>(
        &self,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, RecordError> {
        if self.value.is_none() {
            return Ok(None);
        }
        read(self.text(wanted)?).map(Some).ok_or_else(|| self.wrong_value(wanted))
    }

    fn flag(&self) -> Result<bool, RecordError> {
        match self.value {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong_value("true or false")),
        }
    }

    fn items(
        &self,
        wanted: &'static str,
    ) -> Result<impl Iterator<Item = PathValue<'v>> + use<'v>, RecordError> {
        let items = self.value.and_then(Value::as_array).ok_or_else(|| self.wrong_value(wanted))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(n, value)| {
            let value = Some(value).filter(|value| !value.is_null());
            PathValue { path: format!("{path}[{n}]"), value }
        }))
    }
}

fn read_record(value: &Value, warnings: &mut Vec<Warning>) -> Result<Record, RecordError> {
    let root = PathValue { path: String::new(), value: Some(value) };
    let header = root.get("header");
    check_game(&header)?;
    let extension = header.get("pontifex");
    // A text there would be read as an object without fields.
    if extension.value.is_some_and(|value| !value.is_object()) {
        return Err(extension.wrong_value("an object"));
    }
    let mut record = Record::new(read_start(&header, &extension)?);
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
    // `header_json` writes this if the record has no place.
    if record.tag(Tag::Place) == Some("pontifex") {
        record.set_tag(Tag::Place, "");
    }
    let winner = read_players(&header, &mut record)?;
    if let Some(text) = extension.get("comment").optional("a text", |text| Some(text.to_owned()))? {
        record.comment = text;
    }
    let is_swapped = header.get("pie-invoked").flag()? || header.get("pied").flag()?;
    let ending = read_moves(&root.get("moves"), is_swapped, &mut record)?;
    // The extension has every kind of result; the site's part only winners and losers.
    record.result = if extension.value.is_some() {
        let text = extension.get("result").optional("a text", |text| Some(text.to_owned()))?;
        text.and_then(|text| value::parse_result(&text, warnings))
    } else {
        site_result(&record, ending, winner)
    };
    Ok(record)
}

fn check_game(header: &PathValue<'_>) -> Result<(), RecordError> {
    let name = header.get("game").get("name");
    let letters: String = name
        .text(GAME)?
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    // `pontedd` is the site's key for the game.
    if ["pontedeldiavolo", "pontedd"].contains(&letters.as_str()) {
        Ok(())
    } else {
        Err(name.wrong_value(GAME))
    }
}

/// Reads the rules and the board before the first move.
fn read_start(header: &PathValue<'_>, extension: &PathValue<'_>) -> Result<Setup, RecordError> {
    let mut size = Size::STANDARD;
    let variants = header.get("game").get("variants");
    if variants.value.is_some() {
        for variant in variants.items("an array of variants")? {
            let Some((columns, rows)) = board_in(variant.text("a variant, as in \"12x12 board\"")?)
            else {
                continue;
            };
            let board =
                Some(columns).filter(|&columns| columns == rows).and_then(value::parse_size);
            size = board.ok_or_else(|| variant.wrong_value("a board from 4x4 to 12x12"))?;
        }
    }
    let supply = extension.get("supply").optional(SUPPLY, |text| text.parse().ok())?;
    let supply = supply.unwrap_or(Supply::Unlimited);
    let pie = extension.get("pie");
    let pie = pie.value.is_none() || pie.flag()?;
    let text = extension.get("start");
    if text.value.is_none() {
        return Ok(Setup::empty(Rules { size, supply, pie }));
    }
    let start = Setup::parse(text.text("a position text")?, supply, pie)?;
    if start.rules.size == size {
        Ok(start)
    } else {
        Err(text.wrong_value("a position on the board of header.game.variants"))
    }
}

/// Returns the columns and rows in the name of a variant, if it has any. Names are translated:
/// `8x8 board`, `8x8-Brett`, `Plateau 8x8`. Where a translation is missing, the site writes its key
/// instead: `size-8` or `variants.pontedd.size-8.name`.
fn board_in(variant: &str) -> Option<(&str, &str)> {
    let is_not_digit = |c: char| !c.is_ascii_digit();
    // The last `х` is the Cyrillic letter, for translations.
    let pair = variant.match_indices(['x', 'X', '×', 'х']).find_map(|(start, times)| {
        let columns = variant[..start].rsplit(is_not_digit).next()?;
        let rows = variant[start + times.len()..].split(is_not_digit).next()?;
        (!columns.is_empty() && !rows.is_empty()).then_some((columns, rows))
    });
    pair.or_else(|| {
        let edge = variant.split_once("size-")?.1.split(is_not_digit).next()?;
        Some((edge, edge))
    })
}

/// Reads the players' names. Returns the colour with the better result; `None` if they are equal or
/// missing.
fn read_players(header: &PathValue<'_>, record: &mut Record) -> Result<Option<Color>, RecordError> {
    let players: Vec<PathValue> = header.get("players").items("an array of two players")?.collect();
    let [white, red] = players.as_slice() else {
        return Err(header.get("players").wrong_value("an array of two players"));
    };
    let [white_placeholder, red_placeholder] = PLACEHOLDER_NAMES;
    for (player, tag, placeholder) in
        [(white, Tag::White, white_placeholder), (red, Tag::Red, red_placeholder)]
    {
        let name = player.get("name").text("a name")?;
        record.set_tag(tag, if name == placeholder { "" } else { name });
    }
    let result = |player: &PathValue<'_>| player.get("result").value.and_then(Value::as_f64);
    Ok(match (result(white), result(red)) {
        (Some(white), Some(red)) if white > red => Some(Color::White),
        (Some(white), Some(red)) if white < red => Some(Color::Red),
        _ => None,
    })
}

/// Reads the moves. `is_swapped` says that the header implies a swap. Returns how the game ended
/// early, if it did.
fn read_moves(
    rounds: &PathValue<'_>,
    is_swapped: bool,
    record: &mut Record,
) -> Result<Option<SiteEnding>, RecordError> {
    // The number of moves before the swap that the header implies: none if the game starts from a
    // position in which Red may swap.
    let before_swap = usize::from(record.start.stage != SetupStage::Pie);
    let mut to_move = record.start.side;
    let mut ending: Option<SiteEnding> = None;
    for round in rounds.items("an array of rounds")? {
        let entries = round.items("a round: an array of White's move and Red's")?;
        // `null` where a player has no move in the round.
        for (seat, entry) in entries.enumerate().filter(|(_, entry)| entry.value.is_some()) {
            if let Some(ending) = ending {
                return Err(entry.error(Problem::AfterEnd(ending.into())));
            }
            if record.moves.len() >= Record::MAX_NODES {
                return Err(entry.error(Problem::TooMany("is one move")));
            }
            if is_swapped && record.moves.len() == before_swap {
                record.moves.push(Move::Swap.into());
            }
            let (text, comment) = move_and_comment(&entry)?;
            ending = text.parse().ok();
            if ending.is_some() {
                continue;
            }
            let mv: Move = text.parse().map_err(|_| entry.wrong_value(MOVE))?;
            match Color::BOTH.get(seat) {
                Some(&color) if color == to_move => {}
                Some(_) => return Err(entry.error(Problem::WrongPlace { to_move })),
                None => return Err(entry.error(Problem::NoPlayer)),
            }
            to_move = if mv == Move::Swap { to_move } else { !to_move };
            record.moves.push(RecordedMove { mv, comment: comment.to_owned() });
        }
    }
    // A game that ended with the swap has no entry after it.
    if is_swapped && record.moves.len() == before_swap {
        record.moves.push(Move::Swap.into());
    }
    if is_swapped && record.moves.len() < before_swap {
        let path = "header".to_owned();
        return Err(RecordError::In { path, problem: Problem::NothingToSwap });
    }
    Ok(ending)
}

/// The text of a move without white space, and the comment on it.
fn move_and_comment<'v>(entry: &PathValue<'v>) -> Result<(String, &'v str), RecordError> {
    let mv =
        if entry.value.is_some_and(Value::is_object) { entry.get("move") } else { entry.clone() };
    let text = mv.text(MOVE)?;
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    let comment = entry.child("result").and_then(Value::as_str).unwrap_or_default();
    Ok((text, comment))
}

/// The result according to the site's part of a record.
fn site_result(
    record: &Record,
    ending: Option<SiteEnding>,
    winner: Option<Color>,
) -> Option<GameResult> {
    let won = |by| winner.map(|winner| GameResult::Won { winner, by });
    match ending {
        Some(SiteEnding::Resign) => won(WonBy::Resignation),
        Some(SiteEnding::Timeout) => won(WonBy::Time),
        Some(SiteEnding::Draw) => Some(GameResult::Played(Outcome::Draw)),
        Some(SiteEnding::Abandoned) => Some(GameResult::Void),
        None => match record.position_after(record.moves.len()) {
            Ok(end) if end.is_over() => Some(GameResult::Played(end.outcome())),
            _ => won(WonBy::Unstated),
        },
    }
}

/// Writes a record as JSON with a line break at the end.
///
/// ```
/// use pontifex::notation::{Record, abstractplay};
///
/// let record = Record::parse("d4,e6 swap c3,c4")?;
/// let text = abstractplay::write(&record);
/// assert!(text.contains("\"pie-invoked\": true"));
/// assert_eq!(Record::parse(&text)?, record);
/// # Ok::<(), pontifex::notation::RecordError>(())
/// ```
pub fn write(record: &Record) -> String {
    format!("{:#}\n", record_json(record))
}

fn record_json(record: &Record) -> Value {
    json!({ "header": header_json(record), "moves": rounds_json(record) })
}

fn header_json(record: &Record) -> Value {
    let rules = record.rules();
    let mut header = Map::new();
    let mut put = |key: &str, value: Value| header.insert(key.to_owned(), value);
    put(
        "game",
        match rules.size {
            Size::STANDARD => json!({ "name": GAME }),
            size => json!({ "name": GAME, "variants": [format!("{size}x{size} board")] }),
        },
    );
    for (key, tag) in [("event", Tag::Event), ("round", Tag::Round)] {
        if let Some(text) = record.tag(tag) {
            put(key, text.into());
        }
    }
    put("site", json!({ "name": record.tag(Tag::Place).unwrap_or("pontifex") }));
    if let Some(date) = record.tag(Tag::Date) {
        let time = if day_of(date) == Some(date) { "T00:00:00.000Z" } else { "" };
        for key in ["date-start", "date-end", "date-generated"] {
            put(key, format!("{date}{time}").into());
        }
    }
    if implied_swap(record).is_some() {
        put("pie-invoked", true.into());
    }
    put("players", players_json(record));
    let mut extension = json!({ "supply": rules.supply.to_string(), "pie": rules.pie });
    if record.start != Setup::empty(*rules) {
        extension["start"] = record.start.to_string().into();
    }
    if let Some(result) = record.result {
        extension["result"] = result.to_string().into();
    }
    if !record.comment.is_empty() {
        extension["comment"] = record.comment.as_str().into();
    }
    put("pontifex", extension);
    Value::Object(header)
}

fn players_json(record: &Record) -> Value {
    let end = record.position_after(record.moves.len()).ok();
    let results = match record.result {
        Some(GameResult::Played(Outcome::Draw)) => [1, 1],
        Some(result) => Color::BOTH.map(|color| i32::from(result.winner() == Some(color))),
        None => [0, 0],
    };
    let player = |color: Color| {
        let tag = if color == Color::White { Tag::White } else { Tag::Red };
        let mut player =
            json!({ "name": record.tag(tag).unwrap_or(PLACEHOLDER_NAMES[color.index()]) });
        if let Some(end) = &end {
            player["score"] = end.score(color).points.into();
        }
        player["result"] = results[color.index()].into();
        player
    };
    Color::BOTH.map(player).into_iter().collect()
}

/// The index of the swap that `pie-invoked` implies, which follows White's first turn. Any other
/// swap is illegal and remains among the moves.
fn implied_swap(record: &Record) -> Option<usize> {
    let index = usize::from(record.start.stage != SetupStage::Pie);
    let recorded = record.moves.get(index)?;
    (recorded.mv == Move::Swap && recorded.comment.is_empty()).then_some(index)
}

fn rounds_json(record: &Record) -> Vec<Vec<Value>> {
    let swap = implied_swap(record);
    let ending = match record.result {
        Some(GameResult::Won { by: WonBy::Resignation, .. }) => Some(SiteEnding::Resign),
        Some(GameResult::Won { by: WonBy::Time, .. }) => Some(SiteEnding::Timeout),
        Some(GameResult::Void) => Some(SiteEnding::Abandoned),
        _ => None,
    };
    let ending = ending.map(<&str>::from).map(Value::from);
    let entries = record.moves.iter().map(entry_json).chain(ending);
    let mut rounds: Vec<Vec<Value>> = Vec::new();
    for (n, (entry, side)) in entries.zip(record.sides()).enumerate() {
        if Some(n) == swap {
            continue;
        }
        match rounds.last_mut() {
            Some(round) if round.len() == side.index() => round.push(entry),
            _ if side == Color::White => rounds.push(vec![entry]),
            _ => rounds.push(vec![Value::Null, entry]),
        }
    }
    rounds
}

fn entry_json(recorded: &RecordedMove) -> Value {
    let RecordedMove { mv, comment } = recorded;
    let mv = mv.to_string();
    if comment.is_empty() { mv.into() } else { json!({ "move": mv, "result": comment }) }
}
