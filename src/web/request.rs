//! What a page may send through its socket.

use serde::Deserialize;

use super::table::{ClockKind, Level, Seat};

/// One message; `docs/web.md` says what each means.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Request {
    New(NewGame),
    Settings {
        players: Option<Players>,
        level: Option<Level>,
    },
    Play {
        #[serde(rename = "move")]
        mv: String,
    },
    Seconds {
        first: String,
    },
    Why {
        #[serde(rename = "move")]
        mv: Option<String>,
        cell: Option<String>,
        first: Option<String>,
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
    },
    Review {
        #[serde(default)]
        cancel: bool,
        playouts: Option<u64>,
        time: Option<f64>,
    },
    Load {
        text: String,
        #[serde(default)]
        name: Option<String>,
    },
    Ping,
}

/// The game that is to begin; what is not said is as in a new session.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct NewGame {
    pub(super) board: Option<u64>,
    pub(super) supply: Option<String>,
    pub(super) pie: Option<bool>,
    pub(super) players: Option<Players>,
    pub(super) level: Option<Level>,
    pub(super) clock: Option<ClockKind>,
}

/// Who plays which colour.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Players {
    pub(super) white: Seat,
    pub(super) red: Seat,
}

impl From<Players> for [Seat; 2] {
    fn from(players: Players) -> [Seat; 2] {
        [players.white, players.red]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_others_refused() {
        let read = |text: &str| serde_json::from_str::<Request>(text);
        for text in [
            r#"{"type":"new","id":1,"board":8,"supply":"standard","pie":false,
                "players":{"white":"human","red":"pontifex"},"level":{"playouts":10},
                "clock":{"kind":"byoyomi","main":0,"period":10,"count":3}}"#,
            r#"{"type":"new","clock":{"kind":"none"}}"#,
            r#"{"type":"undo","id":3}"#,
            r#"{"type":"review","cancel":true}"#,
            r#"{"type":"analyze","on":true,"multi":3}"#,
        ] {
            read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        for text in ["{}", "[]", r#"{"type":"fly"}"#, r#"{"type":"goto","node":-1}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
