//! A page's WebSocket: answers its requests in their order and forwards the
//! session's broadcasts. Of each kind only the newest message is kept, so a
//! slow page skips old ones and none pile up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use pontifex_play::{self, MessageKind};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::routes::{SMALL, WorkQueue, to_text};
use super::session::Answer;
use super::session::{SessionHandle, Visit};

/// The longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// The interval of pings.
const PING_INTERVAL: Duration = Duration::from_secs(25);

/// The longest silence of a page.
const SILENCE: Duration = Duration::from_secs(80);

/// Talks to a page until it leaves.
pub(super) async fn talk(mut socket: WebSocket, session: &Arc<SessionHandle>, work: &WorkQueue) {
    let visit = session.join().await;
    let mut news = visit.reader();
    let mut pings = interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    for text in news.read() {
        if !send(&mut socket, Message::text(&*text)).await {
            return;
        }
    }
    loop {
        let messages = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        let Some(answer) = answer(&visit, text, work).await else { break };
                        if let Some(version) = answer.version {
                            news.skip(MessageKind::State, version);
                        }
                        vec![Message::text(to_text(&answer.message))]
                    }
                    Some(Ok(Message::Binary(_))) => {
                        let error = pontifex_play::error(&Value::Null, "messages are text");
                        vec![Message::text(error.to_string())]
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(_)) => {
                        // Probably the message was too long.
                        let close = closing(close_code::SIZE, "messages have 1 MiB at most");
                        send(&mut socket, close).await;
                        return;
                    }
                }
            }
            is_open = news.changed() => {
                if !is_open {
                    break;
                }
                news.read().iter().map(|text| Message::text(&**text)).collect()
            }
            _ = pings.tick() => {
                if heard.elapsed() > SILENCE {
                    return;
                }
                vec![Message::Ping(Vec::new().into())]
            }
        };
        for message in messages {
            if !send(&mut socket, message).await {
                return;
            }
        }
    }
    send(&mut socket, closing(close_code::AWAY, "the server ends")).await;
}

fn closing(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}

/// Sends a message; `false` if the page does not read it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

/// Answers a message; `None` when the server ends.
async fn answer(visit: &Visit, text: Utf8Bytes, work: &WorkQueue) -> Option<Answer> {
    let read = if text.len() <= SMALL {
        pontifex_play::read(&text)
    } else {
        work.run(move || pontifex_play::read(&text)).await?
    };
    let (id, request) = match read {
        Ok(read) => read,
        Err(message) => return Some(Answer { message, version: None }),
    };
    let Answer { message, version } = visit.ask(request).await?;
    Some(Answer { message: pontifex_play::with_id(message, id), version })
}

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
