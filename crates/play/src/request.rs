//! The messages a page may send, with the records and positions in them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::terms::{ClockKind, Level, Seat};
use pontifex::clock::Seconds;
use pontifex::messages::one_line;
use pontifex::notation::{Assumed, Record, Text, Warning};

/// A page's message. `docs/web.md` documents each.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Request {
    New(NewGame),
    Settings {
        players: Option<Players>,
        level: Option<Level>,
    },
    Play {
        #[serde(rename = "move")]
        mv: String,
        node: Option<u32>,
        #[serde(default)]
        aside: bool,
    },
    View {
        node: u32,
    },
    Seconds {
        first: String,
        node: Option<u32>,
    },
    Why(Why),
    Check {
        text: ReadText,
    },
    Hint {
        node: Option<u32>,
    },
    Retry {
        node: u32,
        #[serde(rename = "move")]
        mv: String,
    },
    Rematch {
        level: Option<Level>,
    },
    Goto {
        node: u32,
    },
    Undo,
    Delete {
        node: u32,
    },
    Resign {
        player: String,
    },
    MoveNow {
        node: Option<u32>,
    },
    Analyze {
        on: bool,
        #[serde(default)]
        ownership: bool,
        multi: Option<usize>,
        node: Option<u32>,
    },
    Review(ReviewWish),
    Load {
        text: ReadText,
        #[serde(default)]
        name: Option<String>,
        players: Option<Players>,
        #[serde(default)]
        play: bool,
    },
    Ping,
}

impl Request {
    /// Whether it replaces the game by another one.
    pub(super) fn replaces(&self) -> bool {
        matches!(self, Request::New(_) | Request::Load { .. } | Request::Rematch { .. })
    }
}

/// A new game. Missing players and level stay as they are, other missing
/// fields are those of the published game.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct NewGame {
    pub board: Option<u64>,
    pub supply: Option<String>,
    pub pie: Option<bool>,
    pub players: Option<Players>,
    pub level: Option<Level>,
    pub clock: Option<ClockKind>,
}

/// A question why a move, a tap on a cell, a second tile after a first, or the
/// beginning of a bridge is illegal.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Why {
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    pub(super) cell: Option<String>,
    pub(super) first: Option<String>,
    pub(super) from: Option<String>,
    pub(super) node: Option<u32>,
}

/// A review to start or to stop.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct ReviewWish {
    #[serde(default)]
    pub(super) cancel: bool,
    pub(super) playouts: Option<u64>,
    pub(super) time: Option<Seconds>,
    /// A node of the line; the current one if missing.
    pub(super) node: Option<u32>,
    /// Whether a review of the same line that runs or has ended will do.
    #[serde(default)]
    pub(super) once: bool,
}

/// The players of both colours.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Players {
    pub white: Seat,
    pub red: Seat,
}

impl From<Players> for [Seat; 2] {
    fn from(players: Players) -> [Seat; 2] {
        [players.white, players.red]
    }
}

/// A record and the warnings of its reader, or why the text is no record.
///
/// Deserialising the message reads the record. A long one takes time, which a
/// host can thus spend before it locks the session.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(from = "Sent")]
pub struct ReadText(pub(super) Result<Box<(Record, Vec<Warning>)>, String>);

impl From<Sent> for ReadText {
    fn from(text: Sent) -> ReadText {
        ReadText(text.record().map(Box::new))
    }
}

/// A record or position as a page sends it: as text, or as the bytes of a file in
/// whatever encoding.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged, expecting = "text is a string, or {\"base64\": the bytes of a file}")]
pub enum Sent {
    Text(String),
    File { base64: String },
}

impl Sent {
    /// Reads the first game in any format, and what was mended for it. Its moves
    /// are not checked.
    ///
    /// # Errors
    /// The error in one line.
    pub(super) fn record(&self) -> Result<(Record, Vec<Warning>), String> {
        let bytes;
        let text = match self {
            Sent::Text(text) => Text::from(text.as_str()),
            Sent::File { base64 } => {
                bytes = STANDARD.decode(base64).map_err(|error| format!("base64: {error}"))?;
                Text::decode(&bytes)
            }
        };
        Record::read(text, &Assumed::default()).map_err(|error| error.to_string())
    }
}

/// Reads a page's message: the request and the message's id, `null` if it has
/// none.
///
/// # Errors
/// The answer, a message `error`.
pub fn read(text: &str) -> Result<(Value, Request), Value> {
    let message: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|reason| error(&Value::Null, &format!("not JSON: {reason}")))?;
    let id = message.get("id").filter(|id| id.is_number()).cloned().unwrap_or_default();
    match serde_json::from_value(message) {
        Ok(request) => Ok((id, request)),
        Err(reason) => Err(error(&id, &reason.to_string())),
    }
}

/// The answer to the request with this id.
pub fn with_id(mut answer: Value, id: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("id".to_owned(), id);
    }
    answer
}

/// The message `error`.
pub fn error(id: &Value, text: &str) -> Value {
    json!({"type": "error", "id": id, "text": one_line(text)})
}

/// Adds to a message what was mended, if anything was.
pub fn add_mended(message: &mut Value, warnings: &[Warning]) {
    if !warnings.is_empty() {
        message["mended"] = warnings.iter().map(mended).collect();
    }
}

/// What was mended, as pages get it.
pub fn mended(warning: &Warning) -> Value {
    json!({"code": warning.code(), "text": warning.to_string()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_short_line_whatever_the_message_holds() {
        let long = Value::from("\u{1b}\n".repeat(100_000));
        for message in [
            r#"{"type":"a\nb\u001b[31m"}"#.to_owned(),
            format!(r#"{{"type":{long},"id":7}}"#),
            format!(r#"{{"type":"play","move":[{long}]}}"#),
            format!(r#"{{"type":"goto","node":{long}}}"#),
            "\n{\u{1b}".to_owned(),
        ] {
            let answer = read(&message).unwrap_err();
            let text = answer["text"].as_str().unwrap();
            assert!(!text.contains(char::is_control), "{text:?}");
            assert!(text.chars().count() <= 300, "{text}");
        }
    }
}
