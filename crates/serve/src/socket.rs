//! A page's WebSocket: answers its requests in their order and forwards the
//! session's broadcasts. Of each kind only the newest message is kept, so a
//! slow page skips old ones and none pile up.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use pontifex_play::MessageKind;
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::commands::Answer;
use super::session::{SessionHandle, Visit};
use super::work::{SMALL, WorkQueue, to_text};

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
