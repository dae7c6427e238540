//! A page's socket: what it asks is answered in turn, and between it hears
//! the news of its session.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::broadcast::Kind;
use super::request::Request;
use super::session::{Reply, Session, Visit};

/// How long a page may take to read a message.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a silent page is asked whether it is still there.
const PING: Duration = Duration::from_secs(25);

/// How long a page may be silent.
const SILENCE: Duration = Duration::from_secs(80);

/// Talks to a page until it leaves.
pub(super) async fn talk(mut socket: WebSocket, session: &Arc<Session>) {
    let visit = session.join();
    let mut news = visit.reader();
    visit.greet().await;
    let mut pings = interval(PING);
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
                        let Some((answer, known)) = answer(&visit, &text).await else { break };
                        if let Some(version) = known {
                            news.skip(Kind::State, version);
                        }
                        vec![Message::text(answer.to_string())]
                    }
                    Some(Ok(Message::Binary(_))) => {
                        vec![Message::text(error(&Value::Null, "messages are text").to_string())]
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(_)) => {
                        // Too long a message, most likely.
                        let (code, reason) = (close_code::SIZE, "messages have 1 MiB at most".into());
                        let close = Message::Close(Some(CloseFrame { code, reason }));
                        send(&mut socket, close).await;
                        return;
                    }
                }
            }
            is_open = news.news() => {
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
    let close = CloseFrame { code: close_code::AWAY, reason: "the server ends".into() };
    send(&mut socket, Message::Close(Some(close))).await;
}

/// Sends a message; `false` when the page does not read.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
}

/// The answer to a message and, if it is the state, its number; `None` when
/// the server ends.
async fn answer(visit: &Visit, text: &str) -> Option<(Value, Option<u64>)> {
    let message: Value = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(reason) => return Some((error(&Value::Null, &format!("not JSON: {reason}")), None)),
    };
    let id = message.get("id").filter(|id| id.is_number()).cloned().unwrap_or_default();
    let request: Request = match serde_json::from_value(message) {
        Ok(request) => request,
        Err(reason) => return Some((error(&id, &reason.to_string()), None)),
    };
    let (mut answer, version) = match visit.ask(request).await? {
        Reply::State(state, version) => (state, Some(version)),
        Reply::Answer(answer) => (answer, None),
    };
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("id".to_owned(), id);
    }
    Some((answer, version))
}

fn error(id: &Value, text: &str) -> Value {
    json!({"type": "error", "id": id, "text": text})
}
