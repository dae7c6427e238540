//! What a host says: messages for its pages, and sessions to save.

use serde_json::{Value, json};

use pontifex_play::{MessageKind, SavedSession, entry};

/// The number of a page of a session.
pub(super) type Page = u32;

/// What the JavaScript around a host must do, in order.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Output {
    /// Send a text to one page.
    One(Page, String),
    /// Send a text to all pages but this one.
    All(String, Option<Page>),
    /// Save a session before any later output.
    Save {
        /// The session, to be given to [`Host::new`](super::host::Host::new).
        session: String,
        /// Its entry in the list of games; `null` for a game without a move.
        entry: String,
        /// Whether it is this session; otherwise it gets an id of its own.
        is_own: bool,
    },
}

impl Output {
    /// As JSON: `{"to": page, "text"}`, `{"text", "except"}` or
    /// `{"session", "entry", "own"}`.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Output::One(page, text) => json!({"to": page, "text": text}),
            Output::All(text, except) => json!({"text": text, "except": except}),
            Output::Save { session, entry, is_own } => {
                json!({"session": session, "entry": entry, "own": is_own})
            }
        }
    }
}

/// Outputs that have not been taken yet, and the newest message of each kind.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    outputs: Vec<Output>,
    newest: [Option<String>; MessageKind::COUNT],
}

impl Outbox {
    /// Sends a message to all pages, and to those that come later.
    pub(super) fn broadcast(&mut self, kind: MessageKind, message: &Value) {
        let text = message.to_string();
        self.newest[kind as usize] = Some(text.clone());
        self.outputs.push(Output::All(text, None));
    }

    /// Does not send the last message of this kind to further pages.
    pub(super) fn withdraw(&mut self, kind: MessageKind) {
        self.newest[kind as usize] = None;
    }

    /// Answers a page. The answer may stand in the place of the last broadcast
    /// `state`, which the page then does not get.
    pub(super) fn reply(&mut self, page: Page, message: &Value, replaces_state: bool) {
        if replaces_state && let Some(state) = &self.newest[MessageKind::State as usize] {
            let mut newest_first = self.outputs.iter_mut().rev();
            let posted = newest_first.find_map(|output| match output {
                Output::All(text, except) if text == state => Some(except),
                _ => None,
            });
            if let Some(except) = posted {
                *except = Some(page);
            }
        }
        self.outputs.push(Output::One(page, message.to_string()));
    }

    /// Sends a new page the newest messages.
    pub(super) fn join(&mut self, page: Page) {
        let newest = self.newest.iter().flatten();
        self.outputs.extend(newest.map(|text| Output::One(page, text.clone())));
    }

    /// Asks for a session to be saved: this one, or one that it was before.
    pub(super) fn save(&mut self, saved: &SavedSession, is_own: bool) {
        let session = serde_json::to_string(saved).unwrap_or_default();
        let entry = saved.table().map_or(Value::Null, |table| entry(&table)).to_string();
        self.outputs.push(Output::Save { session, entry, is_own });
    }

    /// Takes the outputs.
    pub(super) fn take(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }
}
