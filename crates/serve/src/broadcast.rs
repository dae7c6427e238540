//! What a session sends to all its pages: the newest message of each kind. A slow
//! reader misses older ones.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pontifex_play::MessageKind;
use serde_json::Value;
use tokio::sync::watch;

use super::work::to_text;

/// The newest message of each kind. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Broadcast {
    messages: Arc<Mutex<Messages>>,
    version: watch::Sender<u64>,
}

type Messages = [Posted; MessageKind::COUNT];

#[derive(Clone, Debug, Default)]
struct Posted {
    version: u64,
    /// `None` before the first message and once it is withdrawn.
    text: Option<Arc<str>>,
}

/// One page's view of the messages.
#[derive(Debug)]
pub(super) struct Reader {
    broadcast: Broadcast,
    version: watch::Receiver<u64>,
    read: [u64; MessageKind::COUNT],
}

impl Default for Broadcast {
    fn default() -> Broadcast {
        Broadcast { messages: Arc::default(), version: watch::Sender::new(0) }
    }
}

impl Broadcast {
    /// Posts a message and returns its version, for [`Reader::skip`].
    pub(super) fn post(&self, kind: MessageKind, message: &Value) -> u64 {
        let text: Arc<str> = to_text(message).into();
        let mut messages = self.lock();
        self.version.send_modify(|version| {
            *version += 1;
            messages[kind as usize] = Posted { version: *version, text: Some(text) };
        });
        messages[kind as usize].version
    }

    /// Withdraws the message of a kind from pages that have not read it.
    pub(super) fn withdraw(&self, kind: MessageKind) {
        self.lock()[kind as usize].text = None;
    }

    /// A reader to whom the current messages are new.
    pub(super) fn reader(&self) -> Reader {
        let version = self.version.subscribe();
        Reader { broadcast: self.clone(), version, read: [0; MessageKind::COUNT] }
    }

    /// Locks the messages, ignoring poisoning.
    fn lock(&self) -> MutexGuard<'_, Messages> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader {
    /// Waits for a new message; `false` if the session has ended.
    pub(super) async fn changed(&mut self) -> bool {
        self.version.changed().await.is_ok()
    }

    /// The unread messages, in the order in which to send them.
    pub(super) fn read(&mut self) -> Vec<Arc<str>> {
        self.version.mark_unchanged();
        let messages = self.broadcast.lock();
        let mut unread = Vec::new();
        for (posted, read) in messages.iter().zip(&mut self.read) {
            if posted.version > *read {
                *read = posted.version;
                unread.extend(posted.text.clone());
            }
        }
        unread
    }

    /// Marks the message of this kind and version as read.
    pub(super) fn skip(&mut self, kind: MessageKind, version: u64) {
        let read = &mut self.read[kind as usize];
        *read = version.max(*read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_gets_the_newest_of_each_kind_and_nothing_withdrawn() {
        let broadcast = Broadcast::default();
        let mut reader = broadcast.reader();
        for number in 0..3 {
            broadcast.post(MessageKind::Analysis, &number.into());
            broadcast.post(MessageKind::State, &(10 + number).into());
        }
        assert_eq!(reader.read(), ["12".into(), "2".into()]);
        assert!(reader.read().is_empty());
        broadcast.post(MessageKind::Analysis, &4.into());
        broadcast.withdraw(MessageKind::Analysis);
        assert!(reader.read().is_empty());
        broadcast.post(MessageKind::Analysis, &5.into());
        let known = broadcast.post(MessageKind::State, &6.into());
        reader.skip(MessageKind::State, known);
        assert_eq!(reader.read(), ["5".into()]);
    }
}
