//! A page's WebSocket: answers its requests in their order and forwards the
//! session's broadcasts. Of each kind only the newest message is kept, so a
//! slow page skips old ones and none pile up.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use pontifex_play::{Input, Page, PageMessage};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::session::Visit;
use super::work::SMALL;

/// The longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// The interval of pings.
const PING_INTERVAL: Duration = Duration::from_secs(25);

/// The longest silence of a page.
const SILENCE: Duration = Duration::from_secs(80);

/// Talks to a page until it leaves.
pub(super) async fn talk(mut socket: WebSocket, mut visit: Visit) {
    let page = visit.session.join().await;
    if let Some(close) = converse(&mut socket, &mut visit, page).await {
        send(&mut socket, close).await;
    }
    visit.session.handle(Input::Leave(page)).await;
}

/// Returns how to close the socket; `None` if the page has gone.
async fn converse(socket: &mut WebSocket, visit: &mut Visit, page: Page) -> Option<Message> {
    let mut pings = interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    // Its next message is not read before it has the reply to the last one.
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
                heard = Instant::now();
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
                        return Some(closing(close_code::SIZE, "messages have 1 MiB at most"));
                    }
                }
            }
            goes_on = visit.changed() => {
                if !goes_on {
                    return Some(closing(close_code::AWAY, "the server ends"));
                }
            }
            _ = pings.tick() => {
                if heard.elapsed() > SILENCE || !send(socket, Message::Ping(Vec::new().into())).await {
                    return None;
                }
            }
        }
    }
}

/// Reads a message, apart if it is long, and passes it on.
async fn receive(visit: &Visit, page: Page, text: String) {
    let message = if text.len() <= SMALL {
        Some(PageMessage::read(&text))
    } else {
        visit.session.app.work.run(move || PageMessage::read(&text)).await
    };
    if let Some(message) = message {
        visit.session.handle(Input::Message(page, message)).await;
    }
}

fn closing(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}

/// Sends a message; `false` if the page does not read it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}
