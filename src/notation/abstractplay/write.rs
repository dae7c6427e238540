//! Writing Abstract Play records.

use serde_json::{Map, Value, json};

use super::schema::{Ending, GAME, NO_NAMES};
use crate::board::Size;
use crate::game::{Color, Move, Outcome, Setup, SetupStage};
use crate::notation::record::{Record, RecordedMove, Tag, day_of};
use crate::notation::result::{GameResult, WonBy};

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
    format!("{:#}\n", value(record))
}

/// Writes records as a JSON array, or a single record alone.
pub fn write_all(records: &[Record]) -> String {
    match records {
        [record] => write(record),
        _ => format!("{:#}\n", Value::Array(records.iter().map(value).collect())),
    }
}

fn value(record: &Record) -> Value {
    json!({ "header": header(record), "moves": rounds(record) })
}

fn header(record: &Record) -> Value {
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
    put("players", players(record));
    let mut ours = json!({ "supply": rules.supply.to_string(), "pie": rules.pie });
    if record.start != Setup::empty(*rules) {
        ours["start"] = record.start.to_string().into();
    }
    if let Some(result) = record.result {
        ours["result"] = result.to_string().into();
    }
    if !record.comment.is_empty() {
        ours["comment"] = record.comment.as_str().into();
    }
    put("pontifex", ours);
    Value::Object(header)
}

fn players(record: &Record) -> Value {
    let end = record.position_after(record.moves.len()).ok();
    let results = match record.result {
        Some(GameResult::Played(Outcome::Draw)) => [1, 1],
        Some(result) => Color::BOTH.map(|color| i32::from(result.winner() == Some(color))),
        None => [0, 0],
    };
    let player = |color: Color| {
        let tag = if color == Color::White { Tag::White } else { Tag::Red };
        let mut player = json!({ "name": record.tag(tag).unwrap_or(NO_NAMES[color.index()]) });
        if let Some(end) = &end {
            player["score"] = end.score(color).points.into();
        }
        player["result"] = results[color.index()].into();
        player
    };
    Color::BOTH.map(player).into_iter().collect()
}

/// The index of the swap that `pie-invoked` stands for: the one after White's
/// first turn. Any other swap is illegal and remains among the moves.
fn implied_swap(record: &Record) -> Option<usize> {
    let turn = usize::from(record.start.stage != SetupStage::Pie);
    let taken = record.moves.get(turn)?;
    (taken.mv == Move::Swap && taken.comment.is_empty()).then_some(turn)
}

fn rounds(record: &Record) -> Vec<Vec<Value>> {
    let swap = implied_swap(record);
    let ending = match record.result {
        Some(GameResult::Won { by: WonBy::Resignation, .. }) => Some(Ending::Resign),
        Some(GameResult::Won { by: WonBy::Time, .. }) => Some(Ending::Timeout),
        Some(GameResult::Void) => Some(Ending::Abandoned),
        _ => None,
    };
    let entries = record.moves.iter().map(entry).chain(ending.map(|ending| ending.word().into()));
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

fn entry(turn: &RecordedMove) -> Value {
    let mv = turn.mv.to_string();
    if turn.comment.is_empty() { mv.into() } else { json!({ "move": mv, "result": turn.comment }) }
}
