//! A page's WebSocket: hands its requests to the session one by one, and sends it the session's
//! mail.
//!
//! Nothing piles up on either side. The next request is not read before the last one is answered,
//! so a page that floods the server fills only its own socket. The session's host keeps only the
//! newest broadcast of each kind, so a slow page skips old ones.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use pontifex_play::{Input, Page, PageMessage};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::session::Visit;
use super::work::SMALL_BYTES;

/// The longest time for sending a message. Set by judgement: a page that reads nothing for so long
/// is gone or asleep, and gets everything again when it reconnects.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// The interval of pings. Set by judgement: below the 60 s after which many proxies close a silent
/// connection.
const PING_INTERVAL: Duration = Duration::from_secs(25);

/// The longest silence of a page: three pings without an answer.
const SILENCE: Duration = Duration::from_secs(80);

/// Talks to a page until it leaves.
pub(super) async fn talk(mut socket: WebSocket, mut visit: Visit) {
    let page = visit.session.join().await;
    if let Some(close) = converse(&mut socket, &mut visit, page).await {
        send(&mut socket, close).await;
    }
    visit.session.handle(Input::Leave(page)).await;
}

/// Serves a page. Returns the message that closes the socket; `None` if the page has gone.
async fn converse(socket: &mut WebSocket, visit: &mut Visit, page: Page) -> Option<Message> {
    let mut pings = interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_heard = Instant::now();
    // Whether a request has no reply yet. Until it has, no other one is read.
    let mut is_waiting = false;
    loop {
        let mail = visit.session.mail(page).await;
        is_waiting &= mail.replies.is_empty();
        for text in mail.texts() {
            if !send(socket, Message::text(&*text)).await {
                return None;
            }
        }
        tokio::select! {
            message = socket.recv(), if !is_waiting => {
                last_heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        is_waiting = true;
                        receive(visit, page, text.as_str().to_owned()).await;
                    }
                    Some(Ok(Message::Binary(_))) => {
                        let error = pontifex_play::Message::error("messages are text");
                        if !send(socket, Message::text(error.to_json(&None))).await {
                            return None;
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => return None,
                    // Probably the message was too long.
                    Some(Err(_)) => {
                        return Some(close_message(close_code::SIZE, "messages have 1 MiB at most"));
                    }
                }
            }
            is_running = visit.changed() => {
                if !is_running {
                    return Some(close_message(close_code::AWAY, "the server ends"));
                }
            }
            _ = pings.tick() => {
                if last_heard.elapsed() > SILENCE || !send(socket, Message::Ping(Vec::new().into())).await {
                    return None;
                }
            }
        }
    }
}

/// Parses a message, in the work queue if it is long, and passes it on to the session.
async fn receive(visit: &Visit, page: Page, text: String) {
    let message = if text.len() <= SMALL_BYTES {
        Some(PageMessage::read(&text))
    } else {
        visit.session.app.work.run(move || PageMessage::read(&text)).await
    };
    if let Some(message) = message {
        visit.session.handle(Input::Message(page, message)).await;
    }
}

fn close_message(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}

/// Sends a message; `false` if the page does not read it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}
